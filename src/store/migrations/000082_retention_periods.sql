-- Oldest program: 000055

-- The periods of retention, of which the functions that delete only knew what a caller said. Nothing is deleted until the
-- settings are stored, which `skedchange migrate` does right after this. Programs of 0.3.0 call the same functions with
-- a moment of their own, and delete what both allow.
create table skedchange.retention_periods (
  only_row boolean not null default true constraint retention_periods_pkey primary key
    constraint retention_periods_has_one_row check (only_row),
  bodies_days integer not null constraint retention_periods_bodies_days_in_range check (bodies_days >= 0),
  cases_days integer not null constraint retention_periods_cases_days_in_range check (cases_days >= 0)
);
grant select on skedchange.retention_periods to skedchange_service;

-- What was opened, joined or decided lately is not over, whatever a program has written since.
create or replace function skedchange.is_over(of_source text, of_order text, before timestamptz) returns boolean
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

create or replace function skedchange.delete_expired_bodies(before timestamptz, batch integer) returns jsonb
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

create or replace function skedchange.delete_expired_cases(before timestamptz, batch integer) returns jsonb
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

drop function skedchange.refuse_young(timestamptz);
