-- Generated from the migrations by `npm run generate`. Do not edit; nothing runs it. It shows what they add up to.

-- schema skedchange --------------------------------------------------------------------------------------------------

grant usage on schema skedchange to skedchange_service;

create table skedchange.api_tokens (
  id uuid not null,
  token_digest bytea not null,
  user_id uuid not null,
  name text not null,
  role text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  read_only boolean not null default false,
  constraint api_tokens_pkey primary key (id),
  constraint api_tokens_token_unique unique (token_digest),
  constraint api_tokens_name_length check (((char_length(name) >= 1) and (char_length(name) <= 100))),
  constraint api_tokens_role_is_known check ((role = any (array['viewer'::text, 'agent'::text, 'supervisor'::text, 'admin'::text]))),
  constraint api_tokens_token_is_sha256 check ((octet_length(token_digest) = 32)),
  constraint api_tokens_user_fkey foreign key (user_id) references skedchange.users(id)
);
create index api_tokens_by_user on skedchange.api_tokens using btree (user_id, created_at);
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,read_only,expires_at', 'name', '');
create trigger api_tokens_revoked_is_audited after update of revoked_at on skedchange.api_tokens for each row when ((old.revoked_at is distinct from new.revoked_at)) execute function skedchange.audit_row('api-token.revoked', 'id,user_id,role,revoked_at', '', '');
grant insert, select on skedchange.api_tokens to skedchange_service;
grant update (last_used_at, revoked_at) on skedchange.api_tokens to skedchange_service;

create table skedchange.approvals (
  id uuid not null,
  case_id uuid not null,
  action text not null,
  proposal_digest text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  note text,
  state text not null default 'asked'::text,
  answered_by text,
  answered_at timestamp with time zone,
  constraint approvals_pkey primary key (id),
  constraint approvals_action_is_known check ((action = any (array['accept'::text, 'cancel'::text]))),
  constraint approvals_answered_is_complete check (((state = 'asked'::text) = (answered_at is null))),
  constraint approvals_state_is_known check ((state = any (array['asked'::text, 'given'::text, 'refused'::text, 'void'::text]))),
  constraint approvals_take_two check (((state <> 'given'::text) or ((answered_by is not null) and (answered_by <> asked_by)))),
  constraint approvals_case_fkey foreign key (case_id) references skedchange.cases(id)
);
create index approvals_by_case on skedchange.approvals using btree (case_id);
create unique index approvals_one_asked_per_case on skedchange.approvals using btree (case_id) where (state = 'asked'::text);
create trigger approvals_answered_is_audited after update on skedchange.approvals for each row when ((old.state is distinct from new.state)) execute function skedchange.audit_row('approval.answered', 'id,action,proposal_digest,state', '', 'answered_by');
create trigger approvals_answered_once before update on skedchange.approvals for each row when (((old.state <> 'asked'::text) and (not skedchange.is_deleting()))) execute function skedchange.refuse_rewriting_history();
create trigger approvals_asked_is_audited after insert on skedchange.approvals for each row execute function skedchange.audit_row('approval.asked', 'id,action,proposal_digest,state', 'note', 'asked_by');
grant insert, select on skedchange.approvals to skedchange_service;
grant update (state, answered_by, answered_at) on skedchange.approvals to skedchange_service;

create table skedchange.audit_blocks (
  number bigint not null,
  last_id bigint not null,
  entries integer not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint audit_blocks_pkey primary key (number),
  constraint audit_blocks_end_once unique (last_id),
  constraint audit_blocks_begin_at_one check ((number >= 1)),
  constraint audit_blocks_hash_is_sha256 check ((octet_length(hash) = 32)),
  constraint audit_blocks_have_entries check ((entries >= 1))
);
create trigger audit_blocks_never_change before delete or update on skedchange.audit_blocks for each row execute function skedchange.refuse_changing_audit();
create trigger audit_blocks_never_truncated before truncate on skedchange.audit_blocks for each statement execute function skedchange.refuse_changing_audit();
grant select on skedchange.audit_blocks to skedchange_service;

create table skedchange.audit_chain (
  seq bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  constraint audit_chain_pkey primary key (seq),
  constraint audit_chain_entry_once unique (entry_id),
  constraint audit_chain_begins_at_one check ((seq >= 1)),
  constraint audit_chain_hash_is_sha256 check ((octet_length(hash) = 32)),
  constraint audit_chain_entry_fkey foreign key (entry_id) references skedchange.audit_entries(id)
);
create trigger audit_chain_never_changes before delete or update on skedchange.audit_chain for each row execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_truncated before truncate on skedchange.audit_chain for each statement execute function skedchange.refuse_changing_audit();
grant select on skedchange.audit_chain to skedchange_service;

create table skedchange.audit_entries (
  id bigint generated always as identity,
  at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  kind text not null,
  actor text not null,
  source text,
  order_id text,
  case_id uuid,
  case_event_id bigint,
  refs jsonb not null,
  detail_digest bytea,
  constraint audit_entries_pkey primary key (id),
  constraint audit_entries_once_per_event unique (case_event_id),
  constraint audit_entries_at_is_a_time check (isfinite(at)),
  constraint audit_entries_digest_is_sha256 check ((octet_length(detail_digest) = 32))
);
create index audit_entries_by_order on skedchange.audit_entries using btree (order_id, id) where (order_id is not null);
create index audit_entries_by_time on skedchange.audit_entries using brin (recorded_at);
create index audit_entries_of_users on skedchange.audit_entries using btree (((refs ->> 'id'::text)), actor) where (kind = any (array['user.added'::text, 'user.changed'::text]));
create trigger audit_entries_name_the_token before insert on skedchange.audit_entries for each row when ((new.actor ~~ 'person:%'::text)) execute function skedchange.name_acting_token();
create trigger audit_entries_never_change before delete or update on skedchange.audit_entries for each row execute function skedchange.refuse_changing_audit();
create trigger audit_entries_never_truncated before truncate on skedchange.audit_entries for each statement execute function skedchange.refuse_changing_audit();
grant select on skedchange.audit_entries to skedchange_service;

create table skedchange.audit_progress (
  only_row boolean not null default true,
  number bigint not null,
  last_id bigint not null,
  hash bytea not null,
  seen_id bigint not null,
  seen_writers text[] not null,
  constraint audit_progress_pkey primary key (only_row),
  constraint audit_progress_has_one_row check (only_row)
);
grant select on skedchange.audit_progress to skedchange_service;

create view skedchange.audit_unsealed as
 select id as entry_id
   from skedchange.audit_entries e
  where (id > ( select coalesce(max(l.entry_id), (0)::bigint) as "coalesce"
           from skedchange.audit_chain l));
create trigger audit_unsealed_notes_nothing instead of insert on skedchange.audit_unsealed for each row execute function skedchange.note_nothing();
grant select on skedchange.audit_unsealed to skedchange_service;

create table skedchange.automation_stops (
  id uuid not null,
  stopped_at timestamp with time zone not null,
  stopped_by text not null,
  note text not null,
  resumed_at timestamp with time zone,
  resumed_by text,
  source text,
  cause text not null default 'person'::text,
  constraint automation_stops_pkey primary key (id),
  constraint automation_stops_cause_is_known check ((cause = any (array['person'::text, 'outcomes'::text, 'hourly-limit'::text]))),
  constraint automation_stops_resumed_by_somebody check (((resumed_at is null) = (resumed_by is null)))
);
create unique index automation_stops_one_at_a_time on skedchange.automation_stops using btree (source, cause) nulls not distinct where (resumed_at is null);
create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops for each row execute function skedchange.audit_row('automation.stopped', 'id,source,cause', 'note', 'stopped_by');
create trigger automation_stops_end_once before update on skedchange.automation_stops for each row when ((old.resumed_at is not null)) execute function skedchange.refuse_rewriting_history();
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops for each row when (((old.resumed_at is null) and (new.resumed_at is not null))) execute function skedchange.audit_row('automation.resumed', 'id,source,cause', '', 'resumed_by');
grant insert, select on skedchange.automation_stops to skedchange_service;
grant update (resumed_at, resumed_by) on skedchange.automation_stops to skedchange_service;

create table skedchange.bulk_action_cases (
  bulk_action_id uuid not null,
  place integer not null,
  case_id uuid not null,
  version integer not null,
  outcome text,
  code text,
  message text,
  done_at timestamp with time zone,
  decision_id uuid,
  constraint bulk_action_cases_pkey primary key (bulk_action_id, place),
  constraint bulk_action_cases_once unique (bulk_action_id, case_id),
  constraint bulk_action_cases_outcome_is_known check ((outcome = any (array['accepted'::text, 'not-found'::text, 'conflict'::text, 'refused'::text]))),
  constraint bulk_action_cases_bulk_action_fkey foreign key (bulk_action_id) references skedchange.bulk_actions(id)
);
grant insert, select on skedchange.bulk_action_cases to skedchange_service;
grant update (outcome, code, message, done_at, decision_id) on skedchange.bulk_action_cases to skedchange_service;

create table skedchange.bulk_actions (
  id uuid not null,
  command jsonb not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  state text not null default 'running'::text,
  finished_at timestamp with time zone,
  token_id uuid default (NULLIF(current_setting('skedchange.token_id'::text, true), ''::text))::uuid,
  constraint bulk_actions_pkey primary key (id),
  constraint bulk_actions_state_is_known check ((state = any (array['running'::text, 'stopped'::text, 'finished'::text])))
);
create index bulk_actions_running on skedchange.bulk_actions using btree (asked_at) where (state = 'running'::text);
create trigger bulk_actions_asked_is_audited after insert on skedchange.bulk_actions for each row execute function skedchange.audit_row('bulk-action.asked', 'id', 'command', 'asked_by');
create trigger bulk_actions_ended_is_audited after update on skedchange.bulk_actions for each row when ((old.state is distinct from new.state)) execute function skedchange.audit_row('bulk-action.ended', 'id,state', '', '');
grant insert, select on skedchange.bulk_actions to skedchange_service;
grant update (state, finished_at) on skedchange.bulk_actions to skedchange_service;

create table skedchange.case_events (
  id bigint generated always as identity,
  case_id uuid not null,
  at timestamp with time zone not null,
  kind text not null,
  actor text not null,
  detail jsonb not null default '{}'::jsonb,
  texts_deleted_at timestamp with time zone,
  token_id uuid default (NULLIF(current_setting('skedchange.token_id'::text, true), ''::text))::uuid,
  constraint case_events_pkey primary key (id),
  constraint case_events_case_fkey foreign key (case_id) references skedchange.cases(id)
);
create index case_events_by_case on skedchange.case_events using btree (case_id, id);
create index case_events_overdue on skedchange.case_events using btree (at) where (kind = 'case.overdue'::text);
create trigger case_events_are_audited after insert on skedchange.case_events referencing new table as added_events for each statement execute function skedchange.audit_case_events();
create trigger case_events_of_the_program_have_no_token before insert on skedchange.case_events for each row when (((new.token_id is not null) and (new.actor !~~ 'person:%'::text))) execute function skedchange.leave_token_out();
grant insert, select on skedchange.case_events to skedchange_service;

create table skedchange.case_notifications (
  case_id uuid not null,
  notification_id uuid not null,
  notification_received_at timestamp with time zone not null,
  joined_at timestamp with time zone not null,
  constraint case_notifications_pkey primary key (case_id, notification_id),
  constraint case_notifications_case_fkey foreign key (case_id) references skedchange.cases(id)
);
create index case_notifications_by_notification on skedchange.case_notifications using btree (notification_id);
grant insert, select on skedchange.case_notifications to skedchange_service;

create table skedchange.case_search (
  case_id uuid not null,
  ids text not null,
  terms text[] not null default '{}'::text[],
  value numeric,
  currency text,
  departure_at timestamp with time zone,
  name_tokens bigint[],
  token_key text,
  constraint case_search_pkey primary key (case_id),
  constraint case_search_case_fkey foreign key (case_id) references skedchange.cases(id) on delete cascade
);
create index case_search_by_departure on skedchange.case_search using btree (departure_at) where (departure_at is not null);
create index case_search_by_ids on skedchange.case_search using gin (ids skedchange.gin_trgm_ops);
create index case_search_by_key on skedchange.case_search using btree (token_key) where (name_tokens is not null);
create index case_search_by_name on skedchange.case_search using gin (name_tokens);
create index case_search_by_terms on skedchange.case_search using gin (terms);
create index case_search_by_value on skedchange.case_search using btree (currency, value) where (value is not null);
grant insert, select on skedchange.case_search to skedchange_service;
grant update (ids, terms, value, currency, departure_at, name_tokens, token_key) on skedchange.case_search to skedchange_service;

create table skedchange.case_search_backlog (
  only_row boolean not null default true,
  before_id uuid not null,
  constraint case_search_backlog_pkey primary key (only_row),
  constraint case_search_backlog_has_one_row check (only_row)
);
grant delete, select, update on skedchange.case_search_backlog to skedchange_service;

create table skedchange.case_transitions (
  from_state text not null,
  to_state text not null,
  constraint case_transitions_pkey primary key (from_state, to_state)
);
grant select on skedchange.case_transitions to skedchange_service;
-- accepting -> awaiting-agent
-- accepting -> checking
-- accepting -> done
-- accepting -> resolved-elsewhere
-- ask-traveller -> awaiting-agent
-- ask-traveller -> awaiting-traveller
-- ask-traveller -> checking
-- ask-traveller -> closed
-- ask-traveller -> resolved-elsewhere
-- ask-traveller -> snoozed
-- awaiting-agent -> awaiting-traveller
-- awaiting-agent -> checking
-- awaiting-agent -> closed
-- awaiting-agent -> resolved-elsewhere
-- awaiting-agent -> snoozed
-- awaiting-traveller -> awaiting-agent
-- awaiting-traveller -> checking
-- awaiting-traveller -> closed
-- awaiting-traveller -> resolved-elsewhere
-- awaiting-traveller -> snoozed
-- cancelling -> awaiting-agent
-- cancelling -> checking
-- cancelling -> done
-- cancelling -> resolved-elsewhere
-- checking -> accepting
-- checking -> ask-traveller
-- checking -> awaiting-agent
-- checking -> awaiting-traveller
-- checking -> cancelling
-- checking -> closed
-- checking -> done
-- checking -> received
-- checking -> resolved-elsewhere
-- checking -> snoozed
-- received -> checking
-- snoozed -> awaiting-agent
-- snoozed -> awaiting-traveller
-- snoozed -> checking
-- snoozed -> closed
-- snoozed -> resolved-elsewhere

create table skedchange.cases (
  id uuid not null,
  source text not null,
  order_id text not null,
  gds_booking_references text[] not null default '{}'::text[],
  state text not null,
  version integer not null default 1,
  due_at timestamp with time zone,
  wake bigint not null default 0,
  priority smallint not null default 5,
  failures integer not null default 0,
  last_error jsonb,
  review_queue text,
  proposal_digest text,
  decision_id uuid,
  headline text,
  departure_at timestamp with time zone,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  assignee text,
  due_by timestamp with time zone,
  due_by_rule text,
  firm_due_by timestamp with time zone,
  overdue_at timestamp with time zone,
  undo_until timestamp with time zone,
  reopened_from uuid,
  flight_dates text[] not null default '{}'::text[],
  yielding_wake bigint,
  bodies_deleted_at timestamp with time zone,
  traceparents text[],
  severity text,
  rule text,
  constraint cases_pkey primary key (id),
  constraint cases_priority_in_range check (((priority >= 0) and (priority <= 9))),
  constraint cases_decision_fkey foreign key (decision_id) references skedchange.decisions(id),
  constraint cases_order_fkey foreign key (source, order_id) references skedchange.orders(source, order_id),
  constraint cases_reopened_from_fkey foreign key (reopened_from) references skedchange.cases(id)
);
alter table skedchange.cases set (autovacuum_vacuum_scale_factor=0.02);
alter table skedchange.cases set (autovacuum_vacuum_insert_scale_factor=0.02);
create index cases_by_assignee on skedchange.cases using btree (assignee, opened_at desc) where (assignee is not null);
create index cases_by_decision on skedchange.cases using btree (decision_id) where (decision_id is not null);
create index cases_by_departure on skedchange.cases using btree (coalesce(departure_at, '9999-12-31 00:00:00+00'::timestamp with time zone), id) where (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text]));
create index cases_by_flight_date on skedchange.cases using gin (flight_dates) where (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text]));
create index cases_by_order on skedchange.cases using btree (order_id, opened_at desc);
create index cases_by_queue on skedchange.cases using btree (review_queue, opened_at desc) where (review_queue is not null);
create index cases_by_reopened on skedchange.cases using btree (reopened_from) where (reopened_from is not null);
create index cases_by_urgency on skedchange.cases using btree (coalesce(due_by, '9999-12-31 00:00:00+00'::timestamp with time zone), priority, id) include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at) where (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text]));
create index cases_due on skedchange.cases using btree (due_at, priority) where (due_at is not null);
create index cases_due_by on skedchange.cases using btree (due_by) where ((due_by is not null) and (overdue_at is null) and (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text])));
create index cases_due_by_priority on skedchange.cases using btree (source, priority, due_at) include (wake, yielding_wake) where (due_at is not null);
create index cases_due_yielding on skedchange.cases using btree (source, priority, due_at) where ((due_at is not null) and (wake = yielding_wake));
create index cases_newest on skedchange.cases using btree (opened_at desc, id desc);
create unique index cases_one_open_per_order on skedchange.cases using btree (source, order_id) where (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text]));
create index cases_overdue on skedchange.cases using btree (overdue_at) where ((overdue_at is not null) and (state <> all (array['done'::text, 'resolved-elsewhere'::text, 'closed'::text])));
create index cases_with_bodies on skedchange.cases using btree (updated_at) where ((closed_at is not null) and ((bodies_deleted_at is null) or (updated_at > bodies_deleted_at)));
create trigger cases_are_searchable after insert on skedchange.cases referencing new table as opened for each statement execute function skedchange.add_case_search();
create trigger cases_await_only_asked_travellers before update of state on skedchange.cases for each row when ((new.state = 'awaiting-traveller'::text)) execute function skedchange.await_only_asked_travellers();
create trigger cases_change_references after update of gds_booking_references on skedchange.cases for each row when ((old.gds_booking_references is distinct from new.gds_booking_references)) execute function skedchange.change_case_search();
create trigger cases_forget_names after update of bodies_deleted_at on skedchange.cases for each row when ((new.bodies_deleted_at is distinct from old.bodies_deleted_at)) execute function skedchange.forget_names();
create trigger cases_start_as_received before insert on skedchange.cases for each row execute function skedchange.refuse_unknown_first_case_state();
create constraint trigger cases_tell_of_change after update on skedchange.cases deferrable initially deferred for each row when ((((new.state = any (array['done'::text, 'closed'::text, 'resolved-elsewhere'::text])) and (new.state is distinct from old.state)) or ((old.overdue_at is null) and (new.overdue_at is not null)))) execute function skedchange.tell_of_case();
create constraint trigger cases_tell_of_opening after insert on skedchange.cases deferrable initially deferred for each row execute function skedchange.tell_of_case();
create trigger cases_transition_is_allowed before update of state on skedchange.cases for each row when ((old.state is distinct from new.state)) execute function skedchange.refuse_unknown_case_transition();
grant insert, select on skedchange.cases to skedchange_service;
grant update (gds_booking_references, state, version, due_at, wake, priority, failures, last_error, review_queue, proposal_digest, decision_id, headline, departure_at, updated_at, closed_at, assignee, due_by, due_by_rule, firm_due_by, overdue_at, undo_until, flight_dates, yielding_wake, traceparents, severity, rule) on skedchange.cases to skedchange_service;

