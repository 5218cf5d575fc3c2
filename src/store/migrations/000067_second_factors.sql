-- Oldest program: 000039
-- A second factor of own accounts: time-based codes of an app (TOTP). A program from before asks for no code.
create table skedchange.second_factors (
  user_id uuid not null constraint second_factors_pkey primary key
    constraint second_factors_user_fkey references skedchange.users (id),
  secret bytea not null,
  secret_encoding text not null,
  key_id text,
  begun_at timestamptz not null,
  -- When its owner has shown a code of it. Until then it is not asked for.
  proven_at timestamptz,
  -- The newest time step of which a code was used: each works once.
  last_step bigint
);
create table skedchange.recovery_codes (
  user_id uuid not null constraint recovery_codes_user_fkey references skedchange.users (id),
  -- SHA-256 of a random code.
  digest bytea not null constraint recovery_codes_digest_is_sha256 check (octet_length(digest) = 32),
  constraint recovery_codes_pkey primary key (user_id, digest)
);
-- Whoever has one of these roles must have a second factor.
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
-- What is proven stays as it is until it is removed, which is audited: only keys are replaced, and codes used up.
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
declare
  owner uuid;
  entry_id bigint;
begin
  for owner in select distinct user_id from made loop
    insert into skedchange.audit_entries (at, kind, actor, refs)
    values (now(), 'second-factor.codes-made', coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
      jsonb_build_object('user_id', owner))
    returning id into entry_id;
    insert into skedchange.audit_unsealed values (entry_id);
  end loop;
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
  entry_id bigint;
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), tg_argv[0], coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
    jsonb_build_object(tg_argv[1], row_before ->> tg_argv[1]))
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;
create trigger second_factors_removed_is_audited after delete on skedchange.second_factors
  for each row when (old.proven_at is not null)
  execute function skedchange.audit_removed_second_factor('second-factor.removed', 'user_id');
create trigger second_factor_roles_removed_is_audited after delete on skedchange.second_factor_roles
  for each row execute function skedchange.audit_removed_second_factor('second-factor.not-required', 'role');

-- Secrets of second factors are encrypted again with the others. Otherwise as it was.
create or replace function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
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
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.notice_rules.webhook', 'skedchange.notice_rules', 'id', 'uuid', 'webhook', 'webhook_encoding', 'key_id', false),
    ('skedchange.second_factors.secret', 'skedchange.second_factors', 'user_id', 'uuid', 'secret', 'secret_encoding', 'key_id', false)
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
