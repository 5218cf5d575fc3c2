-- Oldest program: 000039
-- What lists of the dashboard show and change.

-- The decision that a bulk action made, to find what came of it at the gateway. Null for what older programs did.
alter table skedchange.bulk_action_cases add column decision_id uuid;
grant update (decision_id) on skedchange.bulk_action_cases to skedchange_service;