create table skedchange.client_assertions (
  client_id text not null,
  jti_digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint client_assertions_pkey primary key (client_id, jti_digest),
  constraint client_assertions_digest_is_sha256 check ((octet_length(jti_digest) = 32))
);
create index client_assertions_by_expiry on skedchange.client_assertions using btree (expires_at);
grant delete, insert, select on skedchange.client_assertions to skedchange_service;

create table skedchange.decisions (
  id uuid not null,
  case_id uuid not null,
  decided_at timestamp with time zone not null,
  decided_by text not null,
  action text not null,
  review_queue text,
  rule text not null,
  reasons jsonb not null,
  note text,
  proposal_digest text,
  flags jsonb,
  facts jsonb,
  itineraries jsonb,
  trace jsonb,
  status_view_id uuid,
  evaluated_at timestamp with time zone,
  versions jsonb not null,
  superseded_at timestamp with time zone,
  superseded_by uuid,
  inputs jsonb,
  legal jsonb,
  priority smallint,
  question text,
  token_id uuid default (NULLIF(current_setting('skedchange.token_id'::text, true), ''::text))::uuid,
  document bytea,
  document_encoding text,
  document_bytes integer,
  key_id text,
  constraint decisions_pkey primary key (id),
  constraint decisions_action_is_known check ((action = any (array['accept'::text, 'cancel'::text, 'review'::text, 'ask-traveller'::text, 'wait'::text, 'none'::text]))),
  constraint decisions_priority_in_range check (((priority >= 0) and (priority <= 9))),
  constraint decisions_question_is_known check ((question = any (array['effect-outcome'::text, 'unreadable-status'::text, 'unreachable-gateway'::text, 'failed-processing'::text, 'proposal-changed'::text, 'status-says-more'::text, 'traveller-answered'::text, 'person-decided'::text, 'automation-stopped'::text]))),
  constraint decisions_case_fkey foreign key (case_id) references skedchange.cases(id),
  constraint decisions_status_view_fkey foreign key (status_view_id) references skedchange.status_views(id),
  constraint decisions_superseded_by_fkey foreign key (superseded_by) references skedchange.decisions(id)
);
alter table skedchange.decisions alter column document set storage external;
create index decisions_by_case on skedchange.decisions using btree (case_id, decided_at);
create index decisions_by_status_view on skedchange.decisions using btree (status_view_id) where (status_view_id is not null);
create index decisions_by_superseding on skedchange.decisions using btree (superseded_by) where (superseded_by is not null);
create index decisions_by_time on skedchange.decisions using btree (decided_at);
create index decisions_effect_outcome on skedchange.decisions using btree (case_id) where ((question = 'effect-outcome'::text) and (superseded_at is null));
create index decisions_stopped on skedchange.decisions using btree (case_id) where ((question = 'automation-stopped'::text) and (superseded_at is null));
create trigger decisions_superseded_once before update on skedchange.decisions for each row when (((old.superseded_at is not null) and (not skedchange.is_deleting()))) execute function skedchange.refuse_rewriting_history();
create constraint trigger decisions_tell after insert on skedchange.decisions deferrable initially deferred for each row execute function skedchange.tell_of_decision();
grant insert, select on skedchange.decisions to skedchange_service;
grant update (superseded_at, superseded_by) on skedchange.decisions to skedchange_service;

create table skedchange.document_views (
  id uuid not null,
  case_id uuid not null,
  read_at timestamp with time zone not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  is_bound boolean not null default false,
  compressed_against uuid,
  constraint document_views_pkey primary key (id),
  constraint document_views_case_fkey foreign key (case_id) references skedchange.cases(id),
  constraint document_views_repeated_fkey foreign key (case_id, compressed_against) references skedchange.case_notifications(case_id, notification_id) not valid
);
alter table skedchange.document_views alter column body set storage external;
create index document_views_by_case on skedchange.document_views using btree (case_id, read_at);
grant insert, select on skedchange.document_views to skedchange_service;

create table skedchange.effect_transitions (
  from_state text not null,
  to_state text not null,
  constraint effect_transitions_pkey primary key (from_state, to_state)
);
grant select on skedchange.effect_transitions to skedchange_service;
-- planned -> failed
-- planned -> sent
-- sent -> failed
-- sent -> succeeded
-- sent -> unknown
-- unknown -> failed
-- unknown -> sent
-- unknown -> succeeded

create table skedchange.effects (
  id uuid not null,
  case_id uuid not null,
  decision_id uuid not null,
  source text not null,
  order_id text not null,
  action text not null,
  gds_booking_references text[] not null,
  proposal_digest text not null,
  state text not null,
  lease_fence bigint not null,
  planned_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  finished_at timestamp with time zone,
  settle_reads integer not null default 0,
  results jsonb,
  error jsonb,
  answer bytea,
  answer_encoding text,
  answer_bytes integer,
  key_id text,
  sends smallint not null default 0,
  unchanged_reads integer not null default 0,
  expected_refund jsonb,
  refund_check text,
  answer_deleted_at timestamp with time zone,
  answer_deleted_by text,
  is_bound boolean not null default false,
  is_automatic boolean not null default false,
  compressed_against uuid,
  constraint effects_pkey primary key (id),
  constraint effects_action_is_known check ((action = any (array['accept'::text, 'cancel'::text]))),
  constraint effects_answer_deleted_by_is_known check ((answer_deleted_by = any (array['retention'::text, 'erasure'::text]))),
  constraint effects_are_not_sent_again check ((sends <=
case action
    when 'accept'::text then 2
    else 1
end)),
  constraint effects_refund_check_is_known check ((refund_check = any (array['as-expected'::text, 'higher'::text, 'lower'::text, 'unknown'::text]))),
  constraint effects_case_fkey foreign key (case_id) references skedchange.cases(id),
  constraint effects_decision_fkey foreign key (decision_id) references skedchange.decisions(id),
  constraint effects_order_fkey foreign key (source, order_id) references skedchange.orders(source, order_id),
  constraint effects_repeated_fkey foreign key (case_id, compressed_against) references skedchange.case_notifications(case_id, notification_id) not valid
);
create index effects_automatic on skedchange.effects using btree (source, planned_at desc) where is_automatic;
create index effects_by_case on skedchange.effects using btree (case_id, planned_at);
create index effects_by_decision on skedchange.effects using btree (decision_id);
create index effects_by_end on skedchange.effects using btree (finished_at) where (finished_at is not null);
create index effects_by_order on skedchange.effects using btree (source, order_id, finished_at desc);
create unique index effects_one_live_per_order on skedchange.effects using btree (source, order_id) where (state = any (array['planned'::text, 'sent'::text, 'unknown'::text]));
create unique index effects_one_success_per_proposal on skedchange.effects using btree (case_id, action, proposal_digest) where (state = 'succeeded'::text);
create trigger effects_begin_with_their_decision after insert on skedchange.effects for each row when ((new.state = 'sent'::text)) execute function skedchange.refuse_effect_without_new_decision();
create trigger effects_start_as_planned before insert on skedchange.effects for each row execute function skedchange.refuse_unknown_first_effect_state();
create trigger effects_stay_ended before update on skedchange.effects for each row when (((old.state = any (array['succeeded'::text, 'failed'::text])) and (not skedchange.is_deleting()))) execute function skedchange.refuse_rewriting_history();
create constraint trigger effects_tell after update on skedchange.effects deferrable initially deferred for each row when (((new.state is distinct from old.state) and (new.state = any (array['succeeded'::text, 'failed'::text, 'unknown'::text])))) execute function skedchange.tell_of_effect();
create trigger effects_transition_is_allowed before update of state on skedchange.effects for each row when ((old.state is distinct from new.state)) execute function skedchange.refuse_unknown_effect_transition();
grant insert, select on skedchange.effects to skedchange_service;
grant update (state, lease_fence, sent_at, finished_at, settle_reads, results, error, answer, answer_encoding, answer_bytes, key_id, sends, unchanged_reads, refund_check, is_bound, compressed_against) on skedchange.effects to skedchange_service;

create table skedchange.erasures (
  id bigint generated always as identity,
  source text not null,
  order_id text,
  notification_id uuid,
  erased_at timestamp with time zone not null,
  erased_by text not null,
  counts jsonb not null,
  constraint erasures_pkey primary key (id),
  constraint erasures_of_one_thing check (((order_id is null) <> (notification_id is null)))
);
create unique index erasures_once on skedchange.erasures using btree (source, coalesce(order_id, (notification_id)::text), erased_at);
create trigger erasures_added_are_audited after insert on skedchange.erasures for each row execute function skedchange.audit_row('order.erased', 'id,notification_id,erased_at', '', 'erased_by');
create trigger erasures_never_change before delete or update on skedchange.erasures for each row execute function skedchange.refuse_rewriting_history();
grant select on skedchange.erasures to skedchange_service;

create table skedchange.event_attempts (
  id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  lease_fence bigint not null,
  outcome text,
  http_status integer,
  error_code text,
  answer_excerpt text,
  duration_ms integer,
  error_message text,
  timings jsonb,
  constraint event_attempts_pkey primary key (id),
  constraint event_attempts_delivery_id_number_key unique (delivery_id, number),
  constraint attempts_error_message_length check ((char_length(error_message) <= 1000)),
  constraint attempts_excerpt_length check ((char_length(answer_excerpt) <= 2048)),
  constraint attempts_outcome_is_complete check (((outcome is null) = (duration_ms is null))),
  constraint attempts_outcome_is_known check ((outcome = any (array['delivered'::text, 'refused'::text, 'failed'::text]))),
  constraint event_attempts_delivery_fkey foreign key (delivery_id) references skedchange.event_deliveries(id)
);
create trigger event_attempts_end_once before update on skedchange.event_attempts for each row when ((old.outcome is not null)) execute function gateway.refuse_changing_attempt();
grant insert, select on skedchange.event_attempts to skedchange_service;
grant update (outcome, http_status, error_code, answer_excerpt, duration_ms, error_message, timings) on skedchange.event_attempts to skedchange_service;

create table skedchange.event_bodies (
  id uuid not null,
  order_id text not null,
  publish_key text not null,
  digest bytea not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamp with time zone not null,
  event_type text not null,
  source text not null,
  case_id uuid not null,
  recipient_ids uuid[] not null,
  position bigint generated always as identity,
  routed_at timestamp with time zone,
  constraint event_bodies_pkey primary key (id),
  constraint event_bodies_position_unique unique ("position"),
  constraint event_bodies_publish_key_key unique (publish_key),
  constraint ocn_bodies_digest_is_sha256 check ((octet_length(digest) = 32)),
  constraint event_bodies_case_fkey foreign key (case_id) references skedchange.cases(id)
);
alter table skedchange.event_bodies alter column body set storage external;
create index event_bodies_by_case on skedchange.event_bodies using btree (case_id);
create index event_bodies_created_at_id_idx on skedchange.event_bodies using btree (created_at, id);
create index event_bodies_order_id_created_at_idx on skedchange.event_bodies using btree (order_id, created_at);
create index event_bodies_unrouted on skedchange.event_bodies using btree ("position") where (routed_at is null);
grant select on skedchange.event_bodies to skedchange_service;
grant update (routed_at) on skedchange.event_bodies to skedchange_service;

create table skedchange.event_deliveries (
  id uuid not null,
  position bigint generated always as identity,
  body_id uuid not null,
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending'::text,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  first_tried_at timestamp with time zone,
  dead_reason jsonb,
  replay_of uuid,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  superseded_by uuid,
  constraint event_deliveries_pkey primary key (id),
  constraint event_deliveries_position_key unique ("position"),
  constraint deliveries_dead_says_why check (((state = 'dead'::text) = (dead_reason is not null))),
  constraint deliveries_finish_is_dated check (((state = 'pending'::text) = (finished_at is null))),
  constraint deliveries_state_is_known check ((state = any (array['pending'::text, 'delivered'::text, 'dead'::text, 'superseded'::text]))),
  constraint deliveries_superseded_says_by_what check (((state = 'superseded'::text) = (superseded_by is not null))),
  constraint event_deliveries_body_fkey foreign key (body_id) references skedchange.event_bodies(id),
  constraint event_deliveries_lane_fkey foreign key (recipient_id, order_id) references skedchange.event_lanes(recipient_id, order_id),
  constraint event_deliveries_replay_fkey foreign key (replay_of) references skedchange.event_deliveries(id),
  constraint event_deliveries_superseded_by_fkey foreign key (superseded_by) references skedchange.event_deliveries(id)
);
alter table skedchange.event_deliveries set (fillfactor=85);
create index event_deliveries_by_order_beginning on skedchange.event_deliveries using btree (upper(order_id) text_pattern_ops, "position");
create index event_deliveries_finished_at_idx on skedchange.event_deliveries using btree (finished_at) where (state = any (array['delivered'::text, 'superseded'::text]));
create index event_deliveries_ocn_id_idx on skedchange.event_deliveries using btree (body_id);
create unique index event_deliveries_ocn_id_recipient_id_idx on skedchange.event_deliveries using btree (body_id, recipient_id) where (replay_of is null);
create index event_deliveries_order_id_position_idx on skedchange.event_deliveries using btree (order_id, "position");
create index event_deliveries_recipient_id_order_id_position_idx on skedchange.event_deliveries using btree (recipient_id, order_id, "position") where (state = 'pending'::text);
create index event_deliveries_recipient_id_position_idx on skedchange.event_deliveries using btree (recipient_id, "position");
create index event_deliveries_replay_of_idx on skedchange.event_deliveries using btree (replay_of) where (replay_of is not null);
create index event_deliveries_state_position_idx on skedchange.event_deliveries using btree (state, "position");
create index event_deliveries_superseded_by_idx on skedchange.event_deliveries using btree (superseded_by) where (superseded_by is not null);
create trigger event_deliveries_end_once before update on skedchange.event_deliveries for each row when ((old.state <> 'pending'::text)) execute function gateway.refuse_reviving_delivery();
grant insert, select on skedchange.event_deliveries to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at, superseded_by) on skedchange.event_deliveries to skedchange_service;

create table skedchange.event_lanes (
  recipient_id uuid not null,
  order_id text not null,
  due_at timestamp with time zone,
  lease_fence bigint not null default 0,
  leased_until timestamp with time zone,
  leased_by text,
  dispatched_until timestamp with time zone,
  is_retry boolean not null default false,
  constraint event_lanes_pkey primary key (recipient_id, order_id),
  constraint event_lanes_recipient_fkey foreign key (recipient_id) references skedchange.event_recipients(id)
);
create index event_lanes_leased_until on skedchange.event_lanes using btree (recipient_id, leased_until) where (leased_until is not null);
create index event_lanes_recipient_id_due_at_idx on skedchange.event_lanes using btree (recipient_id, due_at) where (due_at is not null);
create index event_lanes_recipient_id_idx on skedchange.event_lanes using btree (recipient_id) where (dispatched_until is not null);
grant insert, select on skedchange.event_lanes to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry) on skedchange.event_lanes to skedchange_service;

create table skedchange.event_recipients (
  id uuid not null,
  name text not null,
  url text not null,
  auth_type text not null,
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active'::text,
  state_reason jsonb,
  state_changed_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ordering text not null default 'every'::text,
  acknowledgement text not null default 'any-success'::text,
  signing_secrets bytea,
  signing_secrets_encoding text,
  signing_secrets_key_id text,
  signing_secret_count integer not null default 0,
  deadline_ms integer,
  lanes_max integer,
  failed_in_row integer not null default 0,
  failing_since timestamp with time zone,
  held_until timestamp with time zone,
  held_because text,
  agency_id text,
  rate_per_second integer,
  paced_until timestamp with time zone,
  client_certificate bytea,
  client_certificate_encoding text,
  client_certificate_key_id text,
  client_certificate_expires_at timestamp with time zone,
  ramp_lanes integer,
  failing_notices integer not null default 0,
  event_types text[],
  sources text[],
  constraint event_recipients_pkey primary key (id),
  constraint event_recipients_any_success_counts check ((acknowledgement = 'any-success'::text)),
  constraint event_recipients_auth_type_is_known check ((auth_type = any (array['none'::text, 'basic'::text, 'bearer'::text, 'oauth'::text]))),
  constraint event_recipients_events_are_signed check (((state = 'removed'::text) or (signing_secret_count > 0))),
  constraint event_recipients_ordering_is_every check ((ordering = 'every'::text)),
  constraint event_recipients_sources_are_some check ((cardinality(sources) > 0)),
  constraint event_recipients_types_are_some check ((cardinality(event_types) > 0)),
  constraint recipients_acknowledgement_is_known check ((acknowledgement = any (array['required'::text, 'any-success'::text]))),
  constraint recipients_agency_id_length check (((char_length(agency_id) >= 1) and (char_length(agency_id) <= 100))),
  constraint recipients_certificate_is_whole check (((client_certificate is null) = (client_certificate_expires_at is null))),
  constraint recipients_certificate_is_wiped_on_removal check (((state <> 'removed'::text) or (client_certificate is null))),
  constraint recipients_credential_is_wiped_on_removal check (((state = 'removed'::text) = (credential is null))),
  constraint recipients_deadline_bounds check (((deadline_ms >= 1000) and (deadline_ms <= 60000))),
  constraint recipients_hold_is_known check ((held_because = any (array['throttled'::text, 'failing'::text]))),
  constraint recipients_hold_says_why check (((held_until is null) = (held_because is null))),
  constraint recipients_inactive_says_why check (((state = 'active'::text) = (state_reason is null))),
  constraint recipients_lanes_bounds check (((lanes_max >= 1) and (lanes_max <= 64))),
  constraint recipients_name_length check (((char_length(name) >= 1) and (char_length(name) <= 200))),
  constraint recipients_ordering_is_known check ((ordering = any (array['latest'::text, 'every'::text]))),
  constraint recipients_ramp_bounds check (((ramp_lanes >= 1) and (ramp_lanes <= 64))),
  constraint recipients_rate_bounds check (((rate_per_second >= 1) and (rate_per_second <= 1000))),
  constraint recipients_signing_is_whole check (((signing_secrets is null) = (signing_secret_count = 0))),
  constraint recipients_signing_is_wiped_on_removal check (((state <> 'removed'::text) or (signing_secrets is null))),
  constraint recipients_state_is_known check ((state = any (array['active'::text, 'paused'::text, 'disabled'::text, 'removed'::text]))),
  constraint recipients_url_length check (((char_length(url) >= 1) and (char_length(url) <= 2000)))
);
create trigger event_recipients_added_is_audited after insert on skedchange.event_recipients for each row execute function skedchange.audit_row('event-recipient.added', 'id,state', 'name,url,event_types,sources', '');
create trigger event_recipients_changed_is_audited after update on skedchange.event_recipients for each row when ((((((((((old.name is distinct from new.name) or (old.url is distinct from new.url)) or (old.auth_type is distinct from new.auth_type)) or (old.credential is distinct from new.credential)) or (old.state is distinct from new.state)) or (old.event_types is distinct from new.event_types)) or (old.sources is distinct from new.sources)) or (old.signing_secrets is distinct from new.signing_secrets)) or (old.client_certificate is distinct from new.client_certificate))) execute function skedchange.audit_row('event-recipient.changed', 'id,state', 'name,url,auth_type,credential,event_types,sources,signing_secrets,client_certificate', '');
grant insert, select on skedchange.event_recipients to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at, updated_at, signing_secrets, signing_secrets_encoding, signing_secrets_key_id, signing_secret_count, deadline_ms, lanes_max, failed_in_row, failing_since, held_until, held_because, rate_per_second, paced_until, client_certificate, client_certificate_encoding, client_certificate_key_id, client_certificate_expires_at, ramp_lanes, failing_notices, event_types, sources) on skedchange.event_recipients to skedchange_service;

