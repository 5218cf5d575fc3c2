-- What Skedchange has learned of each source: members that it states, marks that people gave them, its first orders,
-- and the time zones that its local times are read with.

-- What a source states and nobody reads: a row for each path, with an empty digest, and for a path whose values count
-- another row for each value. Nothing of a body stands here: examples are masked, and orders are bits of their digests.
create table skedchange.observed_members (
  source text not null,
  -- Without positions, such as Order.Remarks.Text.
  path text not null constraint observed_members_path_is_short check (length(path) between 1 and 4000),
  value_digest text not null
    constraint observed_members_value_digest_is_hex check (value_digest ~ '^([0-9a-f]{16,64})?$'),
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
grant select, insert, update (class, views, orders, unchanged_orders)
  on skedchange.observed_members to skedchange_service;

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

-- The sources that began by only observing orders. One that had decided before is added as ended. Ended is ended: a
-- larger number in the settings later does not begin it anew.
create table skedchange.source_learning (
  source text not null constraint source_learning_pkey primary key,
  began_at timestamptz not null,
  ended_at timestamptz
);
grant select, insert, update (ended_at) on skedchange.source_learning to skedchange_service;

-- The orders that were observed meanwhile, each once. None is added after the end.
create table skedchange.learning_orders (
  source text not null constraint learning_orders_source_fkey references skedchange.source_learning (source),
  order_id text not null,
  constraint learning_orders_pkey primary key (source, order_id)
);
grant select, insert on skedchange.learning_orders to skedchange_service;

-- Tables of time zone offsets: those that programs brought and those that operators loaded. A decision names the one
-- that it was made with, so none is ever changed or deleted.
create table skedchange.time_zone_tables (
  -- The release of the tz database and a digest of the offsets.
  version text not null constraint time_zone_tables_pkey primary key
    constraint time_zone_tables_version_form check (version ~ '^20[0-9]{2}[a-z]{1,2}-[0-9a-f]{16}$'),
  content jsonb not null,
  added_at timestamptz not null
);
grant select, insert on skedchange.time_zone_tables to skedchange_service;

-- Which of them local times are read with, everywhere at once: that of the newest row.
create table skedchange.time_zone_terms (
  id bigint generated always as identity constraint time_zone_terms_pkey primary key,
  version text not null constraint time_zone_terms_version_fkey references skedchange.time_zone_tables (version),
  began_at timestamptz not null,
  -- 'shipped' or 'operator'.
  began_by text not null
);
create trigger time_zone_terms_began_is_audited after insert on skedchange.time_zone_terms
  for each row execute function skedchange.audit_row('time-zones.activated', 'version', '', 'began_by');
grant select, insert on skedchange.time_zone_terms to skedchange_service;
