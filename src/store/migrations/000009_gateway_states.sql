-- What becomes of the gateway's orders: which states a booking reference may reach, ticket documents, and refunds.
--
-- The service role can move tickets along and pay them back once. It cannot bring one back, and it cannot change the
-- table of states.

-- Answers end with the booking: one that is cancelled at the traveller's wish closes the change that waits for it.
alter table gateway.settlements drop constraint settlements_outcome_is_known;
alter table gateway.settlements add constraint settlements_outcome_is_known
  check (outcome in ('accepted', 'rejected', 'cancelled'));

-- Every move that a booking reference can make, as in `stateTransitions` of the code. A state is both statuses:
-- `CONFIRMED/Accepted`, `PENDING/`. Staying as it is, is no move.
create table gateway.reference_transitions (
  from_state text not null,
  to_state text not null,
  constraint reference_transitions_pkey primary key (from_state, to_state)
);

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
  constraint tickets_void_was_not_flown check (state <> 'void' or cardinality(flown_segment_keys) = 0),
  constraint tickets_used_was_flown check (state <> 'used' or cardinality(flown_segment_keys) > 0)
);

-- An exchange names tickets and no order.
create index tickets_by_number on gateway.tickets (ticket_number);

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
  constraint refunds_ticket_fkey foreign key (order_id, ticket_number)
    references gateway.tickets (order_id, ticket_number)
);

-- Orders that were made before have the tickets that their view lists, as if nothing had become of them.
insert into gateway.tickets
  (order_id, ticket_number, position, document_type, passenger_id, gds_booking_reference, state, flown_segment_keys)
select o.order_id, t.info -> 'TicketDocument' ->> 'TicketDocNbr', t.number - 1,
  coalesce(t.info -> 'TicketDocument' ->> 'Type', 'TKT'), t.info ->> 'PassengerReference',
  t.info ->> 'GdsBookingReference', 'open', '{}'
from gateway.orders o
cross join lateral json_array_elements(o.content -> 'TicketDocInfos' -> 'TicketDocInfo') with ordinality t (info, number)
on conflict do nothing;

grant select on gateway.reference_transitions to skedchange_service;
grant select, insert on gateway.tickets, gateway.refunds to skedchange_service;
grant update (state, flown_segment_keys) on gateway.tickets to skedchange_service;
