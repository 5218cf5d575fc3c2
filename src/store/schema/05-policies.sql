-- The versions of the policies, and since when each of them decides for a source.

-- Policies as they were written. A version is the digest of what the policy says, so the same policy is kept once, and
-- what a decision names can always be read again.
create table skedchange.policy_versions (
  version text not null constraint policy_versions_pkey primary key
    constraint policy_versions_version_is_sha256 check (version ~ '^[0-9a-f]{64}$'),
  name text not null,
  -- The file, with its comments.
  text text not null,
  created_at timestamptz not null,
  -- 'shipped', 'file', or 'person:' and who.
  created_by text not null,
  note text
);

create function skedchange.refuse_changing_policy() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'policy version % is kept as it is', old.version
    using errcode = 'check_violation', constraint = 'policy_versions_never_change';
end
$$;
create trigger policy_versions_never_change before update or delete on skedchange.policy_versions
  for each row execute function skedchange.refuse_changing_policy();
create trigger policy_versions_added_is_audited after insert on skedchange.policy_versions
  for each row execute function skedchange.audit_row('policy.added', 'version', 'note', 'created_by');
grant select, insert on skedchange.policy_versions to skedchange_service;

-- Which version decides for a source, and which one is only tried beside it. Each row is a term of office: a change
-- ends one and begins another, so that the table is its own record of who changed what, when and why.
create table skedchange.policy_terms (
  id uuid not null constraint policy_terms_pkey primary key,
  source text not null,
  role text not null constraint policy_terms_role_is_known check (role in ('active', 'shadow')),
  version text not null constraint policy_terms_version_fkey references skedchange.policy_versions (version),
  began_at timestamptz not null,
  -- As in policy_versions.
  began_by text not null,
  note text,
  ended_at timestamptz,
  ended_by text
);
-- One active version, and at most one shadow, for each source.
create unique index policy_terms_one_at_a_time on skedchange.policy_terms (source, role) where ended_at is null;
create index policy_terms_newest on skedchange.policy_terms (source, began_at desc);
create trigger policy_terms_end_once before update on skedchange.policy_terms
  for each row when (old.ended_at is not null) execute function skedchange.refuse_rewriting_history();
create trigger policy_terms_began_is_audited after insert on skedchange.policy_terms
  for each row execute function skedchange.audit_row('policy-term.began', 'id,role,version', 'note', 'began_by');
create trigger policy_terms_ended_is_audited after update of ended_at on skedchange.policy_terms
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function skedchange.audit_row('policy-term.ended', 'id,role,version', '', 'ended_by');
grant select, insert, update (ended_at, ended_by) on skedchange.policy_terms to skedchange_service;
