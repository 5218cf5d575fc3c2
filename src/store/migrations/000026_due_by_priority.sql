-- The most urgent due orders of each source are found without reading the whole backlog: after a change of season it is tens of
-- thousands of cases, and all of them were sorted for each handful that was handed out. Those that only a notification of many
-- orders has made due are few as a rule, and looked for by themselves.
create index cases_due_by_priority on skedchange.cases (source, priority, due_at) include (wake, yielding_wake)
  where due_at is not null;
create index cases_due_yielding on skedchange.cases (source, priority, due_at)
  where due_at is not null and wake = yielding_wake;
