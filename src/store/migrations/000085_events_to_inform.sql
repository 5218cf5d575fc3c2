-- Oldest program: 000055

-- A system of the agency may inform travellers instead of a person: an event asks it to, and its acknowledgement closes the
-- task. Programs of 0.3.0 open no such task. A sender of 0.3.0 delivers the event and leaves its task open; a sender of this
-- version closes it. Tasks are locked while they are read once, so that none is opened meanwhile that breaks the constraint.
alter table skedchange.tasks
  add column by_event boolean not null default false,
  add constraint tasks_only_informing_is_by_event check (not by_event or kind = 'inform-traveller');
create index tasks_open_by_event on skedchange.tasks (id) where closed_at is null and by_event;

create or replace function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb)
  returns void language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  case_row skedchange.cases;
  event_id uuid := gen_random_uuid();
  recipients uuid[];
  -- Not now(): of two events in one transaction the second one is later.
  happened_at timestamptz := clock_timestamp();
  body bytea;
begin
  -- Cheap where nobody listens, since this runs with every change of a case.
  if not exists (select from skedchange.event_recipients r where r.state <> 'removed') then
    return;
  end if;
  select * into case_row from skedchange.cases where id = about_case;
  select array_agg(r.id) into recipients from skedchange.event_recipients r
  where r.state <> 'removed'
    -- Whoever takes everything has not said that it informs travellers.
    and (event_type = any (r.event_types) or (r.event_types is null and event_type <> 'traveller.inform'))
    and (r.sources is null or case_row.source = any (r.sources));
  if recipients is null then
    return;
  end if;
  body := convert_to(jsonb_build_object(
    'id', event_id,
    'type', event_type,
    'createdAt', to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'source', case_row.source,
    'caseId', case_row.id,
    'orderId', case_row.order_id,
    'gdsBookingReferences', to_jsonb(case_row.gds_booking_references),
    'state', case_row.state,
    'dueBy', case when case_row.due_by is not null then jsonb_build_object(
      'at', to_char(case_row.due_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'rule', case_row.due_by_rule) end,
    'decision', (
      select jsonb_build_object('id', d.id, 'action', d.action, 'reviewQueue', d.review_queue, 'rule', d.rule,
        'reasons', coalesce(jsonb_path_query_array(d.reasons, '$[*].code'), '[]'), 'by',
        case when d.decided_by = 'policy' then 'policy' else 'person' end)
      from skedchange.decisions d
      where d.id = coalesce((about ->> 'decisionId')::uuid, case_row.decision_id)),
    'effect', (
      select jsonb_build_object('id', e.id, 'action', e.action, 'state', e.state)
      from skedchange.effects e where e.id = (about ->> 'effectId')::uuid),
    'task', (
      select jsonb_build_object('id', t.id, 'kind', t.kind,
        'reasons', jsonb_path_query_array(t.reasons, '$[*].code'),
        'dueBy', case when t.due_by is not null then jsonb_build_object(
          'at', to_char(t.due_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'rule', t.due_by_rule) end)
      from skedchange.tasks t where t.id = (about ->> 'taskId')::uuid)
  )::text, 'UTF8');
  insert into skedchange.event_bodies
    (id, order_id, publish_key, digest, body, body_encoding, body_bytes, created_at, event_type, source, case_id,
    recipient_ids)
  values (event_id, case_row.order_id, publish_key, sha256(body), body, 'identity', octet_length(body), happened_at,
    event_type, case_row.source, case_row.id, recipients)
  on conflict on constraint event_bodies_publish_key_key do nothing;
end
$$;

create or replace function skedchange.tell_of_task() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  done jsonb;
begin
  perform skedchange.add_event('task.opened', 'task.opened/' || new.id, new.case_id,
    jsonb_build_object('taskId', new.id));
  if new.by_event then
    -- What the traveller is to be informed of is what the last effect changed.
    select jsonb_build_object('effectId', e.id, 'decisionId', e.decision_id) into done
    from skedchange.effects e where e.case_id = new.case_id and e.state = 'succeeded'
    order by e.finished_at desc limit 1;
    perform skedchange.add_event('traveller.inform', 'traveller.inform/' || new.id, new.case_id,
      coalesce(done, '{}') || jsonb_build_object('taskId', new.id));
  end if;
  return null;
end
$$;
