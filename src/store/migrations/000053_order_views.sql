-- Oldest program: 000039
-- A newer view of an order replaces it: what differs is a change of its own kind.
alter table gateway.changes drop constraint changes_kind_is_known;
alter table gateway.changes add constraint changes_kind_is_known check (kind in (
  'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
  'replace', 'cancel', 'restore', 'combined', 'loaded', 'order-view'));

-- The booking references of an order that is replaced are written anew.
grant delete on gateway.order_references to skedchange_service;
