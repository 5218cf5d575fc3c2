-- Oldest program: 000039
-- The audit is sealed in blocks: one row for what was written in a second, not two for each entry. A program from before
-- seals blocks as well, because it calls the same function.

-- What is committed while it waits for locks must be seen, whatever the default of the database is.
set transaction isolation level read committed;

-- The last use of the old chain: what waits gets its links. Nobody else seals meanwhile, and nobody writes an entry. The
-- tables that most entries come from are locked first, so that no writer has begun with a function that this replaces.
select pg_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0));
lock table skedchange.case_events, skedchange.tasks, skedchange.audit_entries in share row exclusive mode;
do $$ begin
  while skedchange.seal_audit_entries(10000) > 0 loop end loop;
end $$;

-- A block seals the entries after those of the block before, up to last_id: every one that there is or ever will be. Its
-- number goes on from the last link, as if each link were a block with one entry.
create table skedchange.audit_blocks (
  number bigint not null constraint audit_blocks_pkey primary key constraint audit_blocks_begin_at_one check (number >= 1),
  last_id bigint not null constraint audit_blocks_end_once unique,
  entries integer not null constraint audit_blocks_have_entries check (entries >= 1),
  -- SHA-256 of the hash before and the canonical forms of the entries in the order of their ids. Before the first block
  -- stands the hash of the last link, or 32 zero bytes.
  hash bytea not null constraint audit_blocks_hash_is_sha256 check (octet_length(hash) = 32),
  -- For people who look: no hash covers it.
  sealed_at timestamptz not null default now()
);
create trigger audit_blocks_never_change before update or delete on skedchange.audit_blocks
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_blocks_never_truncated before truncate on skedchange.audit_blocks
  for each statement execute function skedchange.refuse_changing_audit();

-- The last block once more, so that a block that is cut off is missed; and what is sealed next.
create table skedchange.audit_progress (
  only_row boolean not null default true constraint audit_progress_pkey primary key
    constraint audit_progress_has_one_row check (only_row),
  number bigint not null,
  last_id bigint not null,
  hash bytea not null,
  -- The newest entry when it was last looked, and who was adding entries then (pg_locks.virtualtransaction). Once all of
  -- these have ended, no entry up to there can come any more.
  seen_id bigint not null,
  seen_writers text[] not null
);
insert into skedchange.audit_progress (number, last_id, hash, seen_id, seen_writers)
  select coalesce(max(seq), 0), coalesce(max(entry_id), 0),
    coalesce((select hash from skedchange.audit_chain order by seq desc limit 1), decode(repeat('00', 32), 'hex')),
    0, '{}'
  from skedchange.audit_chain;
grant select on skedchange.audit_blocks, skedchange.audit_progress to skedchange_service;

