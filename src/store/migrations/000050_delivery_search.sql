-- Oldest program: 000039
-- Deliveries are found by the beginning of an order id, in upper or lower case.
create index deliveries_by_order_beginning on gateway.deliveries (upper(order_id) text_pattern_ops, position);
create index event_deliveries_by_order_beginning
  on skedchange.event_deliveries (upper(order_id) text_pattern_ops, position);
