-- Oldest program: 000039
-- The itineraries of an order stand outside of its row. A lease writes the row several times for each change of a flight, and
-- would copy them each time.
alter table skedchange.orders set (toast_tuple_target = 512);
