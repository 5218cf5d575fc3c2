-- Retention: what travellers' data is in, such as bodies and notes, is deleted some time after the cases of an order
-- have ended, and finished cases some time later.
--
-- The service role may delete nothing by itself. It calls functions of the owner, which decide what may go: never
-- anything of an order that is still worked on, and nothing before a period is over that only the owner can change.
-- Functions of one query have no search_path of their own, so that the planner puts them into the statements that call
-- them.

-- After how many days what is deleted; 0, or no row, keeps it for ever. `skedchange migrate` stores the settings of
-- these names here, and so does the start of a worker that has the owner's rights.
create table skedchange.retention_periods (
  only_row boolean not null default true constraint retention_periods_pkey primary key
    constraint retention_periods_has_one_row check (only_row),
  bodies_days integer not null constraint retention_periods_bodies_days_in_range check (bodies_days >= 0),
  cases_days integer not null constraint retention_periods_cases_days_in_range check (cases_days >= 0)
);
grant select on skedchange.retention_periods to skedchange_service;

-- Whether all work on an order ended before: its cases, effects and tasks, and what was received about it. The service
-- role may change when a case and a task ended, but not when a case was opened, a notification joined it and something
-- was decided, so these count as well.
create function skedchange.is_over(of_source text, of_order text, before timestamptz) returns boolean
  language sql stable
as $$
  select not exists (
      select from skedchange.cases c
      where c.source = of_source and c.order_id = of_order
        and (c.state not in ('done', 'resolved-elsewhere', 'closed') or c.due_at is not null
          or c.updated_at >= before or c.opened_at >= before)
    ) and not exists (
      select from skedchange.decisions d join skedchange.cases c on c.id = d.case_id
      where c.source = of_source and c.order_id = of_order and d.decided_at >= before
    ) and not exists (
      select from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
      where c.source = of_source and c.order_id = of_order and j.joined_at >= before
    ) and not exists (
      select from skedchange.effects e
      where e.source = of_source and e.order_id = of_order and e.state in ('planned', 'sent', 'unknown')
    ) and not exists (
      select from skedchange.tasks t join skedchange.cases c on c.id = t.case_id
      where c.source = of_source and c.order_id = of_order and (t.closed_at is null or t.closed_at >= before)
    ) and not exists (
      select from skedchange.orders o where o.source = of_source and o.order_id = of_order and o.leased_until > now()
    ) and not exists (
      select from skedchange.cases c
      join skedchange.case_notifications j on j.case_id = c.id
      join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
      join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest
      where c.source = of_source and c.order_id = of_order and g.pending_since is not null
    )
$$;

-- Whether a notification belongs to nothing but cases of orders that are over.
create function skedchange.is_notification_over(of_notification uuid, before timestamptz) returns boolean
  language sql stable
as $$
  select not exists (
    select from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
    where j.notification_id = of_notification and not skedchange.is_over(c.source, c.order_id, before)
  )
$$;

-- The notifications that the cases of an order rest on.
create function skedchange.notifications_of(of_source text, of_order text)
  returns table (id uuid, received_at timestamptz, source text, digest bytea)
  language sql stable
as $$
  select distinct n.id, n.received_at, n.source, n.digest
  from skedchange.cases c
  join skedchange.case_notifications j on j.case_id = c.id
  join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
  where c.source = of_source and c.order_id = of_order
$$;

-- What stays of a timeline line: ids, codes, numbers and times. Not what a person or a gateway wrote.
create function skedchange.without_texts(detail jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(key, case jsonb_typeof(value) when 'object' then jsonb_build_object('code', value -> 'code') else value end), '{}')
  from jsonb_each(case jsonb_typeof(detail) when 'object' then detail else '{}' end)
  where key in ('gdsBookingReferences', 'refunds')
    or (key = 'error' and jsonb_typeof(value) = 'object')
    or jsonb_typeof(value) in ('number', 'boolean', 'null')
    or (key not in ('note', 'message') and jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$')
$$;

-- Of reasons: their codes.
create function skedchange.reasons_without_texts(reasons jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('code', reason -> 'code', 'text', '') order by place), '[]')
  from jsonb_array_elements(case jsonb_typeof(reasons) when 'array' then reasons else '[]' end)
    with ordinality as listed (reason, place)
