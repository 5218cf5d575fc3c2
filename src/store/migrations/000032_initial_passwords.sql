-- Somebody else has set the password, so its user must change it before anything else. Existing passwords stay as they are.

alter table skedchange.users add column password_change_needed boolean not null default false;
grant update (password_change_needed) on skedchange.users to skedchange_service;
