-- Accounts that an OpenID Connect identity provider vouches for. Such an account has no password here.

alter table skedchange.users
  -- With the subject it names the account. Both are case-sensitive and never given to somebody else.
  add column issuer text constraint users_issuer_length check (char_length(issuer) between 1 and 500),
  add column subject text constraint users_subject_length check (char_length(subject) between 1 and 255),
  -- When the provider last said that they may come in; null once it says no. Their tokens work for some time after it.
  add column confirmed_at timestamptz,
  alter column password_hash drop not null,
  add constraint users_subject_has_issuer check ((issuer is null) = (subject is null)),
  -- An older version, which can only set passwords, cannot open a second way in.
  add constraint users_one_way_to_sign_in check ((password_hash is null) = (subject is not null)),
  add constraint users_subject_unique unique (issuer, subject);

grant update (issuer, subject, confirmed_at) on skedchange.users to skedchange_service;

drop trigger users_added_is_audited on skedchange.users;
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role,issuer', '', '');
drop trigger users_changed_is_audited on skedchange.users;
create trigger users_changed_is_audited after update on skedchange.users
  for each row when ((old.username, old.role, old.password_hash, old.disabled_at, old.is_demo, old.issuer, old.subject)
    is distinct from
    (new.username, new.role, new.password_hash, new.disabled_at, new.is_demo, new.issuer, new.subject))
  execute function skedchange.audit_row('user.changed', 'id,username,role,disabled_at,is_demo,issuer',
    'password_hash,subject', '');
