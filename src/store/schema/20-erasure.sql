-- Erasure: what is stored about one order, so that it names nobody any more. Ids, states, digests, flights and the
-- audit stay.

-- What was erased. After an older dump is restored, the list says what to erase once more. It has ids only.
create table skedchange.erasures (
  id bigint generated always as identity constraint erasures_pkey primary key,
  source text not null,
  -- One of the two. A notification in quarantine need not name an order.
  order_id text,
  notification_id uuid,
  -- When it was erased first. An entry that is applied to a restored dump has the time of the list.
  erased_at timestamptz not null,
  erased_by text not null,
  -- How many of each went.
  counts jsonb not null,
  constraint erasures_of_one_thing check ((order_id is null) <> (notification_id is null))
);
create unique index erasures_once
  on skedchange.erasures (source, coalesce(order_id, notification_id::text), erased_at);
create trigger erasures_added_are_audited after insert on skedchange.erasures
  for each row execute function skedchange.audit_row('order.erased', 'id,notification_id,erased_at', '', 'erased_by');
create trigger erasures_never_change before delete or update on skedchange.erasures
  for each row execute function skedchange.refuse_rewriting_history();
grant select on skedchange.erasures to skedchange_service;

-- Why an order cannot be erased now: (code, id of what the code is about). No rows if it can.
create function skedchange.erasure_blockers(of_source text, of_order text) returns table (code text, about text)
  language sql stable
as $$
  select case when c.state in ('done', 'resolved-elsewhere', 'closed') then 'case-due' else 'case-open' end, c.id::text
    from skedchange.cases c
    where c.source = of_source and c.order_id = of_order
      and (c.state not in ('done', 'resolved-elsewhere', 'closed') or c.due_at is not null)
  union all
  select 'effect-live', e.id::text from skedchange.effects e
    where e.source = of_source and e.order_id = of_order and e.state in ('planned', 'sent', 'unknown')
  union all
  select 'task-open', t.id::text from skedchange.tasks t join skedchange.cases c on c.id = t.case_id
    where c.source = of_source and c.order_id = of_order and t.closed_at is null
  union all
  select 'order-leased', o.order_id from skedchange.orders o
    where o.source = of_source and o.order_id = of_order and o.leased_until > now()
  union all
  select 'notification-pending', g.notification_id::text from skedchange.notification_digests g
    where g.source = of_source and g.pending_since is not null
      and (g.pending_orders @> jsonb_build_array(jsonb_build_object('orderId', of_order))
        or g.notification_id in (select n.id from skedchange.notifications_of(of_source, of_order) n))
  union all
  select 'notification-shared', n.id::text from skedchange.notifications_of(of_source, of_order) n
    where exists (
      select from skedchange.case_notifications j join skedchange.cases other on other.id = j.case_id
      where j.notification_id = n.id and (other.source, other.order_id) <> (of_source, of_order)
        and not skedchange.is_over(other.source, other.order_id, 'infinity')
    )
  union all
  select distinct 'event-being-delivered', l.recipient_id::text
    from skedchange.event_lanes l
    join skedchange.event_deliveries d on d.recipient_id = l.recipient_id and d.order_id = l.order_id
    join skedchange.event_bodies b on b.id = d.body_id
    where l.order_id = of_order and b.source = of_source and l.leased_until > now()
$$;

-- Deletes the bodies of notifications in quarantine. They stay there.
create function skedchange.delete_quarantined_bodies(of_source text, ids uuid[]) returns integer
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  deleted integer;
begin
  update skedchange.notifications
    set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = 'erasure',
      problem = problem || '{"path": "", "message": ""}'
    where id = any (ids) and source = of_source and state = 'quarantined' and body_deleted_at is null;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
revoke all on function skedchange.delete_quarantined_bodies(text, uuid[]) from public;

-- Erases one notification in quarantine. Returns how many bodies went: none if it is not there, or not in quarantine.
create function skedchange.erase_quarantined(of_source text, of_notification uuid, who text, at timestamptz)
  returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  deleted integer := skedchange.delete_quarantined_bodies(of_source, array[of_notification]);
begin
  if deleted > 0 then
    insert into skedchange.erasures (source, notification_id, erased_at, erased_by, counts)
      values (of_source, of_notification, coalesce(at, now()), who, jsonb_build_object('quarantinedBodies', deleted));
  end if;
  return deleted;
end
$$;
revoke all on function skedchange.erase_quarantined(text, uuid, text, timestamptz) from public;
grant execute on function skedchange.erase_quarantined(text, uuid, text, timestamptz) to skedchange_service;

-- Erases one order. `quarantined` are notifications in quarantine that name it, which only a reader of their bodies can
-- find. Returns how many of each went. What the law says goes with the document of a decision: the part of it that
-- stands beside the document would look like the whole.
create function skedchange.erase_order(of_source text, of_order text, who text, at timestamptz, quarantined uuid[])
  returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
  one uuid;
  counts jsonb := '{}';
  deleted integer;
begin
  perform 1 from skedchange.orders o where o.source = of_source and o.order_id = of_order for update;
  if exists (select from skedchange.erasure_blockers(of_source, of_order)) then
    raise exception 'order % of source % is still worked on', of_order, of_source
      using errcode = 'object_in_use', constraint = 'erasures_wait_for_work';
  end if;
  ids := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order order by c.opened_at, c.id);
  foreach one in array ids loop
    counts := skedchange.add_counts(counts, skedchange.delete_case_bodies(one, 'infinity', 'erasure', who));
  end loop;

  perform set_config('skedchange.deleting', 'on', true);
  -- Facts, and sentences about them, may quote what could not be understood.
  update skedchange.decisions d
    set facts = null, trace = null, inputs = null, legal = null, reasons = skedchange.reasons_without_texts(d.reasons),
      document = null, document_encoding = null, document_bytes = null, key_id = null
    where d.case_id = any (ids);
  update skedchange.tasks t set reasons = skedchange.reasons_without_texts(t.reasons) where t.case_id = any (ids);
  update skedchange.cases set headline = null where id = any (ids);
  update skedchange.bulk_actions a set command = a.command - 'note'
    where a.command ? 'note' and exists (
      select from skedchange.bulk_action_cases b where b.bulk_action_id = a.id and b.case_id = any (ids)
    );
  update skedchange.bulk_action_cases set message = null where case_id = any (ids) and message is not null;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d join skedchange.event_bodies b on b.id = d.body_id where b.case_id = any (ids)
  );
  delete from skedchange.event_deliveries d using skedchange.event_bodies b where b.id = d.body_id and b.case_id = any (ids);
  delete from skedchange.event_bodies where case_id = any (ids);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('events', deleted);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('polledStatusViews', deleted);
  update skedchange.orders set next_poll_at = null, poll_ended = 'erased' where source = of_source and order_id = of_order;

  counts := counts || jsonb_build_object('quarantinedBodies', skedchange.delete_quarantined_bodies(of_source, quarantined));

  insert into skedchange.erasures (source, order_id, erased_at, erased_by, counts)
    values (of_source, of_order, coalesce(at, now()), who, counts);
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$$;
revoke all on function skedchange.erase_order(text, text, text, timestamptz, uuid[]) from public;
grant execute on function skedchange.erase_order(text, text, text, timestamptz, uuid[]) to skedchange_service;
