-- The gateway: its orders, what airlines change on them, and how agencies respond.
--
-- The service role can make orders and tickets and move them along. It cannot rewrite a change, a response to one, the
-- journal or the table of states, and it pays a ticket back only once.

-- An order as the gateway serves it.
create table gateway.orders (
  order_id text not null constraint orders_pkey primary key,
  -- Airline designator.
  owner text not null,
  -- The order view without what is kept in columns: envelope, statuses, flags, pending change. json and not jsonb: an
  -- order view that was loaded is served as it came, key order and digits included, and nothing is searched inside.
  content json not null,
  -- The change that waits for a response, and what of it has not taken effect yet.
  open_change_id uuid,
  pending_segments json,
  -- Grows with everything that happens to the order.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- An operator serves several agencies, and each must only hear of its own orders. Null: not stated, so all hear of
  -- it.
  agency_id text constraint orders_agency_is_short check (length(agency_id) between 1 and 100),
  -- The newest view of the order that its owner gave. The next one is compared with it: what agencies responded here
  -- meanwhile is not in it. Null: none was given.
  given_view json,
  constraint orders_pending_has_a_change check ((open_change_id is null) = (pending_segments is null))
);

-- Flights of an order view; a segment without carrier, number or date is on no flight that could be named.
create function gateway.flights_of(content json)
  returns table (segment_key text, carrier text, flight_number text, departure_date text)
  language sql immutable
  begin atomic
    select distinct s ->> 'SegmentKey', upper(c ->> 'AirlineID'), ltrim(upper(c ->> 'FlightNumber'), '0'),
      s -> 'Departure' ->> 'Date'
    from json_array_elements(content -> 'DataLists' -> 'FlightSegmentList' -> 'FlightSegment') as s,
      lateral (values (s -> 'MarketingCarrier'), (s -> 'OperatingCarrier')) as carriers (c)
    where c ->> 'AirlineID' is not null and c ->> 'FlightNumber' is not null and s -> 'Departure' ->> 'Date' is not null;
  end;

-- Writes order_flights anew when the view of an order changes.
create function gateway.keep_order_flights() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'UPDATE' then
    if new.content::text = old.content::text then return null; end if;
    delete from gateway.order_flights where order_id = new.order_id;
  end if;
  insert into gateway.order_flights (order_id, segment_key, carrier, flight_number, departure_date)
  select new.order_id, segment_key, carrier, flight_number, departure_date from gateway.flights_of(new.content);
  return null;
end
$$;
create trigger orders_keep_flights after insert or update of content on gateway.orders
  for each row execute function gateway.keep_order_flights();
grant select, insert, update (content, open_change_id, pending_segments, version, updated_at, agency_id, given_view)
  on gateway.orders to skedchange_service;

-- The booked flights of each order, so that every order on a flight and date is found without reading order views. A
-- row for the airline that sells the flight, and one for the airline that flies it when that is another.
create table gateway.order_flights (
  order_id text not null constraint order_flights_order_fkey references gateway.orders (order_id),
  segment_key text not null,
  carrier text not null,
  -- Without leading zeros.
  flight_number text not null,
  -- Local date of departure, as printed.
  departure_date text not null,
  constraint order_flights_pkey primary key (carrier, flight_number, departure_date, order_id, segment_key)
);
create index order_flights_by_order on gateway.order_flights (order_id);
grant select, insert, delete on gateway.order_flights to skedchange_service;

-- One booking reference of an order: what an `Order` element of its view says about the state.
create table gateway.order_references (
  order_id text not null constraint order_references_order_fkey references gateway.orders (order_id),
  gds_booking_reference text not null,
  -- Its place among the `Order` elements, from 0.
  position smallint not null,
  -- Blank when a loaded order view had none.
  pnr_status text not null
    constraint order_references_pnr_status_is_known
    check (pnr_status in ('', 'CONFIRMED', 'PENDING', 'MODIFIED', 'CANCELLED', 'SCHEDULE CHANGED', 'FAILED')),
  schedule_change_indicator boolean not null,
  schedule_change_status text not null
    constraint order_references_schedule_change_status_is_known
    check (schedule_change_status in ('', 'Initiated', 'Accepted', 'Rejected', 'Partially-Accepted')),
  -- {accept, cancel, reSchedule}, each Y, N or null; null when no change has concerned this reference.
  flags jsonb,
  constraint order_references_pkey primary key (order_id, gds_booking_reference),
  constraint order_references_position_unique unique (order_id, position)
);

