-- Oldest program: 000039
-- An automatic effect may begin as sent, in the commit of its decision. Any other effect is planned first.
create or replace function skedchange.refuse_unknown_first_effect_state() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.state <> 'planned' and not (new.state = 'sent' and new.is_automatic) then
    raise exception 'effect % must start as planned, not %', new.id, new.state
      using errcode = 'check_violation', constraint = 'effects_start_as_planned';
  end if;
  return new;
end
$$;

-- At the end of the statement, because it may write the decision as well.
create function skedchange.refuse_effect_without_new_decision() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from skedchange.decisions d
    where d.id = new.decision_id and d.decided_by not like 'person:%' and d.xmin = pg_current_xact_id()::xid
  ) then
    raise exception 'effect % must start as planned: its decision % was made before, or by a person', new.id, new.decision_id
      using errcode = 'check_violation', constraint = 'effects_begin_with_their_decision';
  end if;
  return null;
end
$$;
create trigger effects_begin_with_their_decision after insert on skedchange.effects
  for each row when (new.state = 'sent') execute function skedchange.refuse_effect_without_new_decision();
