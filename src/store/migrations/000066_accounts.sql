-- Oldest program: 000039
-- Who has set up an account: asked when its user approves as the second person. Few entries are about users.
create index audit_entries_of_users on skedchange.audit_entries ((refs ->> 'id'), actor)
  where kind in ('user.added', 'user.changed');