$$;

-- Of an effect's results: what the gateway wrote in words.
create function skedchange.results_without_texts(results jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(result || '{"errorMessage": "", "refundText": null}' order by place)
  from jsonb_array_elements(case jsonb_typeof(results) when 'array' then results else '[]' end)
    with ordinality as listed (result, place)
$$;

-- The moment before which work must have ended, so that what it left may go: the one that the caller asks for, or the
-- one that lies the stored number of days back, whichever is earlier. A caller whose clock is ahead, or whose period is
-- shorter, deletes what both allow.
create function skedchange.expiry_limit(asked timestamptz, days integer) returns timestamptz
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(days, 0) = 0 then
    raise exception 'the database keeps this for ever, because no period is stored'
      using errcode = 'check_violation', constraint = 'retention_periods_are_stored',
        hint = 'Run `skedchange migrate` with RETENTION_BODIES_DAYS, RETENTION_CASES_DAYS and DATABASE_OWNER_URL.';
  end if;
  -- Days of 24 hours. Others depend on the time zone of the session, which the caller chooses.
  return least(asked, now() - days * interval '24 hours');
end
$$;

-- Cases whose bodies and texts go.
create function skedchange.cases_with_expired_bodies(before timestamptz)
  returns table (id uuid, source text, order_id text, updated_at timestamptz)
  language sql stable
as $$
  select c.id, c.source, c.order_id, c.updated_at from skedchange.cases c
  where c.closed_at is not null and (c.bodies_deleted_at is null or c.updated_at > c.bodies_deleted_at)
    and c.updated_at < before and skedchange.is_over(c.source, c.order_id, before)
$$;

-- Deletes the bodies and texts of one case, says so on its timeline, which is audited, and returns how many of each
-- went. `because` is 'retention' or 'erasure'. Also empties views that were compressed against the notifications that
-- it empties, whatever case they are of: that one is over, too, but its turn may come in a later transaction.
create function skedchange.delete_case_bodies(about_case uuid, before timestamptz, because text, who text)
  returns jsonb language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  emptied uuid[];
  touched uuid[];
  deleted_statuses integer;
  deleted_documents integer;
  deleted_answers integer;
  deleted_notes integer := 0;
  deleted_lines integer;
  counted integer;
  counts jsonb;
begin
  perform set_config('skedchange.deleting', 'on', true);
  with gone as (
    update skedchange.notifications n
      set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = because,
        problem = n.problem || '{"path": "", "message": ""}'
      from skedchange.case_notifications j
      where j.case_id = about_case and n.received_at = j.notification_received_at and n.id = j.notification_id
        and n.body_deleted_at is null and n.state <> 'quarantined' and skedchange.is_notification_over(n.id, before)
      returning n.id
  ) select coalesce(array_agg(id), '{}') into emptied from gone;
  touched := about_case || array(
    select j.case_id from skedchange.case_notifications j where j.notification_id = any (emptied)
  );
  update skedchange.status_views
    set body = '', body_encoding = 'deleted', key_id = null, compressed_against = null,
      body_deleted_at = now(), body_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and body_deleted_at is null;
  get diagnostics deleted_statuses = row_count;
  -- Nothing refers to these.
  delete from skedchange.document_views
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied));
  get diagnostics deleted_documents = row_count;
  update skedchange.effects
    set answer = null, answer_encoding = 'deleted', key_id = null, compressed_against = null,
      answer_deleted_at = now(), answer_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and answer is not null;
  get diagnostics deleted_answers = row_count;
  update skedchange.effects e
    set error = e.error || '{"message": ""}', results = coalesce(skedchange.results_without_texts(e.results), e.results)
    where e.case_id = about_case and (e.error is not null or e.results is not null);
  update skedchange.decisions set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.approvals set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.tasks set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.traveller_contacts set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.case_events e set detail = skedchange.without_texts(e.detail), texts_deleted_at = now()
    where e.case_id = about_case and e.detail is distinct from skedchange.without_texts(e.detail);
  get diagnostics deleted_lines = row_count;
  counts := jsonb_build_object('notificationBodies', cardinality(emptied), 'statusViews', deleted_statuses,
    'documentViews', deleted_documents, 'responses', deleted_answers, 'notes', deleted_notes, 'timelineTexts', deleted_lines);
  if exists (select from jsonb_each_text(counts) where value <> '0') then
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
      values (about_case, now(), 'case.bodies_deleted', who, counts || jsonb_build_object('reason', because));
  end if;
  update skedchange.cases set bodies_deleted_at = now(), last_error = last_error || '{"message": ""}' where id = about_case;
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$$;
revoke all on function skedchange.delete_case_bodies(uuid, timestamptz, text, text) from public;