-- Called for each entry. The planner puts what they do in their place, because they have no path of their own and the first
-- has no query inside.
create or replace function skedchange.audit_time(at timestamptz) returns text language sql immutable
as $$
  -- Not 'UTC': in PostgreSQL 18 a time zone of the session may say what that is.
  select to_char(at at time zone interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
create function skedchange.audit_canonical_refs(refs jsonb) returns text language sql immutable
as $$
  select '{' || coalesce(string_agg(to_json(key) || ':' || to_json(value), ',' order by key collate "C"), '') || '}'
  from jsonb_each_text(refs)
$$;
create or replace function skedchange.audit_canonical(entry skedchange.audit_entries) returns text language sql stable
as $$
  select '{"actor":' || to_json(entry.actor)
    || ',"at":"' || skedchange.audit_time(entry.at)
    || '","caseEventId":' || coalesce(entry.case_event_id::text, 'null')
    || ',"caseId":' || coalesce(to_json(entry.case_id)::text, 'null')
    || ',"detailDigest":' || coalesce(to_json(encode(entry.detail_digest, 'hex'))::text, 'null')
    || ',"id":' || entry.id
    || ',"kind":' || to_json(entry.kind)
    || ',"orderId":' || coalesce(to_json(entry.order_id)::text, 'null')
    || ',"recordedAt":"' || skedchange.audit_time(entry.recorded_at)
    || '","refs":' || skedchange.audit_canonical_refs(entry.refs)
    || ',"source":' || coalesce(to_json(entry.source)::text, 'null') || '}'
$$;

-- Seals the next block, of up to `batch` entries, and returns how many it has. It is not enough that entries are visible:
-- an id is drawn before its transaction commits, so a lower one may still come. A block ends where none can come any more.
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
  select max(id) into newest_id from skedchange.audit_entries;
  if newest_id is null or newest_id <= before.last_id then
    return 0;
  end if;

  -- Only now. Whoever has drawn an id up to the newest locked the table before, until it is visible what became of it.
  writers := array(
    select l.virtualtransaction from pg_locks l
    where l.locktype = 'relation' and l.relation = 'skedchange.audit_entries'::regclass and l.mode = 'RowExclusiveLock'
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
      select e.id, convert_to(skedchange.audit_canonical(e), 'UTF8') as canonical from skedchange.audit_entries e
      where e.id > before.last_id and e.id <= final_id order by e.id limit batch
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

-- Of the detail of a case event, what is an id by its form or a code from a closed list; for all events of a statement at
-- once, because orders are saved together. Lengths are compared first, and outside of expressions, which are slow to count.
create or replace function skedchange.audit_case_events() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries
    (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
  select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id,
    (
      select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each_text(case jsonb_typeof(e.detail) when 'object' then e.detail else '{}' end)
      -- A key that is a number would stand at another place in JavaScript.
      where (length(value) = 36 and key ~ '^[A-Za-z][A-Za-z0-9_]*$' and value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
        or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and length(value) <= 64
          and value ~ '^[a-z][a-z0-9._-]*$')
    ),
    sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
  from added_events e left join skedchange.cases c on c.id = e.case_id
  order by e.id;
  return null;
end
$$;
drop function skedchange.audit_refs(jsonb);

-- As before, without what waits for its link. Lists are gone through in place, because a statement costs more than they do.
create or replace function skedchange.audit_row() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  name text;
  entry_refs jsonb := '{}';
  proof jsonb := '{}';
  changed text;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
begin
  foreach name in array shown loop
    continue when row_now ->> name is null;
    entry_refs := entry_refs || jsonb_build_object(name, row_now ->> name);
  end loop;
  if tg_op = 'UPDATE' then
    select string_agg(column_name, ',' order by column_name collate "C") into changed
      from unnest(shown || proved) column_name
      where row_now -> column_name is distinct from row_before -> column_name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  foreach name in array proved loop
    proof := proof || jsonb_build_object(name, row_now -> name);
  end loop;
  foreach name in array string_to_array(tg_argv[3], ',') loop
    who := row_now ->> name;
    exit when who is not null;
  end loop;
  who := coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system');
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], who, entry_source, entry_order, entry_case, entry_refs,
    case when cardinality(proved) > 0 then sha256(convert_to(skedchange.audited_text(proof::text), 'UTF8')) end);
  return null;
end
$$;

-- All others that write entries, as before without what waits for its link.
create or replace function skedchange.audit_ended_session() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'session.ended', current_setting('skedchange.actor'),
    jsonb_build_object('id', old.id, 'user_id', old.user_id));
  return null;
end
$$;

create or replace function skedchange.audit_export(of_list text, who text) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  select now(), 'list.exported', who, jsonb_build_object('list', of_list) where of_list ~ '^[a-z-]{1,64}$'
$$;

create or replace function skedchange.audit_recovery_codes() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  select now(), 'second-factor.codes-made', coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
    jsonb_build_object('user_id', m.user_id)
  from (select distinct user_id from made) m;
  return null;
end
$$;

create or replace function skedchange.audit_removed_notice_rule() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'notice-rule.removed', current_setting('skedchange.actor', true), jsonb_build_object('id', old.id));
  return null;
