-- The OCN sender: who receives notifications, what is still to be delivered to them, and every attempt that was made.
--
-- The service role can add to this history and move work along. It cannot rewrite a body, a finished attempt, or a
-- delivery that has ended.

-- An endpoint that an agency configured.
create table gateway.recipients (
  id uuid not null constraint recipients_pkey primary key,
  name text not null constraint recipients_name_length check (char_length(name) between 1 and 200),
  url text not null constraint recipients_url_length check (char_length(url) between 1 and 2000),
  auth_type text not null constraint recipients_auth_type_is_known check (auth_type in ('basic', 'bearer', 'oauth')),
  -- {username, password} or {token} as encrypted by the store. Wiped when the recipient is removed.
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active'
    constraint recipients_state_is_known check (state in ('active', 'paused', 'disabled', 'removed')),
  -- Why it is not active: {code, message}.
  state_reason jsonb,
  state_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- latest: a newer notification of an order takes the place of those not delivered yet, since each is a full snapshot.
  -- every: all of them, first in, first out.
  ordering text not null default 'latest'
    constraint recipients_ordering_is_known check (ordering in ('latest', 'every')),
  -- Whose changes it is sent; null: those of every airline.
  airlines text[] constraint recipients_airlines_are_some check (cardinality(airlines) > 0),
  -- required: only AcknowledgeResponse with Status OK counts. any-success: any 2xx does.
  acknowledgement text not null default 'required'
    constraint recipients_acknowledgement_is_known check (acknowledgement in ('required', 'any-success')),
  -- Secrets with which notifications are signed, a JSON list as encrypted by the store; null: they are not signed.
  signing_secrets bytea,
  signing_secrets_encoding text,
  signing_secrets_key_id text,
  signing_secret_count integer not null default 0,
  -- Limits of its own; null: those of the sender.
  deadline_ms integer constraint recipients_deadline_bounds check (deadline_ms between 1000 and 60000),
  lanes_max integer constraint recipients_lanes_bounds check (lanes_max between 1 and 64),
  -- Failed attempts since the last acknowledgement, and when the first of them was.
  failed_in_row integer not null default 0,
  failing_since timestamptz,
  -- Nothing is sent before that: the recipient asked for it (throttled), or fails again and again (failing).
  held_until timestamptz,
  held_because text constraint recipients_hold_is_known check (held_because in ('throttled', 'failing')),
  -- The agency that owns it; null: not stated, so it receives notifications of the orders of all agencies.
  agency_id text constraint recipients_agency_id_length check (char_length(agency_id) between 1 and 100),
  -- Deliveries a second; null: as fast as it responds.
  rate_per_second integer constraint recipients_rate_bounds check (rate_per_second between 1 and 1000),
  -- Up to here its rate is used up: it moves on by one delivery's share of a second with each attempt.
  paced_until timestamptz,
  -- Certificate, private key and accepted authorities in PEM, as encrypted by the store; null: it is shown none.
  client_certificate bytea,
  client_certificate_encoding text,
  client_certificate_key_id text,
  client_certificate_expires_at timestamptz,
  -- Orders that it is sent at the same time after a stop, one more with each acknowledgement; null: its full number.
  ramp_lanes integer constraint recipients_ramp_bounds check (ramp_lanes between 1 and 64),
  -- How often the log has reported that it fails: 1 after a day, 2 after three.
  failing_notices integer not null default 0,
  constraint recipients_certificate_is_whole
    check ((client_certificate is null) = (client_certificate_expires_at is null)),
  constraint recipients_certificate_is_wiped_on_removal check (state <> 'removed' or client_certificate is null),
  constraint recipients_credential_is_wiped_on_removal check ((state = 'removed') = (credential is null)),
  constraint recipients_hold_says_why check ((held_until is null) = (held_because is null)),
  constraint recipients_inactive_says_why check ((state = 'active') = (state_reason is null)),
  constraint recipients_signing_is_whole check ((signing_secrets is null) = (signing_secret_count = 0)),
  constraint recipients_signing_is_wiped_on_removal check (state <> 'removed' or signing_secrets is null)
);
grant select, insert, update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason,
  state_changed_at, updated_at, ordering, airlines, acknowledgement, signing_secrets, signing_secrets_encoding,
  signing_secrets_key_id, signing_secret_count, deadline_ms, lanes_max, failed_in_row, failing_since, held_until,
  held_because, agency_id, rate_per_second, paced_until, client_certificate, client_certificate_encoding,
  client_certificate_key_id, client_certificate_expires_at, ramp_lanes, failing_notices)
  on gateway.recipients to skedchange_service;

