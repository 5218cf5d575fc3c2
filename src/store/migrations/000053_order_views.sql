-- Oldest program: 000039
-- A newer view of an order replaces it: what differs is a change of its own kind.
alter table gateway.changes drop constraint changes_kind_is_known;
alter table gateway.changes add constraint changes_kind_is_known check (kind in (
  'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
  'replace', 'cancel', 'restore', 'combined', 'loaded', 'order-view'));

-- Whose order it is may change with the view, and its booking references are written anew.
grant update (owner) on gateway.orders to skedchange_service;
grant delete on gateway.order_references to skedchange_service;