create table skedchange.event_replays (
  id uuid not null,
  filter jsonb not null,
  force boolean not null,
  state text not null default 'running'::text,
  up_to_position bigint not null,
  position bigint not null default 0,
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint event_replays_pkey primary key (id),
  constraint replays_finish_is_dated check (((state = 'running'::text) = (finished_at is null))),
  constraint replays_state_is_known check ((state = any (array['running'::text, 'finished'::text, 'cancelled'::text])))
);
create index event_replays_id_idx on skedchange.event_replays using btree (id) where (state = 'running'::text);
grant insert, select on skedchange.event_replays to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on skedchange.event_replays to skedchange_service;

create table skedchange.event_turns (
  is_only boolean not null default true,
  turn bigint not null default 0,
  constraint event_turns_pkey primary key (is_only),
  constraint event_turns_is_only_check check (is_only)
);
grant select on skedchange.event_turns to skedchange_service;
grant update (turn) on skedchange.event_turns to skedchange_service;

create table skedchange.learning_orders (
  source text not null,
  order_id text not null,
  constraint learning_orders_pkey primary key (source, order_id),
  constraint learning_orders_source_fkey foreign key (source) references skedchange.source_learning(source)
);
grant insert, select on skedchange.learning_orders to skedchange_service;

create table skedchange.member_mark_sets (
  version text not null,
  marks jsonb not null,
  stored_at timestamp with time zone not null,
  constraint member_mark_sets_pkey primary key (version),
  constraint member_mark_sets_version_is_short check (((length(version) >= 1) and (length(version) <= 64)))
);
create trigger member_mark_sets_never_change before delete or update on skedchange.member_mark_sets for each row execute function skedchange.refuse_changing_mark_set();
grant insert, select on skedchange.member_mark_sets to skedchange_service;

create table skedchange.member_marks (
  id uuid not null,
  source text not null,
  number integer not null,
  version text not null,
  marks jsonb not null,
  change text not null,
  path text not null,
  value_digests text[] not null,
  reason text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint member_marks_pkey primary key (id),
  constraint member_marks_one_after_another unique (source, number),
  constraint member_marks_change_is_known check ((change = any (array['marked'::text, 'withdrawn'::text]))),
  constraint member_marks_number_begins_at_one check ((number >= 1)),
  constraint member_marks_version_is_short check (((length(version) >= 1) and (length(version) <= 64)))
);
create trigger member_marks_changed_is_audited after insert on skedchange.member_marks for each row execute function skedchange.audit_row('member-marks.changed', 'id,number,version,change', 'path,value_digests,reason,marks', 'changed_by');
create trigger member_marks_never_change before delete or update on skedchange.member_marks for each row execute function skedchange.refuse_rewriting_history();
grant insert, select on skedchange.member_marks to skedchange_service;

create table skedchange.notice_cases (
  rule_id uuid not null,
  case_id uuid not null,
  due_by timestamp with time zone,
  notice_id uuid,
  constraint notice_cases_pkey primary key (rule_id, case_id),
  constraint notice_cases_case_fkey foreign key (case_id) references skedchange.cases(id) on delete cascade,
  constraint notice_cases_notice_fkey foreign key (notice_id) references skedchange.notices(id) on delete set null,
  constraint notice_cases_rule_fkey foreign key (rule_id) references skedchange.notice_rules(id) on delete cascade
);
create index notice_cases_by_case on skedchange.notice_cases using btree (case_id);
create index notice_cases_by_notice on skedchange.notice_cases using btree (notice_id);
grant delete, insert, select on skedchange.notice_cases to skedchange_service;
grant update (due_by, notice_id) on skedchange.notice_cases to skedchange_service;

create table skedchange.notice_rules (
  id uuid not null,
  name text not null,
  queues text[],
  sources text[],
  priority_max smallint not null,
  timing jsonb not null,
  time_zone text not null,
  channel text not null,
  addresses text[],
  webhook bytea,
  webhook_encoding text,
  key_id text,
  webhook_host text,
  paused_at timestamp with time zone,
  next_digest_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_error jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint notice_rules_pkey primary key (id),
  constraint notice_rules_channel_is_known check ((channel = any (array['email'::text, 'slack'::text, 'teams'::text]))),
  constraint notice_rules_destination_is_complete check ((((channel = 'email'::text) = coalesce((cardinality(addresses) > 0), false)) and ((channel <> 'email'::text) = ((webhook is not null) and (webhook_encoding is not null) and (webhook_host is not null))))),
  constraint notice_rules_name_length check (((char_length(name) >= 1) and (char_length(name) <= 100))),
  constraint notice_rules_priority_in_range check (((priority_max >= 0) and (priority_max <= 9))),
  constraint notice_rules_queues_are_some check ((cardinality(queues) > 0)),
  constraint notice_rules_sources_are_some check ((cardinality(sources) > 0)),
  constraint notice_rules_timing_is_known check (((timing ->> 'type'::text) = any (array['at-once'::text, 'before-deadline'::text, 'digest'::text])))
);
create trigger notice_rules_added_is_audited after insert on skedchange.notice_rules for each row execute function skedchange.audit_row('notice-rule.added', 'id,channel', 'name,addresses,webhook_host,queues,sources,timing', '');
create trigger notice_rules_changed_is_audited after update on skedchange.notice_rules for each row when (((((((((((old.name is distinct from new.name) or (old.queues is distinct from new.queues)) or (old.sources is distinct from new.sources)) or (old.priority_max is distinct from new.priority_max)) or (old.timing is distinct from new.timing)) or (old.time_zone is distinct from new.time_zone)) or (old.channel is distinct from new.channel)) or (old.addresses is distinct from new.addresses)) or (old.webhook is distinct from new.webhook)) or (old.paused_at is distinct from new.paused_at))) execute function skedchange.audit_row('notice-rule.changed', 'id,channel,paused_at', 'name,addresses,webhook,webhook_host,queues,sources,priority_max,timing,time_zone', '');
create trigger notice_rules_removed_is_audited after delete on skedchange.notice_rules for each row execute function skedchange.audit_removed_notice_rule();
grant delete, insert, select on skedchange.notice_rules to skedchange_service;
grant update (name, queues, sources, priority_max, timing, time_zone, channel, addresses, webhook, webhook_encoding, key_id, webhook_host, paused_at, next_digest_at, last_sent_at, failing_since, last_error, updated_at) on skedchange.notice_rules to skedchange_service;

create table skedchange.notices (
  id uuid not null,
  rule_id uuid not null,
  state text not null default 'pending'::text,
  due_at timestamp with time zone not null,
  revision integer not null default 0,
  attempts integer not null default 0,
  failures integer not null default 0,
  fence integer not null default 0,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  stop_id uuid,
  constraint notices_pkey primary key (id),
  constraint notices_state_is_known check ((state = any (array['pending'::text, 'stop-pending'::text, 'sent'::text, 'obsolete'::text]))),
  constraint notices_rule_fkey foreign key (rule_id) references skedchange.notice_rules(id) on delete cascade,
  constraint notices_stop_fkey foreign key (stop_id) references skedchange.automation_stops(id)
);
create unique index notices_announce_a_stop_once on skedchange.notices using btree (stop_id, rule_id) where (stop_id is not null);
create index notices_finished on skedchange.notices using btree (finished_at) where (state = any (array['sent'::text, 'obsolete'::text]));
create index notices_pending on skedchange.notices using btree (due_at) where (state = 'pending'::text);
create index notices_pending_by_rule on skedchange.notices using btree (rule_id) where (state = 'pending'::text);
create index notices_stop_pending on skedchange.notices using btree (due_at) where (state = 'stop-pending'::text);
grant delete, insert, select on skedchange.notices to skedchange_service;
grant update (state, due_at, revision, attempts, failures, fence, leased_until, finished_at) on skedchange.notices to skedchange_service;

create table skedchange.notification_digests (
  source text not null,
  digest bytea not null,
  notification_id uuid not null,
  received_at timestamp with time zone not null,
  receipts bigint not null default 1,
  last_receipt_at timestamp with time zone not null,
  pending_orders jsonb,
  pending_since timestamp with time zone,
  pending_traceparent text,
  constraint notification_digests_pkey primary key (source, digest)
);
create index notification_digests_pending on skedchange.notification_digests using btree (pending_since) where (pending_since is not null);
grant insert, select on skedchange.notification_digests to skedchange_service;
grant update (receipts, last_receipt_at, pending_orders, pending_since, pending_traceparent) on skedchange.notification_digests to skedchange_service;

create table skedchange.notifications (
  id uuid not null,
  source text not null,
  received_at timestamp with time zone not null,
  digest bytea not null,
  content_type text,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  state text not null,
  problem jsonb,
  body_deleted_at timestamp with time zone,
  body_deleted_by text,
  is_bound boolean not null default false,
  discarded_at timestamp with time zone,
  discarded_by text,
  discard_note text,
  constraint notifications_pkey primary key (received_at, id),
  constraint notifications_body_deleted_by_is_known check ((body_deleted_by = any (array['retention'::text, 'erasure'::text]))),
  constraint notifications_digest_is_sha256 check ((octet_length(digest) = 32)),
  constraint notifications_quarantine_says_why check (((state = 'accepted'::text) or (problem is not null))),
  constraint notifications_state_is_known check ((state = any (array['accepted'::text, 'quarantined'::text, 'released'::text])))
) partition by range (received_at);
create table skedchange.notifications_default partition of skedchange.notifications default;
alter table skedchange.notifications alter column body set storage external;
create index notifications_id on only skedchange.notifications using btree (id);
create index notifications_quarantined on only skedchange.notifications using btree (received_at, id) where (state = 'quarantined'::text);
create trigger notifications_discarded_is_audited after update of discarded_at on skedchange.notifications for each row when (((old.discarded_at is null) and (new.discarded_at is not null))) execute function skedchange.audit_row('notification.discarded', 'id', '', 'discarded_by');
create trigger notifications_note_goes_with_body before update of body_deleted_at on skedchange.notifications for each row when (((new.body_deleted_at is not null) and (new.discard_note is not null))) execute function skedchange.drop_discard_note();
create trigger notifications_only_release before update of state on skedchange.notifications for each row when (((old.state is distinct from new.state) and ((old.state <> 'quarantined'::text) or (new.state <> 'released'::text)))) execute function skedchange.refuse_rewriting_history();
create trigger notifications_quarantined_is_audited after insert on skedchange.notifications for each row when ((new.state = 'quarantined'::text)) execute function skedchange.audit_row('notification.quarantined', 'id', 'problem', '');
create trigger notifications_released_is_audited after update of state on skedchange.notifications for each row when (((new.state = 'released'::text) and (old.state <> 'released'::text))) execute function skedchange.audit_row('notification.released', 'id', '', '');
grant insert, select on skedchange.notifications to skedchange_service;
grant update (state, discarded_at, discarded_by, discard_note) on skedchange.notifications to skedchange_service;

create table skedchange.observed_members (
  source text not null,
  path text not null,
  value_digest text not null,
  class text not null,
  word text,
  example text,
  first_seen_at timestamp with time zone not null,
  views bigint not null default 0,
  orders bit(1024) not null default (repeat('0'::text, 1024))::bit(1024),
  unchanged_orders bit(1024) not null default (repeat('0'::text, 1024))::bit(1024),
  constraint observed_members_pkey primary key (source, path, value_digest),
  constraint observed_members_class_is_known check ((class = any (array['stop'::text, 'code'::text, 'other'::text]))),
  constraint observed_members_path_is_short check (((length(path) >= 1) and (length(path) <= 4000))),
  constraint observed_members_value_digest_is_hex check ((value_digest ~ '^([0-9a-f]{16,64})?$'::text))
);
grant insert, select on skedchange.observed_members to skedchange_service;
grant update (class, views, orders, unchanged_orders) on skedchange.observed_members to skedchange_service;

create table skedchange.order_imports (
  id bigint generated always as identity,
  source text not null,
  order_id text not null,
  imported_at timestamp with time zone not null,
  imported_by text not null,
  booked jsonb not null,
  replaced jsonb,
  replaced_from text,
  was_decided_on boolean not null,
  constraint order_imports_pkey primary key (id),
  constraint order_imports_order_fkey foreign key (source, order_id) references skedchange.orders(source, order_id)
);
create index order_imports_by_order on skedchange.order_imports using btree (source, order_id, id);
create trigger order_imports_added_is_audited after insert on skedchange.order_imports for each row execute function skedchange.audit_row('order.imported', 'id,replaced_from,was_decided_on', 'booked,replaced', 'imported_by');
grant insert, select on skedchange.order_imports to skedchange_service;

create table skedchange.order_status_views (
  id uuid not null,
  source text not null,
  order_id text not null,
  read_at timestamp with time zone not null,
  proposal_digest text not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  is_bound boolean not null default false,
  constraint order_status_views_pkey primary key (id),
  constraint order_status_views_order_fkey foreign key (source, order_id) references skedchange.orders(source, order_id)
);
alter table skedchange.order_status_views alter column body set storage external;
create index order_status_views_by_age on skedchange.order_status_views using btree (read_at);
create index order_status_views_by_order on skedchange.order_status_views using btree (source, order_id, read_at);
grant insert, select on skedchange.order_status_views to skedchange_service;

create table skedchange.orders (
  source text not null,
  order_id text not null,
  lease_fence bigint not null default 0,
  leased_until timestamp with time zone,
  leased_by text,
  dispatched_until timestamp with time zone,
  booked_itinerary jsonb,
  booked_from text,
  accepted_itinerary jsonb,
  leased_at timestamp with time zone,
  gds_booking_references text[] not null default '{}'::text[],
  imported_at timestamp with time zone,
  imported_by text,
  next_poll_at timestamp with time zone,
  polled_at timestamp with time zone,
  poll_failures smallint not null default 0,
  poll_digest text,
  poll_ended text,
  poll_error text,
  constraint orders_pkey primary key (source, order_id),
  constraint orders_poll_ended_is_known check ((poll_ended = any (array['travelled'::text, 'no-reference'::text, 'refused'::text, 'erased'::text]))),
  constraint orders_poll_ended_is_not_planned check (((poll_ended is null) or (next_poll_at is null)))
);
alter table skedchange.orders set (toast_tuple_target=512);
create index orders_dispatched on skedchange.orders using btree (dispatched_until) where (dispatched_until is not null);
create index orders_leased on skedchange.orders using btree (leased_until) where (leased_until is not null);
create index orders_poll_failing on skedchange.orders using btree (source, poll_error) where (poll_error is not null);
create index orders_to_poll on skedchange.orders using btree (source, next_poll_at) where (next_poll_at is not null);
create index orders_unplanned on skedchange.orders using btree (source) where ((next_poll_at is null) and (poll_ended is null));
grant insert, select on skedchange.orders to skedchange_service;
grant update (lease_fence, leased_until, leased_by, dispatched_until, booked_itinerary, booked_from, accepted_itinerary, leased_at, gds_booking_references, imported_at, imported_by, next_poll_at, polled_at, poll_failures, poll_digest, poll_ended, poll_error) on skedchange.orders to skedchange_service;

create table skedchange.overview_progress (
  only_row boolean not null default true,
  summed_until timestamp with time zone not null,
  constraint overview_progress_pkey primary key (only_row),
  constraint overview_progress_has_one_row check (only_row)
);
grant insert, select, update on skedchange.overview_progress to skedchange_service;

create table skedchange.overview_sums (
  span text not null,
  figure text not null,
  begins_at timestamp with time zone not null,
  source text not null,
  name text not null,
  part text not null,
  value numeric not null,
  constraint overview_sums_pkey primary key (span, figure, begins_at, source, name, part),
  constraint overview_sums_span_is_known check ((span = any (array['hour'::text, 'day'::text])))
);
grant delete, insert, select on skedchange.overview_sums to skedchange_service;

create table skedchange.policy_terms (
  id uuid not null,
  source text not null,
  role text not null,
  version text not null,
  began_at timestamp with time zone not null,
  began_by text not null,
  note text,
  ended_at timestamp with time zone,
  ended_by text,
  constraint policy_terms_pkey primary key (id),
  constraint policy_terms_role_is_known check ((role = any (array['active'::text, 'shadow'::text]))),
  constraint policy_terms_version_fkey foreign key (version) references skedchange.policy_versions(version)
);
create index policy_terms_newest on skedchange.policy_terms using btree (source, began_at desc);
create unique index policy_terms_one_at_a_time on skedchange.policy_terms using btree (source, role) where (ended_at is null);
create trigger policy_terms_began_is_audited after insert on skedchange.policy_terms for each row execute function skedchange.audit_row('policy-term.began', 'id,role,version', 'note', 'began_by');
create trigger policy_terms_end_once before update on skedchange.policy_terms for each row when ((old.ended_at is not null)) execute function skedchange.refuse_rewriting_history();
create trigger policy_terms_ended_is_audited after update of ended_at on skedchange.policy_terms for each row when (((old.ended_at is null) and (new.ended_at is not null))) execute function skedchange.audit_row('policy-term.ended', 'id,role,version', '', 'ended_by');
grant insert, select on skedchange.policy_terms to skedchange_service;
grant update (ended_at, ended_by) on skedchange.policy_terms to skedchange_service;

