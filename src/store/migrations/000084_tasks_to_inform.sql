-- Oldest program: 000055

-- A person must tell the traveller what was accepted or cancelled. Programs of 0.3.0 show such a task by its kind. Tasks are
-- locked while they are read once, so that none is opened meanwhile with a kind that neither constraint allows.
alter table skedchange.tasks
  drop constraint tasks_kind_is_known,
  add constraint tasks_kind_is_known
    check (kind in ('check-ticket', 'check-refund', 'check-services', 'inform-traveller'));