-- Adds up two objects of counts, name by name.
create function skedchange.add_counts(a jsonb, b jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(key, total), '{}') from (
    select key, sum(value::bigint) as total from (
      select key, value from jsonb_each_text(a) union all select key, value from jsonb_each_text(b)
    ) each group by key
  ) totals
$$;

-- Deletes the bodies and texts of up to `batch` cases whose orders were over before, and so many days ago as is stored.
-- Orders that somebody works on are left for the next time.
create function skedchange.delete_expired_bodies(before timestamptz, batch integer) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  expired record;
  counts jsonb := '{"casesWithoutBodies": 0}';
  deleted_polls integer;
begin
  before := skedchange.expiry_limit(before, (select p.bodies_days from skedchange.retention_periods p));
  for expired in
    select * from skedchange.cases_with_expired_bodies(before) e order by e.updated_at limit batch
  loop
    perform 1 from skedchange.orders o where o.source = expired.source and o.order_id = expired.order_id for update skip locked;
    continue when not found or not skedchange.is_over(expired.source, expired.order_id, before);
    counts := skedchange.add_counts(counts,
      skedchange.delete_case_bodies(expired.id, before, 'retention', 'retention') || '{"casesWithoutBodies": 1}'::jsonb);
  end loop;
  delete from skedchange.order_status_views where id in (
    select v.id from skedchange.order_status_views v
    where v.read_at < before and not exists (
      select from skedchange.cases c
      where c.source = v.source and c.order_id = v.order_id and c.state not in ('done', 'resolved-elsewhere', 'closed')
    )
    order by v.read_at limit batch
    for update of v skip locked
  );
  get diagnostics deleted_polls = row_count;
  return counts || jsonb_build_object('polledStatusViews', deleted_polls);
end
$$;
revoke all on function skedchange.delete_expired_bodies(timestamptz, integer) from public;
grant execute on function skedchange.delete_expired_bodies(timestamptz, integer) to skedchange_service;

-- Cases that go altogether, with all cases of their orders. The flights have departed, nobody polls the order any more,
-- and the agency's own systems have been told.
create function skedchange.expired_cases(before timestamptz)
  returns table (id uuid, source text, order_id text, opened_at timestamptz)
  language sql stable
as $$
  select c.id, c.source, c.order_id, c.opened_at from skedchange.cases c
  where c.closed_at is not null and c.opened_at < before and c.updated_at < before
    and skedchange.is_over(c.source, c.order_id, before)
    and not exists (
      select from skedchange.cases other
      where other.source = c.source and other.order_id = c.order_id and other.departure_at >= before
    ) and not exists (
      select from skedchange.event_bodies b join skedchange.cases other on other.id = b.case_id
      where other.source = c.source and other.order_id = c.order_id and (b.routed_at is null or exists (
        select from skedchange.event_deliveries d where d.body_id = b.id and d.state = 'pending'
      ))
    ) and not exists (
      select from skedchange.orders o where o.source = c.source and o.order_id = c.order_id and o.next_poll_at is not null
    )
$$;

-- Deletes all cases of one order with everything that belongs to them. The audit has what happened, and that they were
-- deleted.
create function skedchange.delete_cases_of(of_source text, of_order text) returns jsonb language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[] := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order);
  bodies uuid[] := array(select b.id from skedchange.event_bodies b where b.case_id = any (ids));
  joined_ids uuid[];
  joined_times timestamp with time zone[];
  deleted_decisions integer;
  deleted_effects integer;
  deleted_lines integer;
  deleted_notifications integer;
