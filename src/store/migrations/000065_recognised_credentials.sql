-- Oldest program: 000039
-- Credentials of gateways that were right before are recognised without a check, also after a restart, so that floods of
-- wrong ones shut nobody out. Keyed digests (HMAC-SHA-256 under ENCRYPTION_KEYS), each of a credential together with what
-- judged it: with another hash in the settings it is unknown.
create table skedchange.recognised_credentials (
  digest bytea not null constraint recognised_credentials_pkey primary key
    constraint recognised_credentials_digest_is_sha256 check (octet_length(digest) = 32),
  recognised_at timestamptz not null
);
create index recognised_credentials_by_age on skedchange.recognised_credentials (recognised_at);
grant select, insert, delete on skedchange.recognised_credentials to skedchange_service;
grant update (recognised_at) on skedchange.recognised_credentials to skedchange_service;

-- The same of a user's password, with its hash.
alter table skedchange.users add column password_proof bytea;
grant update (password_proof) on skedchange.users to skedchange_service;

-- Whoever changes the hash, also a program from before, takes the digest of the old one away.
create function skedchange.forget_password_proof() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
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

-- The address of a proxy that names its clients and is not in TRUSTED_PROXIES, as a process saw it last.
alter table skedchange.processes add column untrusted_proxy text;
grant update (untrusted_proxy) on skedchange.processes to skedchange_service;
