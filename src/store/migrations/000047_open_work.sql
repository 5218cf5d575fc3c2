-- Oldest program: 000039
-- Lists and counts of open work are read from one index alone, also by severity and rule. Without it, each figure of the
-- overview visits the rows of all open cases, among those of a million that are done.
alter table skedchange.cases
  -- Of the change, as last decided. Null: not known.
  add column severity text,
  -- That made the decision in force. An older program that decides beside this schema leaves it, and the severity, as is.
  add column rule text;
grant update (severity, rule) on skedchange.cases to skedchange_service;

update skedchange.cases c
  set rule = d.rule, severity = (
    select substr(term, 10) from skedchange.case_search s, unnest(s.terms) as term
    where s.case_id = c.id and term like 'severity:%' limit 1
  )
  from skedchange.decisions d
  where d.id = c.decision_id and c.state not in ('done', 'resolved-elsewhere', 'closed');

drop index skedchange.cases_by_urgency;
create index cases_by_urgency on skedchange.cases (priority, coalesce(due_at, opened_at), id)
  include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at)
  where state not in ('done', 'resolved-elsewhere', 'closed');

-- PostgreSQL reads an index alone only where it knows that every transaction sees the rows, which vacuum notes. By
-- default it waits until a fifth of the table has changed.
alter table skedchange.cases set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
