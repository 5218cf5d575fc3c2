-- Oldest program: 000039
-- What lists of the dashboard show and change.

-- The decision that a bulk action made, to find what came of it at the gateway. Null for what older programs did.
alter table skedchange.bulk_action_cases add column decision_id uuid;
grant update (decision_id) on skedchange.bulk_action_cases to skedchange_service;

-- Lists are exported as files, which leave the system. No row is written that would tell, so the audit is told by this.
create function skedchange.audit_export(of_list text, who text) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  with added as (
    insert into skedchange.audit_entries (at, kind, actor, refs)
    select now(), 'list.exported', who, jsonb_build_object('list', of_list) where of_list ~ '^[a-z-]{1,64}$'
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added
$$;
revoke all on function skedchange.audit_export(text, text) from public;
grant execute on function skedchange.audit_export(text, text) to skedchange_service;
