-- Oldest program: 000055

-- A line of a timeline is its own entry in the audit. Lines that are there keep the entries that they have.

-- Nobody seals meanwhile, and no writer has begun with a trigger that goes.
select pg_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0));
lock table skedchange.case_events, skedchange.audit_entries in access exclusive mode;

drop trigger case_events_are_audited on skedchange.case_events;
drop function skedchange.audit_case_events();
alter table skedchange.case_events
  add column recorded_at timestamptz not null default now(),
  add column has_entry boolean not null default true;
alter table skedchange.case_events alter column has_entry set default false;
create index case_events_by_time on skedchange.case_events using brin (recorded_at);
revoke insert on skedchange.case_events from skedchange_service;
grant insert (case_id, at, kind, actor, detail) on skedchange.case_events to skedchange_service;

-- New lines and new entries come after all that are there.
select setval('skedchange.case_events_id_seq', greatest(1, lines.newest, entries.newest), true)
  from (select max(id) as newest from skedchange.case_events) lines,
    (select max(id) as newest from skedchange.audit_entries) entries
  where lines.newest > 0 or entries.newest > 0;
alter table skedchange.audit_entries alter column id drop identity;
alter table skedchange.audit_entries alter column id set default nextval('skedchange.case_events_id_seq');

drop trigger audit_entries_name_the_token on skedchange.audit_entries;
create trigger audit_entries_name_the_token before insert on skedchange.audit_entries
  for each row when (new.actor like 'person:%' and new.case_event_id is null)
  execute function skedchange.name_acting_token();

create view skedchange.audited_lines as
  select e.id, e.at, e.recorded_at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id as case_event_id,
    (
      select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each_text(case jsonb_typeof(e.detail) when 'object' then e.detail else '{}' end)
      -- A key that is a number would stand at another place in JavaScript.
      where (length(value) = 36 and key ~ '^[A-Za-z][A-Za-z0-9_]*$' and value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
        or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and length(value) <= 64
          and value ~ '^[a-z][a-z0-9._-]*$')
    ) || case when e.token_id is null then '{}' else jsonb_build_object('actorToken', e.token_id) end as refs,
    sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8')) as detail_digest
  from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
  where not e.has_entry;
grant select on skedchange.audited_lines to skedchange_service;

create function skedchange.leave_entry_of_line() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    if (new.case_id, new.at, new.kind, new.actor, skedchange.audited_text(new.detail::text))
      = (old.case_id, old.at, old.kind, old.actor, skedchange.audited_text(old.detail::text))
    then
      return new;
    end if;
    new.has_entry := true;
  end if;
  insert into skedchange.audit_entries
      (id, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select id, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest
    from skedchange.audited_lines where id = old.id;
  return coalesce(new, old);
end
$$;
revoke all on function skedchange.leave_entry_of_line() from public;
create trigger case_events_leave_their_entry before update or delete on skedchange.case_events
  for each row when (not old.has_entry) execute function skedchange.leave_entry_of_line();

create or replace function skedchange.seal_audit_entries(batch integer) returns integer language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  before skedchange.audit_progress;
  newest_id bigint;
  writers text[];
  final_id bigint;
  block skedchange.audit_blocks;
begin
  if batch not between 1 and 10000 then
    raise exception 'batch must be 1 to 10000, not %', batch using errcode = 'invalid_parameter_value';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'entries are sealed by what is committed now, not when a transaction began'
      using errcode = 'invalid_transaction_state';
  end if;
  -- Released after the block is visible to whoever takes it next.
  if not pg_try_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0)) then
    return 0;
  end if;
  select * into before from skedchange.audit_progress;
  select greatest((select max(id) from skedchange.audit_entries), (select max(id) from skedchange.case_events))
    into newest_id;
  if newest_id is null or newest_id <= before.last_id then
    return 0;
  end if;

  -- Only now. Whoever has drawn an id up to the newest locked its table before, until it is visible what became of it.
  writers := array(
    select l.virtualtransaction from pg_locks l
    where l.locktype = 'relation' and l.mode = 'RowExclusiveLock'
      and l.relation in ('skedchange.audit_entries'::regclass, 'skedchange.case_events'::regclass)
      and l.database = (select d.oid from pg_database d where d.datname = current_database()) and l.granted
  );
  final_id := case
    when writers = '{}' then newest_id
    -- A prepared transaction is known by another name after a restart.
    when not before.seen_writers && writers and not exists (select from unnest(writers) w where w like '-1/%')
      then before.seen_id
    else before.last_id
  end;
  select before.number + 1, max(e.id), count(*), sha256(before.hash || string_agg(e.canonical, '' order by e.id)), now()
    into block
    from (
      select e.id, convert_to(skedchange.audit_canonical(row(e.*)::skedchange.audit_entries), 'UTF8') as canonical
      from (
        (select * from skedchange.audit_entries where id > before.last_id and id <= final_id order by id limit batch)
        union all
        (select * from skedchange.audited_lines where id > before.last_id and id <= final_id order by id limit batch)
      ) e
      order by e.id limit batch
    ) e;
  if block.entries > 0 then
    insert into skedchange.audit_blocks select block.*;
    update skedchange.audit_progress set number = block.number, last_id = block.last_id, hash = block.hash;
  end if;
  if block.entries < batch and final_id >= before.seen_id then
    update skedchange.audit_progress set seen_id = newest_id, seen_writers = writers;
  end if;
  return block.entries;
end
$$;
