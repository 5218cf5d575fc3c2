-- Oldest program: 000055
-- Comes after: 000055_given_views of 0.3.0, 3cb1719ace3197bbeba5e10cacf3a8361398a94eb3f5cb259fbc202102203c94

-- Brings the database of an installation of 0.3.0 to what `src/store/schema` makes, where the reasons of each thing
-- stand. Programs of 0.3.0 run on it, until they are replaced.

-- What is committed while it waits for locks must be seen, whatever the default of the database is.
set transaction isolation level read committed;

-- Everything that changes below, before anything does, in the order in which programs lock most of it: where one of them
-- waits for what this holds, and holds what this waits for, PostgreSQL rolls back one of the two, which tries again. The
-- audit comes last, because whoever writes to one of the others writes to it afterwards. From then on nobody seals, nobody
-- writes an entry, and no writer has begun with a function that this replaces.
select pg_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0));
lock table skedchange.automation_stops, skedchange.notices, skedchange.users, skedchange.processes, skedchange.orders,
  skedchange.cases, skedchange.case_notifications, skedchange.decisions, skedchange.effects, skedchange.status_views,
  skedchange.document_views, skedchange.case_events, skedchange.tasks, skedchange.audit_entries in access exclusive mode;

-- The audit is sealed in blocks: one row for what was written in a second, not two for each entry. A program of 0.3.0
-- seals blocks as well, because it calls the same function. The last use of the old chain: what waits gets its links.
do $$ begin
  while skedchange.seal_audit_entries(10000) > 0 loop end loop;
end $$;

create table skedchange.audit_blocks (
  number bigint not null constraint audit_blocks_pkey primary key constraint audit_blocks_begin_at_one check (number >= 1),
  last_id bigint not null constraint audit_blocks_end_once unique,
  entries integer not null constraint audit_blocks_have_entries check (entries >= 1),
  hash bytea not null constraint audit_blocks_hash_is_sha256 check (octet_length(hash) = 32),
  sealed_at timestamptz not null default now()
);
create trigger audit_blocks_never_change before update or delete on skedchange.audit_blocks
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_blocks_never_truncated before truncate on skedchange.audit_blocks
  for each statement execute function skedchange.refuse_changing_audit();

create table skedchange.audit_progress (
  only_row boolean not null default true constraint audit_progress_pkey primary key
    constraint audit_progress_has_one_row check (only_row),
  number bigint not null,
  last_id bigint not null,
  hash bytea not null,
  seen_id bigint not null,
  seen_writers text[] not null
);
insert into skedchange.audit_progress (number, last_id, hash, seen_id, seen_writers)
  select coalesce(max(seq), 0), coalesce(max(entry_id), 0),
    coalesce((select hash from skedchange.audit_chain order by seq desc limit 1), decode(repeat('00', 32), 'hex')),
    0, '{}'
  from skedchange.audit_chain;
grant select on skedchange.audit_blocks, skedchange.audit_progress to skedchange_service;

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

create or replace function skedchange.audit_removed_notice_rule() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'notice-rule.removed', current_setting('skedchange.actor', true), jsonb_build_object('id', old.id));
  return null;
end
$$;

create or replace function skedchange.audit_traveller_search(who text, found integer) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'traveller.searched', who, jsonb_build_object('found', found::text))
$$;

-- For programs of 0.3.0.
drop table skedchange.audit_unsealed;
create view skedchange.audit_unsealed as
  select e.id as entry_id from skedchange.audit_entries e
  where e.id > (select coalesce(max(l.entry_id), 0) from skedchange.audit_chain l);
grant select on skedchange.audit_unsealed to skedchange_service;

-- A trigger of theirs that waited for the locks above still notes its entry there.
create function skedchange.note_nothing() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin return null; end $$;
create trigger audit_unsealed_notes_nothing instead of insert on skedchange.audit_unsealed
  for each row execute function skedchange.note_nothing();

create index audit_entries_of_users on skedchange.audit_entries ((refs ->> 'id'), actor)
  where kind in ('user.added', 'user.changed');

alter table skedchange.users drop constraint users_sources_are_some;

