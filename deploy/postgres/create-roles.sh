#!/bin/sh
# Creates the roles that are missing on the server, and gives the database to the owner. The PostgreSQL image runs it once,
# on an empty data folder; on another server run it for each database, also before a dump is restored into it. The owner
# migrates; the service role cannot rewrite history. The other five have what a process of one role needs, for installations
# with a login for each. Roles that exist keep their passwords.
set -eu
# psql reads the passwords from its environment, which other users do not see: everybody sees its arguments.
: "${SKEDCHANGE_OWNER_PASSWORD:?is missing}" "${SKEDCHANGE_APP_PASSWORD:?is missing}"
export SKEDCHANGE_OWNER_PASSWORD SKEDCHANGE_APP_PASSWORD
psql --set=ON_ERROR_STOP=1 --quiet --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv owner_password SKEDCHANGE_OWNER_PASSWORD
\getenv app_password SKEDCHANGE_APP_PASSWORD
select statement from (values
    ('skedchange_service', 'create role skedchange_service nologin'),
    ('skedchange_receiver', 'create role skedchange_receiver nologin'),
    ('skedchange_worker', 'create role skedchange_worker nologin'),
    ('skedchange_sender', 'create role skedchange_sender nologin'),
    ('skedchange_dashboard', 'create role skedchange_dashboard nologin'),
    ('skedchange_gateway', 'create role skedchange_gateway nologin'),
    ('skedchange_owner', format('create role skedchange_owner login password %L', :'owner_password')),
    ('skedchange_app', format('create role skedchange_app login password %L', :'app_password'))
  ) needed (name, statement)
  where not exists (select from pg_roles where rolname = name) \gexec
grant skedchange_service to skedchange_app;
alter database :"DBNAME" owner to skedchange_owner;
SQL