create function gateway.refuse_unknown_reference_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from gateway.reference_transitions t
    where t.from_state = old.pnr_status || '/' || old.schedule_change_status
      and t.to_state = new.pnr_status || '/' || new.schedule_change_status
  ) then
    raise exception 'booking reference % of order % cannot go from %/% to %/%', old.gds_booking_reference,
      old.order_id, old.pnr_status, old.schedule_change_status, new.pnr_status, new.schedule_change_status
      using errcode = 'check_violation', constraint = 'order_references_transition_is_allowed';
  end if;
  return new;
end
$$;
create trigger order_references_transition_is_allowed
  before update of pnr_status, schedule_change_status on gateway.order_references
  for each row when (
    old.pnr_status is distinct from new.pnr_status
    or old.schedule_change_status is distinct from new.schedule_change_status
  ) execute function gateway.refuse_unknown_reference_transition();
grant select, insert, delete, update (pnr_status, schedule_change_indicator, schedule_change_status, flags)
  on gateway.order_references to skedchange_service;

-- Every move that a booking reference can make, as in `stateTransitions` of the code. A state is both statuses:
-- `CONFIRMED/Accepted`, `PENDING/`. Staying as it is, is no move.
create table gateway.reference_transitions (
  from_state text not null,
  to_state text not null,
  constraint reference_transitions_pkey primary key (from_state, to_state)
);
grant select on gateway.reference_transitions to skedchange_service;
with
  any_pnr (pnr) as (
    values (''), ('CONFIRMED'), ('PENDING'), ('MODIFIED'), ('CANCELLED'), ('SCHEDULE CHANGED'), ('FAILED')
  ),
  any_change (change) as (values (''), ('Initiated'), ('Accepted'), ('Rejected'), ('Partially-Accepted')),
  state as (select pnr, change from any_pnr cross join any_change),
  -- From each state; null in the place of a status to come: as it was.
  rule (pnr, change, to_pnr, to_change) as (
    -- The airline changes flights.
    select pnr, change, t.to_pnr, 'Initiated'
      from state cross join (values ('SCHEDULE CHANGED'), ('CANCELLED')) t (to_pnr)
      where pnr not in ('FAILED', 'CANCELLED') and change <> 'Rejected'
        or pnr = 'CANCELLED' and change in ('Initiated', 'Partially-Accepted')
    -- The agency accepts: in part, or, alone or as the last one, in full.
    union all
    select pnr, change, null, 'Partially-Accepted' from state where change <> 'Rejected'
    union all
    select pnr, change, t.to_pnr, 'Accepted'
      from state cross join (values ('CONFIRMED'), ('PENDING'), ('CANCELLED')) t (to_pnr)
      where change <> 'Rejected'
    -- The agency rejects.
    union all
    select pnr, change, 'CANCELLED', 'Rejected' from state where change <> 'Rejected'
    -- The booking is cancelled at the traveller's wish.
    union all
    select pnr, change, 'CANCELLED', null from state
      where pnr not in ('FAILED', 'CANCELLED') and change in ('', 'Accepted', 'Rejected')
    union all
    select pnr, change, 'CANCELLED', 'Rejected' from state
      where pnr <> 'FAILED' and change in ('Initiated', 'Partially-Accepted')
    -- Its last ticket is voided.
    union all
    select pnr, change, 'PENDING', null from state where pnr in ('CONFIRMED', 'MODIFIED')
    -- It is changed at the traveller's wish.
    union all
    select pnr, change, 'MODIFIED', null from state
      where pnr in ('', 'CONFIRMED', 'PENDING') and change in ('', 'Accepted', 'Rejected')
    -- The airline does not confirm it.
    union all
    select pnr, change, 'FAILED', null from state
      where pnr = 'PENDING' and change in ('', 'Accepted', 'Rejected')
  )
insert into gateway.reference_transitions
select distinct pnr || '/' || change, coalesce(to_pnr, pnr) || '/' || coalesce(to_change, change) from rule
where (pnr, change) <> (coalesce(to_pnr, pnr), coalesce(to_change, change));

