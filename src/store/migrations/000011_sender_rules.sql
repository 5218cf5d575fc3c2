-- How each recipient is delivered to, how it is doing, and notifications that a newer one made pointless.

alter table gateway.recipients
  -- latest: a newer notification of an order takes the place of those not delivered yet, since each is a full snapshot.
  -- every: all of them, first in, first out.
  add column ordering text not null default 'latest'
    constraint recipients_ordering_is_known check (ordering in ('latest', 'every')),
  -- Whose changes it is sent; null: those of every airline.
  add column airlines text[] constraint recipients_airlines_are_some check (cardinality(airlines) > 0),
  -- required: only AcknowledgeResponse with Status OK counts. any-success: any 2xx does.
  add column acknowledgement text not null default 'required'
    constraint recipients_acknowledgement_is_known check (acknowledgement in ('required', 'any-success')),
  -- Secrets with which notifications are signed, a JSON list as sealed by the store; null: they are not signed.
  add column signing_secrets bytea,
  add column signing_secrets_encoding text,
  add column signing_secrets_key_id text,
  add column signing_secret_count integer not null default 0,
  add constraint recipients_signing_is_whole check ((signing_secrets is null) = (signing_secret_count = 0)),
  add constraint recipients_signing_is_wiped_on_removal check (state <> 'removed' or signing_secrets is null),
  -- Limits of its own; null: those of the sender.
  add column deadline_ms integer constraint recipients_deadline_bounds check (deadline_ms between 1000 and 60000),
  add column lanes_max integer constraint recipients_lanes_bounds check (lanes_max between 1 and 64),
  -- Failed tries since the last acknowledgement, and when the first of them was.
  add column failed_in_row integer not null default 0,
  add column failing_since timestamptz,
  -- Nothing is sent before that: the recipient asked for it (throttled), or fails again and again (failing).
  add column held_until timestamptz,
  add column held_because text constraint recipients_hold_is_known check (held_because in ('throttled', 'failing')),
  add constraint recipients_hold_says_why check ((held_until is null) = (held_because is null));
grant update (ordering, airlines, acknowledgement, deadline_ms, lanes_max, signing_secrets, signing_secrets_encoding, signing_secrets_key_id,
  signing_secret_count, failed_in_row, failing_since, held_until, held_because) on gateway.recipients
  to skedchange_service;

alter table gateway.deliveries
  -- The newer delivery of the same lane that took its place.
  add column superseded_by uuid constraint deliveries_superseded_by_fkey references gateway.deliveries (id),
  drop constraint deliveries_state_is_known,
  add constraint deliveries_state_is_known check (state in ('pending', 'delivered', 'dead', 'superseded')),
  add constraint deliveries_superseded_says_by_what check ((state = 'superseded') = (superseded_by is not null));
grant update (superseded_by) on gateway.deliveries to skedchange_service;

-- Notifications that no recipient was configured for when they were announced.
create index ocn_bodies_by_age on gateway.ocn_bodies (created_at, id);

-- Who owns a recipient, how fast it is served, and the certificate that this side shows it.
alter table gateway.recipients
  add column agency_id text constraint recipients_agency_id_length check (char_length(agency_id) between 1 and 100),
  -- Deliveries a second; null: as fast as it answers.
  add column rate_per_second integer constraint recipients_rate_bounds check (rate_per_second between 1 and 1000),
  -- Up to here its rate is used up: it moves on by one delivery's share of a second with each try.
  add column paced_until timestamptz,
  -- Certificate, private key and accepted authorities in PEM, as sealed by the store; null: it is shown none.
  add column client_certificate bytea,
  add column client_certificate_encoding text,
  add column client_certificate_key_id text,
  add column client_certificate_expires_at timestamptz,
  add constraint recipients_certificate_is_whole
    check ((client_certificate is null) = (client_certificate_expires_at is null)),
  add constraint recipients_certificate_is_wiped_on_removal check (state <> 'removed' or client_certificate is null),
  -- Orders that it is sent at the same time after a stop, one more with each acknowledgement; null: its full number.
  add column ramp_lanes integer constraint recipients_ramp_bounds check (ramp_lanes between 1 and 64),
  -- Notices given since it began to fail.
  add column failing_notices integer not null default 0;
grant update (agency_id, rate_per_second, paced_until, client_certificate, client_certificate_encoding,
  client_certificate_key_id, client_certificate_expires_at, ramp_lanes, failing_notices) on gateway.recipients
  to skedchange_service;

-- Where the time of a try went: {lookupMs, connectMs, tlsMs, firstByteMs}.
alter table gateway.attempts add column timings jsonb;
grant update (timings) on gateway.attempts to skedchange_service;

-- Whether what is first in the lane has failed before. Such lanes leave room to the others.
alter table gateway.lanes add column is_retry boolean not null default false;
update gateway.lanes l set is_retry = true
  where exists (select from gateway.deliveries d where d.recipient_id = l.recipient_id and d.order_id = l.order_id
    and d.state = 'pending' and d.failures > 0);
grant update (is_retry) on gateway.lanes to skedchange_service;

-- Many deliveries that a person has sent again, worked off bit by bit in the order of their positions.
create table gateway.replays (
  id uuid not null constraint replays_pkey primary key,
  -- What is sent again: {state, recipientId, orderId, airline, since, until}.
  filter jsonb not null,
  -- Whether to send also what a newer notification of its order makes pointless.
  force boolean not null,
  state text not null default 'running' constraint replays_state_is_known
    check (state in ('running', 'finished', 'cancelled')),
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
grant select, insert on gateway.replays to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on gateway.replays to skedchange_service;

-- What has ended is deleted after a while. What is pending or dead is not.
create index deliveries_by_finish on gateway.deliveries (finished_at) where state in ('delivered', 'superseded');
create index deliveries_by_superseder on gateway.deliveries (superseded_by) where superseded_by is not null;
create index deliveries_by_original on gateway.deliveries (replay_of) where replay_of is not null;

-- The service role cannot delete from this history; this is what it may have deleted. A delivery that another one refers
-- to, as its original or by superseding it, goes after that one.
create function gateway.delete_ended(before timestamptz, batch integer) returns integer
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
    select d.id from gateway.deliveries d
    where d.state in ('delivered', 'superseded') and d.finished_at < before
      and not exists (select from gateway.deliveries o where o.replay_of = d.id)
      and not exists (select from gateway.deliveries o where o.superseded_by = d.id)
    order by d.finished_at limit batch
    for update of d skip locked
  ) as ended;
  delete from gateway.attempts where delivery_id = any (ids);
  delete from gateway.deliveries where id = any (ids);
  get diagnostics deleted = row_count;
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
create index deliveries_by_body on gateway.deliveries (ocn_id);
