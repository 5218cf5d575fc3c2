-- The agency's own outgoing events, for systems that the agency configures. They are delivered by the same code as the
-- gateway's notifications, over tables of the same shape.

-- An endpoint that the agency configured. Every event of an order is sent, first in, first out, and any 2xx will do.
create table skedchange.event_recipients (like gateway.recipients including all);
alter table skedchange.event_recipients
  drop column airlines,
  -- Which events it is sent, and of which sources; null: all.
  add column event_types text[] constraint event_recipients_types_are_some check (cardinality(event_types) > 0),
  add column sources text[] constraint event_recipients_sources_are_some check (cardinality(sources) > 0),
  alter column ordering set default 'every',
  alter column acknowledgement set default 'any-success',
  drop constraint recipients_auth_type_is_known,
  -- none: its signature is all that an event proves itself by.
  add constraint event_recipients_auth_type_is_known check (auth_type in ('none', 'basic', 'bearer', 'oauth')),
  add constraint event_recipients_ordering_is_every check (ordering = 'every'),
  add constraint event_recipients_any_success_counts check (acknowledgement = 'any-success'),
  add constraint event_recipients_events_are_signed check (state = 'removed' or signing_secret_count > 0);

-- One event, committed together with what it tells of. It holds ids and decisions, no passenger data and no notes, and
-- is written by the database, which has no keys: `identity` is the encoding of bytes as they are.
create table skedchange.event_bodies (like gateway.ocn_bodies including all);
alter table skedchange.event_bodies
  drop column change_id,
  drop column airline,
  add column event_type text not null,
  add column source text not null,
  add column case_id uuid not null constraint event_bodies_case_fkey references skedchange.cases (id),
  -- Those that it goes to: who wanted it when it happened.
  add column recipient_ids uuid[] not null,
  -- The order of the commits, within an order: whoever writes about an order holds its row.
  add column position bigint generated always as identity constraint event_bodies_position_unique unique,
  -- When the deliveries to its recipients were added.
  add column routed_at timestamptz;
create index event_bodies_unrouted on skedchange.event_bodies (position) where routed_at is null;

create table skedchange.event_lanes (like gateway.lanes including all);
alter table skedchange.event_lanes add constraint event_lanes_recipient_fkey
  foreign key (recipient_id) references skedchange.event_recipients (id);

create table skedchange.event_deliveries (like gateway.deliveries including all);
alter table skedchange.event_deliveries rename column ocn_id to body_id;
alter table skedchange.event_deliveries
  add constraint event_deliveries_body_fkey foreign key (body_id) references skedchange.event_bodies (id),
  add constraint event_deliveries_replay_fkey foreign key (replay_of) references skedchange.event_deliveries (id),
  add constraint event_deliveries_superseded_by_fkey
    foreign key (superseded_by) references skedchange.event_deliveries (id),
  add constraint event_deliveries_lane_fkey
    foreign key (recipient_id, order_id) references skedchange.event_lanes (recipient_id, order_id);
create trigger event_deliveries_end_once before update on skedchange.event_deliveries
  for each row when (old.state <> 'pending') execute function gateway.refuse_reviving_delivery();

create table skedchange.event_attempts (like gateway.attempts including all);
alter table skedchange.event_attempts add constraint event_attempts_delivery_fkey
  foreign key (delivery_id) references skedchange.event_deliveries (id);
create trigger event_attempts_end_once before update on skedchange.event_attempts
  for each row when (old.outcome is not null) execute function gateway.refuse_changing_attempt();

create table skedchange.event_replays (like gateway.replays including all);

-- Who is told of the agency's business, and where, is a right like others.
create trigger event_recipients_added_is_audited after insert on skedchange.event_recipients
  for each row execute function skedchange.audit_row('event-recipient.added', 'id,state', 'name,url,event_types,sources', '');
create trigger event_recipients_changed_is_audited after update on skedchange.event_recipients
  for each row when ((old.name, old.url, old.auth_type, old.credential, old.state, old.event_types, old.sources,
      old.signing_secrets, old.client_certificate)
    is distinct from (new.name, new.url, new.auth_type, new.credential, new.state, new.event_types, new.sources,
      new.signing_secrets, new.client_certificate))
  execute function skedchange.audit_row('event-recipient.changed', 'id,state',
    'name,url,auth_type,credential,event_types,sources,signing_secrets,client_certificate', '');

grant select on skedchange.event_bodies to skedchange_service;
grant update (routed_at) on skedchange.event_bodies to skedchange_service;
grant select, insert on skedchange.event_recipients, skedchange.event_lanes, skedchange.event_deliveries,
  skedchange.event_attempts, skedchange.event_replays to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at,
  updated_at, event_types, sources, deadline_ms, lanes_max, signing_secrets, signing_secrets_encoding,
  signing_secrets_key_id, signing_secret_count, failed_in_row, failing_since, held_until, held_because,
  rate_per_second, paced_until, client_certificate, client_certificate_encoding, client_certificate_key_id,
  client_certificate_expires_at, ramp_lanes, failing_notices) on skedchange.event_recipients to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry) on skedchange.event_lanes
  to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at, superseded_by)
  on skedchange.event_deliveries to skedchange_service;
