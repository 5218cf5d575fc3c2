-- The desk's people and clocks: who works on a case and by when, what travellers were told and said, second persons,
-- tasks that outlive a case, actions on many cases at once, and the room an automatic effect leaves to be stopped.

alter table skedchange.cases
  -- 'person:' and who; null when nobody has taken it.
  add column assignee text,
  -- By when somebody must have decided: the earliest of the clocks that run for it, and which one that is.
  add column due_by timestamptz,
  add column due_by_rule text,
  -- The same without the agency's own target: nobody may put the case off beyond it.
  add column firm_due_by timestamptz,
  -- When that moment was first seen to have passed with the case still open.
  add column overdue_at timestamptz,
  -- An automatic effect is not sent before this, so that a person can stop it.
  add column undo_until timestamptz,
  -- The finished case that a person opened again.
  add column reopened_from uuid constraint cases_reopened_from_fkey references skedchange.cases (id),
  -- Flights that the change touches, as `LH1167/2027-03-14` by scheduled local date of departure: a cohort shares one.
  add column flight_dates text[] not null default '{}';
create index cases_by_flight_date on skedchange.cases using gin (flight_dates)
  where state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_due_by on skedchange.cases (due_by)
  where due_by is not null and overdue_at is null and state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_overdue on skedchange.cases (overdue_at)
  where overdue_at is not null and state not in ('done', 'resolved-elsewhere', 'closed');

-- Since when a worker has the order, for the list of orders that are held long. Few orders are leased at any moment.
alter table skedchange.orders add column leased_at timestamptz;
create index orders_leased on skedchange.orders (leased_until) where leased_until is not null;

insert into skedchange.case_transitions (from_state, to_state) values
  ('awaiting-agent', 'awaiting-traveller'),
  ('awaiting-agent', 'snoozed'),
  ('awaiting-agent', 'resolved-elsewhere'),
  ('awaiting-traveller', 'awaiting-agent'),
  ('awaiting-traveller', 'snoozed'),
  ('awaiting-traveller', 'resolved-elsewhere'),
  ('snoozed', 'awaiting-agent'),
  ('snoozed', 'awaiting-traveller'),
  ('snoozed', 'resolved-elsewhere');

-- An accept whose outcome stayed unknown may be sent once more for the same proposal; a cancel never.
alter table skedchange.effects
  add column sends smallint not null default 0,
  -- How many of settle_reads showed the very proposal that it was sent for, open as before.
  add column unchanged_reads integer not null default 0,
  -- What the refund should come to: {amount, currency, basis} with decimal text; null when that cannot be told.
  add column expected_refund jsonb,
  -- How the refund that the gateway named compares; null for an effect without one.
  add column refund_check text constraint effects_refund_check_is_known
    check (refund_check in ('as-expected', 'higher', 'lower', 'unknown'));
-- Effects from before were sent once when they were sent at all. Ended ones are history, and history has triggers.
alter table skedchange.effects disable trigger effects_stay_ended;
update skedchange.effects set sends = 1 where sent_at is not null;
alter table skedchange.effects enable trigger effects_stay_ended;
alter table skedchange.effects add constraint effects_are_not_sent_again
  check (sends <= case action when 'accept' then 2 else 1 end);
insert into skedchange.effect_transitions (from_state, to_state) values ('unknown', 'sent');

