-- Some users see the orders of some sources only. Null: of all sources, as admins always do.

alter table skedchange.users
  add column sources text[] constraint users_sources_are_some check (cardinality(sources) >= 1);
grant update (sources) on skedchange.users to skedchange_service;

drop trigger users_added_is_audited on skedchange.users;
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role,sources,issuer', '', '');
drop trigger users_changed_is_audited on skedchange.users;
create trigger users_changed_is_audited after update on skedchange.users
  for each row when (
    (old.username, old.role, old.sources, old.password_hash, old.disabled_at, old.is_demo, old.issuer, old.subject)
    is distinct from
    (new.username, new.role, new.sources, new.password_hash, new.disabled_at, new.is_demo, new.issuer, new.subject))
  execute function skedchange.audit_row('user.changed', 'id,username,role,sources,disabled_at,is_demo,issuer',
    'password_hash,subject', '');
