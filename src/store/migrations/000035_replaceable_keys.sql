-- Encryption keys can be withdrawn: the owner may replace what a key encrypted, and nothing else of a row. Notes are encrypted.

-- Whether the encrypted bytes name the row that they belong to. Processes of version 0.1 write none that do. Recipients and
-- signing keys are few, so their bytes are looked into.
alter table skedchange.notifications add column is_bound boolean not null default false;
alter table skedchange.status_views add column is_bound boolean not null default false;
alter table skedchange.document_views add column is_bound boolean not null default false;
alter table skedchange.order_status_views add column is_bound boolean not null default false;
alter table skedchange.effects add column is_bound boolean not null default false;
alter table gateway.ocn_bodies add column is_bound boolean not null default false;
grant update (is_bound) on skedchange.effects to skedchange_service;

-- Replaces encrypted bytes. Only the owner may call it: the service role cannot change a body, or an effect that has ended.
-- A row that changed since its bytes were read is left out: `was` has their SHA-256.
-- @return the rows that were replaced
create function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
  returns setof text language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.notifications.body', 'skedchange.notifications', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.status_views.body', 'skedchange.status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.document_views.body', 'skedchange.document_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.order_status_views.body', 'skedchange.order_status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.effects.answer', 'skedchange.effects', 'id', 'uuid', 'answer', 'answer_encoding', 'key_id', true),
    ('gateway.ocn_bodies.body', 'gateway.ocn_bodies', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.signing_keys.private_key', 'skedchange.signing_keys', 'kid', 'text', 'private_key', 'private_key_encoding', 'key_id', false),
    ('gateway.recipients.credential', 'gateway.recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('gateway.recipients.signing_secrets', 'gateway.recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('gateway.recipients.client_certificate', 'gateway.recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.event_recipients.credential', 'skedchange.event_recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('skedchange.event_recipients.signing_secrets', 'skedchange.event_recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false)
  ) as known (name, table_name, id, id_type, bytes, encoding, key, is_marked) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true), set_config('skedchange.actor', 'reencryption', true);
  return query execute format(
    'update %1$s t set %2$I = new.becomes, %3$I = $4 %4$s
     from unnest($1, $2, $3) as new (id, was, becomes)
     where t.%5$I = new.id::%6$s and t.%7$I = ''gzip'' and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$$;
revoke all on function skedchange.replace_ciphertexts(text, text[], bytea[], bytea[], text) from public;

-- An encrypted note is text: skedchange:note:1:<digest>:<key>:<ciphertext>. The digest is of the note and of random bytes that
-- are encrypted with it. It stays when another key encrypts the note, so it is the part that the audit proves.
create function skedchange.is_encrypted_note(note text) returns boolean language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select note ~ '^skedchange:note:1:[A-Za-z0-9_-]{43}:[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+$'
$$;

-- It is part of the statements that call it, so it has no path of its own.
create function skedchange.audited_text(detail text) returns text language sql immutable
as $$
  select case when strpos(detail, 'skedchange:note:1:') = 0 then detail
    else regexp_replace(detail, '(skedchange:note:1:[A-Za-z0-9_-]{43}):[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+', '\1', 'g') end
$$;

-- Replaces notes by encrypted ones. Only the owner may call it. One that is encrypted already keeps its digest.
-- @return the rows that were replaced
create function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
  returns setof text language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.case_events.detail', 'skedchange.case_events', 'bigint', 'detail', true),
    ('skedchange.bulk_actions.command', 'skedchange.bulk_actions', 'uuid', 'command', true),
    ('skedchange.decisions.note', 'skedchange.decisions', 'uuid', 'note', false),
    ('skedchange.approvals.note', 'skedchange.approvals', 'uuid', 'note', false),
    ('skedchange.tasks.note', 'skedchange.tasks', 'uuid', 'note', false),
    ('skedchange.traveller_contacts.note', 'skedchange.traveller_contacts', 'uuid', 'note', false)
  ) as known (name, table_name, id_type, note, is_json) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true);
  return query execute format(
    case when place.is_json
      then 'update %1$s t set %2$I = jsonb_set(t.%2$I, ''{note}'', to_jsonb(new.becomes))
        from unnest($1, $2, $3) as new (id, was, becomes)
        where t.id = new.id::%3$s and t.%2$I ->> ''note'' = new.was'
      else 'update %1$s t set %2$I = new.becomes
        from unnest($1, $2, $3) as new (id, was, becomes)
        where t.id = new.id::%3$s and t.%2$I = new.was'
      end || ' and skedchange.is_encrypted_note(new.becomes) and (not skedchange.is_encrypted_note(new.was)
        or skedchange.audited_text(new.becomes) = skedchange.audited_text(new.was)) returning t.id::text',
    place.table_name, place.note, place.id_type
  ) using ids, was, becomes;
  perform set_config('skedchange.deleting', 'off', true);
end
$$;
revoke all on function skedchange.replace_notes(text, text[], text[], text[]) from public;
revoke all on function skedchange.is_encrypted_note(text) from public;
revoke all on function skedchange.audited_text(text) from public;
grant execute on function skedchange.audited_text(text) to skedchange_service;

-- As before, of the part of encrypted notes that stays.
create or replace function skedchange.audit_case_events() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
      sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;

create or replace function skedchange.audit_row() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC'
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
    select sha256(convert_to(skedchange.audited_text(jsonb_object_agg(name, row_now -> name)::text), 'UTF8')) into digest from unnest(proved) name;
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