-- A second factor of own accounts: time-based codes of an app (TOTP). A program of 0.3.0 asks for no code.
-- Second factors of people, and what is recognised without a check.
create table skedchange.second_factors (
  user_id uuid not null constraint second_factors_pkey primary key
    constraint second_factors_user_fkey references skedchange.users (id),
  secret bytea not null,
  secret_encoding text not null,
  key_id text,
  begun_at timestamptz not null,
  proven_at timestamptz,
  last_step bigint
);
create table skedchange.recovery_codes (
  user_id uuid not null constraint recovery_codes_user_fkey references skedchange.users (id),
  digest bytea not null constraint recovery_codes_digest_is_sha256 check (octet_length(digest) = 32),
  constraint recovery_codes_pkey primary key (user_id, digest)
);
create table skedchange.second_factor_roles (
  role text not null constraint second_factor_roles_pkey primary key
    constraint second_factor_roles_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  required_at timestamptz not null
);
grant select, insert, delete on skedchange.second_factors, skedchange.recovery_codes, skedchange.second_factor_roles
  to skedchange_service;
grant update (secret, secret_encoding, key_id, begun_at, proven_at, last_step) on skedchange.second_factors
  to skedchange_service;

create trigger second_factors_proven_is_audited after update on skedchange.second_factors
  for each row when (old.proven_at is null and new.proven_at is not null)
  execute function skedchange.audit_row('second-factor.added', 'user_id', '', '');
create trigger second_factors_inserted_is_audited after insert on skedchange.second_factors
  for each row when (new.proven_at is not null)
  execute function skedchange.audit_row('second-factor.added', 'user_id', '', '');
create function skedchange.refuse_other_second_factor() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.proven_at is not distinct from old.proven_at
    and new.last_step >= coalesce(old.last_step, new.last_step)
    and (new.secret = old.secret or skedchange.is_deleting()) then
    return new;
  end if;
  raise exception 'the second factor of user % is proven and stays as it is', old.user_id using errcode = 'check_violation';
end
$$;
create trigger second_factors_proven_stays before update on skedchange.second_factors
  for each row when (old.proven_at is not null) execute function skedchange.refuse_other_second_factor();
create function skedchange.audit_recovery_codes() returns trigger language plpgsql
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
create trigger recovery_codes_made_is_audited after insert on skedchange.recovery_codes
  referencing new table as made for each statement execute function skedchange.audit_recovery_codes();
create trigger second_factor_roles_added_is_audited after insert on skedchange.second_factor_roles
  for each row execute function skedchange.audit_row('second-factor.required', 'role', '', '');
create function skedchange.audit_removed_second_factor() returns trigger language plpgsql
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
create trigger second_factors_removed_is_audited after delete on skedchange.second_factors
  for each row when (old.proven_at is not null)
  execute function skedchange.audit_removed_second_factor('second-factor.removed', 'user_id');
create trigger second_factor_roles_removed_is_audited after delete on skedchange.second_factor_roles
  for each row execute function skedchange.audit_removed_second_factor('second-factor.not-required', 'role');

create table skedchange.recognised_credentials (
  digest bytea not null constraint recognised_credentials_pkey primary key
    constraint recognised_credentials_digest_is_sha256 check (octet_length(digest) = 32),
  recognised_at timestamptz not null
);
create index recognised_credentials_by_age on skedchange.recognised_credentials (recognised_at);
grant select, insert, delete on skedchange.recognised_credentials to skedchange_service;
grant update (recognised_at) on skedchange.recognised_credentials to skedchange_service;

alter table skedchange.users add column password_proof bytea;
grant update (password_proof) on skedchange.users to skedchange_service;

-- Whoever changes the hash, also a program of 0.3.0, takes the digest of the old one away.
create function skedchange.forget_password_proof() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.password_proof is not distinct from old.password_proof then
    new.password_proof := null;
  end if;
  return new;
end
$$;
create trigger users_forget_password_proof before update of password_hash on skedchange.users
  for each row when (new.password_hash is distinct from old.password_hash)
  execute function skedchange.forget_password_proof();

alter table skedchange.processes add column untrusted_proxy text;
grant update (untrusted_proxy) on skedchange.processes to skedchange_service;

