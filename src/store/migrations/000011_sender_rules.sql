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
