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

-- Which version decides for a source, and which one is only tried beside it. Each row is a term of office: a change ends
-- one and begins another, so that the table is its own record of who changed what, when and why.
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

-- What a decision read besides facts, flags and the status, and what the law said: with these it can be made again.
alter table skedchange.decisions add column inputs jsonb;
alter table skedchange.decisions add column legal jsonb;
alter table skedchange.decisions add column priority smallint
  constraint decisions_priority_in_range check (priority between 0 and 9);

-- A policy may ask the traveller.
alter table skedchange.decisions drop constraint decisions_action_is_known;
alter table skedchange.decisions add constraint decisions_action_is_known
  check (action in ('accept', 'cancel', 'review', 'ask-traveller', 'wait', 'none'));

-- What the shadow version of the source would have decided, beside each decision of the active one.
create table skedchange.shadow_decisions (
  decision_id uuid not null constraint shadow_decisions_pkey primary key
    constraint shadow_decisions_decision_fkey references skedchange.decisions (id),
  source text not null,
  version text not null constraint shadow_decisions_version_fkey references skedchange.policy_versions (version),
  decided_at timestamptz not null,
  action text not null,
  review_queue text,
  rule text not null,
  reason text not null,
  -- Another action, or another queue, than the decision beside it.
  differs boolean not null
);
create index shadow_decisions_newest on skedchange.shadow_decisions (source, version, decided_at desc, decision_id desc);

grant select, insert on skedchange.policy_versions, skedchange.policy_terms, skedchange.shadow_decisions
  to skedchange_service;
grant update (ended_at, ended_by) on skedchange.policy_terms to skedchange_service;