begin
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs)
    select now(), 'case.deleted', 'retention', of_source, of_order, c.id, jsonb_build_object('state', c.state)
    from skedchange.cases c where c.id = any (ids) order by c.opened_at, c.id;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d where d.body_id = any (bodies)
  );
  delete from skedchange.event_deliveries where body_id = any (bodies);
  delete from skedchange.event_bodies where id = any (bodies);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  update skedchange.cases set decision_id = null where id = any (ids);
  delete from skedchange.effects where case_id = any (ids);
  get diagnostics deleted_effects = row_count;
  delete from skedchange.shadow_decisions where decision_id in (
    select d.id from skedchange.decisions d where d.case_id = any (ids)
  );
  delete from skedchange.decisions where case_id = any (ids);
  get diagnostics deleted_decisions = row_count;
  delete from skedchange.status_views where case_id = any (ids);
  delete from skedchange.document_views where case_id = any (ids);
  delete from skedchange.approvals where case_id = any (ids);
  delete from skedchange.tasks where case_id = any (ids);
  delete from skedchange.traveller_contacts where source = of_source and order_id = of_order;
  delete from skedchange.case_events where case_id = any (ids);
  get diagnostics deleted_lines = row_count;

  -- A notification goes with its last case, and its digest with it: the same bytes would open a case again.
  with joined as (
    delete from skedchange.case_notifications where case_id = any (ids) returning notification_id, notification_received_at
  ) select array_agg(notification_id), array_agg(notification_received_at) into joined_ids, joined_times from joined;
  with gone as (
    delete from skedchange.notifications n using unnest(joined_ids, joined_times) as joined (id, received_at)
    where n.received_at = joined.received_at and n.id = joined.id and n.state <> 'quarantined'
      and not exists (select from skedchange.case_notifications j where j.notification_id = n.id)
    returning n.source, n.digest
  ) delete from skedchange.notification_digests g using gone where g.source = gone.source and g.digest = gone.digest;
  get diagnostics deleted_notifications = row_count;

  delete from skedchange.cases where id = any (ids);
  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  delete from skedchange.order_imports where source = of_source and order_id = of_order;
  delete from skedchange.orders where source = of_source and order_id = of_order;
  return jsonb_build_object('cases', cardinality(ids), 'decisions', deleted_decisions, 'effects', deleted_effects,
    'timelineLines', deleted_lines, 'notifications', deleted_notifications);
end
$$;
revoke all on function skedchange.delete_cases_of(text, text) from public;

-- Deletes the finished cases of up to `batch` orders that were over, and flown, before, and so many days ago as is stored.
create function skedchange.delete_expired_cases(before timestamptz, batch integer) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  expired record;
  known integer;
  locked integer;
  counts jsonb := '{"cases": 0}';
begin
  before := skedchange.expiry_limit(before, (select p.cases_days from skedchange.retention_periods p));
  for expired in
    select distinct e.source, e.order_id from (
      select * from skedchange.expired_cases(before) order by opened_at limit batch
    ) e
  loop
    -- Digests before orders before cases, as everywhere; what somebody else has is left for the next time.
    select count(*) into known from skedchange.notifications_of(expired.source, expired.order_id);
    select count(*) into locked from (
      select 1 from skedchange.notification_digests g
      join skedchange.notifications_of(expired.source, expired.order_id) n on n.source = g.source and n.digest = g.digest
      for update of g skip locked
    ) taken;
    continue when locked <> known;
    perform 1 from skedchange.orders o where o.source = expired.source and o.order_id = expired.order_id for update skip locked;
    continue when not found;
    continue when not exists (
      select from skedchange.expired_cases(before) e where e.source = expired.source and e.order_id = expired.order_id
    );
    counts := skedchange.add_counts(counts, skedchange.delete_cases_of(expired.source, expired.order_id));
  end loop;
  return counts;
end
$$;
revoke all on function skedchange.delete_expired_cases(timestamptz, integer) from public;
grant execute on function skedchange.delete_expired_cases(timestamptz, integer) to skedchange_service;