-- What is learned of sources, and time zones.
create table skedchange.observed_members (
  source text not null,
  path text not null constraint observed_members_path_is_short check (length(path) between 1 and 4000),
  value_digest text not null constraint observed_members_value_digest_is_hex check (value_digest ~ '^([0-9a-f]{16,64})?$'),
  class text not null constraint observed_members_class_is_known check (class in ('stop', 'code', 'other')),
  word text,
  example text,
  first_seen_at timestamptz not null,
  views bigint not null default 0,
  orders bit(1024) not null default repeat('0', 1024)::bit(1024),
  unchanged_orders bit(1024) not null default repeat('0', 1024)::bit(1024),
  constraint observed_members_pkey primary key (source, path, value_digest)
);
grant select, insert on skedchange.observed_members to skedchange_service;
grant update (class, views, orders, unchanged_orders) on skedchange.observed_members to skedchange_service;

create table skedchange.member_marks (
  id uuid not null constraint member_marks_pkey primary key,
  source text not null,
  number integer not null constraint member_marks_number_begins_at_one check (number >= 1),
  version text not null constraint member_marks_version_is_short check (length(version) between 1 and 64),
  marks jsonb not null,
  change text not null constraint member_marks_change_is_known check (change in ('marked', 'withdrawn')),
  path text not null,
  value_digests text[] not null,
  reason text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  constraint member_marks_one_after_another unique (source, number)
);
create trigger member_marks_never_change before update or delete on skedchange.member_marks
  for each row execute function skedchange.refuse_rewriting_history();
create trigger member_marks_changed_is_audited after insert on skedchange.member_marks
  for each row execute function skedchange.audit_row(
    'member-marks.changed', 'id,number,version,change', 'path,value_digests,reason,marks', 'changed_by');
grant select, insert on skedchange.member_marks to skedchange_service;

create table skedchange.member_mark_sets (
  version text not null constraint member_mark_sets_pkey primary key
    constraint member_mark_sets_version_is_short check (length(version) between 1 and 64),
  marks jsonb not null,
  stored_at timestamptz not null
);
create function skedchange.refuse_changing_mark_set() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the marks % are kept as they are', old.version
    using errcode = 'check_violation', constraint = 'member_mark_sets_never_change';
end
$$;
create trigger member_mark_sets_never_change before update or delete on skedchange.member_mark_sets
  for each row execute function skedchange.refuse_changing_mark_set();
grant select, insert on skedchange.member_mark_sets to skedchange_service;

create table skedchange.source_learning (
  source text not null constraint source_learning_pkey primary key,
  began_at timestamptz not null,
  ended_at timestamptz
);
grant select, insert, update (ended_at) on skedchange.source_learning to skedchange_service;

create table skedchange.learning_orders (
  source text not null constraint learning_orders_source_fkey references skedchange.source_learning (source),
  order_id text not null,
  constraint learning_orders_pkey primary key (source, order_id)
);
grant select, insert on skedchange.learning_orders to skedchange_service;

create table skedchange.time_zone_tables (
  version text not null constraint time_zone_tables_pkey primary key
    constraint time_zone_tables_version_form check (version ~ '^20[0-9]{2}[a-z]{1,2}-[0-9a-f]{16}$'),
  content jsonb not null,
  added_at timestamptz not null
);

create table skedchange.time_zone_terms (
  id bigint generated always as identity constraint time_zone_terms_pkey primary key,
  version text not null constraint time_zone_terms_version_fkey references skedchange.time_zone_tables (version),
  began_at timestamptz not null,
  began_by text not null
);
create trigger time_zone_terms_began_is_audited after insert on skedchange.time_zone_terms
  for each row execute function skedchange.audit_row('time-zones.activated', 'version', '', 'began_by');

grant select, insert on skedchange.time_zone_tables, skedchange.time_zone_terms to skedchange_service;

-- The order, its cases and decisions. What is stored stays as it is.
alter table skedchange.orders set (toast_tuple_target = 512);

drop index skedchange.cases_by_urgency;
create index cases_by_urgency on skedchange.cases
  (coalesce(due_by, '9999-12-31 00:00:00+00'::timestamp with time zone), priority, id)
  include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at)
  where state not in ('done', 'resolved-elsewhere', 'closed');
