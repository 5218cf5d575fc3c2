-- How programs prove to each other who they are: keys that sign access tokens, assertions of clients, and credentials
-- of gateways that were right before.

-- The keys of the built-in token endpoint that sign its access tokens, shared by all processes. The service role can
-- add a key, retire the one that signs and wipe its private half. It cannot rewrite a key, nor make a retired one sign
-- again.
create table skedchange.signing_keys (
  -- RFC 7638 thumbprint of the public key.
  kid text not null constraint signing_keys_pkey primary key,
  algorithm text not null constraint signing_keys_algorithm_is_known check (algorithm in ('ES256')),
  public_jwk jsonb not null,
  -- The private JWK as encrypted by the store. Wiped when the key is retired: it only verifies from then on.
  private_key bytea,
  private_key_encoding text not null,
  key_id text,
  created_at timestamptz not null,
  -- When it stopped signing; null for the one that signs.
  retired_at timestamptz,
  -- Until when the last token that it signed may be valid.
  published_until timestamptz,
  constraint signing_keys_private_is_wiped check ((retired_at is null) = (private_key is not null)),
  constraint signing_keys_retired_ends check ((retired_at is null) = (published_until is null))
);
-- One key signs. Two processes that both make the first one agree through this.
create unique index signing_keys_one_signs on skedchange.signing_keys ((true)) where retired_at is null;

create function skedchange.refuse_reviving_key() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'signing key % is retired and cannot be changed', old.kid
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
create trigger signing_keys_stay_retired before update on skedchange.signing_keys
  for each row when (old.retired_at is not null) execute function skedchange.refuse_reviving_key();
create trigger signing_keys_added_is_audited after insert on skedchange.signing_keys
  for each row execute function skedchange.audit_row('signing-key.added', 'kid', '', '');
create trigger signing_keys_retired_is_audited after update of retired_at on skedchange.signing_keys
  for each row when (old.retired_at is null and new.retired_at is not null)
  execute function skedchange.audit_row('signing-key.retired', 'kid', '', '');
grant select, insert, update (private_key, retired_at, published_until)
  on skedchange.signing_keys to skedchange_service;

-- Client assertions (private_key_jwt) that were used, until they expire: each is good for one token.
create table skedchange.client_assertions (
  client_id text not null,
  -- SHA-256 of the assertion's jti, which may be of any length.
  jti_digest bytea not null constraint client_assertions_digest_is_sha256 check (octet_length(jti_digest) = 32),
  expires_at timestamptz not null,
  constraint client_assertions_pkey primary key (client_id, jti_digest)
);
create index client_assertions_by_expiry on skedchange.client_assertions (expires_at);
grant select, insert, delete on skedchange.client_assertions to skedchange_service;

-- Credentials of gateways that were right before are recognised without a check, also after a restart, so that floods
-- of wrong ones shut nobody out. Keyed digests (HMAC-SHA-256 under ENCRYPTION_KEYS), each of a credential together with
-- what judged it: with another hash in the settings it is unknown.
create table skedchange.recognised_credentials (
  digest bytea not null constraint recognised_credentials_pkey primary key
    constraint recognised_credentials_digest_is_sha256 check (octet_length(digest) = 32),
  recognised_at timestamptz not null
);
create index recognised_credentials_by_age on skedchange.recognised_credentials (recognised_at);
grant select, insert, delete, update (recognised_at) on skedchange.recognised_credentials to skedchange_service;
