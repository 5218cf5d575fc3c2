-- Oldest program: 000039
-- Who has set up an account: asked when its user approves as the second person. Few entries are about users.
create index audit_entries_of_users on skedchange.audit_entries ((refs ->> 'id'), actor)
  where kind in ('user.added', 'user.changed');

-- A new account of an identity provider sees no source until an admin gives it some, if anybody is limited.
alter table skedchange.users drop constraint users_sources_are_some;
