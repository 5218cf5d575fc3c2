-- Oldest program: 000039
-- A view of an order repeats most of what its notification says, so it is compressed against that. Without the notification's
-- body it cannot be read, so that takes such views with it. A program from before cannot read them: its pages fail with
-- store.cannot_open, but nothing that it does by itself reads a stored view.

-- Null for what is compressed alone. The key keeps a view to notifications of its own case, and those to their views: a
-- notification goes with the last case that it has joined. Nothing refers to one yet, so there is nothing to validate.
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

-- Also empties views that were compressed against the notifications that it empties, whatever case they are of: that one is
-- over, too, but its turn may come in a later transaction.
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

-- Replaces what is compressed against a notification as well. It is encrypted anew as it is, without being decompressed.
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