create table skedchange.policy_versions (
  version text not null,
  name text not null,
  text text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  note text,
  constraint policy_versions_pkey primary key (version),
  constraint policy_versions_version_is_sha256 check ((version ~ '^[0-9a-f]{64}$'::text))
);
create trigger policy_versions_added_is_audited after insert on skedchange.policy_versions for each row execute function skedchange.audit_row('policy.added', 'version', 'note', 'created_by');
create trigger policy_versions_never_change before delete or update on skedchange.policy_versions for each row execute function skedchange.refuse_changing_policy();
grant insert, select on skedchange.policy_versions to skedchange_service;

create table skedchange.poll_pace (
  source text not null,
  next_at timestamp with time zone not null,
  constraint poll_pace_pkey primary key (source)
);
grant insert, select on skedchange.poll_pace to skedchange_service;
grant update (next_at) on skedchange.poll_pace to skedchange_service;

create table skedchange.processes (
  id uuid not null,
  roles text[] not null,
  version text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  untrusted_proxy text,
  constraint processes_pkey primary key (id)
);
grant delete, insert, select on skedchange.processes to skedchange_service;
grant update (seen_at, untrusted_proxy) on skedchange.processes to skedchange_service;

create table skedchange.recognised_credentials (
  digest bytea not null,
  recognised_at timestamp with time zone not null,
  constraint recognised_credentials_pkey primary key (digest),
  constraint recognised_credentials_digest_is_sha256 check ((octet_length(digest) = 32))
);
create index recognised_credentials_by_age on skedchange.recognised_credentials using btree (recognised_at);
grant delete, insert, select on skedchange.recognised_credentials to skedchange_service;
grant update (recognised_at) on skedchange.recognised_credentials to skedchange_service;

create table skedchange.recovery_codes (
  user_id uuid not null,
  digest bytea not null,
  constraint recovery_codes_pkey primary key (user_id, digest),
  constraint recovery_codes_digest_is_sha256 check ((octet_length(digest) = 32)),
  constraint recovery_codes_user_fkey foreign key (user_id) references skedchange.users(id)
);
create trigger recovery_codes_made_is_audited after insert on skedchange.recovery_codes referencing new table as made for each statement execute function skedchange.audit_recovery_codes();
grant delete, insert, select on skedchange.recovery_codes to skedchange_service;

create table skedchange.schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  oldest_program integer,
  constraint schema_migrations_pkey primary key (version)
);
grant select on skedchange.schema_migrations to skedchange_service;

create table skedchange.second_factor_roles (
  role text not null,
  required_at timestamp with time zone not null,
  constraint second_factor_roles_pkey primary key (role),
  constraint second_factor_roles_role_is_known check ((role = any (array['viewer'::text, 'agent'::text, 'supervisor'::text, 'admin'::text])))
);
create trigger second_factor_roles_added_is_audited after insert on skedchange.second_factor_roles for each row execute function skedchange.audit_row('second-factor.required', 'role', '', '');
create trigger second_factor_roles_removed_is_audited after delete on skedchange.second_factor_roles for each row execute function skedchange.audit_removed_second_factor('second-factor.not-required', 'role');
grant delete, insert, select on skedchange.second_factor_roles to skedchange_service;

create table skedchange.second_factors (
  user_id uuid not null,
  secret bytea not null,
  secret_encoding text not null,
  key_id text,
  begun_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  last_step bigint,
  constraint second_factors_pkey primary key (user_id),
  constraint second_factors_user_fkey foreign key (user_id) references skedchange.users(id)
);
create trigger second_factors_inserted_is_audited after insert on skedchange.second_factors for each row when ((new.proven_at is not null)) execute function skedchange.audit_row('second-factor.added', 'user_id', '', '');
create trigger second_factors_proven_is_audited after update on skedchange.second_factors for each row when (((old.proven_at is null) and (new.proven_at is not null))) execute function skedchange.audit_row('second-factor.added', 'user_id', '', '');
create trigger second_factors_proven_stays before update on skedchange.second_factors for each row when ((old.proven_at is not null)) execute function skedchange.refuse_other_second_factor();
create trigger second_factors_removed_is_audited after delete on skedchange.second_factors for each row when ((old.proven_at is not null)) execute function skedchange.audit_removed_second_factor('second-factor.removed', 'user_id');
grant delete, insert, select on skedchange.second_factors to skedchange_service;
grant update (secret, secret_encoding, key_id, begun_at, proven_at, last_step) on skedchange.second_factors to skedchange_service;

create table skedchange.sessions (
  id uuid not null,
  token_digest bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  address text,
  browser text,
  constraint sessions_pkey primary key (id),
  constraint sessions_token_unique unique (token_digest),
  constraint sessions_address_length check ((char_length(address) <= 64)),
  constraint sessions_browser_length check ((char_length(browser) <= 64)),
  constraint sessions_token_is_sha256 check ((octet_length(token_digest) = 32)),
  constraint sessions_user_fkey foreign key (user_id) references skedchange.users(id)
);
create index sessions_by_user on skedchange.sessions using btree (user_id, created_at);
create trigger sessions_ended_is_audited after delete on skedchange.sessions for each row when ((coalesce(current_setting('skedchange.actor'::text, true), ''::text) <> ''::text)) execute function skedchange.audit_ended_session();
create trigger sessions_started_is_audited after insert on skedchange.sessions for each row execute function skedchange.audit_row('session.started', 'id,user_id', '', '');
grant delete, insert, select on skedchange.sessions to skedchange_service;
grant update (last_used_at) on skedchange.sessions to skedchange_service;

create table skedchange.shadow_decisions (
  decision_id uuid not null,
  source text not null,
  version text not null,
  decided_at timestamp with time zone not null,
  action text not null,
  review_queue text,
  rule text not null,
  reason text not null,
  differs boolean not null,
  constraint shadow_decisions_pkey primary key (decision_id),
  constraint shadow_decisions_decision_fkey foreign key (decision_id) references skedchange.decisions(id),
  constraint shadow_decisions_version_fkey foreign key (version) references skedchange.policy_versions(version)
);
create index shadow_decisions_newest on skedchange.shadow_decisions using btree (source, version, decided_at desc, decision_id desc);
grant insert, select on skedchange.shadow_decisions to skedchange_service;

create table skedchange.sign_in_failures (
  subject_digest bytea not null,
  failures double precision not null,
  counted_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  succeeded_at timestamp with time zone,
  constraint sign_in_failures_pkey primary key (subject_digest),
  constraint sign_in_failures_subject_is_sha256 check ((octet_length(subject_digest) = 32))
);
create index sign_in_failures_by_age on skedchange.sign_in_failures using btree (counted_at);
create trigger sign_in_failures_locked_again_is_audited after update of locked_until on skedchange.sign_in_failures for each row when (((new.locked_until is not null) and (old.locked_until is distinct from new.locked_until))) execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger sign_in_failures_locked_is_audited after insert on skedchange.sign_in_failures for each row when ((new.locked_until is not null)) execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
grant delete, insert, select on skedchange.sign_in_failures to skedchange_service;
grant update (failures, counted_at, locked_until, succeeded_at) on skedchange.sign_in_failures to skedchange_service;

create table skedchange.signing_keys (
  kid text not null,
  algorithm text not null,
  public_jwk jsonb not null,
  private_key bytea,
  private_key_encoding text not null,
  key_id text,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  published_until timestamp with time zone,
  constraint signing_keys_pkey primary key (kid),
  constraint signing_keys_algorithm_is_known check ((algorithm = 'ES256'::text)),
  constraint signing_keys_private_is_wiped check (((retired_at is null) = (private_key is not null))),
  constraint signing_keys_retired_ends check (((retired_at is null) = (published_until is null)))
);
create unique index signing_keys_one_signs on skedchange.signing_keys using btree ((true)) where (retired_at is null);
create trigger signing_keys_added_is_audited after insert on skedchange.signing_keys for each row execute function skedchange.audit_row('signing-key.added', 'kid', '', '');
create trigger signing_keys_retired_is_audited after update of retired_at on skedchange.signing_keys for each row when (((old.retired_at is null) and (new.retired_at is not null))) execute function skedchange.audit_row('signing-key.retired', 'kid', '', '');
create trigger signing_keys_stay_retired before update on skedchange.signing_keys for each row when ((old.retired_at is not null)) execute function skedchange.refuse_reviving_key();
grant insert, select on skedchange.signing_keys to skedchange_service;
grant update (private_key, retired_at, published_until) on skedchange.signing_keys to skedchange_service;

create table skedchange.source_learning (
  source text not null,
  began_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint source_learning_pkey primary key (source)
);
grant insert, select on skedchange.source_learning to skedchange_service;
grant update (ended_at) on skedchange.source_learning to skedchange_service;

create table skedchange.status_views (
  id uuid not null,
  case_id uuid not null,
  purpose text not null,
  read_at timestamp with time zone not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  body_deleted_at timestamp with time zone,
  body_deleted_by text,
  is_bound boolean not null default false,
  compressed_against uuid,
  constraint status_views_pkey primary key (id),
  constraint status_views_body_deleted_by_is_known check ((body_deleted_by = any (array['retention'::text, 'erasure'::text]))),
  constraint status_views_purpose_is_known check ((purpose = any (array['decide'::text, 'before-effect'::text, 'after-effect'::text, 'settle-unknown'::text]))),
  constraint status_views_case_fkey foreign key (case_id) references skedchange.cases(id),
  constraint status_views_repeated_fkey foreign key (case_id, compressed_against) references skedchange.case_notifications(case_id, notification_id) not valid
);
alter table skedchange.status_views alter column body set storage external;
create index status_views_by_case on skedchange.status_views using btree (case_id, read_at);
grant insert, select on skedchange.status_views to skedchange_service;

create table skedchange.tasks (
  id uuid not null,
  case_id uuid not null,
  source text not null,
  order_id text not null,
  kind text not null,
  reasons jsonb not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  note text,
  due_by timestamp with time zone,
  due_by_rule text,
  overdue_at timestamp with time zone,
  assignee text,
  closed_token_id uuid,
  constraint tasks_pkey primary key (id),
  constraint tasks_one_per_kind unique (case_id, kind),
  constraint tasks_closed_by_somebody check (((closed_at is null) = (closed_by is null))),
  constraint tasks_due_by_has_a_rule check (((due_by is null) = (due_by_rule is null))),
  constraint tasks_kind_is_known check ((kind = any (array['check-ticket'::text, 'check-refund'::text, 'check-services'::text]))),
  constraint tasks_case_fkey foreign key (case_id) references skedchange.cases(id)
);
create index tasks_open_by_assignee on skedchange.tasks using btree (assignee) where ((closed_at is null) and (assignee is not null));
create index tasks_open_by_due on skedchange.tasks using btree (due_by, id) where (closed_at is null);
create trigger tasks_closed_is_audited after update on skedchange.tasks for each row when (((old.closed_at is null) and (new.closed_at is not null))) execute function skedchange.audit_row('task.closed', 'id,kind', 'note', 'closed_by');
create trigger tasks_closed_once before update on skedchange.tasks for each row when (((old.closed_at is not null) and (not skedchange.is_deleting()))) execute function skedchange.refuse_rewriting_history();
create trigger tasks_opened_is_audited after insert on skedchange.tasks for each row execute function skedchange.audit_row('task.opened', 'id,kind', 'reasons', '');
create constraint trigger tasks_tell after insert on skedchange.tasks deferrable initially deferred for each row execute function skedchange.tell_of_task();
grant insert, select on skedchange.tasks to skedchange_service;
grant update (closed_at, closed_by, note, overdue_at, assignee, closed_token_id) on skedchange.tasks to skedchange_service;

create table skedchange.time_zone_tables (
  version text not null,
  content jsonb not null,
  added_at timestamp with time zone not null,
  constraint time_zone_tables_pkey primary key (version),
  constraint time_zone_tables_version_form check ((version ~ '^20[0-9]{2}[a-z]{1,2}-[0-9a-f]{16}$'::text))
);
grant insert, select on skedchange.time_zone_tables to skedchange_service;

create table skedchange.time_zone_terms (
  id bigint generated always as identity,
  version text not null,
  began_at timestamp with time zone not null,
  began_by text not null,
  constraint time_zone_terms_pkey primary key (id),
  constraint time_zone_terms_version_fkey foreign key (version) references skedchange.time_zone_tables(version)
);
create trigger time_zone_terms_began_is_audited after insert on skedchange.time_zone_terms for each row execute function skedchange.audit_row('time-zones.activated', 'version', '', 'began_by');
grant insert, select on skedchange.time_zone_terms to skedchange_service;

create table skedchange.traveller_contacts (
  id uuid not null,
  case_id uuid not null,
  source text not null,
  order_id text not null,
  proposal_digest text,
  kind text not null,
  channel text not null,
  answer text,
  happened_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  recorded_by text not null,
  note text,
  constraint traveller_contacts_pkey primary key (id),
  constraint traveller_contacts_answer_has_words check (((kind = 'answered'::text) = (answer is not null))),
  constraint traveller_contacts_answer_is_known check ((answer = any (array['accepts'::text, 'refuses'::text, 'wants-refund'::text, 'wants-rerouting'::text, 'undecided'::text]))),
  constraint traveller_contacts_channel_is_known check ((channel = any (array['email'::text, 'phone'::text, 'sms'::text, 'chat'::text, 'in-person'::text, 'letter'::text, 'other'::text]))),
  constraint traveller_contacts_kind_is_known check ((kind = any (array['informed'::text, 'asked'::text, 'answered'::text]))),
  constraint traveller_contacts_case_fkey foreign key (case_id) references skedchange.cases(id),
  constraint traveller_contacts_order_fkey foreign key (source, order_id) references skedchange.orders(source, order_id)
);
create index traveller_contacts_by_case on skedchange.traveller_contacts using btree (case_id, happened_at);
create index traveller_contacts_by_order on skedchange.traveller_contacts using btree (source, order_id, happened_at);
create trigger traveller_contacts_added_is_audited after insert on skedchange.traveller_contacts for each row execute function skedchange.audit_row('traveller-contact.recorded', 'id,kind,channel,answer,proposal_digest,happened_at', 'note', 'recorded_by');
grant insert, select on skedchange.traveller_contacts to skedchange_service;

create table skedchange.users (
  id uuid not null,
  username text not null,
  display_name text not null,
  role text not null,
  password_hash text,
  is_demo boolean not null default false,
  disabled_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  password_change_needed boolean not null default false,
  issuer text,
  subject text,
  confirmed_at timestamp with time zone,
  sources text[],
  password_proof bytea,
  constraint users_pkey primary key (id),
  constraint users_subject_unique unique (issuer, subject),
  constraint users_username_unique unique (username),
  constraint users_display_name_length check (((char_length(display_name) >= 1) and (char_length(display_name) <= 100))),
  constraint users_issuer_length check (((char_length(issuer) >= 1) and (char_length(issuer) <= 500))),
  constraint users_one_way_to_sign_in check (((password_hash is null) = (subject is not null))),
  constraint users_password_is_hashed check (starts_with(password_hash, 'scrypt$'::text)),
  constraint users_role_is_known check ((role = any (array['viewer'::text, 'agent'::text, 'supervisor'::text, 'admin'::text]))),
  constraint users_subject_has_issuer check (((issuer is null) = (subject is null))),
  constraint users_subject_length check (((char_length(subject) >= 1) and (char_length(subject) <= 255))),
  constraint users_username_is_plain check (((username ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$'::text) and (username <> 'api'::text)))
);
create trigger users_added_is_audited after insert on skedchange.users for each row execute function skedchange.audit_row('user.added', 'id,username,role,sources,issuer', '', '');
create trigger users_changed_is_audited after update on skedchange.users for each row when (((((((((old.username is distinct from new.username) or (old.role is distinct from new.role)) or (old.sources is distinct from new.sources)) or (old.password_hash is distinct from new.password_hash)) or (old.disabled_at is distinct from new.disabled_at)) or (old.is_demo is distinct from new.is_demo)) or (old.issuer is distinct from new.issuer)) or (old.subject is distinct from new.subject))) execute function skedchange.audit_row('user.changed', 'id,username,role,sources,disabled_at,is_demo,issuer', 'password_hash,subject', '');
create trigger users_forget_password_proof before update of password_hash on skedchange.users for each row when ((new.password_hash is distinct from old.password_hash)) execute function skedchange.forget_password_proof();
grant insert, select on skedchange.users to skedchange_service;
grant update (display_name, role, password_hash, disabled_at, last_sign_in_at, updated_at, password_change_needed, issuer, subject, confirmed_at, sources, password_proof) on skedchange.users to skedchange_service;

create table skedchange.views (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  filters text not null,
  created_at timestamp with time zone not null,
  constraint views_pkey primary key (id),
  constraint views_one_per_name unique (user_id, name),
  constraint views_user_fkey foreign key (user_id) references skedchange.users(id) on delete cascade
);
grant delete, insert, select on skedchange.views to skedchange_service;
grant update (filters) on skedchange.views to skedchange_service;

create or replace function skedchange.add_case_search()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  insert into skedchange.case_search (case_id, ids)
    select c.id, skedchange.searched_ids(c.order_id, c.gds_booking_references) from opened c
    on conflict (case_id) do nothing;
  return null;
end
$function$;

create or replace function skedchange.add_counts(a jsonb, b jsonb)
 returns jsonb
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select coalesce(jsonb_object_agg(key, total), '{}') from (
    select key, sum(value::bigint) as total from (
      select key, value from jsonb_each_text(a) union all select key, value from jsonb_each_text(b)
    ) each group by key
  ) totals
$function$;

create or replace function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb)
 returns void
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  case_row skedchange.cases;
  event_id uuid := gen_random_uuid();
  recipients uuid[];
  -- Not now(): of two events in one transaction the second one is later.
  happened_at timestamptz := clock_timestamp();
  body bytea;
begin
  -- Cheap where nobody listens, since this runs with every change of a case.
  if not exists (select from skedchange.event_recipients r where r.state <> 'removed') then
    return;
  end if;
  select * into case_row from skedchange.cases where id = about_case;
  select array_agg(r.id) into recipients from skedchange.event_recipients r
  where r.state <> 'removed' and (r.event_types is null or event_type = any (r.event_types))
    and (r.sources is null or case_row.source = any (r.sources));
  if recipients is null then
    return;
  end if;
  body := convert_to(jsonb_build_object(
    'id', event_id,
    'type', event_type,
    'createdAt', to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'source', case_row.source,
    'caseId', case_row.id,
    'orderId', case_row.order_id,
    'gdsBookingReferences', to_jsonb(case_row.gds_booking_references),
    'state', case_row.state,
    'dueBy', case when case_row.due_by is not null then jsonb_build_object(
      'at', to_char(case_row.due_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'rule', case_row.due_by_rule) end,
    'decision', (
      select jsonb_build_object('id', d.id, 'action', d.action, 'reviewQueue', d.review_queue, 'rule', d.rule,
        'reasons', coalesce(jsonb_path_query_array(d.reasons, '$[*].code'), '[]'), 'by',
        case when d.decided_by = 'policy' then 'policy' else 'person' end)
      from skedchange.decisions d
      where d.id = coalesce((about ->> 'decisionId')::uuid, case_row.decision_id)),
    'effect', (
      select jsonb_build_object('id', e.id, 'action', e.action, 'state', e.state)
      from skedchange.effects e where e.id = (about ->> 'effectId')::uuid),
    'task', (
      select jsonb_build_object('id', t.id, 'kind', t.kind)
      from skedchange.tasks t where t.id = (about ->> 'taskId')::uuid)
  )::text, 'UTF8');
  insert into skedchange.event_bodies
    (id, order_id, publish_key, digest, body, body_encoding, body_bytes, created_at, event_type, source, case_id,
    recipient_ids)
  values (event_id, case_row.order_id, publish_key, sha256(body), body, 'identity', octet_length(body), happened_at,
    event_type, case_row.source, case_row.id, recipients)
  on conflict on constraint event_bodies_publish_key_key do nothing;
end
$function$;

create or replace function skedchange.audit_canonical(entry skedchange.audit_entries)
 returns text
 language sql
 stable
as $function$
  select '{"actor":' || to_json(entry.actor)
    || ',"at":"' || skedchange.audit_time(entry.at)
    || '","caseEventId":' || coalesce(entry.case_event_id::text, 'null')
    || ',"caseId":' || coalesce(to_json(entry.case_id)::text, 'null')
    || ',"detailDigest":' || coalesce(to_json(encode(entry.detail_digest, 'hex'))::text, 'null')
    || ',"id":' || entry.id
    || ',"kind":' || to_json(entry.kind)
    || ',"orderId":' || coalesce(to_json(entry.order_id)::text, 'null')
    || ',"recordedAt":"' || skedchange.audit_time(entry.recorded_at)
    || '","refs":' || skedchange.audit_canonical_refs(entry.refs)
    || ',"source":' || coalesce(to_json(entry.source)::text, 'null') || '}'
$function$;

create or replace function skedchange.audit_canonical_refs(refs jsonb)
 returns text
 language sql
 immutable
as $function$
  select '{' || coalesce(string_agg(to_json(key) || ':' || to_json(value), ',' order by key collate "C"), '') || '}'
  from jsonb_each_text(refs)
$function$;

create or replace function skedchange.audit_case_events()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  insert into skedchange.audit_entries
    (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
  select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id,
    (
      select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each_text(case jsonb_typeof(e.detail) when 'object' then e.detail else '{}' end)
      -- A key that is a number would stand at another place in JavaScript.
      where (length(value) = 36 and key ~ '^[A-Za-z][A-Za-z0-9_]*$' and value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
        or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and length(value) <= 64
          and value ~ '^[a-z][a-z0-9._-]*$')
    ),
    sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
  from added_events e left join skedchange.cases c on c.id = e.case_id
  order by e.id;
  return null;
end
$function$;

create or replace function skedchange.audit_ended_session()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'session.ended', current_setting('skedchange.actor'),
    jsonb_build_object('id', old.id, 'user_id', old.user_id));
  return null;
end
$function$;

create or replace function skedchange.audit_export(of_list text, who text)
 returns void
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  select now(), 'list.exported', who, jsonb_build_object('list', of_list) where of_list ~ '^[a-z-]{1,64}$'
$function$;
grant execute on function skedchange.audit_export(of_list text, who text) to skedchange_service;

create or replace function skedchange.audit_recovery_codes()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  select now(), 'second-factor.codes-made', coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
    jsonb_build_object('user_id', m.user_id)
  from (select distinct user_id from made) m;
  return null;
end
$function$;

create or replace function skedchange.audit_removed_notice_rule()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'notice-rule.removed', current_setting('skedchange.actor', true), jsonb_build_object('id', old.id));
  return null;
end
$function$;

create or replace function skedchange.audit_removed_second_factor()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  row_before jsonb := to_jsonb(old);
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), tg_argv[0], coalesce(nullif(current_setting('skedchange.actor', true), ''), 'system'),
    jsonb_build_object(tg_argv[1], row_before ->> tg_argv[1]));
  return null;
