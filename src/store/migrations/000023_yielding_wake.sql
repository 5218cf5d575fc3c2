-- The wake-up by a notification of many orders: while `wake` is still this number, other orders of the source go first. Whatever
-- else wakes the case counts `wake` on, and so ends it. Not indexed: who looks for due cases ranks all that are due.

alter table skedchange.cases add column yielding_wake bigint;

grant update (yielding_wake) on skedchange.cases to skedchange_service;
