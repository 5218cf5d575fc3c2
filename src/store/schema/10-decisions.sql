-- What was decided, on which facts, and what a policy on trial would have decided.

-- A decision for one proposal with everything needed to make it again. Never edited; only superseded.
create table skedchange.decisions (
  id uuid not null constraint decisions_pkey primary key,
  case_id uuid not null constraint decisions_case_fkey references skedchange.cases (id),
  decided_at timestamptz not null,
  -- 'policy', or 'person:' and who.
  decided_by text not null,
  action text not null
    constraint decisions_action_is_known
    check (action in ('accept', 'cancel', 'review', 'ask-traveller', 'wait', 'none')),
  review_queue text,
  rule text not null,
  -- [{code, text}], the first is the one that decided.
  reasons jsonb not null,
  note text,
  proposal_digest text,
  -- {accept, cancel, reSchedule}, each a fact.
  flags jsonb,
  facts jsonb,
  -- {booked, accepted, proposed}
  itineraries jsonb,
  trace jsonb,
  status_view_id uuid constraint decisions_status_view_fkey references skedchange.status_views (id),
  -- The "now" that the rules saw, and the versions of all that they were computed with.
  evaluated_at timestamptz,
  versions jsonb not null,
  superseded_at timestamptz,
  superseded_by uuid constraint decisions_superseded_by_fkey references skedchange.decisions (id),
  -- What a decision read besides facts, flags and the status, and what the law said: with these it can be made again.
  inputs jsonb,
  legal jsonb,
  priority smallint constraint decisions_priority_in_range check (priority between 0 and 9),
  -- What a person is asked by a decision that is not for rules.
  question text
    constraint decisions_question_is_known check (question in (
      'effect-outcome', 'unreadable-status', 'unreachable-gateway', 'failed-processing',
      'proposal-changed', 'status-says-more', 'traveller-answered', 'person-decided', 'automation-stopped'
    )),
  -- As in case_events.
  token_id uuid default nullif(current_setting('skedchange.token_id', true), '')::uuid,
  -- What the decision is based on, as one compressed and encrypted value. What statements look into stands beside it,
  -- in `facts`, `itineraries`, `legal` and `versions`, with less in them. Decisions of 0.3.0 and before have no
  -- document: there these columns, `trace` and `inputs` hold all of it.
  document bytea,
  document_encoding text,
  -- Before compression.
  document_bytes integer,
  key_id text
);
-- It is compressed already.
alter table skedchange.decisions alter column document set storage external;
create index decisions_by_case on skedchange.decisions (case_id, decided_at);
-- Found again when automatic effects are resumed.
create index decisions_stopped on skedchange.decisions (case_id)
  where question = 'automation-stopped' and superseded_at is null;
create index decisions_by_status_view on skedchange.decisions (status_view_id) where status_view_id is not null;
create index decisions_by_superseding on skedchange.decisions (superseded_by) where superseded_by is not null;
-- For the overview: what was decided in one hour is found without reading everything.
create index decisions_by_time on skedchange.decisions (decided_at);
-- The people who are to say what became of an effect.
create index decisions_effect_outcome on skedchange.decisions (case_id)
  where question = 'effect-outcome' and superseded_at is null;
create trigger decisions_superseded_once before update on skedchange.decisions
  for each row when (old.superseded_at is not null and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
grant select, insert, update (superseded_at, superseded_by) on skedchange.decisions to skedchange_service;
alter table skedchange.cases add constraint cases_decision_fkey
  foreign key (decision_id) references skedchange.decisions (id);

-- What the shadow version of the source would have decided, beside each decision of the active one.
create table skedchange.shadow_decisions (
  decision_id uuid not null constraint shadow_decisions_pkey primary key
    constraint shadow_decisions_decision_fkey references skedchange.decisions (id),
  source text not null,
  version text not null constraint shadow_decisions_version_fkey references skedchange.policy_versions (version),
  decided_at timestamptz not null,
  action text not null,
  review_queue text,
  rule text not null,
  reason text not null,
  -- Another action, or another queue, than the decision beside it.
  differs boolean not null
);
create index shadow_decisions_newest
  on skedchange.shadow_decisions (source, version, decided_at desc, decision_id desc);
grant select, insert on skedchange.shadow_decisions to skedchange_service;
