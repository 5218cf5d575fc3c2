-- A notification is acknowledged once its bytes and this mark are committed. A feeder opens and wakes the cases of many pending
-- notifications at once, and clears their marks in the same transaction. `pending_orders` is what the receiver has read of the
-- body, so that nobody opens it again; both are null when nothing is pending.

alter table skedchange.notification_digests
  add column pending_orders jsonb,
  add column pending_since timestamp with time zone;

create index notification_digests_pending on skedchange.notification_digests (pending_since) where pending_since is not null;

grant update (pending_orders, pending_since) on skedchange.notification_digests to skedchange_service;
