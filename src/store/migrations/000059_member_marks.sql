-- Oldest program: 000039
-- What a source states and nobody reads: a row for each path, with an empty digest, and for a path whose values count
-- another row for each value. Nothing of a body stands here: examples are masked, and orders are bits of their digests.
create table skedchange.observed_members (
  source text not null,
  -- Without positions, such as Order.Remarks.Text.
  path text not null constraint observed_members_path_is_short check (length(path) between 1 and 4000),
  value_digest text not null constraint observed_members_value_digest_is_hex check (value_digest ~ '^([0-9a-f]{16,64})?$'),
  class text not null constraint observed_members_class_is_known check (class in ('stop', 'code', 'other')),
  -- The recognised word that makes it an order to stop.
  word text,
  example text,
  first_seen_at timestamptz not null,
  views bigint not null default 0,
  orders bit(1024) not null default repeat('0', 1024)::bit(1024),
  -- The orders of which a view stated it although no change was open.
  unchanged_orders bit(1024) not null default repeat('0', 1024)::bit(1024),
  constraint observed_members_pkey primary key (source, path, value_digest)
);
grant select, insert on skedchange.observed_members to skedchange_service;
grant update (class, views, orders, unchanged_orders) on skedchange.observed_members to skedchange_service;

-- The members that supervisors have called harmless for a source: one document for each source, of which every version
-- stays. The newest is in force.
create table skedchange.member_marks (
  id uuid not null constraint member_marks_pkey primary key,
  source text not null,
  number integer not null constraint member_marks_number_begins_at_one check (number >= 1),
  -- The digest that decisions name; what was shipped at that time is part of it.
  version text not null constraint member_marks_version_is_short check (length(version) between 1 and 64),
  -- [{path, valueDigest, reason, markedBy, markedAt}, ...]
  marks jsonb not null,
  change text not null constraint member_marks_change_is_known check (change in ('marked', 'withdrawn')),
  path text not null,
  -- Empty: the path and all below it.
  value_digests text[] not null,
  reason text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  -- Of two changes of the same version one is refused.
  constraint member_marks_one_after_another unique (source, number)
);
create trigger member_marks_never_change before update or delete on skedchange.member_marks
  for each row execute function skedchange.refuse_rewriting_history();
create trigger member_marks_changed_is_audited after insert on skedchange.member_marks
  for each row execute function skedchange.audit_row(
    'member-marks.changed', 'id,number,version,change', 'path,value_digests,reason,marks', 'changed_by');
grant select, insert on skedchange.member_marks to skedchange_service;

-- All marks that decided together, the shipped ones included, by the version that decisions name.
create table skedchange.member_mark_sets (
  version text not null constraint member_mark_sets_pkey primary key
    constraint member_mark_sets_version_is_short check (length(version) between 1 and 64),
  marks jsonb not null,
  stored_at timestamptz not null
);
create function skedchange.refuse_changing_mark_set() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the marks % are kept as they are', old.version
    using errcode = 'check_violation', constraint = 'member_mark_sets_never_change';
end
$$;
create trigger member_mark_sets_never_change before update or delete on skedchange.member_mark_sets
  for each row execute function skedchange.refuse_changing_mark_set();
grant select, insert on skedchange.member_mark_sets to skedchange_service;