drop index skedchange.cases_by_deadline;

-- A program of 0.3.0 reads `facts`, `itineraries`, `legal` and `versions`, with less in them, and finds a decision without
-- trace and inputs, which it cannot replay. Its own decisions have no document.
alter table skedchange.decisions
  add column document bytea,
  add column document_encoding text,
  add column document_bytes integer,
  add column key_id text;
alter table skedchange.decisions alter column document set storage external;

-- Effects that begin as sent.
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

-- Stops of one source. Those that there are stop all of them, and were made by people.
alter table skedchange.automation_stops
  add column source text,
  add column cause text not null default 'person',
  add constraint automation_stops_cause_is_known check (cause in ('person', 'outcomes', 'hourly-limit'));
drop index skedchange.automation_stops_one_at_a_time;
create unique index automation_stops_one_at_a_time on skedchange.automation_stops (source, cause) nulls not distinct
  where resumed_at is null;

drop trigger automation_stops_began_is_audited on skedchange.automation_stops;
create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops
  for each row execute function skedchange.audit_row('automation.stopped', 'id,source,cause', 'note', 'stopped_by');
drop trigger automation_stops_ended_is_audited on skedchange.automation_stops;
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops
  for each row when (old.resumed_at is null and new.resumed_at is not null)
  execute function skedchange.audit_row('automation.resumed', 'id,source,cause', '', 'resumed_by');

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

-- Effects of before are not among the automatic ones, nor are those of programs of 0.3.0.
alter table skedchange.effects add column is_automatic boolean not null default false;
create index effects_automatic on skedchange.effects (source, planned_at desc) where is_automatic;

-- Notices of a stop have a state that programs of 0.3.0 leave alone: they would find no cases in one, and take it for
-- obsolete.
alter table skedchange.notices
  add column stop_id uuid constraint notices_stop_fkey references skedchange.automation_stops (id),
  drop constraint notices_state_is_known,
  add constraint notices_state_is_known check (state in ('pending', 'stop-pending', 'sent', 'obsolete'));
create index notices_stop_pending on skedchange.notices (due_at) where state = 'stop-pending';
drop index skedchange.notices_finished;
create index notices_finished on skedchange.notices (finished_at) where state in ('sent', 'obsolete');
create unique index notices_announce_a_stop_once on skedchange.notices (stop_id, rule_id) where stop_id is not null;

-- Views that are compressed against their notification. A program of 0.3.0 cannot read them: its pages fail with
-- store.cannot_open, but nothing that it does by itself reads a stored view. None refers to a notification yet, so there
-- is nothing to validate.
alter table skedchange.status_views add column compressed_against uuid,
  add constraint status_views_repeated_fkey foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id) not valid;
alter table skedchange.document_views add column compressed_against uuid,
  add constraint document_views_repeated_fkey foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id) not valid;
alter table skedchange.effects add column compressed_against uuid,
  add constraint effects_repeated_fkey foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id) not valid;
grant update (compressed_against) on skedchange.effects to skedchange_service;

-- Events without a message of NOTIFY. A sender of 0.3.0 looks each second.
create or replace function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  case_row skedchange.cases;
  event_id uuid := gen_random_uuid();
  recipients uuid[];
  -- Not now(): of two events in one transaction the second one is later.
  happened_at timestamptz := clock_timestamp();
  body bytea;
