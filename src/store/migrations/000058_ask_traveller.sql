-- Oldest program: 000039
-- A case whose traveller somebody has to ask is work for an agent. Only once somebody has asked, it waits for the traveller.
insert into skedchange.case_transitions (from_state, to_state) values
  ('checking', 'ask-traveller'),
  ('ask-traveller', 'checking'),
  ('ask-traveller', 'awaiting-agent'),
  ('ask-traveller', 'awaiting-traveller'),
  ('ask-traveller', 'snoozed'),
  ('ask-traveller', 'resolved-elsewhere'),
  ('ask-traveller', 'closed');

-- Programs from before know one state for both, and park a case in it whose clock has run out. What they write becomes what
-- it is: they read and write the other states as before, and may leave this one for those they know.
create function skedchange.await_only_asked_travellers() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
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

-- The cases of today by the same rule. No program makes this move.
alter table skedchange.cases disable trigger cases_transition_is_allowed;
update skedchange.cases set state = state where state = 'awaiting-traveller';
alter table skedchange.cases enable trigger cases_transition_is_allowed;
