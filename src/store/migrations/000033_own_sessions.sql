-- From where and with what a session was started, so that its user knows it again. Personal data, deleted with the session.

alter table skedchange.sessions
  add column address text constraint sessions_address_length check (char_length(address) <= 64),
  -- Not the whole header, which would tell more than anybody needs: `Firefox on Windows`.
  add column browser text constraint sessions_browser_length check (char_length(browser) <= 64);

-- Sessions that a person ends: by signing out, changing a password, or as an admin. Those that end by themselves are swept.
create function skedchange.audit_ended_session() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entry_id bigint;
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'session.ended', current_setting('skedchange.actor'),
    jsonb_build_object('id', old.id, 'user_id', old.user_id))
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;
create trigger sessions_ended_is_audited after delete on skedchange.sessions
  for each row when (coalesce(current_setting('skedchange.actor', true), '') <> '')
  execute function skedchange.audit_ended_session();