begin
  -- Cheap where nobody listens, since this runs with every change of a case.
  if not exists (select from skedchange.event_recipients r where r.state <> 'removed') then
    return;
  end if;
  select * into case_row from skedchange.cases where id = about_case;
  select array_agg(r.id) into recipients from skedchange.event_recipients r
  where r.state <> 'removed' and (r.event_types is null or event_type = any (r.event_types))
    and (r.sources is null or case_row.source = any (r.sources));
  if recipients is null then
    return;
  end if;
  body := convert_to(jsonb_build_object(
    'id', event_id,
    'type', event_type,
    'createdAt', to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'source', case_row.source,
    'caseId', case_row.id,
    'orderId', case_row.order_id,
    'gdsBookingReferences', to_jsonb(case_row.gds_booking_references),
    'state', case_row.state,
    'dueBy', case when case_row.due_by is not null then jsonb_build_object(
      'at', to_char(case_row.due_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'rule', case_row.due_by_rule) end,
    'decision', (
      select jsonb_build_object('id', d.id, 'action', d.action, 'reviewQueue', d.review_queue, 'rule', d.rule,
        'reasons', coalesce(jsonb_path_query_array(d.reasons, '$[*].code'), '[]'), 'by',
        case when d.decided_by = 'policy' then 'policy' else 'person' end)
      from skedchange.decisions d
      where d.id = coalesce((about ->> 'decisionId')::uuid, case_row.decision_id)),
    'effect', (
      select jsonb_build_object('id', e.id, 'action', e.action, 'state', e.state)
      from skedchange.effects e where e.id = (about ->> 'effectId')::uuid),
    'task', (
      select jsonb_build_object('id', t.id, 'kind', t.kind)
      from skedchange.tasks t where t.id = (about ->> 'taskId')::uuid)
  )::text, 'UTF8');
  insert into skedchange.event_bodies
    (id, order_id, publish_key, digest, body, body_encoding, body_bytes, created_at, event_type, source, case_id,
    recipient_ids)
  values (event_id, case_row.order_id, publish_key, sha256(body), body, 'identity', octet_length(body), happened_at,
    event_type, case_row.source, case_row.id, recipients)
  on conflict on constraint event_bodies_publish_key_key do nothing;
end
$function$;

-- Retention, erasure and new keys, which know the new columns.
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

create or replace function skedchange.delete_case_bodies(about_case uuid, before timestamp with time zone, because text, who text)
 returns jsonb
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  emptied uuid[];
  touched uuid[];
  deleted_statuses integer;
  deleted_documents integer;
  deleted_answers integer;
  deleted_notes integer := 0;
  deleted_lines integer;
  counted integer;
  counts jsonb;
begin
  perform set_config('skedchange.deleting', 'on', true);
  with gone as (
    update skedchange.notifications n
      set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = because,
        problem = n.problem || '{"path": "", "message": ""}'
      from skedchange.case_notifications j
      where j.case_id = about_case and n.received_at = j.notification_received_at and n.id = j.notification_id
        and n.body_deleted_at is null and n.state <> 'quarantined' and skedchange.is_notification_over(n.id, before)
      returning n.id
  ) select coalesce(array_agg(id), '{}') into emptied from gone;
  touched := about_case || array(
    select j.case_id from skedchange.case_notifications j where j.notification_id = any (emptied)
  );
  update skedchange.status_views
    set body = '', body_encoding = 'deleted', key_id = null, compressed_against = null,
      body_deleted_at = now(), body_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and body_deleted_at is null;
  get diagnostics deleted_statuses = row_count;
  -- Nothing refers to these.
  delete from skedchange.document_views
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied));
  get diagnostics deleted_documents = row_count;
  update skedchange.effects
    set answer = null, answer_encoding = 'deleted', key_id = null, compressed_against = null,
      answer_deleted_at = now(), answer_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and answer is not null;
  get diagnostics deleted_answers = row_count;
  update skedchange.effects e
    set error = e.error || '{"message": ""}', results = coalesce(skedchange.results_without_texts(e.results), e.results)
    where e.case_id = about_case and (e.error is not null or e.results is not null);
  update skedchange.decisions set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.approvals set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.tasks set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.traveller_contacts set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.case_events e set detail = skedchange.without_texts(e.detail), texts_deleted_at = now()
    where e.case_id = about_case and e.detail is distinct from skedchange.without_texts(e.detail);
  get diagnostics deleted_lines = row_count;
  counts := jsonb_build_object('notificationBodies', cardinality(emptied), 'statusViews', deleted_statuses,
    'documentViews', deleted_documents, 'responses', deleted_answers, 'notes', deleted_notes, 'timelineTexts', deleted_lines);
  if exists (select from jsonb_each_text(counts) where value <> '0') then
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
      values (about_case, now(), 'case.bodies_deleted', who, counts || jsonb_build_object('reason', because));
  end if;
  update skedchange.cases set bodies_deleted_at = now(), last_error = last_error || '{"message": ""}' where id = about_case;
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$function$;

