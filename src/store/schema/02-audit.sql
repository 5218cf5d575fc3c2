-- The audit: who did what to which order and when, as ids only, sealed in blocks whose hashes show every later change.
--
-- What happened to a case is a line of its timeline, and the line is its own entry: `audited_lines` shows lines as
-- entries. All else that somebody did has an entry here. Triggers write it with the owner's rights, so nothing that
-- writes to the audited tables can leave it out, and the service role can read it but neither add to it nor change it.
-- Nobody can without disabling a trigger first.

-- One row for each thing that somebody did which is no line of a timeline, in the transaction that did it; and for each
-- line that has changed since, what it was.
create table skedchange.audit_entries (
  -- From the sequence of the lines of timelines: 09-cases.sql gives it.
  id bigint not null constraint audit_entries_pkey primary key,
  -- When it happened, by whoever did it, and when the database took it down, by its own clock.
  at timestamptz not null constraint audit_entries_at_is_a_time check (isfinite(at)),
  recorded_at timestamptz not null default now(),
  -- noun.verb, as in case_events.
  kind text not null,
  -- 'worker', 'receiver', ..., or 'person:' and who.
  actor text not null,
  source text,
  order_id text,
  case_id uuid,
  case_event_id bigint constraint audit_entries_once_per_event unique,
  -- {name: id or code}, all of them texts. Never a note, a name of a person or anything of a body.
  refs jsonb not null,
  -- SHA-256 of what stays out: of a case event its whole detail, else the columns that the trigger names. Null: nothing
  -- did.
  detail_digest bytea constraint audit_entries_digest_is_sha256 check (octet_length(detail_digest) = 32)
);
create index audit_entries_by_order on skedchange.audit_entries (order_id, id) where order_id is not null;
-- Entries come in the order of their times, nearly; this one costs those who write them nothing.
create index audit_entries_by_time on skedchange.audit_entries using brin (recorded_at);
-- Who has set up an account: asked when its user approves as the second person. Few entries are about users.
create index audit_entries_of_users on skedchange.audit_entries ((refs ->> 'id'), actor)
  where kind in ('user.added', 'user.changed');

-- Whoever changes what is written: the owner as well.
create function skedchange.refuse_changing_audit() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the audit is only ever added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
revoke all on function skedchange.refuse_changing_audit() from public;
create trigger audit_entries_never_change before update or delete on skedchange.audit_entries
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_entries_never_truncated before truncate on skedchange.audit_entries
  for each statement execute function skedchange.refuse_changing_audit();

-- Every audit entry of a person names the API token with which they acted, whatever wrote it. Not entries of the
-- program that follow in the same transaction, such as the end of a bulk action. It is part of what is hashed.
create function skedchange.name_acting_token() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.refs := new.refs
    || jsonb_strip_nulls(jsonb_build_object('actorToken', nullif(current_setting('skedchange.token_id', true), '')));
  return new;
end
$$;
create trigger audit_entries_name_the_token before insert on skedchange.audit_entries
  -- A line names its token itself.
  for each row when (new.actor like 'person:%' and new.case_event_id is null)
  execute function skedchange.name_acting_token();
grant select on skedchange.audit_entries to skedchange_service;

