-- The replacement of encryption keys: what a key encrypted is encrypted with another one, and nothing else of a row
-- changes.

-- Replaces encrypted bytes. Only the owner may call it: the service role cannot change a body, or an effect that has
-- ended. A row that changed since its bytes were read is left out: `was` has their SHA-256. Returns the rows that were
-- replaced. Columns with an `is_bound` beside them get it set. What is compressed against a notification is encrypted
-- anew as it is, without being decompressed.
create function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
  returns setof text language plpgsql
  set search_path = pg_catalog, pg_temp
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
$$;
revoke all on function skedchange.replace_ciphertexts(text, text[], bytea[], bytea[], text) from public;

-- Replaces notes by encrypted ones. Only the owner may call it. One that is encrypted already keeps its digest.
-- Returns the rows that were replaced.
create function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
  returns setof text language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.case_events.detail', 'skedchange.case_events', 'bigint', 'detail', true),
    ('skedchange.bulk_actions.command', 'skedchange.bulk_actions', 'uuid', 'command', true),
    ('skedchange.decisions.note', 'skedchange.decisions', 'uuid', 'note', false),
    ('skedchange.approvals.note', 'skedchange.approvals', 'uuid', 'note', false),
    ('skedchange.notifications.discard_note', 'skedchange.notifications', 'uuid', 'discard_note', false),
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
