-- The agency's own events about its cases, for systems that the agency configures. They are delivered by the same code
-- as the gateway's notifications, over tables of the same shape: what a column means that has no comment here stands in
-- 17-gateway-delivery.sql.

-- An endpoint that the agency configured. Every event of an order is sent, first in, first out, and any 2xx will do.
create table skedchange.event_recipients (
  id uuid not null constraint event_recipients_pkey primary key,
  name text not null constraint recipients_name_length check (char_length(name) between 1 and 200),
  url text not null constraint recipients_url_length check (char_length(url) between 1 and 2000),
  -- none: its signature is all that an event proves itself by.
  auth_type text not null
    constraint event_recipients_auth_type_is_known check (auth_type in ('none', 'basic', 'bearer', 'oauth')),
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active'
    constraint recipients_state_is_known check (state in ('active', 'paused', 'disabled', 'removed')),
  state_reason jsonb,
  state_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ordering text not null default 'every' constraint event_recipients_ordering_is_every check (ordering = 'every')
    constraint recipients_ordering_is_known check (ordering in ('latest', 'every')),
  acknowledgement text not null default 'any-success'
    constraint event_recipients_any_success_counts check (acknowledgement = 'any-success')
    constraint recipients_acknowledgement_is_known check (acknowledgement in ('required', 'any-success')),
  signing_secrets bytea,
  signing_secrets_encoding text,
  signing_secrets_key_id text,
  signing_secret_count integer not null default 0,
  deadline_ms integer constraint recipients_deadline_bounds check (deadline_ms between 1000 and 60000),
  lanes_max integer constraint recipients_lanes_bounds check (lanes_max between 1 and 64),
  failed_in_row integer not null default 0,
  failing_since timestamptz,
  held_until timestamptz,
  held_because text constraint recipients_hold_is_known check (held_because in ('throttled', 'failing')),
  agency_id text constraint recipients_agency_id_length check (char_length(agency_id) between 1 and 100),
  rate_per_second integer constraint recipients_rate_bounds check (rate_per_second between 1 and 1000),
  paced_until timestamptz,
  client_certificate bytea,
  client_certificate_encoding text,
  client_certificate_key_id text,
  client_certificate_expires_at timestamptz,
  ramp_lanes integer constraint recipients_ramp_bounds check (ramp_lanes between 1 and 64),
  failing_notices integer not null default 0,
  -- Which events it is sent, and of which sources; null: all.
  event_types text[] constraint event_recipients_types_are_some check (cardinality(event_types) > 0),
  sources text[] constraint event_recipients_sources_are_some check (cardinality(sources) > 0),
  constraint event_recipients_events_are_signed check (state = 'removed' or signing_secret_count > 0),
  constraint recipients_certificate_is_whole
    check ((client_certificate is null) = (client_certificate_expires_at is null)),
  constraint recipients_certificate_is_wiped_on_removal check (state <> 'removed' or client_certificate is null),
  constraint recipients_credential_is_wiped_on_removal check ((state = 'removed') = (credential is null)),
  constraint recipients_hold_says_why check ((held_until is null) = (held_because is null)),
  constraint recipients_inactive_says_why check ((state = 'active') = (state_reason is null)),
  constraint recipients_signing_is_whole check ((signing_secrets is null) = (signing_secret_count = 0)),
  constraint recipients_signing_is_wiped_on_removal check (state <> 'removed' or signing_secrets is null)
);
-- Who is told of the agency's business, and where, is a right like others.
create trigger event_recipients_added_is_audited after insert on skedchange.event_recipients
  for each row execute function skedchange.audit_row(
    'event-recipient.added', 'id,state', 'name,url,event_types,sources', '');
create trigger event_recipients_changed_is_audited after update on skedchange.event_recipients
  for each row when ((old.name, old.url, old.auth_type, old.credential, old.state, old.event_types, old.sources,
      old.signing_secrets, old.client_certificate)
    is distinct from (new.name, new.url, new.auth_type, new.credential, new.state, new.event_types, new.sources,
      new.signing_secrets, new.client_certificate))
  execute function skedchange.audit_row('event-recipient.changed', 'id,state',
    'name,url,auth_type,credential,event_types,sources,signing_secrets,client_certificate', '');
