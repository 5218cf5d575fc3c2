-- Oldest program: 000039
-- A newer view of an order is compared with the one before it: what agencies answered here meanwhile is not in it. Null: none
-- was given, or by an older program.
alter table gateway.orders add column given_view json;
grant update (given_view) on gateway.orders to skedchange_service;