-- A block seals the entries after those of the block before, up to last_id: every one that there is or ever will be.
-- One row for what was written in a second is cheaper than one for each entry. Where links stand in audit_chain, the
-- numbers go on from the last of them, as if each link were a block with one entry.
create table skedchange.audit_blocks (
  number bigint not null constraint audit_blocks_pkey primary key
    constraint audit_blocks_begin_at_one check (number >= 1),
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
grant select on skedchange.audit_blocks to skedchange_service;

-- The only row: the last block once more, so that a block that is cut off is missed; and what is sealed next.
create table skedchange.audit_progress (
  only_row boolean not null default true constraint audit_progress_pkey primary key
    constraint audit_progress_has_one_row check (only_row),
  number bigint not null,
  last_id bigint not null,
  hash bytea not null,
  -- The newest entry when it was last looked, and who was adding entries then (pg_locks.virtualtransaction). Once all
  -- of these have ended, no entry up to there can come any more.
  seen_id bigint not null,
  seen_writers text[] not null
);
insert into skedchange.audit_progress (number, last_id, hash, seen_id, seen_writers)
  values (0, 0, decode(repeat('00', 32), 'hex'), 0, '{}');
grant select on skedchange.audit_progress to skedchange_service;

-- What sealed entries before there were blocks: one link for each, in the order in which they were sealed. Nothing adds
-- to it any more, and it is empty in an installation that began with blocks.
create table skedchange.audit_chain (
  seq bigint not null constraint audit_chain_pkey primary key constraint audit_chain_begins_at_one check (seq >= 1),
  entry_id bigint not null constraint audit_chain_entry_once unique
    constraint audit_chain_entry_fkey references skedchange.audit_entries (id),
  -- SHA-256 of the hash before and the entry in its canonical form; before the first one stand 32 zero bytes.
  hash bytea not null constraint audit_chain_hash_is_sha256 check (octet_length(hash) = 32)
);
create trigger audit_chain_never_changes before update or delete on skedchange.audit_chain
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_truncated before truncate on skedchange.audit_chain
  for each statement execute function skedchange.refuse_changing_audit();
grant select on skedchange.audit_chain to skedchange_service;

-- An encrypted note is text: skedchange:note:1:<digest>:<key>:<ciphertext>. The digest is of the note and of random
-- bytes that are encrypted with it. It stays when another key encrypts the note, so it is the part that the audit
-- proves.
create function skedchange.is_encrypted_note(note text) returns boolean language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select note ~ '^skedchange:note:1:[A-Za-z0-9_-]{43}:[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+$'
$$;
revoke all on function skedchange.is_encrypted_note(text) from public;

-- What the audit proves of a text: of encrypted notes in it only the part that stays. It has no search_path of its own,
-- so that the planner puts it into the statements that call it.
create function skedchange.audited_text(detail text) returns text language sql immutable
as $$
  select case when strpos(detail, 'skedchange:note:1:') = 0 then detail
    else regexp_replace(detail, '(skedchange:note:1:[A-Za-z0-9_-]{43}):[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+', '\1', 'g') end
$$;
revoke all on function skedchange.audited_text(text) from public;
grant execute on function skedchange.audited_text(text) to skedchange_service;

-- Takes down that a row was added or changed. The trigger says which changes count, in its WHEN, and hands over: the
-- kind; the columns to show, ids and codes only; the columns that stay out but must be provable; the columns that say
-- who, of which the first that is set counts. Lists are separated by commas. Where no column says who, the writer may
-- with `set_config('skedchange.actor', ..., true)`. Lists are gone through in place, because a statement costs more.
create function skedchange.audit_row() returns trigger language plpgsql
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
revoke all on function skedchange.audit_row() from public;

-- Lists are exported as files, which leave the system. No row is written that would tell, so the audit is told by this.
create function skedchange.audit_export(of_list text, who text) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  select now(), 'list.exported', who, jsonb_build_object('list', of_list) where of_list ~ '^[a-z-]{1,64}$'
$$;
revoke all on function skedchange.audit_export(text, text) from public;
grant execute on function skedchange.audit_export(text, text) to skedchange_service;

-- Somebody looked for a traveller: who, and how many cases they found, never what they typed. A function, because
-- nobody may write the audit directly.
create function skedchange.audit_traveller_search(who text, found integer) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'traveller.searched', who, jsonb_build_object('found', found::text))
$$;
revoke all on function skedchange.audit_traveller_search(text, integer) from public;
grant execute on function skedchange.audit_traveller_search(text, integer) to skedchange_service;

-- The text of a time in the canonical form: in UTC, with six digits of a second. Without a search_path of its own and
-- without a query inside, so that the planner puts it in its place: it is called for each entry.
create function skedchange.audit_time(at timestamptz) returns text language sql immutable
as $$
  -- Not 'UTC': in PostgreSQL 18 a time zone of the session may say what that is.
  select to_char(at at time zone interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The refs of an entry in the canonical form, the keys sorted by their bytes.
create function skedchange.audit_canonical_refs(refs jsonb) returns text language sql immutable
as $$
  select '{' || coalesce(string_agg(to_json(key) || ':' || to_json(value), ',' order by key collate "C"), '') || '}'
  from jsonb_each_text(refs)
$$;

-- What is hashed of an entry: JSON without blanks, the keys sorted, bytes in hexadecimal, every key there.
create function skedchange.audit_canonical(entry skedchange.audit_entries) returns text language sql stable
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
revoke all on function skedchange.audit_canonical(skedchange.audit_entries) from public;

-- Seals the next block, of up to `batch` entries, and returns how many it has; 0 also while another process seals. The
-- only way to a block: it takes what triggers wrote and computes the hash itself. It is not enough that entries are
-- visible: an id is drawn before its transaction commits, so a lower one may still come. A block ends where none can
-- come any more.
create function skedchange.seal_audit_entries(batch integer) returns integer language plpgsql
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
revoke all on function skedchange.seal_audit_entries(integer) from public;
grant execute on function skedchange.seal_audit_entries(integer) to skedchange_service;
