-- Oldest program: 000039
-- An operator serves several agencies, and each must only hear of its own orders. Null: not stated, so all hear of it.
alter table gateway.orders
  add column agency_id text constraint orders_agency_is_short check (length(agency_id) between 1 and 100);
grant update (agency_id) on gateway.orders to skedchange_service;

alter table gateway.ocn_bodies
  add column agency_id text constraint ocn_bodies_agency_is_short check (length(agency_id) between 1 and 100);
