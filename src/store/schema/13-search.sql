-- How cases are found: by any part of an id, by traveller and ticket, by flight, airline, airport and what was decided.

-- Trusted since PostgreSQL 13, so the owner of the database may create it. Somebody may have done so in another schema.
create extension if not exists pg_trgm with schema skedchange;

-- A row for each case, in a table of its own because a case is written each time it moves, and this once for each
-- decision.
create table skedchange.case_search (
  case_id uuid not null constraint case_search_pkey primary key
    constraint case_search_case_fkey references skedchange.cases (id) on delete cascade,
  -- OrderID and booking references, in upper case.
  ids text not null,
  -- What the case can be filtered by, such as 'airline:LH'; see src/cases/search-terms.ts.
  terms text[] not null default '{}',
  -- The price of the order, and its currency. Null: not known.
  value numeric,
  currency text,
  departure_at timestamptz,
  -- Keyed digests of the words of names and of ticket numbers, and the id of their key. Null: none were read yet, or
  -- the bodies they were read from are deleted.
  name_tokens bigint[],
  token_key text
);
-- The class of operators stands where the extension was created.
do $$
begin
  execute format('create index case_search_by_ids on skedchange.case_search using gin (ids %I.gin_trgm_ops)',
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'));
end
$$;
create index case_search_by_terms on skedchange.case_search using gin (terms);
create index case_search_by_name on skedchange.case_search using gin (name_tokens);
create index case_search_by_value on skedchange.case_search (currency, value) where value is not null;
create index case_search_by_departure on skedchange.case_search (departure_at) where departure_at is not null;
-- Which rows are to be given tokens of the newest key.
create index case_search_by_key on skedchange.case_search (token_key) where name_tokens is not null;
grant select, insert, update (ids, terms, value, currency, departure_at, name_tokens, token_key)
  on skedchange.case_search to skedchange_service;

-- Cases from before there was a search are added by a job of the workers (src/store/search/older-cases.ts). What is
-- still to be added comes before this id; no row: nothing, as in every new installation.
create table skedchange.case_search_backlog (
  only_row boolean not null default true constraint case_search_backlog_pkey primary key
    constraint case_search_backlog_has_one_row check (only_row),
  before_id uuid not null
);
grant select, update, delete on skedchange.case_search_backlog to skedchange_service;

-- What is searched when somebody types a part of an id.
create function skedchange.searched_ids(order_id text, gds_booking_references text[]) returns text language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select upper(order_id || ' ' || array_to_string(gds_booking_references, ' '))
$$;

-- Whoever opens a case makes it findable by its ids.
create function skedchange.add_case_search() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.case_search (case_id, ids)
    select c.id, skedchange.searched_ids(c.order_id, c.gds_booking_references) from opened c
    on conflict (case_id) do nothing;
  return null;
end
$$;
create trigger cases_are_searchable after insert on skedchange.cases
  referencing new table as opened for each statement execute function skedchange.add_case_search();

-- Booking references may come later, or change.
create function skedchange.change_case_search() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update skedchange.case_search
    set ids = skedchange.searched_ids(new.order_id, new.gds_booking_references) where case_id = new.id;
  return null;
end
$$;
create trigger cases_change_references after update of gds_booking_references on skedchange.cases
  for each row when (old.gds_booking_references is distinct from new.gds_booking_references)
  execute function skedchange.change_case_search();

-- Retention and erasure both say with `cases.bodies_deleted_at` that the bodies are gone, from which the names were
-- read.
create function skedchange.forget_names() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update skedchange.case_search set name_tokens = null, token_key = null where case_id = new.id and name_tokens is not null;
  return null;
end
$$;
revoke all on function skedchange.forget_names() from public;
create trigger cases_forget_names after update of bodies_deleted_at on skedchange.cases
  for each row when (new.bodies_deleted_at is distinct from old.bodies_deleted_at)
  execute function skedchange.forget_names();
