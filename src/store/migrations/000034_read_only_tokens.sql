-- Programs that only read, such as one that exports the audit, need the role of what they read, but no right to change it.

alter table skedchange.api_tokens add column read_only boolean not null default false;

drop trigger api_tokens_added_is_audited on skedchange.api_tokens;
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens
  for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,read_only,expires_at', 'name', '');
