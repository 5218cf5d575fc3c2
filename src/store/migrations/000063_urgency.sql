-- Oldest program: 000039
-- The most urgent first: what is overdue, then what must be decided next, and at the same time by priority. One index serves
-- it, the order by deadline alone, and the counts of open work, as before.
drop index skedchange.cases_by_urgency;
create index cases_by_urgency on skedchange.cases
  (coalesce(due_by, '9999-12-31 00:00:00+00'::timestamp with time zone), priority, id)
  include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at)
  where state not in ('done', 'resolved-elsewhere', 'closed');
drop index skedchange.cases_by_deadline;