end
$function$;

create or replace function skedchange.audit_row()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
 set "TimeZone" to 'UTC'
as $function$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  name text;
  entry_refs jsonb := '{}';
  proof jsonb := '{}';
  changed text;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
begin
  foreach name in array shown loop
    continue when row_now ->> name is null;
    entry_refs := entry_refs || jsonb_build_object(name, row_now ->> name);
  end loop;
  if tg_op = 'UPDATE' then
    select string_agg(column_name, ',' order by column_name collate "C") into changed
      from unnest(shown || proved) column_name
      where row_now -> column_name is distinct from row_before -> column_name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  foreach name in array proved loop
    proof := proof || jsonb_build_object(name, row_now -> name);
  end loop;
  foreach name in array string_to_array(tg_argv[3], ',') loop
    who := row_now ->> name;
    exit when who is not null;
  end loop;
  who := coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system');
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], who, entry_source, entry_order, entry_case, entry_refs,
    case when cardinality(proved) > 0 then sha256(convert_to(skedchange.audited_text(proof::text), 'UTF8')) end);
  return null;
end
$function$;

create or replace function skedchange.audit_time(at timestamp with time zone)
 returns text
 language sql
 immutable
as $function$
  -- Not 'UTC': in PostgreSQL 18 a time zone of the session may say what that is.
  select to_char(at at time zone interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$function$;

create or replace function skedchange.audit_traveller_search(who text, found integer)
 returns void
 language sql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'traveller.searched', who, jsonb_build_object('found', found::text))
$function$;
grant execute on function skedchange.audit_traveller_search(who text, found integer) to skedchange_service;

create or replace function skedchange.audited_text(detail text)
 returns text
 language sql
 immutable
as $function$
  select case when strpos(detail, 'skedchange:note:1:') = 0 then detail
    else regexp_replace(detail, '(skedchange:note:1:[A-Za-z0-9_-]{43}):[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+', '\1', 'g') end
$function$;
grant execute on function skedchange.audited_text(detail text) to skedchange_service;

create or replace function skedchange.automation_is_stopped()
 returns boolean
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (select from skedchange.automation_stops where resumed_at is null);
end
$function$;
grant execute on function skedchange.automation_is_stopped() to skedchange_service;

create or replace function skedchange.automation_is_stopped(of_source text)
 returns boolean
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (
    select from skedchange.automation_stops
    where resumed_at is null and (source is null or source = of_source)
  );
end
$function$;
grant execute on function skedchange.automation_is_stopped(of_source text) to skedchange_service;

create or replace function skedchange.await_only_asked_travellers()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  newest text;
begin
  select t.kind into newest from skedchange.traveller_contacts t
  where t.source = new.source and t.order_id = new.order_id
    and t.proposal_digest is not distinct from new.proposal_digest
    and (t.kind = 'asked' or (t.kind = 'answered' and t.answer <> 'undecided'))
  order by t.happened_at desc, t.id desc
  limit 1;
  if newest is distinct from 'asked' then
    new.state := 'ask-traveller';
    new.review_queue := 'agent';
  elsif new.overdue_at is not null and new.due_by <= now() then
    new.state := 'awaiting-agent';
    new.review_queue := 'agent';
  end if;
  return new;
end
$function$;

create or replace function skedchange.cases_with_expired_bodies(before timestamp with time zone)
 returns table(id uuid, source text, order_id text, updated_at timestamp with time zone)
 language sql
 stable
as $function$
  select c.id, c.source, c.order_id, c.updated_at from skedchange.cases c
  where c.closed_at is not null and (c.bodies_deleted_at is null or c.updated_at > c.bodies_deleted_at)
    and c.updated_at < before and skedchange.is_over(c.source, c.order_id, before)
$function$;

create or replace function skedchange.change_case_search()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  update skedchange.case_search
    set ids = skedchange.searched_ids(new.order_id, new.gds_booking_references) where case_id = new.id;
  return null;
end
$function$;

create or replace function skedchange.delete_case_bodies(about_case uuid, before timestamp with time zone, because text, who text)
 returns jsonb
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  emptied uuid[];
  touched uuid[];
  deleted_statuses integer;
  deleted_documents integer;
  deleted_answers integer;
  deleted_notes integer := 0;
  deleted_lines integer;
  counted integer;
  counts jsonb;
begin
  perform set_config('skedchange.deleting', 'on', true);
  with gone as (
    update skedchange.notifications n
      set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = because,
        problem = n.problem || '{"path": "", "message": ""}'
      from skedchange.case_notifications j
      where j.case_id = about_case and n.received_at = j.notification_received_at and n.id = j.notification_id
        and n.body_deleted_at is null and n.state <> 'quarantined' and skedchange.is_notification_over(n.id, before)
      returning n.id
  ) select coalesce(array_agg(id), '{}') into emptied from gone;
  touched := about_case || array(
    select j.case_id from skedchange.case_notifications j where j.notification_id = any (emptied)
  );
  update skedchange.status_views
    set body = '', body_encoding = 'deleted', key_id = null, compressed_against = null,
      body_deleted_at = now(), body_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and body_deleted_at is null;
  get diagnostics deleted_statuses = row_count;
  -- Nothing refers to these.
  delete from skedchange.document_views
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied));
  get diagnostics deleted_documents = row_count;
  update skedchange.effects
    set answer = null, answer_encoding = 'deleted', key_id = null, compressed_against = null,
      answer_deleted_at = now(), answer_deleted_by = because
    where case_id = any (touched) and (case_id = about_case or compressed_against = any (emptied))
      and answer is not null;
  get diagnostics deleted_answers = row_count;
  update skedchange.effects e
    set error = e.error || '{"message": ""}', results = coalesce(skedchange.results_without_texts(e.results), e.results)
    where e.case_id = about_case and (e.error is not null or e.results is not null);
  update skedchange.decisions set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.approvals set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.tasks set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.traveller_contacts set note = null where case_id = about_case and note is not null;
  get diagnostics counted = row_count;
  deleted_notes := deleted_notes + counted;
  update skedchange.case_events e set detail = skedchange.without_texts(e.detail), texts_deleted_at = now()
    where e.case_id = about_case and e.detail is distinct from skedchange.without_texts(e.detail);
  get diagnostics deleted_lines = row_count;
  counts := jsonb_build_object('notificationBodies', cardinality(emptied), 'statusViews', deleted_statuses,
    'documentViews', deleted_documents, 'responses', deleted_answers, 'notes', deleted_notes, 'timelineTexts', deleted_lines);
  if exists (select from jsonb_each_text(counts) where value <> '0') then
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
      values (about_case, now(), 'case.bodies_deleted', who, counts || jsonb_build_object('reason', because));
  end if;
  update skedchange.cases set bodies_deleted_at = now(), last_error = last_error || '{"message": ""}' where id = about_case;
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$function$;

create or replace function skedchange.delete_cases_of(of_source text, of_order text)
 returns jsonb
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  ids uuid[] := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order);
  bodies uuid[] := array(select b.id from skedchange.event_bodies b where b.case_id = any (ids));
  joined_ids uuid[];
  joined_times timestamp with time zone[];
  deleted_decisions integer;
  deleted_effects integer;
  deleted_lines integer;
  deleted_notifications integer;
begin
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs)
    select now(), 'case.deleted', 'retention', of_source, of_order, c.id, jsonb_build_object('state', c.state)
    from skedchange.cases c where c.id = any (ids) order by c.opened_at, c.id;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d where d.body_id = any (bodies)
  );
  delete from skedchange.event_deliveries where body_id = any (bodies);
  delete from skedchange.event_bodies where id = any (bodies);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  update skedchange.cases set decision_id = null where id = any (ids);
  delete from skedchange.effects where case_id = any (ids);
  get diagnostics deleted_effects = row_count;
  delete from skedchange.shadow_decisions where decision_id in (
    select d.id from skedchange.decisions d where d.case_id = any (ids)
  );
  delete from skedchange.decisions where case_id = any (ids);
  get diagnostics deleted_decisions = row_count;
  delete from skedchange.status_views where case_id = any (ids);
  delete from skedchange.document_views where case_id = any (ids);
  delete from skedchange.approvals where case_id = any (ids);
  delete from skedchange.tasks where case_id = any (ids);
  delete from skedchange.traveller_contacts where source = of_source and order_id = of_order;
  delete from skedchange.case_events where case_id = any (ids);
  get diagnostics deleted_lines = row_count;

  -- A notification goes with its last case, and its digest with it: the same bytes would open a case again.
  with joined as (
    delete from skedchange.case_notifications where case_id = any (ids) returning notification_id, notification_received_at
  ) select array_agg(notification_id), array_agg(notification_received_at) into joined_ids, joined_times from joined;
  with gone as (
    delete from skedchange.notifications n using unnest(joined_ids, joined_times) as joined (id, received_at)
    where n.received_at = joined.received_at and n.id = joined.id and n.state <> 'quarantined'
      and not exists (select from skedchange.case_notifications j where j.notification_id = n.id)
    returning n.source, n.digest
  ) delete from skedchange.notification_digests g using gone where g.source = gone.source and g.digest = gone.digest;
  get diagnostics deleted_notifications = row_count;

  delete from skedchange.cases where id = any (ids);
  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  delete from skedchange.order_imports where source = of_source and order_id = of_order;
  delete from skedchange.orders where source = of_source and order_id = of_order;
  return jsonb_build_object('cases', cardinality(ids), 'decisions', deleted_decisions, 'effects', deleted_effects,
    'timelineLines', deleted_lines, 'notifications', deleted_notifications);
end
$function$;

create or replace function skedchange.delete_ended_events(before timestamp with time zone, batch integer)
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  ids uuid[];
  deleted integer;
  bodies integer;
begin
  if before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
  select array_agg(id) into ids from (
    select d.id from skedchange.event_deliveries d
    where d.state = 'delivered' and d.finished_at < before
      and not exists (select from skedchange.event_deliveries o where o.replay_of = d.id)
    order by d.finished_at limit batch
    for update of d skip locked
  ) as ended;
  delete from skedchange.event_attempts where delivery_id = any (ids);
  delete from skedchange.event_deliveries where id = any (ids);
  get diagnostics deleted = row_count;
  delete from skedchange.event_bodies where id in (
    select b.id from skedchange.event_bodies b
    where b.created_at < before and b.routed_at is not null
      and not exists (select from skedchange.event_deliveries d where d.body_id = b.id)
    order by b.created_at limit batch
    for update of b skip locked
  );
  get diagnostics bodies = row_count;
  return deleted + bodies;
end
$function$;
grant execute on function skedchange.delete_ended_events(before timestamp with time zone, batch integer) to skedchange_service;

create or replace function skedchange.delete_expired_bodies(before timestamp with time zone, batch integer)
 returns jsonb
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  expired record;
  counts jsonb := '{"casesWithoutBodies": 0}';
  deleted_polls integer;
begin
  perform skedchange.refuse_young(before);
  for expired in
    select * from skedchange.cases_with_expired_bodies(before) e order by e.updated_at limit batch
  loop
    perform 1 from skedchange.orders o where o.source = expired.source and o.order_id = expired.order_id for update skip locked;
    continue when not found or not skedchange.is_over(expired.source, expired.order_id, before);
    counts := skedchange.add_counts(counts,
      skedchange.delete_case_bodies(expired.id, before, 'retention', 'retention') || '{"casesWithoutBodies": 1}'::jsonb);
  end loop;
  delete from skedchange.order_status_views where id in (
    select v.id from skedchange.order_status_views v
    where v.read_at < before and not exists (
      select from skedchange.cases c
      where c.source = v.source and c.order_id = v.order_id and c.state not in ('done', 'resolved-elsewhere', 'closed')
    )
    order by v.read_at limit batch
    for update of v skip locked
  );
  get diagnostics deleted_polls = row_count;
  return counts || jsonb_build_object('polledStatusViews', deleted_polls);
end
$function$;
grant execute on function skedchange.delete_expired_bodies(before timestamp with time zone, batch integer) to skedchange_service;

create or replace function skedchange.delete_expired_cases(before timestamp with time zone, batch integer)
 returns jsonb
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  expired record;
  known integer;
  locked integer;
  counts jsonb := '{"cases": 0}';
begin
  perform skedchange.refuse_young(before);
  for expired in
    select distinct e.source, e.order_id from (
      select * from skedchange.expired_cases(before) order by opened_at limit batch
    ) e
  loop
    -- Digests before orders before cases, as everywhere; what somebody else has is left for the next time.
    select count(*) into known from skedchange.notifications_of(expired.source, expired.order_id);
    select count(*) into locked from (
      select 1 from skedchange.notification_digests g
      join skedchange.notifications_of(expired.source, expired.order_id) n on n.source = g.source and n.digest = g.digest
      for update of g skip locked
    ) taken;
    continue when locked <> known;
    perform 1 from skedchange.orders o where o.source = expired.source and o.order_id = expired.order_id for update skip locked;
    continue when not found;
    continue when not exists (
      select from skedchange.expired_cases(before) e where e.source = expired.source and e.order_id = expired.order_id
    );
    counts := skedchange.add_counts(counts, skedchange.delete_cases_of(expired.source, expired.order_id));
  end loop;
  return counts;
end
$function$;
grant execute on function skedchange.delete_expired_cases(before timestamp with time zone, batch integer) to skedchange_service;

create or replace function skedchange.delete_quarantined_bodies(of_source text, ids uuid[])
 returns integer
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  deleted integer;
begin
  update skedchange.notifications
    set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = 'erasure',
      problem = problem || '{"path": "", "message": ""}'
    where id = any (ids) and source = of_source and state = 'quarantined' and body_deleted_at is null;
  get diagnostics deleted = row_count;
  return deleted;
end
$function$;

create or replace function skedchange.drop_discard_note()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  new.discard_note := null;
  return new;
end
$function$;

create or replace function skedchange.ensure_notification_partitions(first_day date, months integer)
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  month_start date;
  made integer := 0;
  partition_name text;
  lower_bound text;
  upper_bound text;
begin
  if months not between 1 and 120 then
    raise exception 'months must be 1 to 120, not %', months using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtext('skedchange.ensure_notification_partitions'));
  for i in 0 .. months - 1 loop
    month_start := (date_trunc('month', first_day::timestamp) + make_interval(months => i))::date;
    partition_name := 'notifications_' || to_char(month_start, 'YYYY_MM');
    continue when to_regclass('skedchange.' || partition_name) is not null;
    lower_bound := month_start::text || ' 00:00:00+00';
    upper_bound := (month_start + interval '1 month')::date::text || ' 00:00:00+00';
    -- Nothing may land in the default partition between the move and the attachment, which would then be refused.
    lock table skedchange.notifications in share row exclusive mode;
    execute format('create table skedchange.%I (like skedchange.notifications including all)', partition_name);
    execute format(
      'with moved as (
         delete from skedchange.notifications_default where received_at >= %L and received_at < %L returning *
       ) insert into skedchange.%I select * from moved',
      lower_bound, upper_bound, partition_name);
    execute format(
      'alter table skedchange.notifications attach partition skedchange.%I for values from (%L) to (%L)',
      partition_name, lower_bound, upper_bound);
    made := made + 1;
  end loop;
  return made;