-- A ticket document of an order.
create table gateway.tickets (
  order_id text not null constraint tickets_order_fkey references gateway.orders (order_id),
  ticket_number text not null,
  -- Its place among the documents of the order, from 0.
  position smallint not null,
  document_type text not null,
  -- Null when the order view did not say whose it is.
  passenger_id text,
  -- Null for a document of the whole order.
  gds_booking_reference text,
  state text not null constraint tickets_state_is_known check (state in ('open', 'used', 'void', 'refunded')),
  -- The segments whose coupon was flown.
  flown_segment_keys text[] not null,
  constraint tickets_pkey primary key (order_id, ticket_number),
  constraint tickets_used_was_flown check (state <> 'used' or cardinality(flown_segment_keys) > 0),
  constraint tickets_void_was_not_flown check (state <> 'void' or cardinality(flown_segment_keys) = 0)
);
-- An exchange names tickets and no order.
create index tickets_by_number on gateway.tickets (ticket_number);

-- A ticket leaves 'open' once, and no coupon that was flown becomes unflown.
create function gateway.refuse_unknown_ticket_move() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if old.state <> 'open' or not (new.flown_segment_keys @> old.flown_segment_keys) then
    raise exception 'ticket % of order % is % and cannot become %', old.ticket_number, old.order_id, old.state, new.state
      using errcode = 'check_violation', constraint = 'tickets_move_is_allowed';
  end if;
  return new;
end
$$;
create trigger tickets_move_is_allowed before update on gateway.tickets
  for each row execute function gateway.refuse_unknown_ticket_move();
grant select, insert, update (state, flown_segment_keys) on gateway.tickets to skedchange_service;

-- A change by an airline, as it was caused.
create table gateway.changes (
  id uuid not null constraint changes_pkey primary key,
  order_id text not null constraint changes_order_fkey references gateway.orders (order_id),
  kind text not null
    constraint changes_kind_is_known check (kind in (
      'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
      'replace', 'cancel', 'restore', 'combined', 'loaded', 'order-view')),
  -- [{segmentKey, details, becomes}], those of a change that was still pending included.
  segments json not null,
  gds_booking_references text[] not null,
  announcement text not null
    constraint changes_announcement_is_known check (announcement in ('announced', 'no-recipient', 'not-announced')),
  deliveries integer not null,
  caused_at timestamptz not null,
  constraint changes_announced_has_deliveries check ((announcement = 'announced') = (deliveries > 0))
);
create index changes_by_order on gateway.changes (order_id, caused_at);
grant select, insert on gateway.changes to skedchange_service;
alter table gateway.orders add constraint orders_open_change_fkey
  foreign key (open_change_id) references gateway.changes (id);

-- The one response to a change for one booking reference: a second one, of whatever kind, breaks the key.
create table gateway.settlements (
  change_id uuid not null constraint settlements_change_fkey references gateway.changes (id),
  gds_booking_reference text not null,
  outcome text not null
    constraint settlements_outcome_is_known check (outcome in ('accepted', 'rejected', 'cancelled')),
  settled_at timestamptz not null,
  constraint settlements_pkey primary key (change_id, gds_booking_reference)
);
grant select, insert on gateway.settlements to skedchange_service;

-- The one time that a ticket was paid back.
create table gateway.refunds (
  order_id text not null,
  ticket_number text not null,
  gds_booking_reference text not null,
  change_id uuid not null constraint refunds_change_fkey references gateway.changes (id),
  amount numeric not null constraint refunds_amount_is_not_negative check (amount >= 0),
  -- ISO 4217.
  currency text not null,
  refunded_at timestamptz not null,
  constraint refunds_pkey primary key (order_id, ticket_number),
  constraint refunds_ticket_fkey
    foreign key (order_id, ticket_number)
    references gateway.tickets (order_id, ticket_number)
);
grant select, insert on gateway.refunds to skedchange_service;

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
grant select, insert on gateway.journal to skedchange_service;

-- What was found by searches at the gateway, so that an offer is priced and booked as it was shown.
create table gateway.shopping_responses (
  -- 19 digits; every OfferID begins with it.
  shopping_response_id text not null constraint shopping_responses_pkey primary key
    constraint shopping_responses_id_is_digits check (shopping_response_id ~ '^[0-9]{19}$'),
  request jsonb not null,
  -- In the order of their OfferIDs. json and not jsonb: nothing is searched inside.
  offers json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index shopping_responses_by_expiry on gateway.shopping_responses (expires_at);
grant select, insert, delete on gateway.shopping_responses to skedchange_service;

-- Optional services that the gateway does not offer for now.
create table gateway.switched_off_services (
  operation text not null constraint switched_off_services_pkey primary key
);
grant select, insert, delete on gateway.switched_off_services to skedchange_service;
