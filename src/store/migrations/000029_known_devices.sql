-- Failed sign-ins are also counted for a user name at a network. Where it succeeded before, failures from elsewhere lock nobody out.

alter table skedchange.sign_in_failures add column succeeded_at timestamptz;
grant update (succeeded_at) on skedchange.sign_in_failures to skedchange_service;
