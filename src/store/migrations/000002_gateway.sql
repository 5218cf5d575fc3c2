-- The gateway: orders, what airlines change on them, and how agencies answer.
--
-- The service role can make orders and move them along. It cannot rewrite a change, an answer to one, or the journal.
grant usage on schema gateway to skedchange_service;

create table gateway.orders (
  order_id text not null constraint orders_pkey primary key,
  -- Airline designator.
  owner text not null,
  -- The order view without what is kept in columns: envelope, statuses, flags, pending change. json and not jsonb: an
  -- order view that was loaded is served as it came, key order and digits included, and nothing is searched inside.
  content json not null,
  -- The change that waits for an answer, and what of it has not taken effect yet.
  open_change_id uuid,
  pending_segments json,
  -- Grows with everything that happens to the order.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint orders_pending_has_a_change check ((open_change_id is null) = (pending_segments is null))
);

-- One booking reference of an order: what an `Order` element of its view says about the state.
create table gateway.order_references (
  order_id text not null constraint order_references_order_fkey references gateway.orders (order_id),
  gds_booking_reference text not null,
  -- Its place among the `Order` elements, from 0.
  position smallint not null,
  -- Blank when a loaded order view had none.
  pnr_status text not null constraint order_references_pnr_status_is_known
    check (pnr_status in ('', 'CONFIRMED', 'PENDING', 'MODIFIED', 'CANCELLED', 'SCHEDULE CHANGED', 'FAILED')),
  schedule_change_indicator boolean not null,
  schedule_change_status text not null constraint order_references_schedule_change_status_is_known
    check (schedule_change_status in ('', 'Initiated', 'Accepted', 'Rejected', 'Partially-Accepted')),
  -- {accept, cancel, reSchedule}, each Y, N or null; null when no change has concerned this reference.
  flags jsonb,
  constraint order_references_pkey primary key (order_id, gds_booking_reference),
  constraint order_references_position_unique unique (order_id, position)
);

-- A change by an airline, as it was caused.
create table gateway.changes (
  id uuid not null constraint changes_pkey primary key,
  order_id text not null constraint changes_order_fkey references gateway.orders (order_id),
  kind text not null constraint changes_kind_is_known
    check (kind in ('retime', 'renumber', 'replace', 'cancel', 'loaded')),
  -- [{segmentKey, details, becomes}], those of a change that was still pending included.
  segments json not null,
  gds_booking_references text[] not null,
  announcement text not null constraint changes_announcement_is_known
    check (announcement in ('announced', 'no-recipient', 'not-announced')),
  deliveries integer not null,
  caused_at timestamptz not null,
  constraint changes_announced_has_deliveries check ((announcement = 'announced') = (deliveries > 0))
);
create index changes_by_order on gateway.changes (order_id, caused_at);

alter table gateway.orders add constraint orders_open_change_fkey
  foreign key (open_change_id) references gateway.changes (id);

-- The one answer to a change for one booking reference: a second one, of whatever kind, breaks the key.
create table gateway.settlements (
  change_id uuid not null constraint settlements_change_fkey references gateway.changes (id),
  gds_booking_reference text not null,
  outcome text not null constraint settlements_outcome_is_known check (outcome in ('accepted', 'rejected')),
  settled_at timestamptz not null,
  constraint settlements_pkey primary key (change_id, gds_booking_reference)
);

-- Every call of an operation by somebody with the right credentials.
create table gateway.journal (
  id bigint generated always as identity constraint journal_pkey primary key,
  operation text not null,
  -- As asked for: it need not be an order that exists.
  order_id text,
  gds_booking_references text[] not null,
  result text not null constraint journal_result_is_known check (result in ('SUCCESS', 'FAILED', 'MIXED', 'ERROR')),
  error_code text,
  change_id uuid,
  order_version integer,
  at timestamptz not null
);
create index journal_by_order on gateway.journal (order_id, id);

grant select, insert on gateway.orders, gateway.order_references, gateway.changes, gateway.settlements,
  gateway.journal to skedchange_service;
grant update (content, open_change_id, pending_segments, version, updated_at) on gateway.orders to skedchange_service;
grant update (pnr_status, schedule_change_indicator, schedule_change_status, flags)
  on gateway.order_references to skedchange_service;
