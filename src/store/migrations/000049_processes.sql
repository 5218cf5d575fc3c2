-- Oldest program: 000039
-- Which processes run, so that somebody notices that no worker does before cases have waited for one. Each writes its row
-- every 30 seconds, and deletes it when it stops. A process of an older program has none.
create table skedchange.processes (
  id uuid not null constraint processes_pkey primary key,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
grant select, insert, delete on skedchange.processes to skedchange_service;
grant update (seen_at) on skedchange.processes to skedchange_service;