grant select, insert, update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason,
  state_changed_at, updated_at, signing_secrets, signing_secrets_encoding, signing_secrets_key_id,
  signing_secret_count, deadline_ms, lanes_max, failed_in_row, failing_since, held_until, held_because,
  rate_per_second, paced_until, client_certificate, client_certificate_encoding, client_certificate_key_id,
  client_certificate_expires_at, ramp_lanes, failing_notices, event_types, sources)
  on skedchange.event_recipients to skedchange_service;

-- One event, committed together with what it tells of. It holds ids and decisions, no passenger data and no notes, and
-- is written by the database, which has no keys: `identity` is the encoding of bytes as they are.
create table skedchange.event_bodies (
  id uuid not null constraint event_bodies_pkey primary key,
  order_id text not null,
  publish_key text not null constraint event_bodies_publish_key_key unique,
  digest bytea not null constraint ocn_bodies_digest_is_sha256 check (octet_length(digest) = 32),
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamptz not null,
  event_type text not null,
  source text not null,
  case_id uuid not null constraint event_bodies_case_fkey references skedchange.cases (id),
  -- Those that it goes to: who wanted it when it happened.
  recipient_ids uuid[] not null,
  -- The order of the commits, within an order: whoever writes about an order holds its row.
  position bigint generated always as identity constraint event_bodies_position_unique unique,
  -- When the deliveries to its recipients were added.
  routed_at timestamptz
);
-- As gateway.ocn_bodies.
alter table skedchange.event_bodies alter column body set storage external;
create index event_bodies_order_id_created_at_idx on skedchange.event_bodies (order_id, created_at);
create index event_bodies_created_at_id_idx on skedchange.event_bodies (created_at, id);
-- What the sender looks for.
create index event_bodies_unrouted on skedchange.event_bodies (position) where routed_at is null;
create index event_bodies_by_case on skedchange.event_bodies (case_id);
grant select, update (routed_at) on skedchange.event_bodies to skedchange_service;

-- One order at one recipient.
create table skedchange.event_lanes (
  recipient_id uuid not null,
  order_id text not null,
  due_at timestamptz,
  lease_fence bigint not null default 0,
  leased_until timestamptz,
  leased_by text,
  dispatched_until timestamptz,
  is_retry boolean not null default false,
  constraint event_lanes_pkey primary key (recipient_id, order_id),
  constraint event_lanes_recipient_fkey foreign key (recipient_id) references skedchange.event_recipients (id)
);
create index event_lanes_recipient_id_due_at_idx
  on skedchange.event_lanes (recipient_id, due_at) where due_at is not null;
create index event_lanes_recipient_id_idx on skedchange.event_lanes (recipient_id) where dispatched_until is not null;
create index event_lanes_leased_until
  on skedchange.event_lanes (recipient_id, leased_until) where leased_until is not null;
grant select, insert, update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry)
  on skedchange.event_lanes to skedchange_service;

