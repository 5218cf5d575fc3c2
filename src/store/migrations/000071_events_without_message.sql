-- Oldest program: 000039
-- Without a message: a commit with one never shares a sync with others, and most commits of a worker write an event. Whoever
-- changes a case announces it, and the sender looks for events then. A sender of an older program looks each second.
create or replace function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
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
  where r.state <> 'removed' and (r.event_types is null or event_type = any (r.event_types))
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
      select jsonb_build_object('id', t.id, 'kind', t.kind)
      from skedchange.tasks t where t.id = (about ->> 'taskId')::uuid)
  )::text, 'UTF8');
  insert into skedchange.event_bodies
    (id, order_id, publish_key, digest, body, body_encoding, body_bytes, created_at, event_type, source, case_id,
    recipient_ids)
  values (event_id, case_row.order_id, publish_key, sha256(body), body, 'identity', octet_length(body), happened_at,
    event_type, case_row.source, case_row.id, recipients)
  on conflict on constraint event_bodies_publish_key_key do nothing;
end
$function$;
