-- What people do: tasks, approvals by a second person, contacts with travellers, and actions on many cases at once.

-- Work that is left when a case is done: a ticket or a refund to check, a traveller to inform.
create table skedchange.tasks (
  id uuid not null constraint tasks_pkey primary key,
  case_id uuid not null constraint tasks_case_fkey references skedchange.cases (id),
  source text not null,
  order_id text not null,
  kind text not null
    constraint tasks_kind_is_known check (kind in ('check-ticket', 'check-refund', 'check-services', 'inform-traveller')),
  -- [{code, text}]
  reasons jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  note text,
  -- By when it must be done, such as a refund within the term of the law, or a ticket before check-in: the earliest of
  -- the clocks that ran when it was opened, and which one that is; null: none did.
  due_by timestamptz,
  due_by_rule text,
  -- When that moment was first seen to have passed with the task still open.
  overdue_at timestamptz,
  -- Who does it: whoever decided the case is rarely the one who reissues its ticket. Who assigned it stands in
  -- case_events, which are audited.
  assignee text,
  -- The API token with which somebody closed it.
  closed_token_id uuid,
  -- Whether an event asks a system of the agency to do it. The task is closed once a recipient has acknowledged that event.
  by_event boolean not null default false
    constraint tasks_only_informing_is_by_event check (not by_event or kind = 'inform-traveller'),
  constraint tasks_one_per_kind unique (case_id, kind),
  constraint tasks_closed_by_somebody check ((closed_at is null) = (closed_by is null)),
  constraint tasks_due_by_has_a_rule check ((due_by is null) = (due_by_rule is null))
);
create index tasks_open_by_due on skedchange.tasks (due_by, id) where closed_at is null;
create index tasks_open_by_assignee on skedchange.tasks (assignee) where closed_at is null and assignee is not null;
create index tasks_open_by_event on skedchange.tasks (id) where closed_at is null and by_event;
create trigger tasks_closed_once before update on skedchange.tasks
  for each row when (old.closed_at is not null and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
create trigger tasks_opened_is_audited after insert on skedchange.tasks
  for each row execute function skedchange.audit_row('task.opened', 'id,kind', 'reasons', '');
create trigger tasks_closed_is_audited after update on skedchange.tasks
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function skedchange.audit_row('task.closed', 'id,kind', 'note', 'closed_by');
grant select, insert, update (closed_at, closed_by, note, overdue_at, assignee, closed_token_id)
  on skedchange.tasks to skedchange_service;

-- What takes a second person: asked for by one, given by another.
create table skedchange.approvals (
  id uuid not null constraint approvals_pkey primary key,
  case_id uuid not null constraint approvals_case_fkey references skedchange.cases (id),
  action text not null constraint approvals_action_is_known check (action in ('accept', 'cancel')),
  proposal_digest text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  note text,
  state text not null default 'asked'
    constraint approvals_state_is_known check (state in ('asked', 'given', 'refused', 'void')),
  answered_by text,
  answered_at timestamptz,
  constraint approvals_answered_is_complete check ((state = 'asked') = (answered_at is null)),
  constraint approvals_take_two check (state <> 'given' or (answered_by is not null and answered_by <> asked_by))
);
create unique index approvals_one_asked_per_case on skedchange.approvals (case_id) where state = 'asked';
create index approvals_by_case on skedchange.approvals (case_id);
create trigger approvals_answered_once before update on skedchange.approvals
  for each row when (old.state <> 'asked' and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
create trigger approvals_asked_is_audited after insert on skedchange.approvals
  for each row execute function skedchange.audit_row(
    'approval.asked', 'id,action,proposal_digest,state', 'note', 'asked_by');
create trigger approvals_answered_is_audited after update on skedchange.approvals
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('approval.answered', 'id,action,proposal_digest,state', '', 'answered_by');
grant select, insert, update (state, answered_by, answered_at) on skedchange.approvals to skedchange_service;

-- What the traveller was told and answered, as people recorded it. Never changed: a correction is another row.
create table skedchange.traveller_contacts (
  id uuid not null constraint traveller_contacts_pkey primary key,
  case_id uuid not null constraint traveller_contacts_case_fkey references skedchange.cases (id),
  source text not null,
  order_id text not null,
  -- The proposal that it was about; null when there was none yet.
  proposal_digest text,
  kind text not null constraint traveller_contacts_kind_is_known check (kind in ('informed', 'asked', 'answered')),
  channel text not null
    constraint traveller_contacts_channel_is_known
    check (channel in ('email', 'phone', 'sms', 'chat', 'in-person', 'letter', 'other')),
  answer text
    constraint traveller_contacts_answer_is_known
    check (answer in ('accepts', 'refuses', 'wants-refund', 'wants-rerouting', 'undecided')),
  -- When it happened, and when and by whom it was recorded.
  happened_at timestamptz not null,
  recorded_at timestamptz not null,
  recorded_by text not null,
  note text,
  constraint traveller_contacts_answer_has_words check ((kind = 'answered') = (answer is not null)),
  constraint traveller_contacts_order_fkey
    foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
create index traveller_contacts_by_order on skedchange.traveller_contacts (source, order_id, happened_at);
create index traveller_contacts_by_case on skedchange.traveller_contacts (case_id, happened_at);
create trigger traveller_contacts_added_is_audited after insert on skedchange.traveller_contacts
  for each row execute function skedchange.audit_row(
    'traveller-contact.recorded', 'id,kind,channel,answer,proposal_digest,happened_at', 'note', 'recorded_by');
grant select, insert on skedchange.traveller_contacts to skedchange_service;

-- One action of a person on many cases. Its rows are worked off one by one, so it goes on where it stopped.
create table skedchange.bulk_actions (
  id uuid not null constraint bulk_actions_pkey primary key,
  -- The action and its parameters, as for one case.
  command jsonb not null,
  asked_by text not null,
  asked_at timestamptz not null,
  state text not null default 'running'
    constraint bulk_actions_state_is_known check (state in ('running', 'stopped', 'finished')),
  finished_at timestamptz,
  -- As in case_events.
  token_id uuid default nullif(current_setting('skedchange.token_id', true), '')::uuid
);
create index bulk_actions_running on skedchange.bulk_actions (asked_at) where state = 'running';
create trigger bulk_actions_asked_is_audited after insert on skedchange.bulk_actions
  for each row execute function skedchange.audit_row('bulk-action.asked', 'id', 'command', 'asked_by');
create trigger bulk_actions_ended_is_audited after update on skedchange.bulk_actions
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('bulk-action.ended', 'id,state', '', '');
grant select, insert, update (state, finished_at) on skedchange.bulk_actions to skedchange_service;

-- The cases of a bulk action in their order, and what came of each.
create table skedchange.bulk_action_cases (
  bulk_action_id uuid not null constraint bulk_action_cases_bulk_action_fkey references skedchange.bulk_actions (id),
  place integer not null,
  case_id uuid not null,
  -- The version of the case that the person saw in the dry run.
  version integer not null,
  outcome text
    constraint bulk_action_cases_outcome_is_known check (outcome in ('accepted', 'not-found', 'conflict', 'refused')),
  code text,
  message text,
  done_at timestamptz,
  -- The decision that was made, to find what came of it at the gateway.
  decision_id uuid,
  constraint bulk_action_cases_pkey primary key (bulk_action_id, place),
  constraint bulk_action_cases_once unique (bulk_action_id, case_id)
);
grant select, insert, update (outcome, code, message, done_at, decision_id)
  on skedchange.bulk_action_cases to skedchange_service;
