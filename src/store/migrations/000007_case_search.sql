-- The list of open cases by urgency: priority first, then since when something is to happen. Finished cases are asked for
-- by age, and leaving them out keeps the index as small as the work that is open.
create index cases_by_urgency on skedchange.cases (priority, coalesce(due_at, opened_at), id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
