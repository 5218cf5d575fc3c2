-- Oldest program: 000039
-- Why the last poll failed, so that a gateway that refuses the credentials is seen before any case waits for it. Null: it
-- did not fail, or failed in an older program.
alter table skedchange.orders add column poll_error text;
grant update (poll_error) on skedchange.orders to skedchange_service;
create index orders_poll_failing on skedchange.orders (source, poll_error) where poll_error is not null;

-- So that there are statistics of upper(order_id), which the index of 000050 has: without them the planner may expect a
-- beginning to find many.
analyze gateway.deliveries;
analyze skedchange.event_deliveries;
