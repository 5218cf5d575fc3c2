-- By when tasks must be done: a refund within the term of the law, a ticket before check-in. Tasks from before have no
-- such time: what they would count from is not in their rows.

alter table skedchange.tasks
  -- The earliest of the clocks that ran when it was opened, and which one that is; null: none did.
  add column due_by timestamptz,
  add column due_by_rule text,
  -- When that moment was first seen to have passed with the task still open.
  add column overdue_at timestamptz,
  add constraint tasks_due_by_has_a_rule check ((due_by is null) = (due_by_rule is null));
-- The list of what is open, and what has become overdue. No list has the open ones by age any more.
drop index skedchange.tasks_open;
create index tasks_open_by_due on skedchange.tasks (due_by, id) where closed_at is null;

grant update (overdue_at) on skedchange.tasks to skedchange_service;