create or replace function skedchange.erase_order(of_source text, of_order text, who text, at timestamp with time zone, quarantined uuid[])
  returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
  one uuid;
  counts jsonb := '{}';
  deleted integer;
begin
  perform 1 from skedchange.orders o where o.source = of_source and o.order_id = of_order for update;
  if exists (select from skedchange.erasure_blockers(of_source, of_order)) then
    raise exception 'order % of source % is still worked on', of_order, of_source
      using errcode = 'object_in_use', constraint = 'erasures_wait_for_work';
  end if;
  ids := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order order by c.opened_at, c.id);
  foreach one in array ids loop
    counts := skedchange.add_counts(counts, skedchange.delete_case_bodies(one, 'infinity', 'erasure', who));
  end loop;

  perform set_config('skedchange.deleting', 'on', true);
  -- Facts, and sentences about them, may quote what could not be understood.
  update skedchange.decisions d
    set facts = null, trace = null, inputs = null, legal = null, reasons = skedchange.reasons_without_texts(d.reasons),
      document = null, document_encoding = null, document_bytes = null, key_id = null
    where d.case_id = any (ids);
  update skedchange.tasks t set reasons = skedchange.reasons_without_texts(t.reasons) where t.case_id = any (ids);
  update skedchange.cases set headline = null where id = any (ids);
  update skedchange.bulk_actions a set command = a.command - 'note'
    where a.command ? 'note' and exists (
      select from skedchange.bulk_action_cases b where b.bulk_action_id = a.id and b.case_id = any (ids)
    );
  update skedchange.bulk_action_cases set message = null where case_id = any (ids) and message is not null;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d join skedchange.event_bodies b on b.id = d.body_id where b.case_id = any (ids)
  );
  delete from skedchange.event_deliveries d using skedchange.event_bodies b where b.id = d.body_id and b.case_id = any (ids);
  delete from skedchange.event_bodies where case_id = any (ids);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('events', deleted);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('polledStatusViews', deleted);
  update skedchange.orders set next_poll_at = null, poll_ended = 'erased' where source = of_source and order_id = of_order;

  counts := counts || jsonb_build_object('quarantinedBodies', skedchange.delete_quarantined_bodies(of_source, quarantined));

  insert into skedchange.erasures (source, order_id, erased_at, erased_by, counts)
    values (of_source, of_order, coalesce(at, now()), who, counts);
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$$;

