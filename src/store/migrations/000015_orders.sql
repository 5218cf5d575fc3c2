-- What the agency states about its orders, and the polls of their status for notifications that were never sent.

alter table skedchange.orders
  -- Under which it can be asked about; from an import or a poll. Cases have their own.
  add column gds_booking_references text[] not null default '{}',
  add column imported_at timestamptz,
  -- 'person:' and who.
  add column imported_by text,
  -- When its status is read next without anything having told of it; null before the first plan, and when polling ended.
  add column next_poll_at timestamptz,
  add column polled_at timestamptz,
  -- Polls in a row that could not be read.
  add column poll_failures smallint not null default 0,
  -- Digest of the proposal that the last poll has seen: the status is stored only when it differs.
  add column poll_digest text,
  add column poll_ended text constraint orders_poll_ended_is_known
    check (poll_ended in ('travelled', 'no-reference', 'refused')),
  add constraint orders_poll_ended_is_not_planned check (poll_ended is null or next_poll_at is null);
create index orders_to_poll on skedchange.orders (source, next_poll_at) where next_poll_at is not null;

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
  constraint order_imports_order_fkey foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
create index order_imports_by_order on skedchange.order_imports (source, order_id, id);
create trigger order_imports_added_is_audited after insert on skedchange.order_imports
  for each row execute function skedchange.audit_row(
    'order.imported', 'id,replaced_from,was_decided_on', 'booked,replaced', 'imported_by');

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
  constraint order_status_views_order_fkey foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
alter table skedchange.order_status_views alter column body set storage external;
create index order_status_views_by_order on skedchange.order_status_views (source, order_id, read_at);

-- Bounds how often a source is polled, over all processes.
create table skedchange.poll_pace (
  source text not null constraint poll_pace_pkey primary key,
  next_at timestamptz not null
);

grant select, insert on skedchange.order_imports, skedchange.order_status_views, skedchange.poll_pace
  to skedchange_service;
grant update (gds_booking_references, imported_at, imported_by, next_poll_at, polled_at, poll_failures, poll_digest,
  poll_ended) on skedchange.orders to skedchange_service;
grant update (next_at) on skedchange.poll_pace to skedchange_service;
