-- Oldest program: 000039
-- What lists of the dashboard show and change.

-- The decision that a bulk action made, to find what came of it at the gateway. Null for what older programs did.
alter table skedchange.bulk_action_cases add column decision_id uuid;
grant update (decision_id) on skedchange.bulk_action_cases to skedchange_service;

-- Lists are exported as files, which leave the system. No row is written that would tell, so the audit is told by this.
create function skedchange.audit_export(of_list text, who text) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  with added as (
    insert into skedchange.audit_entries (at, kind, actor, refs)
    select now(), 'list.exported', who, jsonb_build_object('list', of_list) where of_list ~ '^[a-z-]{1,64}$'
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added
$$;
revoke all on function skedchange.audit_export(text, text) from public;
grant execute on function skedchange.audit_export(text, text) to skedchange_service;

-- A quarantined body that nobody will ever be able to use is taken off the list and out of the alert. It stays stored, and
-- its state stays quarantined, so that it can still be released. Nullable columns are added without reading the table.
alter table skedchange.notifications
  add column discarded_at timestamptz,
  add column discarded_by text,
  add column discard_note text;
grant update (discarded_at, discarded_by, discard_note) on skedchange.notifications to skedchange_service;
create trigger notifications_discarded_is_audited after update of discarded_at on skedchange.notifications
  for each row when (old.discarded_at is null and new.discarded_at is not null)
  execute function skedchange.audit_row('notification.discarded', 'id', '', 'discarded_by');

-- What a person wrote about a body goes with it, by erasure and by retention.
create function skedchange.drop_discard_note() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.discard_note := null;
  return new;
end
$$;
create trigger notifications_note_goes_with_body before update of body_deleted_at on skedchange.notifications
  for each row when (new.body_deleted_at is not null and new.discard_note is not null)
  execute function skedchange.drop_discard_note();

-- As before, and of notes of discards.
create or replace function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
 returns setof text
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
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