-- The exact bytes of one notification, once, however many recipients it goes to.
create table gateway.ocn_bodies (
  id uuid not null constraint ocn_bodies_pkey primary key,
  change_id text not null,
  order_id text not null,
  airline text not null,
  -- Announcing the same change of the same order again adds nothing.
  publish_key text not null constraint ocn_bodies_publish_key_unique unique,
  -- SHA-256 of the body as it is sent.
  digest bytea not null constraint ocn_bodies_digest_is_sha256 check (octet_length(digest) = 32),
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamptz not null,
  -- As in skedchange.notifications.
  is_bound boolean not null default false,
  -- The W3C `traceparent` of its announcement, so that the trace goes on in the process that sends it. Null without
  -- tracing.
  traceparent text,
  -- As in gateway.orders: only recipients of this agency receive it.
  agency_id text constraint ocn_bodies_agency_is_short check (length(agency_id) between 1 and 100)
);
-- The store compresses bodies; letting PostgreSQL try again costs CPU and gains nothing.
alter table gateway.ocn_bodies alter column body set storage external;
create index ocn_bodies_by_order on gateway.ocn_bodies (order_id, created_at);
-- Notifications that no recipient was configured for when they were announced.
create index ocn_bodies_by_age on gateway.ocn_bodies (created_at, id);
grant select, insert on gateway.ocn_bodies to skedchange_service;

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
  -- Whether what is first in the lane has failed before. Such lanes leave room to the others.
  is_retry boolean not null default false,
  constraint lanes_pkey primary key (recipient_id, order_id)
);
create index lanes_due on gateway.lanes (recipient_id, due_at) where due_at is not null;
-- Lanes in the hands of the queue or of a worker, to count them.
create index lanes_dispatched on gateway.lanes (recipient_id) where dispatched_until is not null;
-- How many lanes of a recipient are leased now is read from the index alone, without those whose lease is over.
create index lanes_leased_until on gateway.lanes (recipient_id, leased_until) where leased_until is not null;
grant select, insert, update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry)
  on gateway.lanes to skedchange_service;

-- One notification to one recipient.
create table gateway.deliveries (
  id uuid not null constraint deliveries_pkey primary key,
  -- The order within the lane. Given out under the lane's row lock, so it is also the order of the commits.
  position bigint generated always as identity constraint deliveries_position_unique unique,
  ocn_id uuid not null constraint deliveries_ocn_fkey references gateway.ocn_bodies (id),
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending'
    constraint deliveries_state_is_known check (state in ('pending', 'delivered', 'dead', 'superseded')),
  -- When it may be attempted, once it is the first of its lane.
  due_at timestamptz not null,
  -- Attempts begun, and those in a row that ended without an acknowledgement.
  attempts integer not null default 0,
  failures integer not null default 0,
  -- The retry schedule counts from the first attempt, not from the announcement: waiting behind another delivery or for
  -- a paused recipient does not use it up.
  first_tried_at timestamptz,
  -- Why it is dead: {code, message}.
  dead_reason jsonb,
  -- The delivery whose bytes a person had sent again.
  replay_of uuid constraint deliveries_replay_fkey references gateway.deliveries (id),
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The newer delivery of the same lane that took its place.
  superseded_by uuid constraint deliveries_superseded_by_fkey references gateway.deliveries (id),
  constraint deliveries_dead_says_why check ((state = 'dead') = (dead_reason is not null)),
  constraint deliveries_finish_is_dated check ((state = 'pending') = (finished_at is null)),
  constraint deliveries_superseded_says_by_what check ((state = 'superseded') = (superseded_by is not null)),
  constraint deliveries_lane_fkey
    foreign key (recipient_id, order_id) references gateway.lanes (recipient_id, order_id)
);
-- A delivery is changed when its attempt begins, and the new version finds room on the same page, so that no index
-- changes.
alter table gateway.deliveries set (fillfactor = 85);
-- At most one delivery of a notification to a recipient, apart from replays that a person asked for.
create unique index deliveries_once_per_recipient
  on gateway.deliveries (ocn_id, recipient_id) where replay_of is null;
create index deliveries_pending_by_lane
  on gateway.deliveries (recipient_id, order_id, position) where state = 'pending';
create index deliveries_by_order on gateway.deliveries (order_id, position);
create index deliveries_by_recipient on gateway.deliveries (recipient_id, position);
create index deliveries_by_state on gateway.deliveries (state, position);
-- What has ended is deleted after a while. What is pending or dead is not.
create index deliveries_by_finish on gateway.deliveries (finished_at) where state in ('delivered', 'superseded');
create index deliveries_by_superseder on gateway.deliveries (superseded_by) where superseded_by is not null;
create index deliveries_by_original on gateway.deliveries (replay_of) where replay_of is not null;
create index deliveries_by_body on gateway.deliveries (ocn_id);
-- Deliveries are found by the beginning of an order id, in upper or lower case.
create index deliveries_by_order_beginning on gateway.deliveries (upper(order_id) text_pattern_ops, position);

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
grant select, insert, update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at,
  superseded_by) on gateway.deliveries to skedchange_service;

