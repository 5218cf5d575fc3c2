-- The role that processes connect as, what guards history for all tables, and which processes run.

-- Two roles. The owner (whoever runs this) owns the tables and migrates them. `skedchange_service` is what processes
-- connect as: it can add history and move work along, and it cannot rewrite what was received, decided or done.
-- Roles belong to the whole server, so several databases on one server share this one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'skedchange_service') then
    create role skedchange_service nologin;
  end if;
exception when duplicate_object or unique_violation then
  -- Another database on this server was being migrated at the same moment and made the role first.
  null;
end
$$;
grant usage on schema skedchange, gateway to skedchange_service;

-- Whether the owner's functions for retention, erasure and new encryption keys are at work. Neither the service role,
-- whatever it sets, nor a statement of the owner by hand gets past the triggers that protect history.
create function skedchange.is_deleting() returns boolean language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(current_setting('skedchange.deleting', true), '') = 'on'
    and has_table_privilege(current_user, 'skedchange.case_events', 'DELETE')
$$;
revoke all on function skedchange.is_deleting() from public;
grant execute on function skedchange.is_deleting() to skedchange_service;

-- For triggers whose condition says what is history: refuses to change it, whoever asks.
create function skedchange.refuse_rewriting_history() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% of % is history and cannot be changed', old.id, tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$$;

-- For triggers whose condition lists the moves that a state may make: refuses any other. The argument is the noun of the row.
create function skedchange.refuse_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% % cannot go from % to %', tg_argv[0], new.id, old.state, new.state
    using errcode = 'check_violation', constraint = tg_name;
end
$$;

-- The same for the state in which a row begins. The second argument is the one that it must have.
create function skedchange.refuse_first_state() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% % must start as %, not %', tg_argv[0], new.id, tg_argv[1], new.state
    using errcode = 'check_violation', constraint = tg_name;
end
$$;

-- The migrator makes this table, before anything else: which migrations the database has.
grant select on skedchange.schema_migrations to skedchange_service;

-- Which processes run, so that somebody notices that no worker does before cases have waited for one. Each writes its
-- row every 30 seconds, and deletes it when it stops.
create table skedchange.processes (
  id uuid not null constraint processes_pkey primary key,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- The address of a proxy that names its clients and is not in TRUSTED_PROXIES, as a process saw it last.
  untrusted_proxy text
);
grant select, insert, delete, update (seen_at, untrusted_proxy) on skedchange.processes to skedchange_service;
