-- People: who may sign in, the sessions they are signed in with, the tokens of their programs, and failed sign-ins.
--
-- The service role can neither delete a user nor give one another name: decisions name people by it for ever. Tokens are
-- revoked, not deleted, so that one can see later what was there.

create table skedchange.users (
  id uuid not null constraint users_pkey primary key,
  -- Lower case, so that one name is one person. `api` is how decisions made with API_TOKEN are signed.
  username text not null constraint users_username_unique unique
    constraint users_username_is_plain check (username ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$' and username <> 'api'),
  display_name text not null constraint users_display_name_length check (char_length(display_name) between 1 and 100),
  role text not null constraint users_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  password_hash text not null constraint users_password_is_hashed check (starts_with(password_hash, 'scrypt$')),
  -- Everybody knows the passwords of demo mode, so these users are disabled when the database is used for real.
  is_demo boolean not null default false,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

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
  ends_at timestamptz not null
);
create index sessions_by_user on skedchange.sessions (user_id, created_at);

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
  revoked_at timestamptz
);
create index api_tokens_by_user on skedchange.api_tokens (user_id, created_at);

-- Failed sign-ins, one row for each user name that was tried and each address that tried. Here and not in memory, so that
-- all processes count together and a restart forgives nothing.
create table skedchange.sign_in_failures (
  -- SHA-256 of what is counted: people type passwords into the wrong field.
  subject_digest bytea not null constraint sign_in_failures_pkey primary key
    constraint sign_in_failures_subject_is_sha256 check (octet_length(subject_digest) = 32),
  -- Falls with time, so it is no whole number.
  failures double precision not null,
  counted_at timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failures_by_age on skedchange.sign_in_failures (counted_at);

grant select on skedchange.users, skedchange.sessions, skedchange.api_tokens, skedchange.sign_in_failures
  to skedchange_service;
grant insert on skedchange.users, skedchange.sessions, skedchange.api_tokens, skedchange.sign_in_failures
  to skedchange_service;
grant update (display_name, role, password_hash, disabled_at, last_sign_in_at, updated_at) on skedchange.users
  to skedchange_service;
grant update (last_used_at) on skedchange.sessions to skedchange_service;
grant update (last_used_at, revoked_at) on skedchange.api_tokens to skedchange_service;
grant update (failures, counted_at, locked_until) on skedchange.sign_in_failures to skedchange_service;
grant delete on skedchange.sessions, skedchange.sign_in_failures to skedchange_service;
