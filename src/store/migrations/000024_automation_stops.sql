-- One switch for all automatic effects, of every source. Each row is a stop, from when somebody stopped them until somebody
-- resumed them, so that the table is its own record of who did so, when and why. While one has not ended, nothing that a
-- rule decided is sent.
create table skedchange.automation_stops (
  id uuid not null constraint automation_stops_pkey primary key,
  stopped_at timestamptz not null,
  -- 'person:' and who.
  stopped_by text not null,
  note text not null,
  resumed_at timestamptz,
  resumed_by text,
  constraint automation_stops_resumed_by_somebody check ((resumed_at is null) = (resumed_by is null))
);
create unique index automation_stops_one_at_a_time on skedchange.automation_stops ((true)) where resumed_at is null;
create trigger automation_stops_end_once before update on skedchange.automation_stops
  for each row when (old.resumed_at is not null) execute function skedchange.refuse_rewriting_history();

create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops
  for each row execute function skedchange.audit_row('automation.stopped', 'id', 'note', 'stopped_by');
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops
  for each row when (old.resumed_at is null and new.resumed_at is not null)
  execute function skedchange.audit_row('automation.resumed', 'id', '', 'resumed_by');

-- For the commit that plans an effect, or sends one again. Whoever stops waits for the transactions that have asked, and who
-- asks while somebody stops waits for that commit: so nothing is planned after it. The lock comes before the look, and as a
-- statement of its own, because a statement sees what was committed when it began.
create function skedchange.automation_is_stopped() returns boolean language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (select from skedchange.automation_stops where resumed_at is null);
end
$$;

-- What rules want done while they may not is for a person to decide.
alter table skedchange.decisions
  drop constraint decisions_question_is_known,
  add constraint decisions_question_is_known check (question in (
    'effect-outcome', 'unreadable-status', 'unreachable-gateway', 'failed-processing',
    'proposal-changed', 'status-says-more', 'traveller-answered', 'person-decided', 'automation-stopped'
  ));
-- Found again when automatic effects are resumed.
create index decisions_stopped on skedchange.decisions (case_id)
  where question = 'automation-stopped' and superseded_at is null;

grant select, insert on skedchange.automation_stops to skedchange_service;
grant update (resumed_at, resumed_by) on skedchange.automation_stops to skedchange_service;
revoke all on function skedchange.automation_is_stopped() from public;
grant execute on function skedchange.automation_is_stopped() to skedchange_service;