end
$$;

create or replace function skedchange.audit_removed_second_factor() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  row_before jsonb := to_jsonb(old);
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), tg_argv[0], coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
    jsonb_build_object(tg_argv[1], row_before ->> tg_argv[1]));
  return null;
end
$$;

create or replace function skedchange.audit_traveller_search(who text, found integer) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'traveller.searched', who, jsonb_build_object('found', found::text))
$$;

create or replace function skedchange.delete_cases_of(of_source text, of_order text) returns jsonb language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[] := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order);
  bodies uuid[] := array(select b.id from skedchange.event_bodies b where b.case_id = any (ids));
  joined_ids uuid[];
  joined_times timestamp with time zone[];
  deleted_decisions integer;
  deleted_effects integer;
  deleted_lines integer;
  deleted_notifications integer;
begin
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs)
    select now(), 'case.deleted', 'retention', of_source, of_order, c.id, jsonb_build_object('state', c.state)
    from skedchange.cases c where c.id = any (ids) order by c.opened_at, c.id;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d where d.body_id = any (bodies)
  );
  delete from skedchange.event_deliveries where body_id = any (bodies);
  delete from skedchange.event_bodies where id = any (bodies);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  update skedchange.cases set decision_id = null where id = any (ids);
  delete from skedchange.effects where case_id = any (ids);
  get diagnostics deleted_effects = row_count;
  delete from skedchange.shadow_decisions where decision_id in (
    select d.id from skedchange.decisions d where d.case_id = any (ids)
  );
  delete from skedchange.decisions where case_id = any (ids);
  get diagnostics deleted_decisions = row_count;
  delete from skedchange.status_views where case_id = any (ids);
  delete from skedchange.document_views where case_id = any (ids);
  delete from skedchange.approvals where case_id = any (ids);
  delete from skedchange.tasks where case_id = any (ids);
  delete from skedchange.traveller_contacts where source = of_source and order_id = of_order;
  delete from skedchange.case_events where case_id = any (ids);
  get diagnostics deleted_lines = row_count;

  -- A notification goes with its last case, and its digest with it: the same bytes would open a case again.
  with joined as (
    delete from skedchange.case_notifications where case_id = any (ids) returning notification_id, notification_received_at
  ) select array_agg(notification_id), array_agg(notification_received_at) into joined_ids, joined_times from joined;
  with gone as (
    delete from skedchange.notifications n using unnest(joined_ids, joined_times) as joined (id, received_at)
    where n.received_at = joined.received_at and n.id = joined.id and n.state <> 'quarantined'
      and not exists (select from skedchange.case_notifications j where j.notification_id = n.id)
    returning n.source, n.digest
  ) delete from skedchange.notification_digests g using gone where g.source = gone.source and g.digest = gone.digest;
  get diagnostics deleted_notifications = row_count;

  delete from skedchange.cases where id = any (ids);
  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  delete from skedchange.order_imports where source = of_source and order_id = of_order;
  delete from skedchange.orders where source = of_source and order_id = of_order;
  return jsonb_build_object('cases', cardinality(ids), 'decisions', deleted_decisions, 'effects', deleted_effects,
    'timelineLines', deleted_lines, 'notifications', deleted_notifications);
end
$$;

-- Programs from before know links only. Their `audit verify` and `doctor` see that entries have none, and say that these
-- wait. It can go when none of them is left.
drop table skedchange.audit_unsealed;
create view skedchange.audit_unsealed as
  select e.id as entry_id from skedchange.audit_entries e
  where e.id > (select coalesce(max(l.entry_id), 0) from skedchange.audit_chain l);
grant select on skedchange.audit_unsealed to skedchange_service;

-- A trigger of before that waited for this migration still notes its entry there.
create function skedchange.note_nothing() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin return null; end $$;
create trigger audit_unsealed_notes_nothing instead of insert on skedchange.audit_unsealed
  for each row execute function skedchange.note_nothing();
