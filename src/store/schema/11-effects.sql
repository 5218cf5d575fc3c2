-- The calls to the gateway that cannot be taken back, and the stops of all automatic ones.

-- One irreversible gateway call made for a decision. `planned` before anything is sent; `sent` is committed right
-- before the bytes leave, and an automatic effect may begin with it. A process that dies after that leaves `sent`,
-- which is read as unknown.
create table skedchange.effects (
  id uuid not null constraint effects_pkey primary key,
  case_id uuid not null constraint effects_case_fkey references skedchange.cases (id),
  decision_id uuid not null constraint effects_decision_fkey references skedchange.decisions (id),
  source text not null,
  order_id text not null,
  action text not null constraint effects_action_is_known check (action in ('accept', 'cancel')),
  gds_booking_references text[] not null,
  proposal_digest text not null,
  state text not null,
  -- The lease under which it was sent.
  lease_fence bigint not null,
  planned_at timestamptz not null,
  sent_at timestamptz,
  finished_at timestamptz,
  -- Status reads made to settle an unknown outcome.
  settle_reads integer not null default 0,
  -- Per reference: [{gdsBookingReferences, status, errorMessage, refundAmount, refundText, refundPaxWiseFare}]
  results jsonb,
  error jsonb,
  -- The body of the gateway's response.
  answer bytea,
  answer_encoding text,
  answer_bytes integer,
  key_id text,
  -- An accept whose outcome stayed unknown may be sent once more for the same proposal; a cancel never.
  sends smallint not null default 0,
  -- How many of settle_reads showed the very proposal that it was sent for, open as before.
  unchanged_reads integer not null default 0,
  -- What the refund should come to: {amount, currency, basis} with decimal text; null when that cannot be told.
  expected_refund jsonb,
  -- How the refund that the gateway named compares; null for an effect without one.
  refund_check text
    constraint effects_refund_check_is_known check (refund_check in ('as-expected', 'higher', 'lower', 'unknown')),
  answer_deleted_at timestamptz,
  answer_deleted_by text
    constraint effects_answer_deleted_by_is_known check (answer_deleted_by in ('retention', 'erasure')),
  is_bound boolean not null default false,
  -- Made for a decision of a rule. Those of 0.3.0 and before do not say so.
  is_automatic boolean not null default false,
  -- As in status_views.
  compressed_against uuid,
  constraint effects_are_not_sent_again check (sends <= case action when 'accept' then 2 else 1 end),
  constraint effects_order_fkey foreign key (source, order_id) references skedchange.orders (source, order_id),
  constraint effects_repeated_fkey
    foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id)
);
-- No effect twice: at most one that may have happened is under way per order, and one success per proposal of a case.
create unique index effects_one_live_per_order on skedchange.effects (source, order_id)
  where state in ('planned', 'sent', 'unknown');
create unique index effects_one_success_per_proposal on skedchange.effects (case_id, action, proposal_digest)
  where state = 'succeeded';
create index effects_by_case on skedchange.effects (case_id, planned_at);
-- Each work on an order asks for its effects that ended, which are kept for ever.
create index effects_by_order on skedchange.effects (source, order_id, finished_at desc);
create index effects_by_decision on skedchange.effects (decision_id);
create index effects_by_end on skedchange.effects (finished_at) where finished_at is not null;
-- What the brake and the hourly limit look at: the automatic effects of a source, the newest first.
create index effects_automatic on skedchange.effects (source, planned_at desc) where is_automatic;

-- The moves that a state may make, as for cases.
create trigger effects_transition_is_allowed before update of state on skedchange.effects
  for each row when (
    old.state is distinct from new.state and old.state || ' -> ' || new.state <> all (array[
      'planned -> failed', 'planned -> sent',
      'sent -> failed', 'sent -> succeeded', 'sent -> unknown',
      'unknown -> failed', 'unknown -> sent', 'unknown -> succeeded'
    ])
  ) execute function skedchange.refuse_transition('effect');

-- An automatic effect may begin as sent, in the commit of its decision. Any other effect is planned first.
create trigger effects_start_as_planned before insert on skedchange.effects
  for each row when (new.state <> 'planned' and not (new.state = 'sent' and new.is_automatic))
  execute function skedchange.refuse_first_state('effect', 'planned');
-- What an effect has led to stays as it was written when it ended.
create trigger effects_stay_ended before update on skedchange.effects
  for each row when (old.state in ('succeeded', 'failed') and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();

-- For an effect that begins as sent. At the end of the statement, because that may write the decision as well.
create function skedchange.refuse_effect_without_new_decision() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
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
$$;
create trigger effects_begin_with_their_decision after insert on skedchange.effects
  for each row when (new.state = 'sent') execute function skedchange.refuse_effect_without_new_decision();
grant select, insert, update (state, lease_fence, sent_at, finished_at, settle_reads, results, error, answer,
  answer_encoding, answer_bytes, key_id, sends, unchanged_reads, refund_check, is_bound, compressed_against)
  on skedchange.effects to skedchange_service;

-- The switch for automatic effects, of one source or of all. Each row is a stop, from when somebody stopped them until
-- somebody resumed them, so that the table is its own record of who did so, when and why. While one has not ended,
-- nothing that a rule decided is sent.
create table skedchange.automation_stops (
  id uuid not null constraint automation_stops_pkey primary key,
  stopped_at timestamptz not null,
  -- 'person:' and who.
  stopped_by text not null,
  note text not null,
  resumed_at timestamptz,
  resumed_by text,
  -- Null: of all sources.
  source text,
  -- What made it: a person, outcomes that contradict what was read, or the source's limit of an hour.
  cause text not null default 'person'
    constraint automation_stops_cause_is_known check (cause in ('person', 'outcomes', 'hourly-limit')),
  constraint automation_stops_resumed_by_somebody check ((resumed_at is null) = (resumed_by is null))
);
-- One of each cause, so that none of them hides another: each is resumed by itself.
create unique index automation_stops_one_at_a_time on skedchange.automation_stops (source, cause) nulls not distinct
  where resumed_at is null;
create trigger automation_stops_end_once before update on skedchange.automation_stops
  for each row when (old.resumed_at is not null) execute function skedchange.refuse_rewriting_history();
create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops
  for each row execute function skedchange.audit_row('automation.stopped', 'id,source,cause', 'note', 'stopped_by');
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops
  for each row when (old.resumed_at is null and new.resumed_at is not null)
  execute function skedchange.audit_row('automation.resumed', 'id,source,cause', '', 'resumed_by');
grant select, insert, update (resumed_at, resumed_by) on skedchange.automation_stops to skedchange_service;

-- For the commit that plans an effect, or sends one again. Whoever stops waits for the transactions that have asked,
-- and who asks while somebody stops waits for that commit: so nothing is planned after it. The lock comes before the
-- look, and as a statement of its own, because a statement sees what was committed when it began.
create function skedchange.automation_is_stopped(of_source text) returns boolean language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (
    select from skedchange.automation_stops
    where resumed_at is null and (source is null or source = of_source)
  );
end
$$;
revoke all on function skedchange.automation_is_stopped(text) from public;
grant execute on function skedchange.automation_is_stopped(text) to skedchange_service;
