-- The OCN sender: who receives notifications, what is still to be delivered to them, and every try that was made.
--
-- The service role can add to this history and move work along. It cannot rewrite a body, a finished attempt, or a
-- delivery that has ended.
grant usage on schema gateway to skedchange_service;

-- An endpoint that an agency configured.
create table gateway.recipients (
  id uuid not null constraint recipients_pkey primary key,
  name text not null constraint recipients_name_length check (char_length(name) between 1 and 200),
  url text not null constraint recipients_url_length check (char_length(url) between 1 and 2000),
  auth_type text not null constraint recipients_auth_type_is_known check (auth_type in ('basic', 'bearer')),
  -- {username, password} or {token} as sealed by the store. Wiped when the recipient is removed.
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active' constraint recipients_state_is_known
    check (state in ('active', 'paused', 'disabled', 'removed')),
  -- Why it is not active: {code, message}.
  state_reason jsonb,
  state_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint recipients_credential_is_wiped_on_removal check ((state = 'removed') = (credential is null)),
  constraint recipients_inactive_says_why check ((state = 'active') = (state_reason is null))
);

-- The exact bytes of one notification, once, however many recipients it goes to.
create table gateway.ocn_bodies (
  id uuid not null constraint ocn_bodies_pkey primary key,
  change_id text not null,
  order_id text not null,
  airline text not null,
  -- Announcing the same change of the same order again adds nothing.
  publish_key text not null constraint ocn_bodies_publish_key_unique unique,
  -- SHA-256 of the body before sealing.
  digest bytea not null constraint ocn_bodies_digest_is_sha256 check (octet_length(digest) = 32),
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamptz not null
);
-- The store compresses bodies; letting PostgreSQL try again costs CPU and gains nothing.
alter table gateway.ocn_bodies alter column body set storage external;
create index ocn_bodies_by_order on gateway.ocn_bodies (order_id, created_at);

-- One order at one recipient: the lane in which deliveries go strictly one after the other.
create table gateway.lanes (
  recipient_id uuid not null constraint lanes_recipient_fkey references gateway.recipients (id),
  order_id text not null,
  -- When its first pending delivery may be sent; null when none is pending.
  due_at timestamptz,
  -- Grows with each lease. A worker that holds an older one can only add evidence, not move the lane.
  lease_fence bigint not null default 0,
  leased_until timestamptz,
  leased_by text,
  -- The feeder has handed this lane to the queue and waits this long before it does so again.
  dispatched_until timestamptz,
  constraint lanes_pkey primary key (recipient_id, order_id)
);
create index lanes_due on gateway.lanes (recipient_id, due_at) where due_at is not null;
-- Lanes in the hands of the queue or of a worker, to count them.
create index lanes_dispatched on gateway.lanes (recipient_id) where dispatched_until is not null;
create index lanes_leased on gateway.lanes (recipient_id) where leased_until is not null;

-- One notification to one recipient.
create table gateway.deliveries (
  id uuid not null constraint deliveries_pkey primary key,
  -- The order within the lane. Given out under the lane's row lock, so it is also the order of the commits.
  position bigint generated always as identity constraint deliveries_position_unique unique,
  ocn_id uuid not null constraint deliveries_ocn_fkey references gateway.ocn_bodies (id),
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending' constraint deliveries_state_is_known
    check (state in ('pending', 'delivered', 'dead')),
  -- When it may be tried, once it is the first of its lane.
  due_at timestamptz not null,
  -- Tries begun, and those in a row that ended without an acknowledgement.
  attempts integer not null default 0,
  failures integer not null default 0,
  -- The retry schedule counts from the first try, not from the announcement: waiting behind another delivery or for a
  -- paused recipient does not use it up.
  first_tried_at timestamptz,
  -- Why it is dead: {code, message}.
  dead_reason jsonb,
  -- The delivery whose bytes a person had sent again.
  replay_of uuid constraint deliveries_replay_fkey references gateway.deliveries (id),
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint deliveries_lane_fkey foreign key (recipient_id, order_id) references gateway.lanes (recipient_id, order_id),
  constraint deliveries_finish_is_dated check ((state = 'pending') = (finished_at is null)),
  constraint deliveries_dead_says_why check ((state = 'dead') = (dead_reason is not null))
);
-- At most one delivery of a notification to a recipient, apart from replays that a person asked for.
create unique index deliveries_once_per_recipient on gateway.deliveries (ocn_id, recipient_id) where replay_of is null;
create index deliveries_pending_by_lane on gateway.deliveries (recipient_id, order_id, position) where state = 'pending';
create index deliveries_by_order on gateway.deliveries (order_id, position);
create index deliveries_by_recipient on gateway.deliveries (recipient_id, position);
create index deliveries_by_state on gateway.deliveries (state, position);

create function gateway.refuse_reviving_delivery() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'delivery % has ended as % and cannot change', old.id, old.state
    using errcode = 'check_violation', constraint = 'deliveries_end_once';
end
$$;
create trigger deliveries_end_once before update on gateway.deliveries
  for each row when (old.state <> 'pending') execute function gateway.refuse_reviving_delivery();

-- One HTTP try. Written before the bytes leave, completed when its outcome is known; an attempt that stays without
-- outcome was cut off by a crash, and the recipient may or may not have received it.
create table gateway.attempts (
  id uuid not null constraint attempts_pkey primary key,
  delivery_id uuid not null constraint attempts_delivery_fkey references gateway.deliveries (id),
  number integer not null,
  started_at timestamptz not null,
  -- The lease under which it was sent.
  lease_fence bigint not null,
  -- delivered: acknowledged. refused: answered with anything else. failed: no complete answer.
  outcome text constraint attempts_outcome_is_known check (outcome in ('delivered', 'refused', 'failed')),
  http_status integer,
  error_code text,
  -- The beginning of the answer as text, without our credentials.
  answer_excerpt text constraint attempts_excerpt_length check (char_length(answer_excerpt) <= 2048),
  duration_ms integer,
  constraint attempts_number_unique unique (delivery_id, number),
  constraint attempts_outcome_is_complete check ((outcome is null) = (duration_ms is null))
);

create function gateway.refuse_changing_attempt() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'attempt % has ended as % and cannot change', old.id, old.outcome
    using errcode = 'check_violation', constraint = 'attempts_end_once';
end
$$;
create trigger attempts_end_once before update on gateway.attempts
  for each row when (old.outcome is not null) execute function gateway.refuse_changing_attempt();

grant select, insert on gateway.recipients, gateway.ocn_bodies, gateway.lanes, gateway.deliveries, gateway.attempts
  to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at,
  updated_at) on gateway.recipients to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until) on gateway.lanes to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at) on gateway.deliveries
  to skedchange_service;
grant update (outcome, http_status, error_code, answer_excerpt, duration_ms) on gateway.attempts to skedchange_service;
