-- The audit: who did what to which order and when, as ids only, in a chain of hashes that shows every later change.
--
-- Triggers write it with the owner's rights, so nothing that writes to the audited tables can leave it out, and the
-- service role can read it but neither add to it nor change it. Nobody can without disabling a trigger first.
create table skedchange.audit_entries (
  id bigint generated always as identity constraint audit_entries_pkey primary key,
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
  -- SHA-256 of what stays out: of a case event its whole detail, else the columns that the trigger names. Null: nothing did.
  detail_digest bytea constraint audit_entries_digest_is_sha256 check (octet_length(detail_digest) = 32)
);
create index audit_entries_by_order on skedchange.audit_entries (order_id, id) where order_id is not null;
-- Entries come in the order of their times, nearly; this one costs those who write them nothing.
create index audit_entries_by_time on skedchange.audit_entries using brin (recorded_at);

-- One link for each entry, in the order in which they were sealed. A chain that writers extended themselves would make
-- every commit wait for the one before; this one is extended by one process at a time, right after.
create table skedchange.audit_chain (
  seq bigint not null constraint audit_chain_pkey primary key constraint audit_chain_begins_at_one check (seq >= 1),
  entry_id bigint not null constraint audit_chain_entry_once unique
    constraint audit_chain_entry_fkey references skedchange.audit_entries (id),
  -- SHA-256 of the hash before and the entry in its canonical form; before the first one stand 32 zero bytes.
  hash bytea not null constraint audit_chain_hash_is_sha256 check (octet_length(hash) = 32)
);

-- Entries that have no link yet.
create table skedchange.audit_unsealed (
  entry_id bigint not null constraint audit_unsealed_pkey primary key
);

create function skedchange.refuse_changing_audit() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the audit is only ever added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
create trigger audit_entries_never_change before update or delete on skedchange.audit_entries
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_entries_never_truncated before truncate on skedchange.audit_entries
  for each statement execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_changes before update or delete on skedchange.audit_chain
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_truncated before truncate on skedchange.audit_chain
  for each statement execute function skedchange.refuse_changing_audit();

-- Of the detail of a case event, what is an id by its form or a code from a closed list. It is called once for each event
-- under the path of its caller: a path of its own would cost more than the function.
create function skedchange.audit_refs(detail jsonb) returns jsonb language sql immutable
as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each_text(case jsonb_typeof(detail) when 'object' then detail else '{}' end)
  where value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and value ~ '^[a-z][a-z0-9._-]{0,63}$')
$$;