-- What the traveller was told and answered, as people recorded it. Never changed: a correction is another row.
create table skedchange.traveller_contacts (
  id uuid not null constraint traveller_contacts_pkey primary key,
  case_id uuid not null constraint traveller_contacts_case_fkey references skedchange.cases (id),
  source text not null,
  order_id text not null,
  -- The proposal that it was about; null when there was none yet.
  proposal_digest text,
  kind text not null constraint traveller_contacts_kind_is_known check (kind in ('informed', 'asked', 'answered')),
  channel text not null constraint traveller_contacts_channel_is_known
    check (channel in ('email', 'phone', 'sms', 'chat', 'in-person', 'letter', 'other')),
  answer text constraint traveller_contacts_answer_is_known
    check (answer in ('accepts', 'refuses', 'wants-refund', 'wants-rerouting', 'undecided')),
  constraint traveller_contacts_answer_has_words check ((kind = 'answered') = (answer is not null)),
  -- When it happened, and when and by whom it was recorded.
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by text not null,
  note text,
  constraint traveller_contacts_order_fkey foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
create index traveller_contacts_by_order on skedchange.traveller_contacts (source, order_id, happened_at);
create index traveller_contacts_by_case on skedchange.traveller_contacts (case_id, happened_at);

-- What takes a second person: asked for by one, given by another.
create table skedchange.approvals (
  id uuid not null constraint approvals_pkey primary key,
  case_id uuid not null constraint approvals_case_fkey references skedchange.cases (id),
  action text not null constraint approvals_action_is_known check (action in ('accept', 'cancel')),
  proposal_digest text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  note text,
  state text not null default 'asked' constraint approvals_state_is_known
    check (state in ('asked', 'given', 'refused', 'void')),
  answered_by text,
  answered_at timestamptz,
  constraint approvals_take_two check (state <> 'given' or (answered_by is not null and answered_by <> asked_by)),
  constraint approvals_answered_is_complete check ((state = 'asked') = (answered_at is null))
);
create unique index approvals_one_asked_per_case on skedchange.approvals (case_id) where state = 'asked';
create trigger approvals_answered_once before update on skedchange.approvals
  for each row when (old.state <> 'asked') execute function skedchange.refuse_rewriting_history();

-- Work that is left when a case is done: a ticket or a refund to check.
create table skedchange.tasks (
  id uuid not null constraint tasks_pkey primary key,
  case_id uuid not null constraint tasks_case_fkey references skedchange.cases (id),
  source text not null,
  order_id text not null,
  kind text not null constraint tasks_kind_is_known check (kind in ('check-ticket', 'check-refund')),
  -- [{code, text}]
  reasons jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  note text,
  constraint tasks_closed_by_somebody check ((closed_at is null) = (closed_by is null)),
  constraint tasks_one_per_kind unique (case_id, kind)
);
create index tasks_open on skedchange.tasks (opened_at, id) where closed_at is null;
create trigger tasks_closed_once before update on skedchange.tasks
  for each row when (old.closed_at is not null) execute function skedchange.refuse_rewriting_history();

-- One action of a person on many cases. Its rows are worked off one by one, so it goes on where it stopped.
create table skedchange.bulk_actions (
  id uuid not null constraint bulk_actions_pkey primary key,
  -- The action and its parameters, as for one case.
  command jsonb not null,
  asked_by text not null,
  asked_at timestamptz not null,
  state text not null default 'running' constraint bulk_actions_state_is_known
    check (state in ('running', 'stopped', 'finished')),
  finished_at timestamptz
);
create index bulk_actions_running on skedchange.bulk_actions (asked_at) where state = 'running';

create table skedchange.bulk_action_cases (
  bulk_action_id uuid not null constraint bulk_action_cases_bulk_action_fkey references skedchange.bulk_actions (id),
  place integer not null,
  case_id uuid not null,
  -- The version of the case that the person saw in the dry run.
  version integer not null,
  outcome text constraint bulk_action_cases_outcome_is_known
    check (outcome in ('accepted', 'not-found', 'conflict', 'refused')),
  code text,
  message text,
  done_at timestamptz,
  constraint bulk_action_cases_pkey primary key (bulk_action_id, place),
  constraint bulk_action_cases_once unique (bulk_action_id, case_id)
);

-- What AirDocRetreive answered after an accept: whether the tickets still fit the flights.
create table skedchange.document_views (
  id uuid not null constraint document_views_pkey primary key,
  case_id uuid not null constraint document_views_case_fkey references skedchange.cases (id),
  read_at timestamptz not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text
);
alter table skedchange.document_views alter column body set storage external;
create index document_views_by_case on skedchange.document_views (case_id, read_at);

grant select, insert on skedchange.traveller_contacts, skedchange.approvals, skedchange.tasks,
  skedchange.bulk_actions, skedchange.bulk_action_cases, skedchange.document_views to skedchange_service;
grant update (leased_at) on skedchange.orders to skedchange_service;
grant update (assignee, firm_due_by, due_by, due_by_rule, overdue_at, undo_until, flight_dates) on skedchange.cases
  to skedchange_service;
grant update (sends, unchanged_reads, refund_check) on skedchange.effects to skedchange_service;
grant update (state, answered_by, answered_at) on skedchange.approvals to skedchange_service;
grant update (closed_at, closed_by, note) on skedchange.tasks to skedchange_service;
grant update (state, finished_at) on skedchange.bulk_actions to skedchange_service;
grant update (outcome, code, message, done_at) on skedchange.bulk_action_cases to skedchange_service;
