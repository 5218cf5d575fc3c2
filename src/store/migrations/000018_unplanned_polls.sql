-- Finds the orders whose first poll is to be planned without reading all others, every minute.

create index orders_unplanned on skedchange.orders (source) where next_poll_at is null and poll_ended is null;
