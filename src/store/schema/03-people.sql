-- People: who may sign in, the sessions they are signed in with, the tokens of their programs, second factors, failed
-- sign-ins, and the views of the queue that they keep.

-- The service role can neither delete a user nor give one another name: decisions name people by it for ever.
create table skedchange.users (
  id uuid not null constraint users_pkey primary key,
  -- Lower case, so that one name is one person. `api` is how decisions made with API_TOKEN are signed.
  username text not null constraint users_username_unique unique
    constraint users_username_is_plain check (username ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$' and username <> 'api'),
  display_name text not null constraint users_display_name_length check (char_length(display_name) between 1 and 100),
  role text not null constraint users_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  password_hash text constraint users_password_is_hashed check (starts_with(password_hash, 'scrypt$')),
  -- Everybody knows the passwords of demo mode, so these users are disabled when the database is used for real.
  is_demo boolean not null default false,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Somebody else has set the password, so its user must change it before anything else.
  password_change_needed boolean not null default false,
  -- Of an account that an OpenID Connect identity provider vouches for, which has no password here. With the subject it
  -- names the account. Both are case-sensitive and never given to somebody else.
  issuer text constraint users_issuer_length check (char_length(issuer) between 1 and 500),
  subject text constraint users_subject_length check (char_length(subject) between 1 and 255),
  -- When the provider last said that they may come in; null once it says no. Their tokens work for some time after it.
  confirmed_at timestamptz,
  -- Some users see the orders of some sources only. Null: of all sources, as admins always do.
  sources text[],
  -- A keyed digest of the password together with its hash, once it was right: then it is recognised without a check,
  -- which takes long on purpose. As in recognised_credentials.
  password_proof bytea,
  constraint users_subject_unique unique (issuer, subject),
  constraint users_one_way_to_sign_in check ((password_hash is null) = (subject is not null)),
  constraint users_subject_has_issuer check ((issuer is null) = (subject is null))
);
-- Who may do what. User names are shown as everywhere else; the names that people go by are not.
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role,sources,issuer', '', '');
create trigger users_changed_is_audited after update on skedchange.users
  for each row when (
    (old.username, old.role, old.sources, old.password_hash, old.disabled_at, old.is_demo, old.issuer, old.subject)
    is distinct from
    (new.username, new.role, new.sources, new.password_hash, new.disabled_at, new.is_demo, new.issuer, new.subject))
  execute function skedchange.audit_row('user.changed', 'id,username,role,sources,disabled_at,is_demo,issuer',
    'password_hash,subject', '');

-- Removes the proof when the password hash changes and no new proof comes with it.
create function skedchange.forget_password_proof() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
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
grant select, insert, update (display_name, role, password_hash, disabled_at, last_sign_in_at, updated_at,
  password_change_needed, issuer, subject, confirmed_at, sources, password_proof)
  on skedchange.users to skedchange_service;

-- Sessions of signed-in users.
create table skedchange.sessions (
  id uuid not null constraint sessions_pkey primary key,
  -- SHA-256 of the token in the cookie: whoever reads this table cannot sign in with it.
  token_digest bytea not null constraint sessions_token_unique unique
    constraint sessions_token_is_sha256 check (octet_length(token_digest) = 32),
  user_id uuid not null constraint sessions_user_fkey references skedchange.users (id),
  created_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz not null,
  -- The end, however much the session is used.
  ends_at timestamptz not null,
  -- From where and with what a session was started, so that its user knows it again. Personal data, deleted with the
  -- session.
  address text constraint sessions_address_length check (char_length(address) <= 64),
  -- Not the whole header, which would tell more than anybody needs: `Firefox on Windows`.
  browser text constraint sessions_browser_length check (char_length(browser) <= 64)
);
create index sessions_by_user on skedchange.sessions (user_id, created_at);
create trigger sessions_started_is_audited after insert on skedchange.sessions
  for each row execute function skedchange.audit_row('session.started', 'id,user_id', '', '');

-- For sessions that a person ends: by signing out, changing a password, or as an admin. Those that end by themselves
-- are swept.
create function skedchange.audit_ended_session() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'session.ended', current_setting('skedchange.actor'),
    jsonb_build_object('id', old.id, 'user_id', old.user_id));
  return null;
end
$$;
create trigger sessions_ended_is_audited after delete on skedchange.sessions
  for each row when (coalesce(current_setting('skedchange.actor', true), '') <> '')
  execute function skedchange.audit_ended_session();
grant select, insert, delete, update (last_used_at) on skedchange.sessions to skedchange_service;

