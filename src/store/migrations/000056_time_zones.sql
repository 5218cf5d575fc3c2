-- Oldest program: 000039
-- Tables of time zone offsets: those that programs brought and those that operators loaded. A decision names the one that
-- it was made with, so none is ever changed or deleted.
create table skedchange.time_zone_tables (
  -- The release of the tz database and a digest of the offsets.
  version text not null constraint time_zone_tables_pkey primary key
    constraint time_zone_tables_version_form check (version ~ '^20[0-9]{2}[a-z]{1,2}-[0-9a-f]{16}$'),
  content jsonb not null,
  added_at timestamptz not null
);

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

grant select, insert on skedchange.time_zone_tables, skedchange.time_zone_terms to skedchange_service;
