#!/bin/sh
# Run once by the PostgreSQL image, on an empty data folder. The owner migrates; the service role cannot rewrite history.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set=owner_password="$SKEDCHANGE_OWNER_PASSWORD" --set=app_password="$SKEDCHANGE_APP_PASSWORD" <<'SQL'
create role skedchange_service nologin;
create role skedchange_owner login password :'owner_password';
create role skedchange_app login password :'app_password' in role skedchange_service;
alter database :"DBNAME" owner to skedchange_owner;
SQL