-- With which people's programs call the API. Tokens are revoked, not deleted, so that one can see later what was there.
create table skedchange.api_tokens (
  id uuid not null constraint api_tokens_pkey primary key,
  -- SHA-256 of the token. A fast hash is enough for 256 random bits.
  token_digest bytea not null constraint api_tokens_token_unique unique
    constraint api_tokens_token_is_sha256 check (octet_length(token_digest) = 32),
  user_id uuid not null constraint api_tokens_user_fkey references skedchange.users (id),
  name text not null constraint api_tokens_name_length check (char_length(name) between 1 and 100),
  -- The most that it may do; never more than its owner may at the time.
  role text not null constraint api_tokens_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- For programs such as one that exports the audit: they need the role of what they read, but no right to change it.
  read_only boolean not null default false
);
create index api_tokens_by_user on skedchange.api_tokens (user_id, created_at);
create trigger api_tokens_revoked_is_audited after update of revoked_at on skedchange.api_tokens
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function skedchange.audit_row('api-token.revoked', 'id,user_id,role,revoked_at', '', '');
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens
  for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,read_only,expires_at', 'name', '');
grant select, insert, update (last_used_at, revoked_at) on skedchange.api_tokens to skedchange_service;

-- Failed sign-ins, one row for each user name that was tried and each address that tried. Here and not in memory, so
-- that all processes count together and a restart forgives nothing.
create table skedchange.sign_in_failures (
  -- SHA-256 of what is counted: people type passwords into the wrong field.
  subject_digest bytea not null constraint sign_in_failures_pkey primary key
    constraint sign_in_failures_subject_is_sha256 check (octet_length(subject_digest) = 32),
  -- Falls with time, so it is no whole number.
  failures double precision not null,
  counted_at timestamptz not null,
  locked_until timestamptz,
  -- Of a user name at a network, which is counted as well: where it succeeded before, failures from elsewhere lock
  -- nobody out.
  succeeded_at timestamptz
);
create index sign_in_failures_by_age on skedchange.sign_in_failures (counted_at);
-- Not who: people type passwords into the wrong field, and what the audit holds it holds for ever.
create trigger sign_in_failures_locked_is_audited after insert on skedchange.sign_in_failures
  for each row when (new.locked_until is not null)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger sign_in_failures_locked_again_is_audited after update of locked_until on skedchange.sign_in_failures
  for each row when (new.locked_until is not null and old.locked_until is distinct from new.locked_until)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
grant select, insert, delete, update (failures, counted_at, locked_until, succeeded_at)
  on skedchange.sign_in_failures to skedchange_service;

-- A second factor of own accounts: time-based codes of an app (TOTP).
create table skedchange.second_factors (
  user_id uuid not null constraint second_factors_pkey primary key
    constraint second_factors_user_fkey references skedchange.users (id),
  -- The TOTP secret as the store wrote it, how it wrote it, and the key it is encrypted with; null: it is not encrypted.
  secret bytea not null,
  secret_encoding text not null,
  key_id text,
  begun_at timestamptz not null,
  -- When its owner has shown a code of it. Until then it is not asked for.
  proven_at timestamptz,
  -- The newest time step of which a code was used: each works once.
  last_step bigint
);
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

-- Takes down what was removed: the trigger hands over the kind, and the column that says which.
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
grant select, insert, delete, update (secret, secret_encoding, key_id, begun_at, proven_at, last_step)
  on skedchange.second_factors to skedchange_service;

-- Codes that each work once in place of the second factor. One that was used is deleted.
create table skedchange.recovery_codes (
  user_id uuid not null constraint recovery_codes_user_fkey references skedchange.users (id),
  -- SHA-256 of a random code.
  digest bytea not null constraint recovery_codes_digest_is_sha256 check (octet_length(digest) = 32),
  constraint recovery_codes_pkey primary key (user_id, digest)
);

-- One entry for all codes that are made together.
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
grant select, insert, delete on skedchange.recovery_codes to skedchange_service;

-- Whoever has one of these roles must have a second factor.
create table skedchange.second_factor_roles (
  role text not null constraint second_factor_roles_pkey primary key
    constraint second_factor_roles_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  required_at timestamptz not null
);
create trigger second_factor_roles_added_is_audited after insert on skedchange.second_factor_roles
  for each row execute function skedchange.audit_row('second-factor.required', 'role', '', '');
create trigger second_factor_roles_removed_is_audited after delete on skedchange.second_factor_roles
  for each row execute function skedchange.audit_removed_second_factor('second-factor.not-required', 'role');
grant select, insert, delete on skedchange.second_factor_roles to skedchange_service;

-- Filters of the queue that a user keeps under a name. They hold no text of a search, which may be the name of a
-- traveller.
create table skedchange.views (
  id uuid not null constraint views_pkey primary key,
  user_id uuid not null constraint views_user_fkey references skedchange.users (id) on delete cascade,
  name text not null,
  -- As they stand in the address of the queue.
  filters text not null,
  created_at timestamptz not null,
  constraint views_one_per_name unique (user_id, name)
);
grant select, insert, delete, update (filters) on skedchange.views to skedchange_service;