-- One event to one recipient.
create table skedchange.event_deliveries (
  id uuid not null constraint event_deliveries_pkey primary key,
  position bigint generated always as identity constraint event_deliveries_position_key unique,
  body_id uuid not null,
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending'
    constraint deliveries_state_is_known check (state in ('pending', 'delivered', 'dead', 'superseded')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  first_tried_at timestamptz,
  dead_reason jsonb,
  replay_of uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  superseded_by uuid,
  constraint deliveries_dead_says_why check ((state = 'dead') = (dead_reason is not null)),
  constraint deliveries_finish_is_dated check ((state = 'pending') = (finished_at is null)),
  constraint deliveries_superseded_says_by_what check ((state = 'superseded') = (superseded_by is not null)),
  constraint event_deliveries_body_fkey foreign key (body_id) references skedchange.event_bodies (id),
  constraint event_deliveries_lane_fkey
    foreign key (recipient_id, order_id) references skedchange.event_lanes (recipient_id, order_id),
  constraint event_deliveries_replay_fkey foreign key (replay_of) references skedchange.event_deliveries (id),
  constraint event_deliveries_superseded_by_fkey
    foreign key (superseded_by) references skedchange.event_deliveries (id)
);
-- As gateway.deliveries.
alter table skedchange.event_deliveries set (fillfactor = 85);
create unique index event_deliveries_ocn_id_recipient_id_idx
  on skedchange.event_deliveries (body_id, recipient_id) where replay_of is null;
create index event_deliveries_recipient_id_order_id_position_idx
  on skedchange.event_deliveries (recipient_id, order_id, position) where state = 'pending';
create index event_deliveries_order_id_position_idx on skedchange.event_deliveries (order_id, position);
create index event_deliveries_recipient_id_position_idx on skedchange.event_deliveries (recipient_id, position);
create index event_deliveries_state_position_idx on skedchange.event_deliveries (state, position);
create index event_deliveries_finished_at_idx
  on skedchange.event_deliveries (finished_at) where state in ('delivered', 'superseded');
create index event_deliveries_superseded_by_idx
  on skedchange.event_deliveries (superseded_by) where superseded_by is not null;
create index event_deliveries_replay_of_idx on skedchange.event_deliveries (replay_of) where replay_of is not null;
create index event_deliveries_ocn_id_idx on skedchange.event_deliveries (body_id);
create index event_deliveries_by_order_beginning
  on skedchange.event_deliveries (upper(order_id) text_pattern_ops, position);
create trigger event_deliveries_end_once before update on skedchange.event_deliveries
  for each row when (old.state <> 'pending') execute function gateway.refuse_reviving_delivery();
grant select, insert, update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at,
  superseded_by) on skedchange.event_deliveries to skedchange_service;

-- One HTTP try.
create table skedchange.event_attempts (
  id uuid not null constraint event_attempts_pkey primary key,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamptz not null,
  lease_fence bigint not null,
  outcome text constraint attempts_outcome_is_known check (outcome in ('delivered', 'refused', 'failed')),
  http_status integer,
  error_code text,
  answer_excerpt text constraint attempts_excerpt_length check (char_length(answer_excerpt) <= 2048),
  duration_ms integer,
  error_message text constraint attempts_error_message_length check (char_length(error_message) <= 1000),
  timings jsonb,
  constraint event_attempts_delivery_id_number_key unique (delivery_id, number),
  constraint attempts_outcome_is_complete check ((outcome is null) = (duration_ms is null)),
  constraint event_attempts_delivery_fkey foreign key (delivery_id) references skedchange.event_deliveries (id)
);
create trigger event_attempts_end_once before update on skedchange.event_attempts
  for each row when (old.outcome is not null) execute function gateway.refuse_changing_attempt();
grant select, insert, update (outcome, http_status, error_code, answer_excerpt, duration_ms, error_message, timings)
  on skedchange.event_attempts to skedchange_service;

-- The only row, by which claims of deliveries take turns.
create table skedchange.event_turns (
  is_only boolean not null default true constraint event_turns_pkey primary key
    constraint event_turns_is_only_check check (is_only),
  turn bigint not null default 0
);
insert into skedchange.event_turns default values;
grant select, update (turn) on skedchange.event_turns to skedchange_service;

-- Many deliveries that a person has sent again.
create table skedchange.event_replays (
  id uuid not null constraint event_replays_pkey primary key,
  filter jsonb not null,
  force boolean not null,
  state text not null default 'running'
    constraint replays_state_is_known check (state in ('running', 'finished', 'cancelled')),
  up_to_position bigint not null,
  position bigint not null default 0,
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint replays_finish_is_dated check ((state = 'running') = (finished_at is null))
);
create index event_replays_id_idx on skedchange.event_replays (id) where state = 'running';
grant select, insert, update (state, position, replayed, skipped, finished_at)
  on skedchange.event_replays to skedchange_service;

-- Adds an event about a case, when somebody wants it. The service role cannot add one that nothing has happened for.
--
-- `about`: {decisionId, effectId, taskId}, what the event is about beside its case. Reasons are given by their codes:
-- their sentences may quote what the gateway said.
--
-- It sends no message of NOTIFY: a commit with one never shares a sync with others, and most commits of a worker write
-- an event. Whoever changes a case announces it, and the sender looks for events then.
create function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb)
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
revoke all on function skedchange.add_event(text, text, uuid, jsonb) from public;

-- What is an event is told here, and nowhere else. The triggers are deferred: they run with the commit, so that an
-- event shows its case as the transaction leaves it, and whoever changes a case need not know of events.
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
