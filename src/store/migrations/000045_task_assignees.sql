-- Oldest program: 000039
-- Who does a task. Whoever decided the case is rarely the one who reissues its ticket. That a closed task keeps its
-- assignee is seen to by tasks_closed_once; who assigned it stands in case_events, which are audited.
alter table skedchange.tasks add column assignee text;
create index tasks_open_by_assignee on skedchange.tasks (assignee) where closed_at is null and assignee is not null;
grant update (assignee) on skedchange.tasks to skedchange_service;