-- One HTTP call. Written before the bytes leave, completed when its outcome is known; an attempt that stays without
-- outcome was cut off by a crash, and the recipient may or may not have received it.
create table gateway.attempts (
  id uuid not null constraint attempts_pkey primary key,
  delivery_id uuid not null constraint attempts_delivery_fkey references gateway.deliveries (id),
  number integer not null,
  started_at timestamptz not null,
  -- The lease under which it was sent.
  lease_fence bigint not null,
  -- delivered: acknowledged. refused: any other response. failed: no complete response.
  outcome text constraint attempts_outcome_is_known check (outcome in ('delivered', 'refused', 'failed')),
  http_status integer,
  error_code text,
  -- The beginning of the response as text, without our credentials.
  answer_excerpt text constraint attempts_excerpt_length check (char_length(answer_excerpt) <= 2048),
  duration_ms integer,
  -- The code alone does not tell which host could not be reached, or what a token endpoint had against its client.
  error_message text constraint attempts_error_message_length check (char_length(error_message) <= 1000),
  -- Where the time of an attempt went: {lookupMs, connectMs, tlsMs, firstByteMs}.
  timings jsonb,
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
grant select, insert, update (outcome, http_status, error_code, answer_excerpt, duration_ms, error_message, timings)
  on gateway.attempts to skedchange_service;

-- The only row, by which claims of deliveries take turns: the statement that claims due ones must know how many lanes
-- of each recipient are leased. One that was made on what the database was like before another one has lost its turn,
-- and claims nothing.
create table gateway.delivery_turns (
  is_only boolean not null default true constraint delivery_turns_pkey primary key
    constraint delivery_turns_is_only_check check (is_only),
  turn bigint not null default 0
);
insert into gateway.delivery_turns default values;
grant select, update (turn) on gateway.delivery_turns to skedchange_service;

-- Many deliveries that a person has sent again, worked off bit by bit in the order of their positions.
create table gateway.replays (
  id uuid not null constraint replays_pkey primary key,
  -- What is sent again: {state, recipientId, orderId, airline, since, until}.
  filter jsonb not null,
  -- Whether to send also what a newer notification of its order makes pointless.
  force boolean not null,
  state text not null default 'running'
    constraint replays_state_is_known check (state in ('running', 'finished', 'cancelled')),
  -- Deliveries up to this position are meant: what is added later, by the replay itself too, is not.
  up_to_position bigint not null,
  position bigint not null default 0,
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint replays_finish_is_dated check ((state = 'running') = (finished_at is null))
);
create index replays_running on gateway.replays (id) where state = 'running';
grant select, insert, update (state, position, replayed, skipped, finished_at)
  on gateway.replays to skedchange_service;

-- The service role cannot delete from this history; this is what it may have deleted. A delivery that another one
-- refers to, as its original or by superseding it, goes after that one. A lane goes with its last delivery.
create function gateway.delete_ended(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
  deleted integer;
  bodies integer;
  recipient_ids uuid[];
  order_ids text[];
begin
  if before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
  select array_agg(id) into ids from (
    select d.id from gateway.deliveries d
    where d.state in ('delivered', 'superseded') and d.finished_at < before
      and not exists (select from gateway.deliveries o where o.replay_of = d.id)
      and not exists (select from gateway.deliveries o where o.superseded_by = d.id)
    order by d.finished_at limit batch
    for update of d skip locked
  ) as ended;
  delete from gateway.attempts where delivery_id = any (ids);
  with ended as (
    delete from gateway.deliveries where id = any (ids) returning recipient_id, order_id
  )
  select count(*), array_agg(recipient_id), array_agg(order_id) into deleted, recipient_ids, order_ids from ended;
  -- A later lane of the order counts its leases from the beginning, so no process may still hold one of this.
  delete from gateway.lanes where (recipient_id, order_id) in (
    select l.recipient_id, l.order_id from gateway.lanes l
    where (l.recipient_id, l.order_id) in (select * from unnest(recipient_ids, order_ids))
      and l.due_at is null and (l.leased_until is null or l.leased_until < before)
      and not exists (
        select from gateway.deliveries d where d.recipient_id = l.recipient_id and d.order_id = l.order_id
      )
    for update of l skip locked
  );
  delete from gateway.ocn_bodies where id in (
    select b.id from gateway.ocn_bodies b
    where b.created_at < before and not exists (select from gateway.deliveries d where d.ocn_id = b.id)
    order by b.created_at limit batch
    for update of b skip locked
  );
  get diagnostics bodies = row_count;
  return deleted + bodies;
end
$$;
revoke all on function gateway.delete_ended(timestamptz, integer) from public;
grant execute on function gateway.delete_ended(timestamptz, integer) to skedchange_service;
