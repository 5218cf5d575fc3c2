-- Oldest program: 000039
-- A stop of one source, beside that of all sources, and what made it: a person, outcomes that contradict what was read, or
-- the source's limit of an hour.
alter table skedchange.automation_stops
  add column source text,
  add column cause text not null default 'person',
  add constraint automation_stops_cause_is_known check (cause in ('person', 'outcomes', 'hourly-limit'));
drop index skedchange.automation_stops_one_at_a_time;
-- One of each cause, so that none of them hides another: each is resumed by itself.
create unique index automation_stops_one_at_a_time on skedchange.automation_stops (source, cause) nulls not distinct
  where resumed_at is null;

drop trigger automation_stops_began_is_audited on skedchange.automation_stops;
create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops
  for each row execute function skedchange.audit_row('automation.stopped', 'id,source,cause', 'note', 'stopped_by');
drop trigger automation_stops_ended_is_audited on skedchange.automation_stops;
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops
  for each row when (old.resumed_at is null and new.resumed_at is not null)
  execute function skedchange.audit_row('automation.resumed', 'id,source,cause', '', 'resumed_by');

-- Programs from before know only the stop of all sources. To them the stop of one is that as well: they send nothing that
-- they should not. They can read one stop in force: with a second one they fail to load orders, until one is resumed.
create function skedchange.automation_is_stopped(of_source text) returns boolean language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (
    select from skedchange.automation_stops
    where resumed_at is null and (source is null or source = of_source)
  );
end
$$;
revoke all on function skedchange.automation_is_stopped(text) from public;
grant execute on function skedchange.automation_is_stopped(text) to skedchange_service;

-- What the brake and the limit look at: the automatic effects of a source, the newest first. Those of before, and of programs
-- from before, are not among them.
alter table skedchange.effects add column is_automatic boolean not null default false;
create index effects_automatic on skedchange.effects (source, planned_at desc) where is_automatic;

-- Which stops a notice has announced, each by one message. Its state until then is one that programs from before leave
-- alone: they would find no cases in it, and take it for obsolete.
alter table skedchange.notices
  add column stop_id uuid constraint notices_stop_fkey references skedchange.automation_stops (id),
  drop constraint notices_state_is_known,
  add constraint notices_state_is_known check (state in ('pending', 'stop-pending', 'sent', 'obsolete'));
create index notices_stop_pending on skedchange.notices (due_at) where state = 'stop-pending';
drop index skedchange.notices_finished;
create index notices_finished on skedchange.notices (finished_at) where state in ('sent', 'obsolete');
create unique index notices_announce_a_stop_once on skedchange.notices (stop_id, rule_id) where stop_id is not null;