end
$function$;
grant execute on function skedchange.ensure_notification_partitions(first_day date, months integer) to skedchange_service;

create or replace function skedchange.erase_order(of_source text, of_order text, who text, at timestamp with time zone, quarantined uuid[])
 returns jsonb
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  ids uuid[];
  one uuid;
  counts jsonb := '{}';
  deleted integer;
begin
  perform 1 from skedchange.orders o where o.source = of_source and o.order_id = of_order for update;
  if exists (select from skedchange.erasure_blockers(of_source, of_order)) then
    raise exception 'order % of source % is still worked on', of_order, of_source
      using errcode = 'object_in_use', constraint = 'erasures_wait_for_work';
  end if;
  ids := array(select c.id from skedchange.cases c where c.source = of_source and c.order_id = of_order order by c.opened_at, c.id);
  foreach one in array ids loop
    counts := skedchange.add_counts(counts, skedchange.delete_case_bodies(one, 'infinity', 'erasure', who));
  end loop;

  perform set_config('skedchange.deleting', 'on', true);
  -- Facts, and sentences about them, may quote what could not be understood.
  update skedchange.decisions d
    set facts = null, trace = null, inputs = null, legal = null, reasons = skedchange.reasons_without_texts(d.reasons),
      document = null, document_encoding = null, document_bytes = null, key_id = null
    where d.case_id = any (ids);
  update skedchange.tasks t set reasons = skedchange.reasons_without_texts(t.reasons) where t.case_id = any (ids);
  update skedchange.cases set headline = null where id = any (ids);
  update skedchange.bulk_actions a set command = a.command - 'note'
    where a.command ? 'note' and exists (
      select from skedchange.bulk_action_cases b where b.bulk_action_id = a.id and b.case_id = any (ids)
    );
  update skedchange.bulk_action_cases set message = null where case_id = any (ids) and message is not null;

  delete from skedchange.event_attempts where delivery_id in (
    select d.id from skedchange.event_deliveries d join skedchange.event_bodies b on b.id = d.body_id where b.case_id = any (ids)
  );
  delete from skedchange.event_deliveries d using skedchange.event_bodies b where b.id = d.body_id and b.case_id = any (ids);
  delete from skedchange.event_bodies where case_id = any (ids);
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('events', deleted);
  delete from skedchange.event_lanes l where l.order_id = of_order and (l.leased_until is null or l.leased_until < now())
    and not exists (select from skedchange.event_deliveries d where d.order_id = of_order and d.recipient_id = l.recipient_id);

  delete from skedchange.order_status_views where source = of_source and order_id = of_order;
  get diagnostics deleted = row_count;
  counts := counts || jsonb_build_object('polledStatusViews', deleted);
  update skedchange.orders set next_poll_at = null, poll_ended = 'erased' where source = of_source and order_id = of_order;

  counts := counts || jsonb_build_object('quarantinedBodies', skedchange.delete_quarantined_bodies(of_source, quarantined));

  insert into skedchange.erasures (source, order_id, erased_at, erased_by, counts)
    values (of_source, of_order, coalesce(at, now()), who, counts);
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$function$;
grant execute on function skedchange.erase_order(of_source text, of_order text, who text, at timestamp with time zone, quarantined uuid[]) to skedchange_service;

create or replace function skedchange.erase_quarantined(of_source text, of_notification uuid, who text, at timestamp with time zone)
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  deleted integer := skedchange.delete_quarantined_bodies(of_source, array[of_notification]);
begin
  if deleted > 0 then
    insert into skedchange.erasures (source, notification_id, erased_at, erased_by, counts)
      values (of_source, of_notification, coalesce(at, now()), who, jsonb_build_object('quarantinedBodies', deleted));
  end if;
  return deleted;
end
$function$;
grant execute on function skedchange.erase_quarantined(of_source text, of_notification uuid, who text, at timestamp with time zone) to skedchange_service;

create or replace function skedchange.erasure_blockers(of_source text, of_order text)
 returns table(code text, about text)
 language sql
 stable
as $function$
  select case when c.state in ('done', 'resolved-elsewhere', 'closed') then 'case-due' else 'case-open' end, c.id::text
    from skedchange.cases c
    where c.source = of_source and c.order_id = of_order
      and (c.state not in ('done', 'resolved-elsewhere', 'closed') or c.due_at is not null)
  union all
  select 'effect-live', e.id::text from skedchange.effects e
    where e.source = of_source and e.order_id = of_order and e.state in ('planned', 'sent', 'unknown')
  union all
  select 'task-open', t.id::text from skedchange.tasks t join skedchange.cases c on c.id = t.case_id
    where c.source = of_source and c.order_id = of_order and t.closed_at is null
  union all
  select 'order-leased', o.order_id from skedchange.orders o
    where o.source = of_source and o.order_id = of_order and o.leased_until > now()
  union all
  select 'notification-pending', g.notification_id::text from skedchange.notification_digests g
    where g.source = of_source and g.pending_since is not null
      and (g.pending_orders @> jsonb_build_array(jsonb_build_object('orderId', of_order))
        or g.notification_id in (select n.id from skedchange.notifications_of(of_source, of_order) n))
  union all
  select 'notification-shared', n.id::text from skedchange.notifications_of(of_source, of_order) n
    where exists (
      select from skedchange.case_notifications j join skedchange.cases other on other.id = j.case_id
      where j.notification_id = n.id and (other.source, other.order_id) <> (of_source, of_order)
        and not skedchange.is_over(other.source, other.order_id, 'infinity')
    )
  union all
  select distinct 'event-being-delivered', l.recipient_id::text
    from skedchange.event_lanes l
    join skedchange.event_deliveries d on d.recipient_id = l.recipient_id and d.order_id = l.order_id
    join skedchange.event_bodies b on b.id = d.body_id
    where l.order_id = of_order and b.source = of_source and l.leased_until > now()
$function$;

create or replace function skedchange.expired_cases(before timestamp with time zone)
 returns table(id uuid, source text, order_id text, opened_at timestamp with time zone)
 language sql
 stable
as $function$
  select c.id, c.source, c.order_id, c.opened_at from skedchange.cases c
  where c.closed_at is not null and c.opened_at < before and c.updated_at < before
    and skedchange.is_over(c.source, c.order_id, before)
    and not exists (
      select from skedchange.cases other
      where other.source = c.source and other.order_id = c.order_id and other.departure_at >= before
    ) and not exists (
      select from skedchange.event_bodies b join skedchange.cases other on other.id = b.case_id
      where other.source = c.source and other.order_id = c.order_id and (b.routed_at is null or exists (
        select from skedchange.event_deliveries d where d.body_id = b.id and d.state = 'pending'
      ))
    ) and not exists (
      select from skedchange.orders o where o.source = c.source and o.order_id = c.order_id and o.next_poll_at is not null
    )
$function$;

create or replace function skedchange.forget_names()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  update skedchange.case_search set name_tokens = null, token_key = null where case_id = new.id and name_tokens is not null;
  return null;
end
$function$;

create or replace function skedchange.forget_password_proof()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if new.password_proof is not distinct from old.password_proof then
    new.password_proof := null;
  end if;
  return new;
end
$function$;

create or replace function skedchange.is_deleting()
 returns boolean
 language sql
 stable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select coalesce(current_setting('skedchange.deleting', true), '') = 'on'
    and has_table_privilege(current_user, 'skedchange.case_events', 'DELETE')
$function$;
grant execute on function skedchange.is_deleting() to skedchange_service;

create or replace function skedchange.is_encrypted_note(note text)
 returns boolean
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select note ~ '^skedchange:note:1:[A-Za-z0-9_-]{43}:[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+$'
$function$;

create or replace function skedchange.is_notification_over(of_notification uuid, before timestamp with time zone)
 returns boolean
 language sql
 stable
as $function$
  select not exists (
    select from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
    where j.notification_id = of_notification and not skedchange.is_over(c.source, c.order_id, before)
  )
$function$;

create or replace function skedchange.is_over(of_source text, of_order text, before timestamp with time zone)
 returns boolean
 language sql
 stable
as $function$
  select not exists (
      select from skedchange.cases c
      where c.source = of_source and c.order_id = of_order
        and (c.state not in ('done', 'resolved-elsewhere', 'closed') or c.due_at is not null or c.updated_at >= before)
    ) and not exists (
      select from skedchange.effects e
      where e.source = of_source and e.order_id = of_order and e.state in ('planned', 'sent', 'unknown')
    ) and not exists (
      select from skedchange.tasks t join skedchange.cases c on c.id = t.case_id
      where c.source = of_source and c.order_id = of_order and (t.closed_at is null or t.closed_at >= before)
    ) and not exists (
      select from skedchange.orders o where o.source = of_source and o.order_id = of_order and o.leased_until > now()
    ) and not exists (
      select from skedchange.cases c
      join skedchange.case_notifications j on j.case_id = c.id
      join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
      join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest
      where c.source = of_source and c.order_id = of_order and g.pending_since is not null
    )
$function$;

create or replace function skedchange.leave_token_out()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  new.token_id := null;
  return new;
end
$function$;

create or replace function skedchange.name_acting_token()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  new.refs := new.refs
    || jsonb_strip_nulls(jsonb_build_object('actorToken', nullif(current_setting('skedchange.token_id', true), '')));
  return new;
end
$function$;

create or replace function skedchange.note_nothing()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$ begin return null; end $function$;

create or replace function skedchange.notifications_of(of_source text, of_order text)
 returns table(id uuid, received_at timestamp with time zone, source text, digest bytea)
 language sql
 stable
as $function$
  select distinct n.id, n.received_at, n.source, n.digest
  from skedchange.cases c
  join skedchange.case_notifications j on j.case_id = c.id
  join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
  where c.source = of_source and c.order_id = of_order
$function$;

create or replace function skedchange.reasons_without_texts(reasons jsonb)
 returns jsonb
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select coalesce(jsonb_agg(jsonb_build_object('code', reason -> 'code', 'text', '') order by place), '[]')
  from jsonb_array_elements(case jsonb_typeof(reasons) when 'array' then reasons else '[]' end)
    with ordinality as listed (reason, place)
$function$;

create or replace function skedchange.refuse_changing_audit()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'the audit is only ever added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$function$;

create or replace function skedchange.refuse_changing_mark_set()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'the marks % are kept as they are', old.version
    using errcode = 'check_violation', constraint = 'member_mark_sets_never_change';
end
$function$;

create or replace function skedchange.refuse_changing_policy()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'policy version % is kept as it is', old.version
    using errcode = 'check_violation', constraint = 'policy_versions_never_change';
end
$function$;

create or replace function skedchange.refuse_effect_without_new_decision()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if not exists (
    select from skedchange.decisions d
    where d.id = new.decision_id and d.decided_by not like 'person:%' and d.xmin = pg_current_xact_id()::xid
  ) then
    raise exception 'effect % must start as planned: its decision % was made before, or by a person', new.id, new.decision_id
      using errcode = 'check_violation', constraint = 'effects_begin_with_their_decision';
  end if;
  return null;
end
$function$;

create or replace function skedchange.refuse_other_second_factor()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if new.proven_at is not distinct from old.proven_at
    and new.last_step >= coalesce(old.last_step, new.last_step)
    and (new.secret = old.secret or skedchange.is_deleting()) then
    return new;
  end if;
  raise exception 'the second factor of user % is proven and stays as it is', old.user_id using errcode = 'check_violation';
end
$function$;

create or replace function skedchange.refuse_reviving_key()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'signing key % is retired and cannot be changed', old.kid
    using errcode = 'check_violation', constraint = tg_name;
end
$function$;

create or replace function skedchange.refuse_rewriting_history()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception '% of % is history and cannot be changed', old.id, tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$function$;

create or replace function skedchange.refuse_unknown_case_transition()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if not exists (
    select from skedchange.case_transitions t where t.from_state = old.state and t.to_state = new.state
  ) then
    raise exception 'case % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'cases_transition_is_allowed';
  end if;
  return new;
end
$function$;

create or replace function skedchange.refuse_unknown_effect_transition()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if not exists (
    select from skedchange.effect_transitions t where t.from_state = old.state and t.to_state = new.state
  ) then
    raise exception 'effect % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'effects_transition_is_allowed';
  end if;
  return new;
end
$function$;

create or replace function skedchange.refuse_unknown_first_case_state()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if new.state <> 'received' then
    raise exception 'case % must start as received, not %', new.id, new.state
      using errcode = 'check_violation', constraint = 'cases_start_as_received';
  end if;
  return new;
end
$function$;

create or replace function skedchange.refuse_unknown_first_effect_state()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if new.state <> 'planned' and not (new.state = 'sent' and new.is_automatic) then
    raise exception 'effect % must start as planned, not %', new.id, new.state
      using errcode = 'check_violation', constraint = 'effects_start_as_planned';
  end if;
  return new;
end
$function$;

create or replace function skedchange.refuse_young(before timestamp with time zone)
 returns void
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if before is null or before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
end
$function$;

create or replace function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
 returns setof text
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.notifications.body', 'skedchange.notifications', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.status_views.body', 'skedchange.status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.document_views.body', 'skedchange.document_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.order_status_views.body', 'skedchange.order_status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.effects.answer', 'skedchange.effects', 'id', 'uuid', 'answer', 'answer_encoding', 'key_id', true),
    ('skedchange.decisions.document', 'skedchange.decisions', 'id', 'uuid', 'document', 'document_encoding', 'key_id', false),
    ('gateway.ocn_bodies.body', 'gateway.ocn_bodies', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.signing_keys.private_key', 'skedchange.signing_keys', 'kid', 'text', 'private_key', 'private_key_encoding', 'key_id', false),
    ('gateway.recipients.credential', 'gateway.recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('gateway.recipients.signing_secrets', 'gateway.recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('gateway.recipients.client_certificate', 'gateway.recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.event_recipients.credential', 'skedchange.event_recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('skedchange.event_recipients.signing_secrets', 'skedchange.event_recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.notice_rules.webhook', 'skedchange.notice_rules', 'id', 'uuid', 'webhook', 'webhook_encoding', 'key_id', false),
    ('skedchange.second_factors.secret', 'skedchange.second_factors', 'user_id', 'uuid', 'secret', 'secret_encoding', 'key_id', false)
  ) as known (name, table_name, id, id_type, bytes, encoding, key, is_marked) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true), set_config('skedchange.actor', 'reencryption', true);
  return query execute format(
    'update %1$s t set %2$I = new.becomes, %3$I = $4 %4$s
     from unnest($1, $2, $3) as new (id, was, becomes)
     where t.%5$I = new.id::%6$s and t.%7$I in (''gzip'', ''deflate-against-notification'') and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$function$;

create or replace function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
 returns setof text
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.case_events.detail', 'skedchange.case_events', 'bigint', 'detail', true),
    ('skedchange.bulk_actions.command', 'skedchange.bulk_actions', 'uuid', 'command', true),
    ('skedchange.decisions.note', 'skedchange.decisions', 'uuid', 'note', false),
    ('skedchange.approvals.note', 'skedchange.approvals', 'uuid', 'note', false),
    ('skedchange.notifications.discard_note', 'skedchange.notifications', 'uuid', 'discard_note', false),
    ('skedchange.tasks.note', 'skedchange.tasks', 'uuid', 'note', false),
    ('skedchange.traveller_contacts.note', 'skedchange.traveller_contacts', 'uuid', 'note', false)
  ) as known (name, table_name, id_type, note, is_json) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true);
  return query execute format(
    case when place.is_json
      then 'update %1$s t set %2$I = jsonb_set(t.%2$I, ''{note}'', to_jsonb(new.becomes))
        from unnest($1, $2, $3) as new (id, was, becomes)
        where t.id = new.id::%3$s and t.%2$I ->> ''note'' = new.was'
      else 'update %1$s t set %2$I = new.becomes
        from unnest($1, $2, $3) as new (id, was, becomes)
        where t.id = new.id::%3$s and t.%2$I = new.was'
      end || ' and skedchange.is_encrypted_note(new.becomes) and (not skedchange.is_encrypted_note(new.was)
        or skedchange.audited_text(new.becomes) = skedchange.audited_text(new.was)) returning t.id::text',
    place.table_name, place.note, place.id_type
  ) using ids, was, becomes;
  perform set_config('skedchange.deleting', 'off', true);
end
$function$;

create or replace function skedchange.results_without_texts(results jsonb)
 returns jsonb
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select jsonb_agg(result || '{"errorMessage": "", "refundText": null}' order by place)
  from jsonb_array_elements(case jsonb_typeof(results) when 'array' then results else '[]' end)
    with ordinality as listed (result, place)
$function$;

create or replace function skedchange.seal_audit_entries(batch integer)
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  before skedchange.audit_progress;
  newest_id bigint;
  writers text[];
  final_id bigint;
  block skedchange.audit_blocks;
begin
  if batch not between 1 and 10000 then
    raise exception 'batch must be 1 to 10000, not %', batch using errcode = 'invalid_parameter_value';
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'entries are sealed by what is committed now, not when a transaction began'
      using errcode = 'invalid_transaction_state';
  end if;
  -- Released after the block is visible to whoever takes it next.
  if not pg_try_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0)) then
    return 0;
  end if;
  select * into before from skedchange.audit_progress;
  select max(id) into newest_id from skedchange.audit_entries;
  if newest_id is null or newest_id <= before.last_id then
    return 0;
  end if;

  -- Only now. Whoever has drawn an id up to the newest locked the table before, until it is visible what became of it.
  writers := array(
    select l.virtualtransaction from pg_locks l
    where l.locktype = 'relation' and l.relation = 'skedchange.audit_entries'::regclass and l.mode = 'RowExclusiveLock'
      and l.database = (select d.oid from pg_database d where d.datname = current_database()) and l.granted
  );
  final_id := case
    when writers = '{}' then newest_id
    -- A prepared transaction is known by another name after a restart.
    when not before.seen_writers && writers and not exists (select from unnest(writers) w where w like '-1/%')
      then before.seen_id
    else before.last_id
  end;
  select before.number + 1, max(e.id), count(*), sha256(before.hash || string_agg(e.canonical, '' order by e.id)), now()
    into block
    from (
      select e.id, convert_to(skedchange.audit_canonical(e), 'UTF8') as canonical from skedchange.audit_entries e
      where e.id > before.last_id and e.id <= final_id order by e.id limit batch
    ) e;
  if block.entries > 0 then
    insert into skedchange.audit_blocks select block.*;
    update skedchange.audit_progress set number = block.number, last_id = block.last_id, hash = block.hash;
  end if;
  if block.entries < batch and final_id >= before.seen_id then
    update skedchange.audit_progress set seen_id = newest_id, seen_writers = writers;
  end if;
  return block.entries;
end
$function$;
grant execute on function skedchange.seal_audit_entries(batch integer) to skedchange_service;

create or replace function skedchange.searched_ids(order_id text, gds_booking_references text[])
 returns text
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select upper(order_id || ' ' || array_to_string(gds_booking_references, ' '))
$function$;

