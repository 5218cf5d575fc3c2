-- What airlines do to flights: more kinds of change, the orders on one flight, and services that are switched off.

alter table gateway.changes drop constraint changes_kind_is_known;
alter table gateway.changes add constraint changes_kind_is_known check (kind in (
  'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
  'replace', 'cancel', 'restore', 'combined', 'loaded'));

-- The booked flights of each order, so that every order on a flight and date is found without reading order views. A row
-- for the airline that sells the flight, and one for the airline that flies it when that is another.
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

insert into gateway.order_flights (order_id, segment_key, carrier, flight_number, departure_date)
select order_id, f.segment_key, f.carrier, f.flight_number, f.departure_date
from gateway.orders, lateral gateway.flights_of(content) as f;

-- Optional services that the gateway does not offer for now.
create table gateway.switched_off_services (
  operation text not null constraint switched_off_services_pkey primary key
);
grant select, insert, delete on gateway.switched_off_services to skedchange_service;
