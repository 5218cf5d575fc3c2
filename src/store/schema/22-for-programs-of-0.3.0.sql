-- What only programs of 0.3.0 use, which run beside this schema while an installation is upgraded. All of it goes with
-- the release after this one.

-- Their `audit verify` and `doctor` know links only. They see that entries have none, and say that these wait.
create view skedchange.audit_unsealed as
  select e.id as entry_id from skedchange.audit_entries e
  where e.id > (select coalesce(max(l.entry_id), 0) from skedchange.audit_chain l);

-- A trigger of theirs that waited for the migration still notes its entry there.
create function skedchange.note_nothing() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$ begin return null; end $$;
create trigger audit_unsealed_notes_nothing instead of insert on skedchange.audit_unsealed
  for each row execute function skedchange.note_nothing();
grant select on skedchange.audit_unsealed to skedchange_service;

-- They know only the stop of all sources. To them the stop of one is that as well: they send nothing that they should
-- not. They can read one stop in force: with a second one they fail to load orders, until one is resumed.
create function skedchange.automation_is_stopped() returns boolean language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (select from skedchange.automation_stops where resumed_at is null);
end
$$;
revoke all on function skedchange.automation_is_stopped() from public;
grant execute on function skedchange.automation_is_stopped() to skedchange_service;

-- They know one state for a case whose traveller somebody has to ask and for one whose traveller was asked, and park a
-- case in it whose clock has run out. What they write becomes what it is: they read and write the other states as
-- before, and may leave this one for those they know.
create function skedchange.await_only_asked_travellers() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  newest text;
begin
  select t.kind into newest from skedchange.traveller_contacts t
  where t.source = new.source and t.order_id = new.order_id
    and t.proposal_digest is not distinct from new.proposal_digest
    and (t.kind = 'asked' or (t.kind = 'answered' and t.answer <> 'undecided'))
  order by t.happened_at desc, t.id desc
  limit 1;
  if newest is distinct from 'asked' then
    new.state := 'ask-traveller';
    new.review_queue := 'agent';
  elsif new.overdue_at is not null and new.due_by <= now() then
    new.state := 'awaiting-agent';
    new.review_queue := 'agent';
  end if;
  return new;
end
$$;
-- Its name is before that of the trigger that checks the move, so that the move as it is made is checked.
create trigger cases_await_only_asked_travellers before update of state on skedchange.cases
  for each row when (new.state = 'awaiting-traveller')
  execute function skedchange.await_only_asked_travellers();
