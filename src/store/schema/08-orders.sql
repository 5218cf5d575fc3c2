-- The orders of each source, with the lease of the worker on them, and the polling of their status.

-- One order within a source, on which work goes strictly one step at a time.
create table skedchange.orders (
  source text not null,
  order_id text not null,
  -- Grows with each lease. A write that carries an older fence than the one stored here is refused.
  lease_fence bigint not null default 0,
  leased_until timestamptz,
  leased_by text,
  -- A dispatcher has handed this order to the queue and waits this long before it does so again.
  dispatched_until timestamptz,
  -- The itinerary as first seen, and as last accepted. Null until a status was read.
  booked_itinerary jsonb,
  booked_from text,
  accepted_itinerary jsonb,
  -- Since when a worker has the order, for the list of orders that are held long. Few orders are leased at any moment.
  leased_at timestamptz,
  -- Under which it can be asked about; from an import or a poll. Cases have their own.
  gds_booking_references text[] not null default '{}',
  -- When the agency last stated its booked itinerary.
  imported_at timestamptz,
  -- 'person:' and who.
  imported_by text,
  -- When its status is read next without anything having told of it, for notifications that were never sent; null
  -- before the first plan, and when polling ended.
  next_poll_at timestamptz,
  polled_at timestamptz,
  -- Polls in a row that could not be read.
  poll_failures smallint not null default 0,
  -- Digest of the proposal that the last poll has seen: the status is stored only when it differs.
  poll_digest text,
  poll_ended text
    constraint orders_poll_ended_is_known check (poll_ended in ('travelled', 'no-reference', 'refused', 'erased')),
  -- Why the last poll failed, so that a gateway that refuses the credentials is seen before any case waits for it.
  -- Null: it did not fail.
  poll_error text,
  constraint orders_pkey primary key (source, order_id),
  constraint orders_poll_ended_is_not_planned check (poll_ended is null or next_poll_at is null)
);
-- The itineraries stand outside of the row. A lease writes the row several times for each change of a flight, and would
-- copy them each time.
alter table skedchange.orders set (toast_tuple_target = 512);
create index orders_dispatched on skedchange.orders (dispatched_until) where dispatched_until is not null;
create index orders_leased on skedchange.orders (leased_until) where leased_until is not null;
create index orders_to_poll on skedchange.orders (source, next_poll_at) where next_poll_at is not null;
-- Finds the orders whose first poll is to be planned without reading all others, every minute.
create index orders_unplanned on skedchange.orders (source) where next_poll_at is null and poll_ended is null;
create index orders_poll_failing on skedchange.orders (source, poll_error) where poll_error is not null;
grant select, insert, update (lease_fence, leased_until, leased_by, dispatched_until, booked_itinerary, booked_from,
  accepted_itinerary, leased_at, gds_booking_references, imported_at, imported_by, next_poll_at, polled_at,
  poll_failures, poll_digest, poll_ended, poll_error) on skedchange.orders to skedchange_service;

-- What polls have read, one for each time that it had changed. Statuses that a case rests on are in status_views.
create table skedchange.order_status_views (
  id uuid not null constraint order_status_views_pkey primary key,
  source text not null,
  order_id text not null,
  read_at timestamptz not null,
  proposal_digest text not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  is_bound boolean not null default false,
  constraint order_status_views_order_fkey
    foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
alter table skedchange.order_status_views alter column body set storage external;
create index order_status_views_by_order on skedchange.order_status_views (source, order_id, read_at);
create index order_status_views_by_age on skedchange.order_status_views (read_at);
grant select, insert on skedchange.order_status_views to skedchange_service;

-- Each time a stated itinerary became the booked one. Never changed.
create table skedchange.order_imports (
  id bigint generated always as identity constraint order_imports_pkey primary key,
  source text not null,
  order_id text not null,
  imported_at timestamptz not null,
  imported_by text not null,
  booked jsonb not null,
  -- What it replaced, and where that had come from; null when there was none.
  replaced jsonb,
  replaced_from text,
  -- Whether decisions rested on what was replaced, so that it took the word of a person.
  was_decided_on boolean not null,
  constraint order_imports_order_fkey
    foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
create index order_imports_by_order on skedchange.order_imports (source, order_id, id);
create trigger order_imports_added_is_audited after insert on skedchange.order_imports
  for each row execute function skedchange.audit_row(
    'order.imported', 'id,replaced_from,was_decided_on', 'booked,replaced', 'imported_by');
grant select, insert on skedchange.order_imports to skedchange_service;

-- Bounds how often a source is polled, over all processes.
create table skedchange.poll_pace (
  source text not null constraint poll_pace_pkey primary key,
  next_at timestamptz not null
);
grant select, insert, update (next_at) on skedchange.poll_pace to skedchange_service;