create or replace function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
 returns setof text
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.notifications.body', 'skedchange.notifications', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.status_views.body', 'skedchange.status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.document_views.body', 'skedchange.document_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.order_status_views.body', 'skedchange.order_status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.effects.answer', 'skedchange.effects', 'id', 'uuid', 'answer', 'answer_encoding', 'key_id', true),
    ('skedchange.decisions.document', 'skedchange.decisions', 'id', 'uuid', 'document', 'document_encoding', 'key_id', false),
    ('gateway.ocn_bodies.body', 'gateway.ocn_bodies', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.signing_keys.private_key', 'skedchange.signing_keys', 'kid', 'text', 'private_key', 'private_key_encoding', 'key_id', false),
    ('gateway.recipients.credential', 'gateway.recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('gateway.recipients.signing_secrets', 'gateway.recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('gateway.recipients.client_certificate', 'gateway.recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.event_recipients.credential', 'skedchange.event_recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('skedchange.event_recipients.signing_secrets', 'skedchange.event_recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.notice_rules.webhook', 'skedchange.notice_rules', 'id', 'uuid', 'webhook', 'webhook_encoding', 'key_id', false),
    ('skedchange.second_factors.secret', 'skedchange.second_factors', 'user_id', 'uuid', 'secret', 'secret_encoding', 'key_id', false)
  ) as known (name, table_name, id, id_type, bytes, encoding, key, is_marked) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true), set_config('skedchange.actor', 'reencryption', true);
  return query execute format(
    'update %1$s t set %2$I = new.becomes, %3$I = $4 %4$s
     from unnest($1, $2, $3) as new (id, was, becomes)
     where t.%5$I = new.id::%6$s and t.%7$I in (''gzip'', ''deflate-against-notification'') and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$function$;

create function skedchange.refuse_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% % cannot go from % to %', tg_argv[0], new.id, old.state, new.state
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
drop trigger cases_transition_is_allowed on skedchange.cases;
create trigger cases_transition_is_allowed before update of state on skedchange.cases
  for each row when (
    old.state is distinct from new.state and old.state || ' -> ' || new.state <> all (array[
      'accepting -> awaiting-agent', 'accepting -> checking', 'accepting -> done', 'accepting -> resolved-elsewhere',
      'ask-traveller -> awaiting-agent', 'ask-traveller -> awaiting-traveller', 'ask-traveller -> checking',
      'ask-traveller -> closed', 'ask-traveller -> resolved-elsewhere', 'ask-traveller -> snoozed',
      'awaiting-agent -> awaiting-traveller', 'awaiting-agent -> checking', 'awaiting-agent -> closed',
      'awaiting-agent -> resolved-elsewhere', 'awaiting-agent -> snoozed',
      'awaiting-traveller -> awaiting-agent', 'awaiting-traveller -> checking', 'awaiting-traveller -> closed',
      'awaiting-traveller -> resolved-elsewhere', 'awaiting-traveller -> snoozed',
      'cancelling -> awaiting-agent', 'cancelling -> checking', 'cancelling -> done',
      'cancelling -> resolved-elsewhere',
      'checking -> accepting', 'checking -> ask-traveller', 'checking -> awaiting-agent',
      'checking -> awaiting-traveller', 'checking -> cancelling', 'checking -> closed', 'checking -> done',
      'checking -> received', 'checking -> resolved-elsewhere', 'checking -> snoozed',
      'received -> checking',
      'snoozed -> awaiting-agent', 'snoozed -> awaiting-traveller', 'snoozed -> checking', 'snoozed -> closed',
      'snoozed -> resolved-elsewhere'
    ])
  ) execute function skedchange.refuse_transition('case');
drop trigger effects_transition_is_allowed on skedchange.effects;
create trigger effects_transition_is_allowed before update of state on skedchange.effects
  for each row when (
    old.state is distinct from new.state and old.state || ' -> ' || new.state <> all (array[
      'planned -> failed', 'planned -> sent',
      'sent -> failed', 'sent -> succeeded', 'sent -> unknown',
      'unknown -> failed', 'unknown -> sent', 'unknown -> succeeded'
    ])
  ) execute function skedchange.refuse_transition('effect');
create function skedchange.refuse_first_state() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% % must start as %, not %', tg_argv[0], new.id, tg_argv[1], new.state
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
drop trigger cases_start_as_received on skedchange.cases;
create trigger cases_start_as_received before insert on skedchange.cases
  for each row when (new.state <> 'received') execute function skedchange.refuse_first_state('case', 'received');
drop trigger effects_start_as_planned on skedchange.effects;
create trigger effects_start_as_planned before insert on skedchange.effects
  for each row when (new.state <> 'planned' and not (new.state = 'sent' and new.is_automatic))
  execute function skedchange.refuse_first_state('effect', 'planned');

drop function skedchange.refuse_unknown_case_transition(), skedchange.refuse_unknown_effect_transition(),
  skedchange.refuse_unknown_first_case_state(), skedchange.refuse_unknown_first_effect_state();
drop table skedchange.case_transitions, skedchange.effect_transitions;

-- Programs of 0.3.0 know one state for both, and park a case in it whose clock has run out. What they write becomes
-- what it is: they read and write the other states as before, and may leave this one for those they know.
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

create trigger cases_await_only_asked_travellers before update of state on skedchange.cases
  for each row when (new.state = 'awaiting-traveller')
  execute function skedchange.await_only_asked_travellers();

-- The cases of today by the same rule. No program makes this move.
alter table skedchange.cases disable trigger cases_transition_is_allowed;
update skedchange.cases set state = state where state = 'awaiting-traveller';
alter table skedchange.cases enable trigger cases_transition_is_allowed;