grant update (outcome, http_status, error_code, error_message, answer_excerpt, duration_ms, timings)
  on skedchange.event_attempts to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on skedchange.event_replays to skedchange_service;

-- Adds an event about a case, when somebody wants it. The service role cannot add one that nothing has happened for.
--
-- `about`: {decisionId, effectId, taskId}, what the event is about beside its case. Reasons are given by their codes:
-- their sentences may quote what the gateway said.
create function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
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
  perform pg_notify('skedchange_due', '');
end
$$;
revoke all on function skedchange.add_event(text, text, uuid, jsonb) from public;

-- What is an event is told here, and nowhere else. The triggers are deferred: they run with the commit, so that an event
-- shows its case as the transaction leaves it, and whoever changes a case need not know of events.
create function skedchange.tell_of_case() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform skedchange.add_event('case.opened', 'case.opened/' || new.id, new.id, '{}');
    return null;
  end if;
  if old.overdue_at is null and new.overdue_at is not null then
    perform skedchange.add_event('case.overdue', 'case.overdue/' || new.id || '/' || extract(epoch from new.overdue_at),
      new.id, '{}');
  end if;
  if new.state is distinct from old.state then
    if new.state = 'done' then
      perform skedchange.add_event('case.done', 'case.done/' || new.id, new.id, '{}');
    elsif new.state in ('closed', 'resolved-elsewhere') then
      perform skedchange.add_event('case.closed', 'case.closed/' || new.id, new.id, '{}');
    end if;
  end if;
  return null;
end
$$;
create constraint trigger cases_tell_of_opening after insert on skedchange.cases
  deferrable initially deferred for each row execute function skedchange.tell_of_case();
create constraint trigger cases_tell_of_change after update on skedchange.cases
  deferrable initially deferred for each row
  when (new.state in ('done', 'closed', 'resolved-elsewhere') and new.state is distinct from old.state
    or (old.overdue_at is null and new.overdue_at is not null))
  execute function skedchange.tell_of_case();

create function skedchange.tell_of_decision() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform skedchange.add_event('case.decided', 'case.decided/' || new.id, new.case_id,
    jsonb_build_object('decisionId', new.id));
  return null;
end
$$;
create constraint trigger decisions_tell after insert on skedchange.decisions
  deferrable initially deferred for each row execute function skedchange.tell_of_decision();

create function skedchange.tell_of_effect() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- An accept that is sent once more may become unknown once more.
  perform skedchange.add_event('effect.' || new.state, 'effect.' || new.state || '/' || new.id || '/' || new.sends,
    new.case_id, jsonb_build_object('decisionId', new.decision_id, 'effectId', new.id));
  return null;
end
$$;
create constraint trigger effects_tell after update on skedchange.effects
  deferrable initially deferred for each row
  when (new.state is distinct from old.state and new.state in ('succeeded', 'failed', 'unknown'))
  execute function skedchange.tell_of_effect();

create function skedchange.tell_of_task() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform skedchange.add_event('task.opened', 'task.opened/' || new.id, new.case_id,
    jsonb_build_object('taskId', new.id));
  return null;
end
$$;
create constraint trigger tasks_tell after insert on skedchange.tasks
  deferrable initially deferred for each row execute function skedchange.tell_of_task();

-- As gateway.delete_ended: the service role cannot delete from this history otherwise.
create function skedchange.delete_ended_events(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
  deleted integer;
  bodies integer;
begin
  if before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
  select array_agg(id) into ids from (
    select d.id from skedchange.event_deliveries d
    where d.state = 'delivered' and d.finished_at < before
      and not exists (select from skedchange.event_deliveries o where o.replay_of = d.id)
    order by d.finished_at limit batch
    for update of d skip locked
  ) as ended;
  delete from skedchange.event_attempts where delivery_id = any (ids);
  delete from skedchange.event_deliveries where id = any (ids);
  get diagnostics deleted = row_count;
  delete from skedchange.event_bodies where id in (
    select b.id from skedchange.event_bodies b
    where b.created_at < before and b.routed_at is not null
      and not exists (select from skedchange.event_deliveries d where d.body_id = b.id)
    order by b.created_at limit batch
    for update of b skip locked
  );
  get diagnostics bodies = row_count;
  return deleted + bodies;
end
$$;
revoke all on function skedchange.delete_ended_events(timestamptz, integer) from public;
grant execute on function skedchange.delete_ended_events(timestamptz, integer) to skedchange_service;