create or replace function skedchange.tell_of_case()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if tg_op = 'INSERT' then
    perform skedchange.add_event('case.opened', 'case.opened/' || new.id, new.id, '{}');
    return null;
  end if;
  if old.overdue_at is null and new.overdue_at is not null then
    perform skedchange.add_event('case.overdue', 'case.overdue/' || new.id || '/' || extract(epoch from new.overdue_at),
      new.id, '{}');
  end if;
  if new.state is distinct from old.state then
    if new.state = 'done' then
      perform skedchange.add_event('case.done', 'case.done/' || new.id, new.id, '{}');
    elsif new.state in ('closed', 'resolved-elsewhere') then
      perform skedchange.add_event('case.closed', 'case.closed/' || new.id, new.id, '{}');
    end if;
  end if;
  return null;
end
$function$;

create or replace function skedchange.tell_of_decision()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  perform skedchange.add_event('case.decided', 'case.decided/' || new.id, new.case_id,
    jsonb_build_object('decisionId', new.id));
  return null;
end
$function$;

create or replace function skedchange.tell_of_effect()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  -- An accept that is sent once more may become unknown once more.
  perform skedchange.add_event('effect.' || new.state, 'effect.' || new.state || '/' || new.id || '/' || new.sends,
    new.case_id, jsonb_build_object('decisionId', new.decision_id, 'effectId', new.id));
  return null;
end
$function$;

create or replace function skedchange.tell_of_task()
 returns trigger
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  perform skedchange.add_event('task.opened', 'task.opened/' || new.id, new.case_id,
    jsonb_build_object('taskId', new.id));
  return null;
end
$function$;

create or replace function skedchange.without_texts(detail jsonb)
 returns jsonb
 language sql
 immutable
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
  select coalesce(jsonb_object_agg(key, case jsonb_typeof(value) when 'object' then jsonb_build_object('code', value -> 'code') else value end), '{}')
  from jsonb_each(case jsonb_typeof(detail) when 'object' then detail else '{}' end)
  where key in ('gdsBookingReferences', 'refunds')
    or (key = 'error' and jsonb_typeof(value) = 'object')
    or jsonb_typeof(value) in ('number', 'boolean', 'null')
    or (key not in ('note', 'message') and jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$')
$function$;

-- schema gateway -----------------------------------------------------------------------------------------------------

grant usage on schema gateway to skedchange_service;

create table gateway.attempts (
  id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamp with time zone not null,
  lease_fence bigint not null,
  outcome text,
  http_status integer,
  error_code text,
  answer_excerpt text,
  duration_ms integer,
  error_message text,
  timings jsonb,
  constraint attempts_pkey primary key (id),
  constraint attempts_number_unique unique (delivery_id, number),
  constraint attempts_error_message_length check ((char_length(error_message) <= 1000)),
  constraint attempts_excerpt_length check ((char_length(answer_excerpt) <= 2048)),
  constraint attempts_outcome_is_complete check (((outcome is null) = (duration_ms is null))),
  constraint attempts_outcome_is_known check ((outcome = any (array['delivered'::text, 'refused'::text, 'failed'::text]))),
  constraint attempts_delivery_fkey foreign key (delivery_id) references gateway.deliveries(id)
);
create trigger attempts_end_once before update on gateway.attempts for each row when ((old.outcome is not null)) execute function gateway.refuse_changing_attempt();
grant insert, select on gateway.attempts to skedchange_service;
grant update (outcome, http_status, error_code, answer_excerpt, duration_ms, error_message, timings) on gateway.attempts to skedchange_service;

create table gateway.changes (
  id uuid not null,
  order_id text not null,
  kind text not null,
  segments json not null,
  gds_booking_references text[] not null,
  announcement text not null,
  deliveries integer not null,
  caused_at timestamp with time zone not null,
  constraint changes_pkey primary key (id),
  constraint changes_announced_has_deliveries check (((announcement = 'announced'::text) = (deliveries > 0))),
  constraint changes_announcement_is_known check ((announcement = any (array['announced'::text, 'no-recipient'::text, 'not-announced'::text]))),
  constraint changes_kind_is_known check ((kind = any (array['retime'::text, 'duration'::text, 'renumber'::text, 'carrier'::text, 'airport'::text, 'terminal'::text, 'aircraft'::text, 'stops'::text, 'fare'::text, 'downgrade'::text, 'replace'::text, 'cancel'::text, 'restore'::text, 'combined'::text, 'loaded'::text, 'order-view'::text]))),
  constraint changes_order_fkey foreign key (order_id) references gateway.orders(order_id)
);
create index changes_by_order on gateway.changes using btree (order_id, caused_at);
grant insert, select on gateway.changes to skedchange_service;

create table gateway.deliveries (
  id uuid not null,
  position bigint generated always as identity,
  ocn_id uuid not null,
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending'::text,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  failures integer not null default 0,
  first_tried_at timestamp with time zone,
  dead_reason jsonb,
  replay_of uuid,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  superseded_by uuid,
  constraint deliveries_pkey primary key (id),
  constraint deliveries_position_unique unique ("position"),
  constraint deliveries_dead_says_why check (((state = 'dead'::text) = (dead_reason is not null))),
  constraint deliveries_finish_is_dated check (((state = 'pending'::text) = (finished_at is null))),
  constraint deliveries_state_is_known check ((state = any (array['pending'::text, 'delivered'::text, 'dead'::text, 'superseded'::text]))),
  constraint deliveries_superseded_says_by_what check (((state = 'superseded'::text) = (superseded_by is not null))),
  constraint deliveries_lane_fkey foreign key (recipient_id, order_id) references gateway.lanes(recipient_id, order_id),
  constraint deliveries_ocn_fkey foreign key (ocn_id) references gateway.ocn_bodies(id),
  constraint deliveries_replay_fkey foreign key (replay_of) references gateway.deliveries(id),
  constraint deliveries_superseded_by_fkey foreign key (superseded_by) references gateway.deliveries(id)
);
alter table gateway.deliveries set (fillfactor=85);
create index deliveries_by_body on gateway.deliveries using btree (ocn_id);
create index deliveries_by_finish on gateway.deliveries using btree (finished_at) where (state = any (array['delivered'::text, 'superseded'::text]));
create index deliveries_by_order on gateway.deliveries using btree (order_id, "position");
create index deliveries_by_order_beginning on gateway.deliveries using btree (upper(order_id) text_pattern_ops, "position");
create index deliveries_by_original on gateway.deliveries using btree (replay_of) where (replay_of is not null);
create index deliveries_by_recipient on gateway.deliveries using btree (recipient_id, "position");
create index deliveries_by_state on gateway.deliveries using btree (state, "position");
create index deliveries_by_superseder on gateway.deliveries using btree (superseded_by) where (superseded_by is not null);
create unique index deliveries_once_per_recipient on gateway.deliveries using btree (ocn_id, recipient_id) where (replay_of is null);
create index deliveries_pending_by_lane on gateway.deliveries using btree (recipient_id, order_id, "position") where (state = 'pending'::text);
create trigger deliveries_end_once before update on gateway.deliveries for each row when ((old.state <> 'pending'::text)) execute function gateway.refuse_reviving_delivery();
grant insert, select on gateway.deliveries to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at, superseded_by) on gateway.deliveries to skedchange_service;

create table gateway.delivery_turns (
  is_only boolean not null default true,
  turn bigint not null default 0,
  constraint delivery_turns_pkey primary key (is_only),
  constraint delivery_turns_is_only_check check (is_only)
);
grant select on gateway.delivery_turns to skedchange_service;
grant update (turn) on gateway.delivery_turns to skedchange_service;

create table gateway.journal (
  id bigint generated always as identity,
  operation text not null,
  order_id text,
  gds_booking_references text[] not null,
  result text not null,
  error_code text,
  change_id uuid,
  order_version integer,
  at timestamp with time zone not null,
  constraint journal_pkey primary key (id),
  constraint journal_result_is_known check ((result = any (array['SUCCESS'::text, 'FAILED'::text, 'MIXED'::text, 'ERROR'::text])))
);
create index journal_by_order on gateway.journal using btree (order_id, id);
grant insert, select on gateway.journal to skedchange_service;

create table gateway.lanes (
  recipient_id uuid not null,
  order_id text not null,
  due_at timestamp with time zone,
  lease_fence bigint not null default 0,
  leased_until timestamp with time zone,
  leased_by text,
  dispatched_until timestamp with time zone,
  is_retry boolean not null default false,
  constraint lanes_pkey primary key (recipient_id, order_id),
  constraint lanes_recipient_fkey foreign key (recipient_id) references gateway.recipients(id)
);
create index lanes_dispatched on gateway.lanes using btree (recipient_id) where (dispatched_until is not null);
create index lanes_due on gateway.lanes using btree (recipient_id, due_at) where (due_at is not null);
create index lanes_leased_until on gateway.lanes using btree (recipient_id, leased_until) where (leased_until is not null);
grant insert, select on gateway.lanes to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry) on gateway.lanes to skedchange_service;

create table gateway.ocn_bodies (
  id uuid not null,
  change_id text not null,
  order_id text not null,
  airline text not null,
  publish_key text not null,
  digest bytea not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamp with time zone not null,
  is_bound boolean not null default false,
  traceparent text,
  agency_id text,
  constraint ocn_bodies_pkey primary key (id),
  constraint ocn_bodies_publish_key_unique unique (publish_key),
  constraint ocn_bodies_agency_is_short check (((length(agency_id) >= 1) and (length(agency_id) <= 100))),
  constraint ocn_bodies_digest_is_sha256 check ((octet_length(digest) = 32))
);
alter table gateway.ocn_bodies alter column body set storage external;
create index ocn_bodies_by_age on gateway.ocn_bodies using btree (created_at, id);
create index ocn_bodies_by_order on gateway.ocn_bodies using btree (order_id, created_at);
grant insert, select on gateway.ocn_bodies to skedchange_service;

create table gateway.order_flights (
  order_id text not null,
  segment_key text not null,
  carrier text not null,
  flight_number text not null,
  departure_date text not null,
  constraint order_flights_pkey primary key (carrier, flight_number, departure_date, order_id, segment_key),
  constraint order_flights_order_fkey foreign key (order_id) references gateway.orders(order_id)
);
create index order_flights_by_order on gateway.order_flights using btree (order_id);
grant delete, insert, select on gateway.order_flights to skedchange_service;

create table gateway.order_references (
  order_id text not null,
  gds_booking_reference text not null,
  position smallint not null,
  pnr_status text not null,
  schedule_change_indicator boolean not null,
  schedule_change_status text not null,
  flags jsonb,
  constraint order_references_pkey primary key (order_id, gds_booking_reference),
  constraint order_references_position_unique unique (order_id, "position"),
  constraint order_references_pnr_status_is_known check ((pnr_status = any (array[''::text, 'CONFIRMED'::text, 'PENDING'::text, 'MODIFIED'::text, 'CANCELLED'::text, 'SCHEDULE CHANGED'::text, 'FAILED'::text]))),
  constraint order_references_schedule_change_status_is_known check ((schedule_change_status = any (array[''::text, 'Initiated'::text, 'Accepted'::text, 'Rejected'::text, 'Partially-Accepted'::text]))),
  constraint order_references_order_fkey foreign key (order_id) references gateway.orders(order_id)
);
create trigger order_references_transition_is_allowed before update of pnr_status, schedule_change_status on gateway.order_references for each row when (((old.pnr_status is distinct from new.pnr_status) or (old.schedule_change_status is distinct from new.schedule_change_status))) execute function gateway.refuse_unknown_reference_transition();
grant delete, insert, select on gateway.order_references to skedchange_service;
grant update (pnr_status, schedule_change_indicator, schedule_change_status, flags) on gateway.order_references to skedchange_service;

create table gateway.orders (
  order_id text not null,
  owner text not null,
  content json not null,
  open_change_id uuid,
  pending_segments json,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  agency_id text,
  given_view json,
  constraint orders_pkey primary key (order_id),
  constraint orders_agency_is_short check (((length(agency_id) >= 1) and (length(agency_id) <= 100))),
  constraint orders_pending_has_a_change check (((open_change_id is null) = (pending_segments is null))),
  constraint orders_open_change_fkey foreign key (open_change_id) references gateway.changes(id)
);
create trigger orders_keep_flights after insert or update of content on gateway.orders for each row execute function gateway.keep_order_flights();
grant insert, select on gateway.orders to skedchange_service;
grant update (content, open_change_id, pending_segments, version, updated_at, agency_id, given_view) on gateway.orders to skedchange_service;

create table gateway.recipients (
  id uuid not null,
  name text not null,
  url text not null,
  auth_type text not null,
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active'::text,
  state_reason jsonb,
  state_changed_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ordering text not null default 'latest'::text,
  airlines text[],
  acknowledgement text not null default 'required'::text,
  signing_secrets bytea,
  signing_secrets_encoding text,
  signing_secrets_key_id text,
  signing_secret_count integer not null default 0,
  deadline_ms integer,
  lanes_max integer,
  failed_in_row integer not null default 0,
  failing_since timestamp with time zone,
  held_until timestamp with time zone,
  held_because text,
  agency_id text,
  rate_per_second integer,
  paced_until timestamp with time zone,
  client_certificate bytea,
  client_certificate_encoding text,
  client_certificate_key_id text,
  client_certificate_expires_at timestamp with time zone,
  ramp_lanes integer,
  failing_notices integer not null default 0,
  constraint recipients_pkey primary key (id),
  constraint recipients_acknowledgement_is_known check ((acknowledgement = any (array['required'::text, 'any-success'::text]))),
  constraint recipients_agency_id_length check (((char_length(agency_id) >= 1) and (char_length(agency_id) <= 100))),
  constraint recipients_airlines_are_some check ((cardinality(airlines) > 0)),
  constraint recipients_auth_type_is_known check ((auth_type = any (array['basic'::text, 'bearer'::text, 'oauth'::text]))),
  constraint recipients_certificate_is_whole check (((client_certificate is null) = (client_certificate_expires_at is null))),
  constraint recipients_certificate_is_wiped_on_removal check (((state <> 'removed'::text) or (client_certificate is null))),
  constraint recipients_credential_is_wiped_on_removal check (((state = 'removed'::text) = (credential is null))),
  constraint recipients_deadline_bounds check (((deadline_ms >= 1000) and (deadline_ms <= 60000))),
  constraint recipients_hold_is_known check ((held_because = any (array['throttled'::text, 'failing'::text]))),
  constraint recipients_hold_says_why check (((held_until is null) = (held_because is null))),
  constraint recipients_inactive_says_why check (((state = 'active'::text) = (state_reason is null))),
  constraint recipients_lanes_bounds check (((lanes_max >= 1) and (lanes_max <= 64))),
  constraint recipients_name_length check (((char_length(name) >= 1) and (char_length(name) <= 200))),
  constraint recipients_ordering_is_known check ((ordering = any (array['latest'::text, 'every'::text]))),
  constraint recipients_ramp_bounds check (((ramp_lanes >= 1) and (ramp_lanes <= 64))),
  constraint recipients_rate_bounds check (((rate_per_second >= 1) and (rate_per_second <= 1000))),
  constraint recipients_signing_is_whole check (((signing_secrets is null) = (signing_secret_count = 0))),
  constraint recipients_signing_is_wiped_on_removal check (((state <> 'removed'::text) or (signing_secrets is null))),
  constraint recipients_state_is_known check ((state = any (array['active'::text, 'paused'::text, 'disabled'::text, 'removed'::text]))),
  constraint recipients_url_length check (((char_length(url) >= 1) and (char_length(url) <= 2000)))
);
grant insert, select on gateway.recipients to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at, updated_at, ordering, airlines, acknowledgement, signing_secrets, signing_secrets_encoding, signing_secrets_key_id, signing_secret_count, deadline_ms, lanes_max, failed_in_row, failing_since, held_until, held_because, agency_id, rate_per_second, paced_until, client_certificate, client_certificate_encoding, client_certificate_key_id, client_certificate_expires_at, ramp_lanes, failing_notices) on gateway.recipients to skedchange_service;