-- For all events of a statement at once: the receiver adds them in batches.
create function skedchange.audit_case_events() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
      sha256(convert_to(e.detail::text, 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;
create trigger case_events_are_audited after insert on skedchange.case_events
  referencing new table as added_events for each statement execute function skedchange.audit_case_events();

-- Takes down that a row was added or changed. The trigger says which changes count, in its WHEN, and hands over:
-- the kind; the columns to show, ids and codes only; the columns that stay out but must be provable; the columns that
-- say who, of which the first that is set counts. Lists are separated by commas. Where no column says who, the writer may
-- with `set_config('skedchange.actor', ..., true)`.
create function skedchange.audit_row() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  entry_refs jsonb;
  changed text;
  digest bytea;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
  entry_id bigint;
begin
  select coalesce(jsonb_object_agg(name, row_now ->> name), '{}') into entry_refs
    from unnest(shown) name where row_now ->> name is not null;
  if tg_op = 'UPDATE' then
    select string_agg(name, ',' order by name collate "C") into changed
      from unnest(shown || proved) name where row_now -> name is distinct from row_before -> name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  if cardinality(proved) > 0 then
    select sha256(convert_to(jsonb_object_agg(name, row_now -> name)::text, 'UTF8')) into digest from unnest(proved) name;
  end if;
  select row_now ->> name into who
    from unnest(string_to_array(tg_argv[3], ',')) with ordinality as given (name, place)
    where row_now ->> name is not null order by place limit 1;
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system'), entry_source,
    entry_order, entry_case, entry_refs, digest)
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;

-- What came and could not be used, and its way out.
create trigger notifications_quarantined_is_audited after insert on skedchange.notifications
  for each row when (new.state = 'quarantined')
  execute function skedchange.audit_row('notification.quarantined', 'id', 'problem', '');
create trigger notifications_released_is_audited after update of state on skedchange.notifications
  for each row when (new.state = 'released' and old.state <> 'released')
  execute function skedchange.audit_row('notification.released', 'id', '', '');

-- Which rules decide.
create trigger policy_versions_added_is_audited after insert on skedchange.policy_versions
  for each row execute function skedchange.audit_row('policy.added', 'version', 'note', 'created_by');
create trigger policy_terms_began_is_audited after insert on skedchange.policy_terms
  for each row execute function skedchange.audit_row('policy-term.began', 'id,role,version', 'note', 'began_by');
create trigger policy_terms_ended_is_audited after update of ended_at on skedchange.policy_terms
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function skedchange.audit_row('policy-term.ended', 'id,role,version', '', 'ended_by');

-- Who may do what. User names are shown as everywhere else; the names that people go by are not.
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role', '', '');
create trigger users_changed_is_audited after update on skedchange.users
  for each row when ((old.username, old.role, old.password_hash, old.disabled_at, old.is_demo)
    is distinct from (new.username, new.role, new.password_hash, new.disabled_at, new.is_demo))
  execute function skedchange.audit_row('user.changed', 'id,username,role,disabled_at,is_demo', 'password_hash', '');
create trigger sessions_started_is_audited after insert on skedchange.sessions
  for each row execute function skedchange.audit_row('session.started', 'id,user_id', '', '');
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens
  for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,expires_at', 'name', '');
create trigger api_tokens_revoked_is_audited after update of revoked_at on skedchange.api_tokens
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function skedchange.audit_row('api-token.revoked', 'id,user_id,role,revoked_at', '', '');
-- Not who: people type passwords into the wrong field, and what the audit holds it holds for ever.
create trigger sign_in_failures_locked_is_audited after insert on skedchange.sign_in_failures
  for each row when (new.locked_until is not null)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger sign_in_failures_locked_again_is_audited after update of locked_until on skedchange.sign_in_failures
  for each row when (new.locked_until is not null and old.locked_until is distinct from new.locked_until)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger signing_keys_added_is_audited after insert on skedchange.signing_keys
  for each row execute function skedchange.audit_row('signing-key.added', 'kid', '', '');
create trigger signing_keys_retired_is_audited after update of retired_at on skedchange.signing_keys
  for each row when (old.retired_at is null and new.retired_at is not null)
  execute function skedchange.audit_row('signing-key.retired', 'kid', '', '');

-- What people decide around a case.
create trigger traveller_contacts_added_is_audited after insert on skedchange.traveller_contacts
  for each row execute function skedchange.audit_row(
    'traveller-contact.recorded', 'id,kind,channel,answer,proposal_digest,happened_at', 'note', 'recorded_by');
create trigger approvals_asked_is_audited after insert on skedchange.approvals
  for each row execute function skedchange.audit_row(
    'approval.asked', 'id,action,proposal_digest,state', 'note', 'asked_by');
create trigger approvals_answered_is_audited after update on skedchange.approvals
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('approval.answered', 'id,action,proposal_digest,state', '', 'answered_by');
create trigger tasks_opened_is_audited after insert on skedchange.tasks
  for each row execute function skedchange.audit_row('task.opened', 'id,kind', 'reasons', '');
create trigger tasks_closed_is_audited after update on skedchange.tasks
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function skedchange.audit_row('task.closed', 'id,kind', 'note', 'closed_by');
create trigger bulk_actions_asked_is_audited after insert on skedchange.bulk_actions
  for each row execute function skedchange.audit_row('bulk-action.asked', 'id', 'command', 'asked_by');
create trigger bulk_actions_ended_is_audited after update on skedchange.bulk_actions
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('bulk-action.ended', 'id,state', '', '');

-- The text of a time in the canonical form: in UTC, with six digits of a second.
create function skedchange.audit_time(at timestamptz) returns text language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- What is hashed of an entry: JSON without blanks, the keys sorted, bytes in hexadecimal, every key there.
create function skedchange.audit_canonical(entry skedchange.audit_entries) returns text language sql stable
  set search_path = pg_catalog, pg_temp
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
    || '","refs":{' || coalesce((
      select string_agg(to_json(key) || ':' || to_json(value), ',' order by key collate "C")
      from jsonb_each_text(entry.refs)), '')
    || '},"source":' || coalesce(to_json(entry.source)::text, 'null') || '}'
$$;

-- Links committed entries to the chain, the oldest first, at most `batch` of them, and answers how many; 0 also while
-- another process does so. The only way into the chain: it takes what triggers wrote and computes the hashes itself.
create function skedchange.seal_audit_entries(batch integer) returns integer language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entry skedchange.audit_entries;
  last_seq bigint;
  last_hash bytea;
  ids bigint[] := '{}';
  hashes bytea[] := '{}';
begin
  if batch not between 1 and 10000 then
    raise exception 'batch must be 1 to 10000, not %', batch using errcode = 'invalid_parameter_value';
  end if;
  -- Released after the links are visible to whoever takes it next.
  if not pg_try_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0)) then
    return 0;
  end if;
  select seq, hash into last_seq, last_hash from skedchange.audit_chain order by seq desc limit 1;
  if not found then
    last_seq := 0;
    last_hash := decode(repeat('00', 32), 'hex');
  end if;
  for entry in
    select e.* from skedchange.audit_unsealed u join skedchange.audit_entries e on e.id = u.entry_id
    order by u.entry_id limit batch
  loop
    last_hash := sha256(last_hash || convert_to(skedchange.audit_canonical(entry), 'UTF8'));
    ids := ids || entry.id;
    hashes := hashes || last_hash;
  end loop;
  insert into skedchange.audit_chain (seq, entry_id, hash)
    select last_seq + place, id, hash from unnest(ids, hashes) with ordinality as link (id, hash, place);
  delete from skedchange.audit_unsealed where entry_id = any (ids);
  return cardinality(ids);
end
$$;

revoke all on function skedchange.audit_case_events(), skedchange.audit_row(), skedchange.refuse_changing_audit(),
  skedchange.audit_canonical(skedchange.audit_entries), skedchange.seal_audit_entries(integer) from public;
grant execute on function skedchange.seal_audit_entries(integer) to skedchange_service;
grant select on skedchange.audit_entries, skedchange.audit_chain, skedchange.audit_unsealed to skedchange_service;

-- What happened before there was an audit. recorded_at says that it was taken down only now.
with added as (
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
  select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
    sha256(convert_to(e.detail::text, 'UTF8'))
  from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
  order by e.id
  returning id
)
insert into skedchange.audit_unsealed (entry_id) select id from added;