create table gateway.reference_transitions (
  from_state text not null,
  to_state text not null,
  constraint reference_transitions_pkey primary key (from_state, to_state)
);
grant select on gateway.reference_transitions to skedchange_service;
-- / -> /Partially-Accepted
-- / -> CANCELLED/
-- / -> CANCELLED/Accepted
-- / -> CANCELLED/Initiated
-- / -> CANCELLED/Rejected
-- / -> CONFIRMED/Accepted
-- / -> MODIFIED/
-- / -> PENDING/Accepted
-- / -> SCHEDULE CHANGED/Initiated
-- /Accepted -> /Partially-Accepted
-- /Accepted -> CANCELLED/Accepted
-- /Accepted -> CANCELLED/Initiated
-- /Accepted -> CANCELLED/Rejected
-- /Accepted -> CONFIRMED/Accepted
-- /Accepted -> MODIFIED/Accepted
-- /Accepted -> PENDING/Accepted
-- /Accepted -> SCHEDULE CHANGED/Initiated
-- /Initiated -> /Partially-Accepted
-- /Initiated -> CANCELLED/Accepted
-- /Initiated -> CANCELLED/Initiated
-- /Initiated -> CANCELLED/Rejected
-- /Initiated -> CONFIRMED/Accepted
-- /Initiated -> PENDING/Accepted
-- /Initiated -> SCHEDULE CHANGED/Initiated
-- /Partially-Accepted -> CANCELLED/Accepted
-- /Partially-Accepted -> CANCELLED/Initiated
-- /Partially-Accepted -> CANCELLED/Rejected
-- /Partially-Accepted -> CONFIRMED/Accepted
-- /Partially-Accepted -> PENDING/Accepted
-- /Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- /Rejected -> CANCELLED/Rejected
-- /Rejected -> MODIFIED/Rejected
-- CANCELLED/ -> CANCELLED/Accepted
-- CANCELLED/ -> CANCELLED/Partially-Accepted
-- CANCELLED/ -> CANCELLED/Rejected
-- CANCELLED/ -> CONFIRMED/Accepted
-- CANCELLED/ -> PENDING/Accepted
-- CANCELLED/Accepted -> CANCELLED/Partially-Accepted
-- CANCELLED/Accepted -> CANCELLED/Rejected
-- CANCELLED/Accepted -> CONFIRMED/Accepted
-- CANCELLED/Accepted -> PENDING/Accepted
-- CANCELLED/Initiated -> CANCELLED/Accepted
-- CANCELLED/Initiated -> CANCELLED/Partially-Accepted
-- CANCELLED/Initiated -> CANCELLED/Rejected
-- CANCELLED/Initiated -> CONFIRMED/Accepted
-- CANCELLED/Initiated -> PENDING/Accepted
-- CANCELLED/Initiated -> SCHEDULE CHANGED/Initiated
-- CANCELLED/Partially-Accepted -> CANCELLED/Accepted
-- CANCELLED/Partially-Accepted -> CANCELLED/Initiated
-- CANCELLED/Partially-Accepted -> CANCELLED/Rejected
-- CANCELLED/Partially-Accepted -> CONFIRMED/Accepted
-- CANCELLED/Partially-Accepted -> PENDING/Accepted
-- CANCELLED/Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- CONFIRMED/ -> CANCELLED/
-- CONFIRMED/ -> CANCELLED/Accepted
-- CONFIRMED/ -> CANCELLED/Initiated
-- CONFIRMED/ -> CANCELLED/Rejected
-- CONFIRMED/ -> CONFIRMED/Accepted
-- CONFIRMED/ -> CONFIRMED/Partially-Accepted
-- CONFIRMED/ -> MODIFIED/
-- CONFIRMED/ -> PENDING/
-- CONFIRMED/ -> PENDING/Accepted
-- CONFIRMED/ -> SCHEDULE CHANGED/Initiated
-- CONFIRMED/Accepted -> CANCELLED/Accepted
-- CONFIRMED/Accepted -> CANCELLED/Initiated
-- CONFIRMED/Accepted -> CANCELLED/Rejected
-- CONFIRMED/Accepted -> CONFIRMED/Partially-Accepted
-- CONFIRMED/Accepted -> MODIFIED/Accepted
-- CONFIRMED/Accepted -> PENDING/Accepted
-- CONFIRMED/Accepted -> SCHEDULE CHANGED/Initiated
-- CONFIRMED/Initiated -> CANCELLED/Accepted
-- CONFIRMED/Initiated -> CANCELLED/Initiated
-- CONFIRMED/Initiated -> CANCELLED/Rejected
-- CONFIRMED/Initiated -> CONFIRMED/Accepted
-- CONFIRMED/Initiated -> CONFIRMED/Partially-Accepted
-- CONFIRMED/Initiated -> PENDING/Accepted
-- CONFIRMED/Initiated -> PENDING/Initiated
-- CONFIRMED/Initiated -> SCHEDULE CHANGED/Initiated
-- CONFIRMED/Partially-Accepted -> CANCELLED/Accepted
-- CONFIRMED/Partially-Accepted -> CANCELLED/Initiated
-- CONFIRMED/Partially-Accepted -> CANCELLED/Rejected
-- CONFIRMED/Partially-Accepted -> CONFIRMED/Accepted
-- CONFIRMED/Partially-Accepted -> PENDING/Accepted
-- CONFIRMED/Partially-Accepted -> PENDING/Partially-Accepted
-- CONFIRMED/Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- CONFIRMED/Rejected -> CANCELLED/Rejected
-- CONFIRMED/Rejected -> MODIFIED/Rejected
-- CONFIRMED/Rejected -> PENDING/Rejected
-- FAILED/ -> CANCELLED/Accepted
-- FAILED/ -> CANCELLED/Rejected
-- FAILED/ -> CONFIRMED/Accepted
-- FAILED/ -> FAILED/Partially-Accepted
-- FAILED/ -> PENDING/Accepted
-- FAILED/Accepted -> CANCELLED/Accepted
-- FAILED/Accepted -> CANCELLED/Rejected
-- FAILED/Accepted -> CONFIRMED/Accepted
-- FAILED/Accepted -> FAILED/Partially-Accepted
-- FAILED/Accepted -> PENDING/Accepted
-- FAILED/Initiated -> CANCELLED/Accepted
-- FAILED/Initiated -> CANCELLED/Rejected
-- FAILED/Initiated -> CONFIRMED/Accepted
-- FAILED/Initiated -> FAILED/Partially-Accepted
-- FAILED/Initiated -> PENDING/Accepted
-- FAILED/Partially-Accepted -> CANCELLED/Accepted
-- FAILED/Partially-Accepted -> CANCELLED/Rejected
-- FAILED/Partially-Accepted -> CONFIRMED/Accepted
-- FAILED/Partially-Accepted -> PENDING/Accepted
-- MODIFIED/ -> CANCELLED/
-- MODIFIED/ -> CANCELLED/Accepted
-- MODIFIED/ -> CANCELLED/Initiated
-- MODIFIED/ -> CANCELLED/Rejected
-- MODIFIED/ -> CONFIRMED/Accepted
-- MODIFIED/ -> MODIFIED/Partially-Accepted
-- MODIFIED/ -> PENDING/
-- MODIFIED/ -> PENDING/Accepted
-- MODIFIED/ -> SCHEDULE CHANGED/Initiated
-- MODIFIED/Accepted -> CANCELLED/Accepted
-- MODIFIED/Accepted -> CANCELLED/Initiated
-- MODIFIED/Accepted -> CANCELLED/Rejected
-- MODIFIED/Accepted -> CONFIRMED/Accepted
-- MODIFIED/Accepted -> MODIFIED/Partially-Accepted
-- MODIFIED/Accepted -> PENDING/Accepted
-- MODIFIED/Accepted -> SCHEDULE CHANGED/Initiated
-- MODIFIED/Initiated -> CANCELLED/Accepted
-- MODIFIED/Initiated -> CANCELLED/Initiated
-- MODIFIED/Initiated -> CANCELLED/Rejected
-- MODIFIED/Initiated -> CONFIRMED/Accepted
-- MODIFIED/Initiated -> MODIFIED/Partially-Accepted
-- MODIFIED/Initiated -> PENDING/Accepted
-- MODIFIED/Initiated -> PENDING/Initiated
-- MODIFIED/Initiated -> SCHEDULE CHANGED/Initiated
-- MODIFIED/Partially-Accepted -> CANCELLED/Accepted
-- MODIFIED/Partially-Accepted -> CANCELLED/Initiated
-- MODIFIED/Partially-Accepted -> CANCELLED/Rejected
-- MODIFIED/Partially-Accepted -> CONFIRMED/Accepted
-- MODIFIED/Partially-Accepted -> PENDING/Accepted
-- MODIFIED/Partially-Accepted -> PENDING/Partially-Accepted
-- MODIFIED/Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- MODIFIED/Rejected -> CANCELLED/Rejected
-- MODIFIED/Rejected -> PENDING/Rejected
-- PENDING/ -> CANCELLED/
-- PENDING/ -> CANCELLED/Accepted
-- PENDING/ -> CANCELLED/Initiated
-- PENDING/ -> CANCELLED/Rejected
-- PENDING/ -> CONFIRMED/Accepted
-- PENDING/ -> FAILED/
-- PENDING/ -> MODIFIED/
-- PENDING/ -> PENDING/Accepted
-- PENDING/ -> PENDING/Partially-Accepted
-- PENDING/ -> SCHEDULE CHANGED/Initiated
-- PENDING/Accepted -> CANCELLED/Accepted
-- PENDING/Accepted -> CANCELLED/Initiated
-- PENDING/Accepted -> CANCELLED/Rejected
-- PENDING/Accepted -> CONFIRMED/Accepted
-- PENDING/Accepted -> FAILED/Accepted
-- PENDING/Accepted -> MODIFIED/Accepted
-- PENDING/Accepted -> PENDING/Partially-Accepted
-- PENDING/Accepted -> SCHEDULE CHANGED/Initiated
-- PENDING/Initiated -> CANCELLED/Accepted
-- PENDING/Initiated -> CANCELLED/Initiated
-- PENDING/Initiated -> CANCELLED/Rejected
-- PENDING/Initiated -> CONFIRMED/Accepted
-- PENDING/Initiated -> PENDING/Accepted
-- PENDING/Initiated -> PENDING/Partially-Accepted
-- PENDING/Initiated -> SCHEDULE CHANGED/Initiated
-- PENDING/Partially-Accepted -> CANCELLED/Accepted
-- PENDING/Partially-Accepted -> CANCELLED/Initiated
-- PENDING/Partially-Accepted -> CANCELLED/Rejected
-- PENDING/Partially-Accepted -> CONFIRMED/Accepted
-- PENDING/Partially-Accepted -> PENDING/Accepted
-- PENDING/Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- PENDING/Rejected -> CANCELLED/Rejected
-- PENDING/Rejected -> FAILED/Rejected
-- PENDING/Rejected -> MODIFIED/Rejected
-- SCHEDULE CHANGED/ -> CANCELLED/
-- SCHEDULE CHANGED/ -> CANCELLED/Accepted
-- SCHEDULE CHANGED/ -> CANCELLED/Initiated
-- SCHEDULE CHANGED/ -> CANCELLED/Rejected
-- SCHEDULE CHANGED/ -> CONFIRMED/Accepted
-- SCHEDULE CHANGED/ -> PENDING/Accepted
-- SCHEDULE CHANGED/ -> SCHEDULE CHANGED/Initiated
-- SCHEDULE CHANGED/ -> SCHEDULE CHANGED/Partially-Accepted
-- SCHEDULE CHANGED/Accepted -> CANCELLED/Accepted
-- SCHEDULE CHANGED/Accepted -> CANCELLED/Initiated
-- SCHEDULE CHANGED/Accepted -> CANCELLED/Rejected
-- SCHEDULE CHANGED/Accepted -> CONFIRMED/Accepted
-- SCHEDULE CHANGED/Accepted -> PENDING/Accepted
-- SCHEDULE CHANGED/Accepted -> SCHEDULE CHANGED/Initiated
-- SCHEDULE CHANGED/Accepted -> SCHEDULE CHANGED/Partially-Accepted
-- SCHEDULE CHANGED/Initiated -> CANCELLED/Accepted
-- SCHEDULE CHANGED/Initiated -> CANCELLED/Initiated
-- SCHEDULE CHANGED/Initiated -> CANCELLED/Rejected
-- SCHEDULE CHANGED/Initiated -> CONFIRMED/Accepted
-- SCHEDULE CHANGED/Initiated -> PENDING/Accepted
-- SCHEDULE CHANGED/Initiated -> SCHEDULE CHANGED/Partially-Accepted
-- SCHEDULE CHANGED/Partially-Accepted -> CANCELLED/Accepted
-- SCHEDULE CHANGED/Partially-Accepted -> CANCELLED/Initiated
-- SCHEDULE CHANGED/Partially-Accepted -> CANCELLED/Rejected
-- SCHEDULE CHANGED/Partially-Accepted -> CONFIRMED/Accepted
-- SCHEDULE CHANGED/Partially-Accepted -> PENDING/Accepted
-- SCHEDULE CHANGED/Partially-Accepted -> SCHEDULE CHANGED/Initiated
-- SCHEDULE CHANGED/Rejected -> CANCELLED/Rejected

create table gateway.refunds (
  order_id text not null,
  ticket_number text not null,
  gds_booking_reference text not null,
  change_id uuid not null,
  amount numeric not null,
  currency text not null,
  refunded_at timestamp with time zone not null,
  constraint refunds_pkey primary key (order_id, ticket_number),
  constraint refunds_amount_is_not_negative check ((amount >= (0)::numeric)),
  constraint refunds_change_fkey foreign key (change_id) references gateway.changes(id),
  constraint refunds_ticket_fkey foreign key (order_id, ticket_number) references gateway.tickets(order_id, ticket_number)
);
grant insert, select on gateway.refunds to skedchange_service;

create table gateway.replays (
  id uuid not null,
  filter jsonb not null,
  force boolean not null,
  state text not null default 'running'::text,
  up_to_position bigint not null,
  position bigint not null default 0,
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint replays_pkey primary key (id),
  constraint replays_finish_is_dated check (((state = 'running'::text) = (finished_at is null))),
  constraint replays_state_is_known check ((state = any (array['running'::text, 'finished'::text, 'cancelled'::text])))
);
create index replays_running on gateway.replays using btree (id) where (state = 'running'::text);
grant insert, select on gateway.replays to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on gateway.replays to skedchange_service;

create table gateway.settlements (
  change_id uuid not null,
  gds_booking_reference text not null,
  outcome text not null,
  settled_at timestamp with time zone not null,
  constraint settlements_pkey primary key (change_id, gds_booking_reference),
  constraint settlements_outcome_is_known check ((outcome = any (array['accepted'::text, 'rejected'::text, 'cancelled'::text]))),
  constraint settlements_change_fkey foreign key (change_id) references gateway.changes(id)
);
grant insert, select on gateway.settlements to skedchange_service;

create table gateway.shopping_responses (
  shopping_response_id text not null,
  request jsonb not null,
  offers json not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint shopping_responses_pkey primary key (shopping_response_id),
  constraint shopping_responses_id_is_digits check ((shopping_response_id ~ '^[0-9]{19}$'::text))
);
create index shopping_responses_by_expiry on gateway.shopping_responses using btree (expires_at);
grant delete, insert, select on gateway.shopping_responses to skedchange_service;

create table gateway.switched_off_services (
  operation text not null,
  constraint switched_off_services_pkey primary key (operation)
);
grant delete, insert, select on gateway.switched_off_services to skedchange_service;

create table gateway.tickets (
  order_id text not null,
  ticket_number text not null,
  position smallint not null,
  document_type text not null,
  passenger_id text,
  gds_booking_reference text,
  state text not null,
  flown_segment_keys text[] not null,
  constraint tickets_pkey primary key (order_id, ticket_number),
  constraint tickets_state_is_known check ((state = any (array['open'::text, 'used'::text, 'void'::text, 'refunded'::text]))),
  constraint tickets_used_was_flown check (((state <> 'used'::text) or (cardinality(flown_segment_keys) > 0))),
  constraint tickets_void_was_not_flown check (((state <> 'void'::text) or (cardinality(flown_segment_keys) = 0))),
  constraint tickets_order_fkey foreign key (order_id) references gateway.orders(order_id)
);
create index tickets_by_number on gateway.tickets using btree (ticket_number);
create trigger tickets_move_is_allowed before update on gateway.tickets for each row execute function gateway.refuse_unknown_ticket_move();
grant insert, select on gateway.tickets to skedchange_service;
grant update (state, flown_segment_keys) on gateway.tickets to skedchange_service;

create or replace function gateway.delete_ended(before timestamp with time zone, batch integer)
 returns integer
 language plpgsql
 security definer
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
declare
  ids uuid[];
  deleted integer;
  bodies integer;
begin
  if before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
  select array_agg(id) into ids from (
    select d.id from gateway.deliveries d
    where d.state in ('delivered', 'superseded') and d.finished_at < before
      and not exists (select from gateway.deliveries o where o.replay_of = d.id)
      and not exists (select from gateway.deliveries o where o.superseded_by = d.id)
    order by d.finished_at limit batch
    for update of d skip locked
  ) as ended;
  delete from gateway.attempts where delivery_id = any (ids);
  delete from gateway.deliveries where id = any (ids);
  get diagnostics deleted = row_count;
  delete from gateway.ocn_bodies where id in (
    select b.id from gateway.ocn_bodies b
    where b.created_at < before and not exists (select from gateway.deliveries d where d.ocn_id = b.id)
    order by b.created_at limit batch
    for update of b skip locked
  );
  get diagnostics bodies = row_count;
  return deleted + bodies;
end
$function$;
grant execute on function gateway.delete_ended(before timestamp with time zone, batch integer) to skedchange_service;

create or replace function gateway.flights_of(content json)
 returns table(segment_key text, carrier text, flight_number text, departure_date text)
 language sql
 immutable
begin atomic
 select distinct (s.value ->> 'SegmentKey'::text),
     upper((carriers.c ->> 'AirlineID'::text)) as upper,
     ltrim(upper((carriers.c ->> 'FlightNumber'::text)), '0'::text) as ltrim,
     ((s.value -> 'Departure'::text) ->> 'Date'::text)
    from json_array_elements((((flights_of.content -> 'DataLists'::text) -> 'FlightSegmentList'::text) -> 'FlightSegment'::text)) s(value),
     lateral ( values ((s.value -> 'MarketingCarrier'::text)), ((s.value -> 'OperatingCarrier'::text))) carriers(c)
   where (((carriers.c ->> 'AirlineID'::text) is not null) and ((carriers.c ->> 'FlightNumber'::text) is not null) and (((s.value -> 'Departure'::text) ->> 'Date'::text) is not null));
end
as ATE OR REPLACE FUNCTION gateway.flights_of(content json)
 RETURNS TABLE(segment_key text, carrier text, flight_number text, departure_date text)
 LANGUAGE sql
 IMMUTABLE
BEGIN ATOMIC
 SELECT DISTINCT (s.value ->> 'SegmentKey'::text),
     upper((carriers.c ->> 'AirlineID'::text)) AS upper,
     ltrim(upper((carriers.c ->> 'FlightNumber'::text)), '0'::text) AS ltrim,
     ((s.value -> 'Departure'::text) ->> 'Date'::text)
    FROM json_array_elements((((flights_of.content -> 'DataLists'::text) -> 'FlightSegmentList'::text) -> 'FlightSegment'::text)) s(value),
     LATERAL ( VALUES ((s.value -> 'MarketingCarrier'::text)), ((s.value -> 'OperatingCarrier'::text))) carriers(c)
   WHERE (((carriers.c ->> 'AirlineID'::text) IS NOT NULL) AND ((carriers.c ->> 'FlightNumber'::text) IS NOT NULL) AND (((s.value -> 'Departure'::text) ->> 'Date'::text) IS NOT NULL));
END;

create or replace function gateway.keep_order_flights()
 returns trigger
 language plpgsql
as $function$
begin
  if tg_op = 'UPDATE' then
    if new.content::text = old.content::text then return null; end if;
    delete from gateway.order_flights where order_id = new.order_id;
  end if;
  insert into gateway.order_flights (order_id, segment_key, carrier, flight_number, departure_date)
  select new.order_id, segment_key, carrier, flight_number, departure_date from gateway.flights_of(new.content);
  return null;
end
$function$;

create or replace function gateway.refuse_changing_attempt()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'attempt % has ended as % and cannot change', old.id, old.outcome
    using errcode = 'check_violation', constraint = 'attempts_end_once';
end
$function$;

create or replace function gateway.refuse_reviving_delivery()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  raise exception 'delivery % has ended as % and cannot change', old.id, old.state
    using errcode = 'check_violation', constraint = 'deliveries_end_once';
end
$function$;

create or replace function gateway.refuse_unknown_reference_transition()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if not exists (
    select from gateway.reference_transitions t
    where t.from_state = old.pnr_status || '/' || old.schedule_change_status
      and t.to_state = new.pnr_status || '/' || new.schedule_change_status
  ) then
    raise exception 'booking reference % of order % cannot go from %/% to %/%', old.gds_booking_reference,
      old.order_id, old.pnr_status, old.schedule_change_status, new.pnr_status, new.schedule_change_status
      using errcode = 'check_violation', constraint = 'order_references_transition_is_allowed';
  end if;
  return new;
end
$function$;

create or replace function gateway.refuse_unknown_ticket_move()
 returns trigger
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $function$
begin
  if old.state <> 'open' or not (new.flown_segment_keys @> old.flown_segment_keys) then
    raise exception 'ticket % of order % is % and cannot become %', old.ticket_number, old.order_id, old.state, new.state
      using errcode = 'check_violation', constraint = 'tickets_move_is_allowed';
  end if;
  return new;
end
$function$;
