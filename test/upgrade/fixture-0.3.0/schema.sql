-- The schema of 0.3.0: what its program made before its first migration, and its migrations, one after the other. The upgrade
-- tests make the tables of that release with it. It never changes.

create schema skedchange;
create schema gateway;
create schema bullmq;
create table skedchange.schema_migrations (
  version integer not null constraint schema_migrations_pkey primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  oldest_program integer
);

-- 000001_init ---------------------------------------------------------------------------------------------------------

-- The agency side: what was received, the work on each order, and what was decided and done.
--
-- Two roles. The owner (whoever runs this) owns the tables and migrates them. `skedchange_service` is what processes
-- connect as: it can add history and move work along, and it cannot rewrite what was received, decided or done.
-- Roles belong to the whole server, so several databases on one server share this one.
do $$
begin
  if not exists (select from pg_roles where rolname = 'skedchange_service') then
    create role skedchange_service nologin;
  end if;
exception when duplicate_object or unique_violation then
  -- Another database on this server was being migrated at the same moment and made the role first.
  null;
end
$$;

grant usage on schema skedchange to skedchange_service;

-- One notification: one body as its bytes came. Partitioned by time so that retention drops a partition, not rows.
create table skedchange.notifications (
  id uuid not null,
  source text not null,
  received_at timestamptz not null,
  -- SHA-256 of the body after inflating, as sent.
  digest bytea not null constraint notifications_digest_is_sha256 check (octet_length(digest) = 32),
  content_type text,
  -- The body as sealed by the store: compressed and, when key_id is set, encrypted with that key.
  body bytea not null,
  body_encoding text not null,
  -- Length of the body before sealing.
  body_bytes integer not null,
  key_id text,
  state text not null constraint notifications_state_is_known check (state in ('accepted', 'quarantined', 'released')),
  -- Why it is quarantined: {code, path, message}. Null when it was accepted.
  problem jsonb,
  constraint notifications_quarantine_says_why check (state = 'accepted' or problem is not null),
  constraint notifications_pkey primary key (received_at, id)
) partition by range (received_at);

-- We compress bodies ourselves; letting PostgreSQL try again costs CPU and gains nothing.
alter table skedchange.notifications alter column body set storage external;

create index notifications_id on skedchange.notifications (id);
create index notifications_quarantined on skedchange.notifications (received_at, id) where state = 'quarantined';

-- Catches what no partition covers, so that a late maintenance run never refuses a notification.
create table skedchange.notifications_default partition of skedchange.notifications default;

-- Makes the monthly partitions from the month of `first_day` on, and moves into each what the default one caught of its
-- month. Runs with the owner's rights because the service role cannot create tables; it can do nothing but this.
create function skedchange.ensure_notification_partitions(first_day date, months integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function skedchange.ensure_notification_partitions(date, integer) from public;
grant execute on function skedchange.ensure_notification_partitions(date, integer) to skedchange_service;

-- For triggers whose condition says what is history: refuses to change it, whoever asks.
create function skedchange.refuse_rewriting_history() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception '% of % is history and cannot be changed', old.id, tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$$;

-- What was quarantined may be released; nothing else about the state of a notification ever changes.
create trigger notifications_only_release before update of state on skedchange.notifications
  for each row when (old.state is distinct from new.state and (old.state <> 'quarantined' or new.state <> 'released'))
  execute function skedchange.refuse_rewriting_history();

-- Identity of bodies, outside the partitions because uniqueness over partitions would need the time in the key.
create table skedchange.notification_digests (
  source text not null,
  digest bytea not null,
  notification_id uuid not null,
  -- With notification_id, the key of the notification in its partition.
  received_at timestamptz not null,
  receipts bigint not null default 1,
  last_receipt_at timestamptz not null,
  constraint notification_digests_pkey primary key (source, digest)
);

-- One order within a source: the lane in which work goes strictly one at a time.
create table skedchange.orders (
  source text not null,
  order_id text not null,
  -- Grows with each lease. A write that carries an older fence than the one stored here is refused.
  lease_fence bigint not null default 0,
  leased_until timestamptz,
  leased_by text,
  -- A dispatcher has handed this order to the queue and waits this long before it does so again.
  dispatched_until timestamptz,
  -- The itinerary as first seen, and as last accepted. Null until a status was read.
  booked_itinerary jsonb,
  booked_from text,
  accepted_itinerary jsonb,
  constraint orders_pkey primary key (source, order_id)
);
create index orders_dispatched on skedchange.orders (dispatched_until) where dispatched_until is not null;

-- The work on one order. A finished case never opens again; a later change opens a new one.
create table skedchange.cases (
  id uuid not null constraint cases_pkey primary key,
  source text not null,
  order_id text not null,
  gds_booking_references text[] not null default '{}',
  state text not null,
  -- Grows with each change that people can see; an action names the version it was decided on.
  version integer not null default 1,
  -- When a worker must look at this case next; null when only a person or a notification can move it.
  due_at timestamptz,
  -- Grows with each wake-up, so that one which arrives during work is not lost when that work ends.
  wake bigint not null default 0,
  -- 0 is the most urgent, 9 the least.
  priority smallint not null default 5 constraint cases_priority_in_range check (priority between 0 and 9),
  -- Failed tries in a row, and what the last one failed with: {code, message, at}.
  failures integer not null default 0,
  last_error jsonb,
  -- The queue in which a person finds it: agent, reschedule, ...; null unless a person must act.
  review_queue text,
  proposal_digest text,
  decision_id uuid,
  -- What changed, in one sentence, for lists.
  headline text,
  departure_at timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  constraint cases_order_fkey foreign key (source, order_id) references skedchange.orders (source, order_id)
);
-- At most one open case per order.
create unique index cases_one_open_per_order on skedchange.cases (source, order_id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_due on skedchange.cases (due_at, priority) where due_at is not null;
create index cases_by_order on skedchange.cases (order_id, opened_at desc);
create index cases_newest on skedchange.cases (opened_at desc, id desc);

-- Which moves a state may make. The code holds the same table; a test compares them.
create table skedchange.case_transitions (
  from_state text not null,
  to_state text not null,
  constraint case_transitions_pkey primary key (from_state, to_state)
);
insert into skedchange.case_transitions (from_state, to_state) values
  ('received', 'checking'),
  ('checking', 'received'),
  ('checking', 'accepting'),
  ('checking', 'cancelling'),
  ('checking', 'awaiting-agent'),
  ('checking', 'awaiting-traveller'),
  ('checking', 'snoozed'),
  ('checking', 'done'),
  ('checking', 'resolved-elsewhere'),
  ('checking', 'closed'),
  ('accepting', 'checking'),
  ('accepting', 'awaiting-agent'),
  ('accepting', 'done'),
  ('accepting', 'resolved-elsewhere'),
  ('cancelling', 'checking'),
  ('cancelling', 'awaiting-agent'),
  ('cancelling', 'done'),
  ('cancelling', 'resolved-elsewhere'),
  ('awaiting-agent', 'checking'),
  ('awaiting-agent', 'closed'),
  ('awaiting-traveller', 'checking'),
  ('awaiting-traveller', 'closed'),
  ('snoozed', 'checking'),
  ('snoozed', 'closed');

create function skedchange.refuse_unknown_case_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from skedchange.case_transitions t where t.from_state = old.state and t.to_state = new.state
  ) then
    raise exception 'case % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'cases_transition_is_allowed';
  end if;
  return new;
end
$$;
create trigger cases_transition_is_allowed before update of state on skedchange.cases
  for each row when (old.state is distinct from new.state) execute function skedchange.refuse_unknown_case_transition();

create function skedchange.refuse_unknown_first_case_state() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.state <> 'received' then
    raise exception 'case % must start as received, not %', new.id, new.state
      using errcode = 'check_violation', constraint = 'cases_start_as_received';
  end if;
  return new;
end
$$;
create trigger cases_start_as_received before insert on skedchange.cases
  for each row execute function skedchange.refuse_unknown_first_case_state();

-- Which notifications a case rests on. A notification with several orders joins several cases.
create table skedchange.case_notifications (
  case_id uuid not null constraint case_notifications_case_fkey references skedchange.cases (id),
  notification_id uuid not null,
  notification_received_at timestamptz not null,
  joined_at timestamptz not null,
  constraint case_notifications_pkey primary key (case_id, notification_id)
);
create index case_notifications_by_notification on skedchange.case_notifications (notification_id);

-- What the gateway answered when the reservation status was read: the evidence that decisions rest on.
create table skedchange.status_views (
  id uuid not null constraint status_views_pkey primary key,
  case_id uuid not null constraint status_views_case_fkey references skedchange.cases (id),
  purpose text not null constraint status_views_purpose_is_known
    check (purpose in ('decide', 'before-effect', 'after-effect', 'settle-unknown')),
  read_at timestamptz not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text
);
alter table skedchange.status_views alter column body set storage external;
create index status_views_by_case on skedchange.status_views (case_id, read_at);

-- A decision for one proposal with everything needed to make it again. Never edited; only superseded.
create table skedchange.decisions (
  id uuid not null constraint decisions_pkey primary key,
  case_id uuid not null constraint decisions_case_fkey references skedchange.cases (id),
  decided_at timestamptz not null,
  -- 'policy', or 'person:' and who.
  decided_by text not null,
  action text not null constraint decisions_action_is_known check (action in ('accept', 'cancel', 'review', 'wait', 'none')),
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
  superseded_by uuid constraint decisions_superseded_by_fkey references skedchange.decisions (id)
);
create index decisions_by_case on skedchange.decisions (case_id, decided_at);
create trigger decisions_superseded_once before update on skedchange.decisions
  for each row when (old.superseded_at is not null) execute function skedchange.refuse_rewriting_history();

alter table skedchange.cases add constraint cases_decision_fkey
  foreign key (decision_id) references skedchange.decisions (id);

-- One irreversible gateway call made for a decision. `planned` before anything is sent, `sent` committed right before
-- the bytes leave; a process that dies after that leaves `sent`, which is read as unknown.
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
  answer bytea,
  answer_encoding text,
  answer_bytes integer,
  key_id text,
  constraint effects_order_fkey foreign key (source, order_id) references skedchange.orders (source, order_id)
);
-- No effect twice: at most one that may have happened is under way per order, and one success per proposal of a case.
create unique index effects_one_live_per_order on skedchange.effects (source, order_id)
  where state in ('planned', 'sent', 'unknown');
create unique index effects_one_success_per_proposal on skedchange.effects (case_id, action, proposal_digest)
  where state = 'succeeded';
create index effects_by_case on skedchange.effects (case_id, planned_at);

create table skedchange.effect_transitions (
  from_state text not null,
  to_state text not null,
  constraint effect_transitions_pkey primary key (from_state, to_state)
);
insert into skedchange.effect_transitions (from_state, to_state) values
  ('planned', 'sent'),
  ('planned', 'failed'),
  ('sent', 'succeeded'),
  ('sent', 'failed'),
  ('sent', 'unknown'),
  ('unknown', 'succeeded'),
  ('unknown', 'failed');

create function skedchange.refuse_unknown_effect_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (
    select from skedchange.effect_transitions t where t.from_state = old.state and t.to_state = new.state
  ) then
    raise exception 'effect % cannot go from % to %', old.id, old.state, new.state
      using errcode = 'check_violation', constraint = 'effects_transition_is_allowed';
  end if;
  return new;
end
$$;
create trigger effects_transition_is_allowed before update of state on skedchange.effects
  for each row when (old.state is distinct from new.state) execute function skedchange.refuse_unknown_effect_transition();

create function skedchange.refuse_unknown_first_effect_state() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if new.state <> 'planned' then
    raise exception 'effect % must start as planned, not %', new.id, new.state
      using errcode = 'check_violation', constraint = 'effects_start_as_planned';
  end if;
  return new;
end
$$;
create trigger effects_start_as_planned before insert on skedchange.effects
  for each row execute function skedchange.refuse_unknown_first_effect_state();

-- What an effect has led to stays as it was written when it ended.
create trigger effects_stay_ended before update on skedchange.effects
  for each row when (old.state in ('succeeded', 'failed')) execute function skedchange.refuse_rewriting_history();

-- What happened to a case, in order, for its timeline.
create table skedchange.case_events (
  id bigint generated always as identity constraint case_events_pkey primary key,
  case_id uuid not null constraint case_events_case_fkey references skedchange.cases (id),
  at timestamptz not null,
  -- noun.verb: notification.received, decision.made, effect.sent, ...
  kind text not null,
  -- 'receiver', 'worker', or 'person:' and who.
  actor text not null,
  detail jsonb not null default '{}'
);
create index case_events_by_case on skedchange.case_events (case_id, id);

grant select on all tables in schema skedchange to skedchange_service;
grant insert on skedchange.notifications, skedchange.notification_digests, skedchange.orders, skedchange.cases,
  skedchange.case_notifications, skedchange.status_views, skedchange.decisions, skedchange.effects,
  skedchange.case_events to skedchange_service;
grant update (state) on skedchange.notifications to skedchange_service;
grant update (receipts, last_receipt_at) on skedchange.notification_digests to skedchange_service;
grant update (lease_fence, leased_until, leased_by, dispatched_until, booked_itinerary, booked_from, accepted_itinerary)
  on skedchange.orders to skedchange_service;
grant update (gds_booking_references, state, version, due_at, wake, priority, failures, last_error, review_queue,
  proposal_digest, decision_id, headline, departure_at, updated_at, closed_at) on skedchange.cases to skedchange_service;
grant update (superseded_at, superseded_by) on skedchange.decisions to skedchange_service;
grant update (state, lease_fence, sent_at, finished_at, settle_reads, results, error, answer, answer_encoding,
  answer_bytes, key_id) on skedchange.effects to skedchange_service;

-- 000002_gateway ------------------------------------------------------------------------------------------------------

-- The gateway: orders, what airlines change on them, and how agencies answer.
--
-- The service role can make orders and move them along. It cannot rewrite a change, an answer to one, or the journal.
grant usage on schema gateway to skedchange_service;

create table gateway.orders (
  order_id text not null constraint orders_pkey primary key,
  -- Airline designator.
  owner text not null,
  -- The order view without what is kept in columns: envelope, statuses, flags, pending change. json and not jsonb: an
  -- order view that was loaded is served as it came, key order and digits included, and nothing is searched inside.
  content json not null,
  -- The change that waits for an answer, and what of it has not taken effect yet.
  open_change_id uuid,
  pending_segments json,
  -- Grows with everything that happens to the order.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint orders_pending_has_a_change check ((open_change_id is null) = (pending_segments is null))
);

-- One booking reference of an order: what an `Order` element of its view says about the state.
create table gateway.order_references (
  order_id text not null constraint order_references_order_fkey references gateway.orders (order_id),
  gds_booking_reference text not null,
  -- Its place among the `Order` elements, from 0.
  position smallint not null,
  -- Blank when a loaded order view had none.
  pnr_status text not null constraint order_references_pnr_status_is_known
    check (pnr_status in ('', 'CONFIRMED', 'PENDING', 'MODIFIED', 'CANCELLED', 'SCHEDULE CHANGED', 'FAILED')),
  schedule_change_indicator boolean not null,
  schedule_change_status text not null constraint order_references_schedule_change_status_is_known
    check (schedule_change_status in ('', 'Initiated', 'Accepted', 'Rejected', 'Partially-Accepted')),
  -- {accept, cancel, reSchedule}, each Y, N or null; null when no change has concerned this reference.
  flags jsonb,
  constraint order_references_pkey primary key (order_id, gds_booking_reference),
  constraint order_references_position_unique unique (order_id, position)
);

-- A change by an airline, as it was caused.
create table gateway.changes (
  id uuid not null constraint changes_pkey primary key,
  order_id text not null constraint changes_order_fkey references gateway.orders (order_id),
  kind text not null constraint changes_kind_is_known
    check (kind in ('retime', 'renumber', 'replace', 'cancel', 'loaded')),
  -- [{segmentKey, details, becomes}], those of a change that was still pending included.
  segments json not null,
  gds_booking_references text[] not null,
  announcement text not null constraint changes_announcement_is_known
    check (announcement in ('announced', 'no-recipient', 'not-announced')),
  deliveries integer not null,
  caused_at timestamptz not null,
  constraint changes_announced_has_deliveries check ((announcement = 'announced') = (deliveries > 0))
);
create index changes_by_order on gateway.changes (order_id, caused_at);

alter table gateway.orders add constraint orders_open_change_fkey
  foreign key (open_change_id) references gateway.changes (id);

-- The one answer to a change for one booking reference: a second one, of whatever kind, breaks the key.
create table gateway.settlements (
  change_id uuid not null constraint settlements_change_fkey references gateway.changes (id),
  gds_booking_reference text not null,
  outcome text not null constraint settlements_outcome_is_known check (outcome in ('accepted', 'rejected')),
  settled_at timestamptz not null,
  constraint settlements_pkey primary key (change_id, gds_booking_reference)
);

-- Every call of an operation by somebody with the right credentials.
create table gateway.journal (
  id bigint generated always as identity constraint journal_pkey primary key,
  operation text not null,
  -- As asked for: it need not be an order that exists.
  order_id text,
  gds_booking_references text[] not null,
  result text not null constraint journal_result_is_known check (result in ('SUCCESS', 'FAILED', 'MIXED', 'ERROR')),
  error_code text,
  change_id uuid,
  order_version integer,
  at timestamptz not null
);
create index journal_by_order on gateway.journal (order_id, id);

grant select, insert on gateway.orders, gateway.order_references, gateway.changes, gateway.settlements,
  gateway.journal to skedchange_service;
grant update (content, open_change_id, pending_segments, version, updated_at) on gateway.orders to skedchange_service;
grant update (pnr_status, schedule_change_indicator, schedule_change_status, flags)
  on gateway.order_references to skedchange_service;

-- 000003_sender -------------------------------------------------------------------------------------------------------

-- The OCN sender: who receives notifications, what is still to be delivered to them, and every try that was made.
--
-- The service role can add to this history and move work along. It cannot rewrite a body, a finished attempt, or a
-- delivery that has ended.
grant usage on schema gateway to skedchange_service;

-- An endpoint that an agency configured.
create table gateway.recipients (
  id uuid not null constraint recipients_pkey primary key,
  name text not null constraint recipients_name_length check (char_length(name) between 1 and 200),
  url text not null constraint recipients_url_length check (char_length(url) between 1 and 2000),
  auth_type text not null constraint recipients_auth_type_is_known check (auth_type in ('basic', 'bearer')),
  -- {username, password} or {token} as sealed by the store. Wiped when the recipient is removed.
  credential bytea,
  credential_encoding text,
  key_id text,
  state text not null default 'active' constraint recipients_state_is_known
    check (state in ('active', 'paused', 'disabled', 'removed')),
  -- Why it is not active: {code, message}.
  state_reason jsonb,
  state_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint recipients_credential_is_wiped_on_removal check ((state = 'removed') = (credential is null)),
  constraint recipients_inactive_says_why check ((state = 'active') = (state_reason is null))
);

-- The exact bytes of one notification, once, however many recipients it goes to.
create table gateway.ocn_bodies (
  id uuid not null constraint ocn_bodies_pkey primary key,
  change_id text not null,
  order_id text not null,
  airline text not null,
  -- Announcing the same change of the same order again adds nothing.
  publish_key text not null constraint ocn_bodies_publish_key_unique unique,
  -- SHA-256 of the body before sealing.
  digest bytea not null constraint ocn_bodies_digest_is_sha256 check (octet_length(digest) = 32),
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  created_at timestamptz not null
);
-- The store compresses bodies; letting PostgreSQL try again costs CPU and gains nothing.
alter table gateway.ocn_bodies alter column body set storage external;
create index ocn_bodies_by_order on gateway.ocn_bodies (order_id, created_at);

-- One order at one recipient: the lane in which deliveries go strictly one after the other.
create table gateway.lanes (
  recipient_id uuid not null constraint lanes_recipient_fkey references gateway.recipients (id),
  order_id text not null,
  -- When its first pending delivery may be sent; null when none is pending.
  due_at timestamptz,
  -- Grows with each lease. A worker that holds an older one can only add evidence, not move the lane.
  lease_fence bigint not null default 0,
  leased_until timestamptz,
  leased_by text,
  -- The feeder has handed this lane to the queue and waits this long before it does so again.
  dispatched_until timestamptz,
  constraint lanes_pkey primary key (recipient_id, order_id)
);
create index lanes_due on gateway.lanes (recipient_id, due_at) where due_at is not null;
-- Lanes in the hands of the queue or of a worker, to count them.
create index lanes_dispatched on gateway.lanes (recipient_id) where dispatched_until is not null;
create index lanes_leased on gateway.lanes (recipient_id) where leased_until is not null;

-- One notification to one recipient.
create table gateway.deliveries (
  id uuid not null constraint deliveries_pkey primary key,
  -- The order within the lane. Given out under the lane's row lock, so it is also the order of the commits.
  position bigint generated always as identity constraint deliveries_position_unique unique,
  ocn_id uuid not null constraint deliveries_ocn_fkey references gateway.ocn_bodies (id),
  recipient_id uuid not null,
  order_id text not null,
  state text not null default 'pending' constraint deliveries_state_is_known
    check (state in ('pending', 'delivered', 'dead')),
  -- When it may be tried, once it is the first of its lane.
  due_at timestamptz not null,
  -- Tries begun, and those in a row that ended without an acknowledgement.
  attempts integer not null default 0,
  failures integer not null default 0,
  -- The retry schedule counts from the first try, not from the announcement: waiting behind another delivery or for a
  -- paused recipient does not use it up.
  first_tried_at timestamptz,
  -- Why it is dead: {code, message}.
  dead_reason jsonb,
  -- The delivery whose bytes a person had sent again.
  replay_of uuid constraint deliveries_replay_fkey references gateway.deliveries (id),
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint deliveries_lane_fkey foreign key (recipient_id, order_id) references gateway.lanes (recipient_id, order_id),
  constraint deliveries_finish_is_dated check ((state = 'pending') = (finished_at is null)),
  constraint deliveries_dead_says_why check ((state = 'dead') = (dead_reason is not null))
);
-- At most one delivery of a notification to a recipient, apart from replays that a person asked for.
create unique index deliveries_once_per_recipient on gateway.deliveries (ocn_id, recipient_id) where replay_of is null;
create index deliveries_pending_by_lane on gateway.deliveries (recipient_id, order_id, position) where state = 'pending';
create index deliveries_by_order on gateway.deliveries (order_id, position);
create index deliveries_by_recipient on gateway.deliveries (recipient_id, position);
create index deliveries_by_state on gateway.deliveries (state, position);

create function gateway.refuse_reviving_delivery() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'delivery % has ended as % and cannot change', old.id, old.state
    using errcode = 'check_violation', constraint = 'deliveries_end_once';
end
$$;
create trigger deliveries_end_once before update on gateway.deliveries
  for each row when (old.state <> 'pending') execute function gateway.refuse_reviving_delivery();

-- One HTTP try. Written before the bytes leave, completed when its outcome is known; an attempt that stays without
-- outcome was cut off by a crash, and the recipient may or may not have received it.
create table gateway.attempts (
  id uuid not null constraint attempts_pkey primary key,
  delivery_id uuid not null constraint attempts_delivery_fkey references gateway.deliveries (id),
  number integer not null,
  started_at timestamptz not null,
  -- The lease under which it was sent.
  lease_fence bigint not null,
  -- delivered: acknowledged. refused: answered with anything else. failed: no complete answer.
  outcome text constraint attempts_outcome_is_known check (outcome in ('delivered', 'refused', 'failed')),
  http_status integer,
  error_code text,
  -- The beginning of the answer as text, without our credentials.
  answer_excerpt text constraint attempts_excerpt_length check (char_length(answer_excerpt) <= 2048),
  duration_ms integer,
  constraint attempts_number_unique unique (delivery_id, number),
  constraint attempts_outcome_is_complete check ((outcome is null) = (duration_ms is null))
);

create function gateway.refuse_changing_attempt() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'attempt % has ended as % and cannot change', old.id, old.outcome
    using errcode = 'check_violation', constraint = 'attempts_end_once';
end
$$;
create trigger attempts_end_once before update on gateway.attempts
  for each row when (old.outcome is not null) execute function gateway.refuse_changing_attempt();

grant select, insert on gateway.recipients, gateway.ocn_bodies, gateway.lanes, gateway.deliveries, gateway.attempts
  to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at,
  updated_at) on gateway.recipients to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until) on gateway.lanes to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at) on gateway.deliveries
  to skedchange_service;
grant update (outcome, http_status, error_code, answer_excerpt, duration_ms) on gateway.attempts to skedchange_service;

-- 000004_oauth --------------------------------------------------------------------------------------------------------

-- The built-in token endpoint: the keys that sign its access tokens, shared by all processes, and the client assertions
-- that were used.
--
-- The service role can add a key, retire the one that signs and wipe its private half. It cannot rewrite a key, nor make
-- a retired one sign again.
create table skedchange.signing_keys (
  -- RFC 7638 thumbprint of the public key.
  kid text not null constraint signing_keys_pkey primary key,
  algorithm text not null constraint signing_keys_algorithm_is_known check (algorithm in ('ES256')),
  public_jwk jsonb not null,
  -- The private JWK as sealed by the store. Wiped when the key is retired: it only verifies from then on.
  private_key bytea,
  private_key_encoding text not null,
  key_id text,
  created_at timestamptz not null,
  -- When it stopped signing; null for the one that signs.
  retired_at timestamptz,
  -- Until when the last token that it signed may be valid.
  published_until timestamptz,
  constraint signing_keys_private_is_wiped check ((retired_at is null) = (private_key is not null)),
  constraint signing_keys_retired_ends check ((retired_at is null) = (published_until is null))
);

-- One key signs. Two processes that both make the first one agree through this.
create unique index signing_keys_one_signs on skedchange.signing_keys ((true)) where retired_at is null;

create function skedchange.refuse_reviving_key() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'signing key % is retired and cannot be changed', old.kid
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
create trigger signing_keys_stay_retired before update on skedchange.signing_keys
  for each row when (old.retired_at is not null) execute function skedchange.refuse_reviving_key();

-- Client assertions (private_key_jwt) that were used, until they expire: each is good for one token.
create table skedchange.client_assertions (
  client_id text not null,
  -- SHA-256 of the assertion's jti, which may be of any length.
  jti_digest bytea not null constraint client_assertions_digest_is_sha256 check (octet_length(jti_digest) = 32),
  expires_at timestamptz not null,
  constraint client_assertions_pkey primary key (client_id, jti_digest)
);
create index client_assertions_by_expiry on skedchange.client_assertions (expires_at);

grant select, insert on skedchange.signing_keys to skedchange_service;
grant update (private_key, retired_at, published_until) on skedchange.signing_keys to skedchange_service;
grant select, insert, delete on skedchange.client_assertions to skedchange_service;

-- 000005_recipient_oauth ----------------------------------------------------------------------------------------------

-- Recipients that are sent an access token, and what went wrong in an attempt in words.

alter table gateway.recipients drop constraint recipients_auth_type_is_known;
alter table gateway.recipients add constraint recipients_auth_type_is_known
  check (auth_type in ('basic', 'bearer', 'oauth'));

-- The code alone does not tell which host could not be reached, or what a token endpoint had against its client.
alter table gateway.attempts add column error_message text
  constraint attempts_error_message_length check (char_length(error_message) <= 1000);
grant update (error_message) on gateway.attempts to skedchange_service;

-- 000006_people -------------------------------------------------------------------------------------------------------

-- People: who may sign in, the sessions they are signed in with, the tokens of their programs, and failed sign-ins.
--
-- The service role can neither delete a user nor give one another name: decisions name people by it for ever. Tokens are
-- revoked, not deleted, so that one can see later what was there.

create table skedchange.users (
  id uuid not null constraint users_pkey primary key,
  -- Lower case, so that one name is one person. `api` is how decisions made with API_TOKEN are signed.
  username text not null constraint users_username_unique unique
    constraint users_username_is_plain check (username ~ '^[a-z0-9][a-z0-9._@+-]{0,63}$' and username <> 'api'),
  display_name text not null constraint users_display_name_length check (char_length(display_name) between 1 and 100),
  role text not null constraint users_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  password_hash text not null constraint users_password_is_hashed check (starts_with(password_hash, 'scrypt$')),
  -- Everybody knows the passwords of demo mode, so these users are disabled when the database is used for real.
  is_demo boolean not null default false,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table skedchange.sessions (
  id uuid not null constraint sessions_pkey primary key,
  -- SHA-256 of the token in the cookie: whoever reads this table cannot sign in with it.
  token_digest bytea not null constraint sessions_token_unique unique
    constraint sessions_token_is_sha256 check (octet_length(token_digest) = 32),
  user_id uuid not null constraint sessions_user_fkey references skedchange.users (id),
  created_at timestamptz not null,
  -- Written at most once a minute.
  last_used_at timestamptz not null,
  -- The end, however much the session is used.
  ends_at timestamptz not null
);
create index sessions_by_user on skedchange.sessions (user_id, created_at);

create table skedchange.api_tokens (
  id uuid not null constraint api_tokens_pkey primary key,
  -- SHA-256 of the token. A fast hash is enough for 256 random bits.
  token_digest bytea not null constraint api_tokens_token_unique unique
    constraint api_tokens_token_is_sha256 check (octet_length(token_digest) = 32),
  user_id uuid not null constraint api_tokens_user_fkey references skedchange.users (id),
  name text not null constraint api_tokens_name_length check (char_length(name) between 1 and 100),
  -- The most that it may do; never more than its owner may at the time.
  role text not null constraint api_tokens_role_is_known check (role in ('viewer', 'agent', 'supervisor', 'admin')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_by_user on skedchange.api_tokens (user_id, created_at);

-- Failed sign-ins, one row for each user name that was tried and each address that tried. Here and not in memory, so that
-- all processes count together and a restart forgives nothing.
create table skedchange.sign_in_failures (
  -- SHA-256 of what is counted: people type passwords into the wrong field.
  subject_digest bytea not null constraint sign_in_failures_pkey primary key
    constraint sign_in_failures_subject_is_sha256 check (octet_length(subject_digest) = 32),
  -- Falls with time, so it is no whole number.
  failures double precision not null,
  counted_at timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failures_by_age on skedchange.sign_in_failures (counted_at);

grant select on skedchange.users, skedchange.sessions, skedchange.api_tokens, skedchange.sign_in_failures
  to skedchange_service;
grant insert on skedchange.users, skedchange.sessions, skedchange.api_tokens, skedchange.sign_in_failures
  to skedchange_service;
grant update (display_name, role, password_hash, disabled_at, last_sign_in_at, updated_at) on skedchange.users
  to skedchange_service;
grant update (last_used_at) on skedchange.sessions to skedchange_service;
grant update (last_used_at, revoked_at) on skedchange.api_tokens to skedchange_service;
grant update (failures, counted_at, locked_until) on skedchange.sign_in_failures to skedchange_service;
grant delete on skedchange.sessions, skedchange.sign_in_failures to skedchange_service;

-- 000007_case_search --------------------------------------------------------------------------------------------------

-- The list of open cases by urgency: priority first, then since when something is to happen. Finished cases are asked for
-- by age, and leaving them out keeps the index as small as the work that is open.
create index cases_by_urgency on skedchange.cases (priority, coalesce(due_at, opened_at), id)
  where state not in ('done', 'resolved-elsewhere', 'closed');

-- 000008_shopping -----------------------------------------------------------------------------------------------------

-- What was found by searches at the gateway, so that an offer is priced and booked as it was shown.
create table gateway.shopping_responses (
  -- 19 digits; every OfferID begins with it.
  shopping_response_id text not null constraint shopping_responses_pkey primary key
    constraint shopping_responses_id_is_digits check (shopping_response_id ~ '^[0-9]{19}$'),
  request jsonb not null,
  -- In the order of their OfferIDs. json and not jsonb: nothing is searched inside.
  offers json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index shopping_responses_by_expiry on gateway.shopping_responses (expires_at);

-- A response is never rewritten. Those that expired long ago are removed.
grant select, insert, delete on gateway.shopping_responses to skedchange_service;

-- 000009_gateway_states -----------------------------------------------------------------------------------------------

-- What becomes of the gateway's orders: which states a booking reference may reach, ticket documents, and refunds.
--
-- The service role can move tickets along and pay them back once. It cannot bring one back, and it cannot change the
-- table of states.

-- Answers end with the booking: one that is cancelled at the traveller's wish closes the change that waits for it.
alter table gateway.settlements drop constraint settlements_outcome_is_known;
alter table gateway.settlements add constraint settlements_outcome_is_known
  check (outcome in ('accepted', 'rejected', 'cancelled'));

-- Every move that a booking reference can make, as in `stateTransitions` of the code. A state is both statuses:
-- `CONFIRMED/Accepted`, `PENDING/`. Staying as it is, is no move.
create table gateway.reference_transitions (
  from_state text not null,
  to_state text not null,
  constraint reference_transitions_pkey primary key (from_state, to_state)
);

with
  any_pnr (pnr) as (
    values (''), ('CONFIRMED'), ('PENDING'), ('MODIFIED'), ('CANCELLED'), ('SCHEDULE CHANGED'), ('FAILED')
  ),
  any_change (change) as (values (''), ('Initiated'), ('Accepted'), ('Rejected'), ('Partially-Accepted')),
  state as (select pnr, change from any_pnr cross join any_change),
  -- From each state; null in the place of a status to come: as it was.
  rule (pnr, change, to_pnr, to_change) as (
    -- The airline changes flights.
    select pnr, change, t.to_pnr, 'Initiated'
      from state cross join (values ('SCHEDULE CHANGED'), ('CANCELLED')) t (to_pnr)
      where pnr not in ('FAILED', 'CANCELLED') and change <> 'Rejected'
        or pnr = 'CANCELLED' and change in ('Initiated', 'Partially-Accepted')
    -- The agency accepts: in part, or, alone or as the last one, in full.
    union all
    select pnr, change, null, 'Partially-Accepted' from state where change <> 'Rejected'
    union all
    select pnr, change, t.to_pnr, 'Accepted'
      from state cross join (values ('CONFIRMED'), ('PENDING'), ('CANCELLED')) t (to_pnr)
      where change <> 'Rejected'
    -- The agency rejects.
    union all
    select pnr, change, 'CANCELLED', 'Rejected' from state where change <> 'Rejected'
    -- The booking is cancelled at the traveller's wish.
    union all
    select pnr, change, 'CANCELLED', null from state
      where pnr not in ('FAILED', 'CANCELLED') and change in ('', 'Accepted', 'Rejected')
    union all
    select pnr, change, 'CANCELLED', 'Rejected' from state
      where pnr <> 'FAILED' and change in ('Initiated', 'Partially-Accepted')
    -- Its last ticket is voided.
    union all
    select pnr, change, 'PENDING', null from state where pnr in ('CONFIRMED', 'MODIFIED')
    -- It is changed at the traveller's wish.
    union all
    select pnr, change, 'MODIFIED', null from state
      where pnr in ('', 'CONFIRMED', 'PENDING') and change in ('', 'Accepted', 'Rejected')
    -- The airline does not confirm it.
    union all
    select pnr, change, 'FAILED', null from state
      where pnr = 'PENDING' and change in ('', 'Accepted', 'Rejected')
  )
insert into gateway.reference_transitions
select distinct pnr || '/' || change, coalesce(to_pnr, pnr) || '/' || coalesce(to_change, change) from rule
where (pnr, change) <> (coalesce(to_pnr, pnr), coalesce(to_change, change));

create function gateway.refuse_unknown_reference_transition() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
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
$$;
create trigger order_references_transition_is_allowed
  before update of pnr_status, schedule_change_status on gateway.order_references
  for each row when (
    old.pnr_status is distinct from new.pnr_status
    or old.schedule_change_status is distinct from new.schedule_change_status
  ) execute function gateway.refuse_unknown_reference_transition();

-- A ticket document of an order.
create table gateway.tickets (
  order_id text not null constraint tickets_order_fkey references gateway.orders (order_id),
  ticket_number text not null,
  -- Its place among the documents of the order, from 0.
  position smallint not null,
  document_type text not null,
  -- Null when the order view did not say whose it is.
  passenger_id text,
  -- Null for a document of the whole order.
  gds_booking_reference text,
  state text not null constraint tickets_state_is_known check (state in ('open', 'used', 'void', 'refunded')),
  -- The segments whose coupon was flown.
  flown_segment_keys text[] not null,
  constraint tickets_pkey primary key (order_id, ticket_number),
  constraint tickets_void_was_not_flown check (state <> 'void' or cardinality(flown_segment_keys) = 0),
  constraint tickets_used_was_flown check (state <> 'used' or cardinality(flown_segment_keys) > 0)
);

-- An exchange names tickets and no order.
create index tickets_by_number on gateway.tickets (ticket_number);

create function gateway.refuse_unknown_ticket_move() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if old.state <> 'open' or not (new.flown_segment_keys @> old.flown_segment_keys) then
    raise exception 'ticket % of order % is % and cannot become %', old.ticket_number, old.order_id, old.state, new.state
      using errcode = 'check_violation', constraint = 'tickets_move_is_allowed';
  end if;
  return new;
end
$$;
create trigger tickets_move_is_allowed before update on gateway.tickets
  for each row execute function gateway.refuse_unknown_ticket_move();

-- The one time that a ticket was paid back.
create table gateway.refunds (
  order_id text not null,
  ticket_number text not null,
  gds_booking_reference text not null,
  change_id uuid not null constraint refunds_change_fkey references gateway.changes (id),
  amount numeric not null constraint refunds_amount_is_not_negative check (amount >= 0),
  -- ISO 4217.
  currency text not null,
  refunded_at timestamptz not null,
  constraint refunds_pkey primary key (order_id, ticket_number),
  constraint refunds_ticket_fkey foreign key (order_id, ticket_number)
    references gateway.tickets (order_id, ticket_number)
);

-- Orders that were made before have the tickets that their view lists, as if nothing had become of them.
insert into gateway.tickets
  (order_id, ticket_number, position, document_type, passenger_id, gds_booking_reference, state, flown_segment_keys)
select o.order_id, t.info -> 'TicketDocument' ->> 'TicketDocNbr', t.number - 1,
  coalesce(t.info -> 'TicketDocument' ->> 'Type', 'TKT'), t.info ->> 'PassengerReference',
  t.info ->> 'GdsBookingReference', 'open', '{}'
from gateway.orders o
cross join lateral json_array_elements(o.content -> 'TicketDocInfos' -> 'TicketDocInfo') with ordinality t (info, number)
on conflict do nothing;

grant select on gateway.reference_transitions to skedchange_service;
grant select, insert on gateway.tickets, gateway.refunds to skedchange_service;
grant update (state, flown_segment_keys) on gateway.tickets to skedchange_service;

-- 000010_policy -------------------------------------------------------------------------------------------------------

-- Policies as they were written. A version is the digest of what the policy says, so the same policy is kept once, and
-- what a decision names can always be read again.
create table skedchange.policy_versions (
  version text not null constraint policy_versions_pkey primary key
    constraint policy_versions_version_is_sha256 check (version ~ '^[0-9a-f]{64}$'),
  name text not null,
  -- The file, with its comments.
  text text not null,
  created_at timestamptz not null,
  -- 'shipped', 'file', or 'person:' and who.
  created_by text not null,
  note text
);

create function skedchange.refuse_changing_policy() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'policy version % is kept as it is', old.version
    using errcode = 'check_violation', constraint = 'policy_versions_never_change';
end
$$;
create trigger policy_versions_never_change before update or delete on skedchange.policy_versions
  for each row execute function skedchange.refuse_changing_policy();

-- Which version decides for a source, and which one is only tried beside it. Each row is a term of office: a change ends
-- one and begins another, so that the table is its own record of who changed what, when and why.
create table skedchange.policy_terms (
  id uuid not null constraint policy_terms_pkey primary key,
  source text not null,
  role text not null constraint policy_terms_role_is_known check (role in ('active', 'shadow')),
  version text not null constraint policy_terms_version_fkey references skedchange.policy_versions (version),
  began_at timestamptz not null,
  -- As in policy_versions.
  began_by text not null,
  note text,
  ended_at timestamptz,
  ended_by text
);
-- One active version, and at most one shadow, for each source.
create unique index policy_terms_one_at_a_time on skedchange.policy_terms (source, role) where ended_at is null;
create index policy_terms_newest on skedchange.policy_terms (source, began_at desc);
create trigger policy_terms_end_once before update on skedchange.policy_terms
  for each row when (old.ended_at is not null) execute function skedchange.refuse_rewriting_history();

-- What a decision read besides facts, flags and the status, and what the law said: with these it can be made again.
alter table skedchange.decisions add column inputs jsonb;
alter table skedchange.decisions add column legal jsonb;
alter table skedchange.decisions add column priority smallint
  constraint decisions_priority_in_range check (priority between 0 and 9);

-- A policy may ask the traveller.
alter table skedchange.decisions drop constraint decisions_action_is_known;
alter table skedchange.decisions add constraint decisions_action_is_known
  check (action in ('accept', 'cancel', 'review', 'ask-traveller', 'wait', 'none'));

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
create index shadow_decisions_newest on skedchange.shadow_decisions (source, version, decided_at desc, decision_id desc);

grant select, insert on skedchange.policy_versions, skedchange.policy_terms, skedchange.shadow_decisions
  to skedchange_service;
grant update (ended_at, ended_by) on skedchange.policy_terms to skedchange_service;

-- 000011_sender_rules -------------------------------------------------------------------------------------------------

-- How each recipient is delivered to, how it is doing, and notifications that a newer one made pointless.

alter table gateway.recipients
  -- latest: a newer notification of an order takes the place of those not delivered yet, since each is a full snapshot.
  -- every: all of them, first in, first out.
  add column ordering text not null default 'latest'
    constraint recipients_ordering_is_known check (ordering in ('latest', 'every')),
  -- Whose changes it is sent; null: those of every airline.
  add column airlines text[] constraint recipients_airlines_are_some check (cardinality(airlines) > 0),
  -- required: only AcknowledgeResponse with Status OK counts. any-success: any 2xx does.
  add column acknowledgement text not null default 'required'
    constraint recipients_acknowledgement_is_known check (acknowledgement in ('required', 'any-success')),
  -- Secrets with which notifications are signed, a JSON list as sealed by the store; null: they are not signed.
  add column signing_secrets bytea,
  add column signing_secrets_encoding text,
  add column signing_secrets_key_id text,
  add column signing_secret_count integer not null default 0,
  add constraint recipients_signing_is_whole check ((signing_secrets is null) = (signing_secret_count = 0)),
  add constraint recipients_signing_is_wiped_on_removal check (state <> 'removed' or signing_secrets is null),
  -- Limits of its own; null: those of the sender.
  add column deadline_ms integer constraint recipients_deadline_bounds check (deadline_ms between 1000 and 60000),
  add column lanes_max integer constraint recipients_lanes_bounds check (lanes_max between 1 and 64),
  -- Failed tries since the last acknowledgement, and when the first of them was.
  add column failed_in_row integer not null default 0,
  add column failing_since timestamptz,
  -- Nothing is sent before that: the recipient asked for it (throttled), or fails again and again (failing).
  add column held_until timestamptz,
  add column held_because text constraint recipients_hold_is_known check (held_because in ('throttled', 'failing')),
  add constraint recipients_hold_says_why check ((held_until is null) = (held_because is null));
grant update (ordering, airlines, acknowledgement, deadline_ms, lanes_max, signing_secrets, signing_secrets_encoding, signing_secrets_key_id,
  signing_secret_count, failed_in_row, failing_since, held_until, held_because) on gateway.recipients
  to skedchange_service;

alter table gateway.deliveries
  -- The newer delivery of the same lane that took its place.
  add column superseded_by uuid constraint deliveries_superseded_by_fkey references gateway.deliveries (id),
  drop constraint deliveries_state_is_known,
  add constraint deliveries_state_is_known check (state in ('pending', 'delivered', 'dead', 'superseded')),
  add constraint deliveries_superseded_says_by_what check ((state = 'superseded') = (superseded_by is not null));
grant update (superseded_by) on gateway.deliveries to skedchange_service;

-- Notifications that no recipient was configured for when they were announced.
create index ocn_bodies_by_age on gateway.ocn_bodies (created_at, id);

-- Who owns a recipient, how fast it is served, and the certificate that this side shows it.
alter table gateway.recipients
  add column agency_id text constraint recipients_agency_id_length check (char_length(agency_id) between 1 and 100),
  -- Deliveries a second; null: as fast as it answers.
  add column rate_per_second integer constraint recipients_rate_bounds check (rate_per_second between 1 and 1000),
  -- Up to here its rate is used up: it moves on by one delivery's share of a second with each try.
  add column paced_until timestamptz,
  -- Certificate, private key and accepted authorities in PEM, as sealed by the store; null: it is shown none.
  add column client_certificate bytea,
  add column client_certificate_encoding text,
  add column client_certificate_key_id text,
  add column client_certificate_expires_at timestamptz,
  add constraint recipients_certificate_is_whole
    check ((client_certificate is null) = (client_certificate_expires_at is null)),
  add constraint recipients_certificate_is_wiped_on_removal check (state <> 'removed' or client_certificate is null),
  -- Orders that it is sent at the same time after a stop, one more with each acknowledgement; null: its full number.
  add column ramp_lanes integer constraint recipients_ramp_bounds check (ramp_lanes between 1 and 64),
  -- Notices given since it began to fail.
  add column failing_notices integer not null default 0;
grant update (agency_id, rate_per_second, paced_until, client_certificate, client_certificate_encoding,
  client_certificate_key_id, client_certificate_expires_at, ramp_lanes, failing_notices) on gateway.recipients
  to skedchange_service;

-- Where the time of a try went: {lookupMs, connectMs, tlsMs, firstByteMs}.
alter table gateway.attempts add column timings jsonb;
grant update (timings) on gateway.attempts to skedchange_service;

-- Whether what is first in the lane has failed before. Such lanes leave room to the others.
alter table gateway.lanes add column is_retry boolean not null default false;
update gateway.lanes l set is_retry = true
  where exists (select from gateway.deliveries d where d.recipient_id = l.recipient_id and d.order_id = l.order_id
    and d.state = 'pending' and d.failures > 0);
grant update (is_retry) on gateway.lanes to skedchange_service;

-- Many deliveries that a person has sent again, worked off bit by bit in the order of their positions.
create table gateway.replays (
  id uuid not null constraint replays_pkey primary key,
  -- What is sent again: {state, recipientId, orderId, airline, since, until}.
  filter jsonb not null,
  -- Whether to send also what a newer notification of its order makes pointless.
  force boolean not null,
  state text not null default 'running' constraint replays_state_is_known
    check (state in ('running', 'finished', 'cancelled')),
  -- Deliveries up to this position are meant: what is added later, by the replay itself too, is not.
  up_to_position bigint not null,
  position bigint not null default 0,
  total integer not null,
  replayed integer not null default 0,
  skipped integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint replays_finish_is_dated check ((state = 'running') = (finished_at is null))
);
create index replays_running on gateway.replays (id) where state = 'running';
grant select, insert on gateway.replays to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on gateway.replays to skedchange_service;

-- What has ended is deleted after a while. What is pending or dead is not.
create index deliveries_by_finish on gateway.deliveries (finished_at) where state in ('delivered', 'superseded');
create index deliveries_by_superseder on gateway.deliveries (superseded_by) where superseded_by is not null;
create index deliveries_by_original on gateway.deliveries (replay_of) where replay_of is not null;

-- The service role cannot delete from this history; this is what it may have deleted. A delivery that another one refers
-- to, as its original or by superseding it, goes after that one.
create function gateway.delete_ended(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function gateway.delete_ended(timestamptz, integer) from public;
grant execute on function gateway.delete_ended(timestamptz, integer) to skedchange_service;
create index deliveries_by_body on gateway.deliveries (ocn_id);

-- 000012_gateway_flights ----------------------------------------------------------------------------------------------

-- What airlines do to flights: more kinds of change, the orders on one flight, and services that are switched off.

alter table gateway.changes drop constraint changes_kind_is_known;
alter table gateway.changes add constraint changes_kind_is_known check (kind in (
  'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
  'replace', 'cancel', 'restore', 'combined', 'loaded'));

-- The booked flights of each order, so that every order on a flight and date is found without reading order views. A row
-- for the airline that sells the flight, and one for the airline that flies it when that is another.
create table gateway.order_flights (
  order_id text not null constraint order_flights_order_fkey references gateway.orders (order_id),
  segment_key text not null,
  carrier text not null,
  -- Without leading zeros.
  flight_number text not null,
  -- Local date of departure, as printed.
  departure_date text not null,
  constraint order_flights_pkey primary key (carrier, flight_number, departure_date, order_id, segment_key)
);
create index order_flights_by_order on gateway.order_flights (order_id);
grant select, insert, delete on gateway.order_flights to skedchange_service;

-- Flights of an order view; a segment without carrier, number or date is on no flight that could be named.
create function gateway.flights_of(content json)
  returns table (segment_key text, carrier text, flight_number text, departure_date text)
  language sql immutable
  begin atomic
    select distinct s ->> 'SegmentKey', upper(c ->> 'AirlineID'), ltrim(upper(c ->> 'FlightNumber'), '0'),
      s -> 'Departure' ->> 'Date'
    from json_array_elements(content -> 'DataLists' -> 'FlightSegmentList' -> 'FlightSegment') as s,
      lateral (values (s -> 'MarketingCarrier'), (s -> 'OperatingCarrier')) as carriers (c)
    where c ->> 'AirlineID' is not null and c ->> 'FlightNumber' is not null and s -> 'Departure' ->> 'Date' is not null;
  end;

create function gateway.keep_order_flights() returns trigger
  language plpgsql
  as $$
begin
  if tg_op = 'UPDATE' then
    if new.content::text = old.content::text then return null; end if;
    delete from gateway.order_flights where order_id = new.order_id;
  end if;
  insert into gateway.order_flights (order_id, segment_key, carrier, flight_number, departure_date)
  select new.order_id, segment_key, carrier, flight_number, departure_date from gateway.flights_of(new.content);
  return null;
end
$$;

create trigger orders_keep_flights after insert or update of content on gateway.orders
  for each row execute function gateway.keep_order_flights();

insert into gateway.order_flights (order_id, segment_key, carrier, flight_number, departure_date)
select order_id, f.segment_key, f.carrier, f.flight_number, f.departure_date
from gateway.orders, lateral gateway.flights_of(content) as f;

-- Optional services that the gateway does not offer for now.
create table gateway.switched_off_services (
  operation text not null constraint switched_off_services_pkey primary key
);
grant select, insert, delete on gateway.switched_off_services to skedchange_service;

-- 000013_desk ---------------------------------------------------------------------------------------------------------

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

-- 000014_audit --------------------------------------------------------------------------------------------------------

-- The audit: who did what to which order and when, as ids only, in a chain of hashes that shows every later change.
--
-- Triggers write it with the owner's rights, so nothing that writes to the audited tables can leave it out, and the
-- service role can read it but neither add to it nor change it. Nobody can without disabling a trigger first.
create table skedchange.audit_entries (
  id bigint generated always as identity constraint audit_entries_pkey primary key,
  -- When it happened, by whoever did it, and when the database took it down, by its own clock.
  at timestamptz not null constraint audit_entries_at_is_a_time check (isfinite(at)),
  recorded_at timestamptz not null default now(),
  -- noun.verb, as in case_events.
  kind text not null,
  -- 'worker', 'receiver', ..., or 'person:' and who.
  actor text not null,
  source text,
  order_id text,
  case_id uuid,
  case_event_id bigint constraint audit_entries_once_per_event unique,
  -- {name: id or code}, all of them texts. Never a note, a name of a person or anything of a body.
  refs jsonb not null,
  -- SHA-256 of what stays out: of a case event its whole detail, else the columns that the trigger names. Null: nothing did.
  detail_digest bytea constraint audit_entries_digest_is_sha256 check (octet_length(detail_digest) = 32)
);
create index audit_entries_by_order on skedchange.audit_entries (order_id, id) where order_id is not null;
-- Entries come in the order of their times, nearly; this one costs those who write them nothing.
create index audit_entries_by_time on skedchange.audit_entries using brin (recorded_at);

-- One link for each entry, in the order in which they were sealed. A chain that writers extended themselves would make
-- every commit wait for the one before; this one is extended by one process at a time, right after.
create table skedchange.audit_chain (
  seq bigint not null constraint audit_chain_pkey primary key constraint audit_chain_begins_at_one check (seq >= 1),
  entry_id bigint not null constraint audit_chain_entry_once unique
    constraint audit_chain_entry_fkey references skedchange.audit_entries (id),
  -- SHA-256 of the hash before and the entry in its canonical form; before the first one stand 32 zero bytes.
  hash bytea not null constraint audit_chain_hash_is_sha256 check (octet_length(hash) = 32)
);

-- Entries that have no link yet.
create table skedchange.audit_unsealed (
  entry_id bigint not null constraint audit_unsealed_pkey primary key
);

create function skedchange.refuse_changing_audit() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'the audit is only ever added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'check_violation', constraint = tg_name;
end
$$;
create trigger audit_entries_never_change before update or delete on skedchange.audit_entries
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_entries_never_truncated before truncate on skedchange.audit_entries
  for each statement execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_changes before update or delete on skedchange.audit_chain
  for each row execute function skedchange.refuse_changing_audit();
create trigger audit_chain_never_truncated before truncate on skedchange.audit_chain
  for each statement execute function skedchange.refuse_changing_audit();

-- Of the detail of a case event, what is an id by its form or a code from a closed list. It is called once for each event
-- under the path of its caller: a path of its own would cost more than the function.
create function skedchange.audit_refs(detail jsonb) returns jsonb language sql immutable
as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each_text(case jsonb_typeof(detail) when 'object' then detail else '{}' end)
  where value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and value ~ '^[a-z][a-z0-9._-]{0,63}$')
$$;

-- For all events of a statement at once: the receiver adds them in batches.
create function skedchange.audit_case_events() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
      sha256(convert_to(e.detail::text, 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;
create trigger case_events_are_audited after insert on skedchange.case_events
  referencing new table as added_events for each statement execute function skedchange.audit_case_events();

-- Takes down that a row was added or changed. The trigger says which changes count, in its WHEN, and hands over:
-- the kind; the columns to show, ids and codes only; the columns that stay out but must be provable; the columns that
-- say who, of which the first that is set counts. Lists are separated by commas. Where no column says who, the writer may
-- with `set_config('skedchange.actor', ..., true)`.
create function skedchange.audit_row() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  entry_refs jsonb;
  changed text;
  digest bytea;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
  entry_id bigint;
begin
  select coalesce(jsonb_object_agg(name, row_now ->> name), '{}') into entry_refs
    from unnest(shown) name where row_now ->> name is not null;
  if tg_op = 'UPDATE' then
    select string_agg(name, ',' order by name collate "C") into changed
      from unnest(shown || proved) name where row_now -> name is distinct from row_before -> name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  if cardinality(proved) > 0 then
    select sha256(convert_to(jsonb_object_agg(name, row_now -> name)::text, 'UTF8')) into digest from unnest(proved) name;
  end if;
  select row_now ->> name into who
    from unnest(string_to_array(tg_argv[3], ',')) with ordinality as given (name, place)
    where row_now ->> name is not null order by place limit 1;
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system'), entry_source,
    entry_order, entry_case, entry_refs, digest)
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;

-- What came and could not be used, and its way out.
create trigger notifications_quarantined_is_audited after insert on skedchange.notifications
  for each row when (new.state = 'quarantined')
  execute function skedchange.audit_row('notification.quarantined', 'id', 'problem', '');
create trigger notifications_released_is_audited after update of state on skedchange.notifications
  for each row when (new.state = 'released' and old.state <> 'released')
  execute function skedchange.audit_row('notification.released', 'id', '', '');

-- Which rules decide.
create trigger policy_versions_added_is_audited after insert on skedchange.policy_versions
  for each row execute function skedchange.audit_row('policy.added', 'version', 'note', 'created_by');
create trigger policy_terms_began_is_audited after insert on skedchange.policy_terms
  for each row execute function skedchange.audit_row('policy-term.began', 'id,role,version', 'note', 'began_by');
create trigger policy_terms_ended_is_audited after update of ended_at on skedchange.policy_terms
  for each row when (old.ended_at is null and new.ended_at is not null)
  execute function skedchange.audit_row('policy-term.ended', 'id,role,version', '', 'ended_by');

-- Who may do what. User names are shown as everywhere else; the names that people go by are not.
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role', '', '');
create trigger users_changed_is_audited after update on skedchange.users
  for each row when ((old.username, old.role, old.password_hash, old.disabled_at, old.is_demo)
    is distinct from (new.username, new.role, new.password_hash, new.disabled_at, new.is_demo))
  execute function skedchange.audit_row('user.changed', 'id,username,role,disabled_at,is_demo', 'password_hash', '');
create trigger sessions_started_is_audited after insert on skedchange.sessions
  for each row execute function skedchange.audit_row('session.started', 'id,user_id', '', '');
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens
  for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,expires_at', 'name', '');
create trigger api_tokens_revoked_is_audited after update of revoked_at on skedchange.api_tokens
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function skedchange.audit_row('api-token.revoked', 'id,user_id,role,revoked_at', '', '');
-- Not who: people type passwords into the wrong field, and what the audit holds it holds for ever.
create trigger sign_in_failures_locked_is_audited after insert on skedchange.sign_in_failures
  for each row when (new.locked_until is not null)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger sign_in_failures_locked_again_is_audited after update of locked_until on skedchange.sign_in_failures
  for each row when (new.locked_until is not null and old.locked_until is distinct from new.locked_until)
  execute function skedchange.audit_row('sign-in.locked', 'locked_until', '', '');
create trigger signing_keys_added_is_audited after insert on skedchange.signing_keys
  for each row execute function skedchange.audit_row('signing-key.added', 'kid', '', '');
create trigger signing_keys_retired_is_audited after update of retired_at on skedchange.signing_keys
  for each row when (old.retired_at is null and new.retired_at is not null)
  execute function skedchange.audit_row('signing-key.retired', 'kid', '', '');

-- What people decide around a case.
create trigger traveller_contacts_added_is_audited after insert on skedchange.traveller_contacts
  for each row execute function skedchange.audit_row(
    'traveller-contact.recorded', 'id,kind,channel,answer,proposal_digest,happened_at', 'note', 'recorded_by');
create trigger approvals_asked_is_audited after insert on skedchange.approvals
  for each row execute function skedchange.audit_row(
    'approval.asked', 'id,action,proposal_digest,state', 'note', 'asked_by');
create trigger approvals_answered_is_audited after update on skedchange.approvals
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('approval.answered', 'id,action,proposal_digest,state', '', 'answered_by');
create trigger tasks_opened_is_audited after insert on skedchange.tasks
  for each row execute function skedchange.audit_row('task.opened', 'id,kind', 'reasons', '');
create trigger tasks_closed_is_audited after update on skedchange.tasks
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function skedchange.audit_row('task.closed', 'id,kind', 'note', 'closed_by');
create trigger bulk_actions_asked_is_audited after insert on skedchange.bulk_actions
  for each row execute function skedchange.audit_row('bulk-action.asked', 'id', 'command', 'asked_by');
create trigger bulk_actions_ended_is_audited after update on skedchange.bulk_actions
  for each row when (old.state is distinct from new.state)
  execute function skedchange.audit_row('bulk-action.ended', 'id,state', '', '');

-- The text of a time in the canonical form: in UTC, with six digits of a second.
create function skedchange.audit_time(at timestamptz) returns text language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- What is hashed of an entry: JSON without blanks, the keys sorted, bytes in hexadecimal, every key there.
create function skedchange.audit_canonical(entry skedchange.audit_entries) returns text language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select '{"actor":' || to_json(entry.actor)
    || ',"at":"' || skedchange.audit_time(entry.at)
    || '","caseEventId":' || coalesce(entry.case_event_id::text, 'null')
    || ',"caseId":' || coalesce(to_json(entry.case_id)::text, 'null')
    || ',"detailDigest":' || coalesce(to_json(encode(entry.detail_digest, 'hex'))::text, 'null')
    || ',"id":' || entry.id
    || ',"kind":' || to_json(entry.kind)
    || ',"orderId":' || coalesce(to_json(entry.order_id)::text, 'null')
    || ',"recordedAt":"' || skedchange.audit_time(entry.recorded_at)
    || '","refs":{' || coalesce((
      select string_agg(to_json(key) || ':' || to_json(value), ',' order by key collate "C")
      from jsonb_each_text(entry.refs)), '')
    || '},"source":' || coalesce(to_json(entry.source)::text, 'null') || '}'
$$;

-- Links committed entries to the chain, the oldest first, at most `batch` of them, and answers how many; 0 also while
-- another process does so. The only way into the chain: it takes what triggers wrote and computes the hashes itself.
create function skedchange.seal_audit_entries(batch integer) returns integer language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entry skedchange.audit_entries;
  last_seq bigint;
  last_hash bytea;
  ids bigint[] := '{}';
  hashes bytea[] := '{}';
begin
  if batch not between 1 and 10000 then
    raise exception 'batch must be 1 to 10000, not %', batch using errcode = 'invalid_parameter_value';
  end if;
  -- Released after the links are visible to whoever takes it next.
  if not pg_try_advisory_xact_lock(hashtextextended('skedchange.seal_audit_entries', 0)) then
    return 0;
  end if;
  select seq, hash into last_seq, last_hash from skedchange.audit_chain order by seq desc limit 1;
  if not found then
    last_seq := 0;
    last_hash := decode(repeat('00', 32), 'hex');
  end if;
  for entry in
    select e.* from skedchange.audit_unsealed u join skedchange.audit_entries e on e.id = u.entry_id
    order by u.entry_id limit batch
  loop
    last_hash := sha256(last_hash || convert_to(skedchange.audit_canonical(entry), 'UTF8'));
    ids := ids || entry.id;
    hashes := hashes || last_hash;
  end loop;
  insert into skedchange.audit_chain (seq, entry_id, hash)
    select last_seq + place, id, hash from unnest(ids, hashes) with ordinality as link (id, hash, place);
  delete from skedchange.audit_unsealed where entry_id = any (ids);
  return cardinality(ids);
end
$$;

revoke all on function skedchange.audit_case_events(), skedchange.audit_row(), skedchange.refuse_changing_audit(),
  skedchange.audit_canonical(skedchange.audit_entries), skedchange.seal_audit_entries(integer) from public;
grant execute on function skedchange.seal_audit_entries(integer) to skedchange_service;
grant select on skedchange.audit_entries, skedchange.audit_chain, skedchange.audit_unsealed to skedchange_service;

-- What happened before there was an audit. recorded_at says that it was taken down only now.
with added as (
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
  select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
    sha256(convert_to(e.detail::text, 'UTF8'))
  from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
  order by e.id
  returning id
)
insert into skedchange.audit_unsealed (entry_id) select id from added;

-- 000015_orders -------------------------------------------------------------------------------------------------------

-- What the agency states about its orders, and the polls of their status for notifications that were never sent.

alter table skedchange.orders
  -- Under which it can be asked about; from an import or a poll. Cases have their own.
  add column gds_booking_references text[] not null default '{}',
  add column imported_at timestamptz,
  -- 'person:' and who.
  add column imported_by text,
  -- When its status is read next without anything having told of it; null before the first plan, and when polling ended.
  add column next_poll_at timestamptz,
  add column polled_at timestamptz,
  -- Polls in a row that could not be read.
  add column poll_failures smallint not null default 0,
  -- Digest of the proposal that the last poll has seen: the status is stored only when it differs.
  add column poll_digest text,
  add column poll_ended text constraint orders_poll_ended_is_known
    check (poll_ended in ('travelled', 'no-reference', 'refused')),
  add constraint orders_poll_ended_is_not_planned check (poll_ended is null or next_poll_at is null);
create index orders_to_poll on skedchange.orders (source, next_poll_at) where next_poll_at is not null;

-- Each time a stated itinerary became the booked one. Never changed.
create table skedchange.order_imports (
  id bigint generated always as identity constraint order_imports_pkey primary key,
  source text not null,
  order_id text not null,
  imported_at timestamptz not null,
  imported_by text not null,
  booked jsonb not null,
  -- What it replaced, and where that had come from; null when there was none.
  replaced jsonb,
  replaced_from text,
  -- Whether decisions rested on what was replaced, so that it took the word of a person.
  was_decided_on boolean not null,
  constraint order_imports_order_fkey foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
create index order_imports_by_order on skedchange.order_imports (source, order_id, id);
create trigger order_imports_added_is_audited after insert on skedchange.order_imports
  for each row execute function skedchange.audit_row(
    'order.imported', 'id,replaced_from,was_decided_on', 'booked,replaced', 'imported_by');

-- What polls have read, one for each time that it had changed. Statuses that a case rests on are in status_views.
create table skedchange.order_status_views (
  id uuid not null constraint order_status_views_pkey primary key,
  source text not null,
  order_id text not null,
  read_at timestamptz not null,
  proposal_digest text not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  constraint order_status_views_order_fkey foreign key (source, order_id)
    references skedchange.orders (source, order_id)
);
alter table skedchange.order_status_views alter column body set storage external;
create index order_status_views_by_order on skedchange.order_status_views (source, order_id, read_at);

-- Bounds how often a source is polled, over all processes.
create table skedchange.poll_pace (
  source text not null constraint poll_pace_pkey primary key,
  next_at timestamptz not null
);

grant select, insert on skedchange.order_imports, skedchange.order_status_views, skedchange.poll_pace
  to skedchange_service;
grant update (gds_booking_references, imported_at, imported_by, next_poll_at, polled_at, poll_failures, poll_digest,
  poll_ended) on skedchange.orders to skedchange_service;
grant update (next_at) on skedchange.poll_pace to skedchange_service;

-- 000016_events -------------------------------------------------------------------------------------------------------

-- The agency's own outgoing events, for systems that the agency configures. They are delivered by the same code as the
-- gateway's notifications, over tables of the same shape.

-- An endpoint that the agency configured. Every event of an order is sent, first in, first out, and any 2xx will do.
create table skedchange.event_recipients (like gateway.recipients including all);
alter table skedchange.event_recipients
  drop column airlines,
  -- Which events it is sent, and of which sources; null: all.
  add column event_types text[] constraint event_recipients_types_are_some check (cardinality(event_types) > 0),
  add column sources text[] constraint event_recipients_sources_are_some check (cardinality(sources) > 0),
  alter column ordering set default 'every',
  alter column acknowledgement set default 'any-success',
  drop constraint recipients_auth_type_is_known,
  -- none: its signature is all that an event proves itself by.
  add constraint event_recipients_auth_type_is_known check (auth_type in ('none', 'basic', 'bearer', 'oauth')),
  add constraint event_recipients_ordering_is_every check (ordering = 'every'),
  add constraint event_recipients_any_success_counts check (acknowledgement = 'any-success'),
  add constraint event_recipients_events_are_signed check (state = 'removed' or signing_secret_count > 0);

-- One event, committed together with what it tells of. It holds ids and decisions, no passenger data and no notes, and
-- is written by the database, which has no keys: `identity` is the encoding of bytes as they are.
create table skedchange.event_bodies (like gateway.ocn_bodies including all);
alter table skedchange.event_bodies
  drop column change_id,
  drop column airline,
  add column event_type text not null,
  add column source text not null,
  add column case_id uuid not null constraint event_bodies_case_fkey references skedchange.cases (id),
  -- Those that it goes to: who wanted it when it happened.
  add column recipient_ids uuid[] not null,
  -- The order of the commits, within an order: whoever writes about an order holds its row.
  add column position bigint generated always as identity constraint event_bodies_position_unique unique,
  -- When the deliveries to its recipients were added.
  add column routed_at timestamptz;
create index event_bodies_unrouted on skedchange.event_bodies (position) where routed_at is null;

create table skedchange.event_lanes (like gateway.lanes including all);
alter table skedchange.event_lanes add constraint event_lanes_recipient_fkey
  foreign key (recipient_id) references skedchange.event_recipients (id);

create table skedchange.event_deliveries (like gateway.deliveries including all);
alter table skedchange.event_deliveries rename column ocn_id to body_id;
alter table skedchange.event_deliveries
  add constraint event_deliveries_body_fkey foreign key (body_id) references skedchange.event_bodies (id),
  add constraint event_deliveries_replay_fkey foreign key (replay_of) references skedchange.event_deliveries (id),
  add constraint event_deliveries_superseded_by_fkey
    foreign key (superseded_by) references skedchange.event_deliveries (id),
  add constraint event_deliveries_lane_fkey
    foreign key (recipient_id, order_id) references skedchange.event_lanes (recipient_id, order_id);
create trigger event_deliveries_end_once before update on skedchange.event_deliveries
  for each row when (old.state <> 'pending') execute function gateway.refuse_reviving_delivery();

create table skedchange.event_attempts (like gateway.attempts including all);
alter table skedchange.event_attempts add constraint event_attempts_delivery_fkey
  foreign key (delivery_id) references skedchange.event_deliveries (id);
create trigger event_attempts_end_once before update on skedchange.event_attempts
  for each row when (old.outcome is not null) execute function gateway.refuse_changing_attempt();

create table skedchange.event_replays (like gateway.replays including all);

-- Who is told of the agency's business, and where, is a right like others.
create trigger event_recipients_added_is_audited after insert on skedchange.event_recipients
  for each row execute function skedchange.audit_row('event-recipient.added', 'id,state', 'name,url,event_types,sources', '');
create trigger event_recipients_changed_is_audited after update on skedchange.event_recipients
  for each row when ((old.name, old.url, old.auth_type, old.credential, old.state, old.event_types, old.sources,
      old.signing_secrets, old.client_certificate)
    is distinct from (new.name, new.url, new.auth_type, new.credential, new.state, new.event_types, new.sources,
      new.signing_secrets, new.client_certificate))
  execute function skedchange.audit_row('event-recipient.changed', 'id,state',
    'name,url,auth_type,credential,event_types,sources,signing_secrets,client_certificate', '');

grant select on skedchange.event_bodies to skedchange_service;
grant update (routed_at) on skedchange.event_bodies to skedchange_service;
grant select, insert on skedchange.event_recipients, skedchange.event_lanes, skedchange.event_deliveries,
  skedchange.event_attempts, skedchange.event_replays to skedchange_service;
grant update (name, url, auth_type, credential, credential_encoding, key_id, state, state_reason, state_changed_at,
  updated_at, event_types, sources, deadline_ms, lanes_max, signing_secrets, signing_secrets_encoding,
  signing_secrets_key_id, signing_secret_count, failed_in_row, failing_since, held_until, held_because,
  rate_per_second, paced_until, client_certificate, client_certificate_encoding, client_certificate_key_id,
  client_certificate_expires_at, ramp_lanes, failing_notices) on skedchange.event_recipients to skedchange_service;
grant update (due_at, lease_fence, leased_until, leased_by, dispatched_until, is_retry) on skedchange.event_lanes
  to skedchange_service;
grant update (state, due_at, attempts, failures, first_tried_at, dead_reason, finished_at, superseded_by)
  on skedchange.event_deliveries to skedchange_service;
grant update (outcome, http_status, error_code, error_message, answer_excerpt, duration_ms, timings)
  on skedchange.event_attempts to skedchange_service;
grant update (state, position, replayed, skipped, finished_at) on skedchange.event_replays to skedchange_service;

-- Adds an event about a case, when somebody wants it. The service role cannot add one that nothing has happened for.
--
-- `about`: {decisionId, effectId, taskId}, what the event is about beside its case. Reasons are given by their codes:
-- their sentences may quote what the gateway said.
create function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
  perform pg_notify('skedchange_due', '');
end
$$;
revoke all on function skedchange.add_event(text, text, uuid, jsonb) from public;

-- What is an event is told here, and nowhere else. The triggers are deferred: they run with the commit, so that an event
-- shows its case as the transaction leaves it, and whoever changes a case need not know of events.
create function skedchange.tell_of_case() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
create constraint trigger cases_tell_of_opening after insert on skedchange.cases
  deferrable initially deferred for each row execute function skedchange.tell_of_case();
create constraint trigger cases_tell_of_change after update on skedchange.cases
  deferrable initially deferred for each row
  when (new.state in ('done', 'closed', 'resolved-elsewhere') and new.state is distinct from old.state
    or (old.overdue_at is null and new.overdue_at is not null))
  execute function skedchange.tell_of_case();

create function skedchange.tell_of_decision() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform skedchange.add_event('case.decided', 'case.decided/' || new.id, new.case_id,
    jsonb_build_object('decisionId', new.id));
  return null;
end
$$;
create constraint trigger decisions_tell after insert on skedchange.decisions
  deferrable initially deferred for each row execute function skedchange.tell_of_decision();

create function skedchange.tell_of_effect() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- An accept that is sent once more may become unknown once more.
  perform skedchange.add_event('effect.' || new.state, 'effect.' || new.state || '/' || new.id || '/' || new.sends,
    new.case_id, jsonb_build_object('decisionId', new.decision_id, 'effectId', new.id));
  return null;
end
$$;
create constraint trigger effects_tell after update on skedchange.effects
  deferrable initially deferred for each row
  when (new.state is distinct from old.state and new.state in ('succeeded', 'failed', 'unknown'))
  execute function skedchange.tell_of_effect();

create function skedchange.tell_of_task() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform skedchange.add_event('task.opened', 'task.opened/' || new.id, new.case_id,
    jsonb_build_object('taskId', new.id));
  return null;
end
$$;
create constraint trigger tasks_tell after insert on skedchange.tasks
  deferrable initially deferred for each row execute function skedchange.tell_of_task();

-- As gateway.delete_ended: the service role cannot delete from this history otherwise.
create function skedchange.delete_ended_events(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function skedchange.delete_ended_events(timestamptz, integer) from public;
grant execute on function skedchange.delete_ended_events(timestamptz, integer) to skedchange_service;

-- 000017_task_clocks --------------------------------------------------------------------------------------------------

-- By when tasks must be done: a refund within the term of the law, a ticket before check-in. Tasks from before have no
-- such time: what they would count from is not in their rows.

alter table skedchange.tasks
  -- The earliest of the clocks that ran when it was opened, and which one that is; null: none did.
  add column due_by timestamptz,
  add column due_by_rule text,
  -- When that moment was first seen to have passed with the task still open.
  add column overdue_at timestamptz,
  add constraint tasks_due_by_has_a_rule check ((due_by is null) = (due_by_rule is null));
-- The list of what is open, and what has become overdue. No list has the open ones by age any more.
drop index skedchange.tasks_open;
create index tasks_open_by_due on skedchange.tasks (due_by, id) where closed_at is null;

grant update (overdue_at) on skedchange.tasks to skedchange_service;

-- 000018_unplanned_polls ----------------------------------------------------------------------------------------------

-- Finds the orders whose first poll is to be planned without reading all others, every minute.

create index orders_unplanned on skedchange.orders (source) where next_poll_at is null and poll_ended is null;

-- 000019_effects_of_an_order ------------------------------------------------------------------------------------------

-- Each work on an order asks for its effects that ended, which are kept for ever.

create index effects_by_order on skedchange.effects (source, order_id, finished_at desc);

-- 000020_service_tasks ------------------------------------------------------------------------------------------------

-- After an accept: seats, bags, meals and other services that were bought for the flights as they were.

alter table skedchange.tasks
  drop constraint tasks_kind_is_known,
  add constraint tasks_kind_is_known check (kind in ('check-ticket', 'check-refund', 'check-services'));

-- 000021_questions ----------------------------------------------------------------------------------------------------

-- What a person is asked by a decision that is not for rules. Until now only the name of the rule told.

alter table skedchange.decisions
  add column question text,
  add constraint decisions_question_is_known check (question in (
    'effect-outcome', 'unreadable-status', 'unreachable-gateway', 'failed-processing',
    'proposal-changed', 'status-says-more', 'traveller-answered', 'person-decided'
  ));

-- Adding what a decision asked rewrites nothing of it.
alter table skedchange.decisions disable trigger decisions_superseded_once;

update skedchange.decisions d set question = named.question
from (values
  ('check:effect', 'effect-outcome'),
  ('check:status', 'unreadable-status'),
  ('check:gateway', 'unreachable-gateway'),
  ('check:processing', 'failed-processing'),
  ('check:proposal-changed', 'proposal-changed'),
  ('check:status-says-more', 'status-says-more'),
  ('check:traveller-answered', 'traveller-answered'),
  ('check:person-decided', 'person-decided')
) as named (rule, question)
where d.rule = named.rule;

alter table skedchange.decisions enable trigger decisions_superseded_once;

-- 000022_questions_of_old_processes -----------------------------------------------------------------------------------

-- From now on the question is read. A process of the version before 21 may have gone on deciding while 21 was applied, so what
-- it wrote is named once more.

alter table skedchange.decisions disable trigger decisions_superseded_once;

update skedchange.decisions d set question = named.question
from (values
  ('check:effect', 'effect-outcome'),
  ('check:status', 'unreadable-status'),
  ('check:gateway', 'unreachable-gateway'),
  ('check:processing', 'failed-processing'),
  ('check:proposal-changed', 'proposal-changed'),
  ('check:status-says-more', 'status-says-more'),
  ('check:traveller-answered', 'traveller-answered'),
  ('check:person-decided', 'person-decided')
) as named (rule, question)
where d.rule = named.rule and d.question is null;

alter table skedchange.decisions enable trigger decisions_superseded_once;

-- 000023_yielding_wake ------------------------------------------------------------------------------------------------

-- The wake-up by a notification of many orders: while `wake` is still this number, other orders of the source go first. Whatever
-- else wakes the case counts `wake` on, and so ends it. Not indexed: who looks for due cases ranks all that are due.

alter table skedchange.cases add column yielding_wake bigint;

grant update (yielding_wake) on skedchange.cases to skedchange_service;

-- 000024_automation_stops ---------------------------------------------------------------------------------------------

-- One switch for all automatic effects, of every source. Each row is a stop, from when somebody stopped them until somebody
-- resumed them, so that the table is its own record of who did so, when and why. While one has not ended, nothing that a
-- rule decided is sent.
create table skedchange.automation_stops (
  id uuid not null constraint automation_stops_pkey primary key,
  stopped_at timestamptz not null,
  -- 'person:' and who.
  stopped_by text not null,
  note text not null,
  resumed_at timestamptz,
  resumed_by text,
  constraint automation_stops_resumed_by_somebody check ((resumed_at is null) = (resumed_by is null))
);
create unique index automation_stops_one_at_a_time on skedchange.automation_stops ((true)) where resumed_at is null;
create trigger automation_stops_end_once before update on skedchange.automation_stops
  for each row when (old.resumed_at is not null) execute function skedchange.refuse_rewriting_history();

create trigger automation_stops_began_is_audited after insert on skedchange.automation_stops
  for each row execute function skedchange.audit_row('automation.stopped', 'id', 'note', 'stopped_by');
create trigger automation_stops_ended_is_audited after update of resumed_at on skedchange.automation_stops
  for each row when (old.resumed_at is null and new.resumed_at is not null)
  execute function skedchange.audit_row('automation.resumed', 'id', '', 'resumed_by');

-- For the commit that plans an effect, or sends one again. Whoever stops waits for the transactions that have asked, and who
-- asks while somebody stops waits for that commit: so nothing is planned after it. The lock comes before the look, and as a
-- statement of its own, because a statement sees what was committed when it began.
create function skedchange.automation_is_stopped() returns boolean language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('skedchange.automation', 0));
  return exists (select from skedchange.automation_stops where resumed_at is null);
end
$$;

-- What rules want done while they may not is for a person to decide.
alter table skedchange.decisions
  drop constraint decisions_question_is_known,
  add constraint decisions_question_is_known check (question in (
    'effect-outcome', 'unreadable-status', 'unreachable-gateway', 'failed-processing',
    'proposal-changed', 'status-says-more', 'traveller-answered', 'person-decided', 'automation-stopped'
  ));
-- Found again when automatic effects are resumed.
create index decisions_stopped on skedchange.decisions (case_id)
  where question = 'automation-stopped' and superseded_at is null;

grant select, insert on skedchange.automation_stops to skedchange_service;
grant update (resumed_at, resumed_by) on skedchange.automation_stops to skedchange_service;
revoke all on function skedchange.automation_is_stopped() from public;
grant execute on function skedchange.automation_is_stopped() to skedchange_service;

-- 000025_wake_for_events ----------------------------------------------------------------------------------------------

-- An event wakes those who deliver events, and no longer the workers that look for due orders: nearly every commit of theirs
-- comes with one. A process of an earlier version finds it with its next look, a second later at most.

create or replace function skedchange.add_event(event_type text, publish_key text, about_case uuid, about jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
  perform pg_notify('skedchange_events_due', '');
end
$$;

-- 000026_due_by_priority ----------------------------------------------------------------------------------------------

-- The most urgent due orders of each source are found without reading the whole backlog: after a change of season it is tens of
-- thousands of cases, and all of them were sorted for each handful that was handed out. Those that only a notification of many
-- orders has made due are few as a rule, and looked for by themselves.
create index cases_due_by_priority on skedchange.cases (source, priority, due_at) include (wake, yielding_wake)
  where due_at is not null;
create index cases_due_yielding on skedchange.cases (source, priority, due_at)
  where due_at is not null and wake = yielding_wake;

-- 000027_pending_notifications ----------------------------------------------------------------------------------------

-- A notification is acknowledged once its bytes and this mark are committed. A feeder opens and wakes the cases of many pending
-- notifications at once, and clears their marks in the same transaction. `pending_orders` is what the receiver has read of the
-- body, so that nobody opens it again; both are null when nothing is pending.

alter table skedchange.notification_digests
  add column pending_orders jsonb,
  add column pending_since timestamp with time zone;

create index notification_digests_pending on skedchange.notification_digests (pending_since) where pending_since is not null;

grant update (pending_orders, pending_since) on skedchange.notification_digests to skedchange_service;

-- 000028_delivery_turns -----------------------------------------------------------------------------------------------

-- Due deliveries are claimed by one statement, which must know how many lanes of each recipient are leased. Claims take turns by
-- this row: one that was made on what the database was like before another one has lost its turn, and claims nothing.

create table gateway.delivery_turns (
  is_only boolean primary key default true check (is_only),
  turn bigint not null default 0
);
insert into gateway.delivery_turns default values;
grant select, update (turn) on gateway.delivery_turns to skedchange_service;

create table skedchange.event_turns (
  is_only boolean primary key default true check (is_only),
  turn bigint not null default 0
);
insert into skedchange.event_turns default values;
grant select, update (turn) on skedchange.event_turns to skedchange_service;

-- How many lanes of a recipient are leased now is read from the index alone, without those whose lease is over.
create index lanes_leased_until on gateway.lanes (recipient_id, leased_until) where leased_until is not null;
drop index gateway.lanes_leased;
create index event_lanes_leased_until on skedchange.event_lanes (recipient_id, leased_until) where leased_until is not null;
drop index skedchange.event_lanes_recipient_id_idx1;

-- A delivery is changed when its attempt begins, and the new version finds room on the same page, so that no index changes.
alter table gateway.deliveries set (fillfactor = 85);
alter table skedchange.event_deliveries set (fillfactor = 85);

-- 000029_known_devices ------------------------------------------------------------------------------------------------

-- Failed sign-ins are also counted for a user name at a network. Where it succeeded before, failures from elsewhere lock nobody out.

alter table skedchange.sign_in_failures add column succeeded_at timestamptz;
grant update (succeeded_at) on skedchange.sign_in_failures to skedchange_service;

-- 000030_retention ----------------------------------------------------------------------------------------------------

-- Retention: what travellers' data is in, such as bodies and notes, is deleted some time after the cases of an order have
-- ended, and finished cases some time later. The service role may delete nothing by itself. It calls functions of the owner,
-- which decide what may go: never anything of an order that is still worked on.

-- Why a body is gone. Its row stays with id, digest, source and times, so that everything acknowledged is still accounted for.
-- The encoding of such a body is 'deleted'.
alter table skedchange.notifications
  add column body_deleted_at timestamp with time zone,
  add column body_deleted_by text constraint notifications_body_deleted_by_is_known check (body_deleted_by in ('retention', 'erasure'));
alter table skedchange.status_views
  add column body_deleted_at timestamp with time zone,
  add column body_deleted_by text constraint status_views_body_deleted_by_is_known check (body_deleted_by in ('retention', 'erasure'));
alter table skedchange.effects
  add column answer_deleted_at timestamp with time zone,
  add column answer_deleted_by text constraint effects_answer_deleted_by_is_known check (answer_deleted_by in ('retention', 'erasure'));
-- A line of a timeline without what people and gateways wrote. The audit has the digest of the whole line, so verifying must
-- know that this one has been cut.
alter table skedchange.case_events add column texts_deleted_at timestamp with time zone;
-- When the bodies and texts of the case were deleted. It may be notified again afterwards.
alter table skedchange.cases add column bodies_deleted_at timestamp with time zone;

-- The daily search for what has expired reads what is left only.
create index cases_with_bodies on skedchange.cases (updated_at)
  where closed_at is not null and (bodies_deleted_at is null or updated_at > bodies_deleted_at);
create index order_status_views_by_age on skedchange.order_status_views (read_at);

-- Deleting a row asks each table that refers to it. Without these it would read the whole table every time.
create index cases_by_decision on skedchange.cases (decision_id) where decision_id is not null;
create index cases_by_reopened on skedchange.cases (reopened_from) where reopened_from is not null;
create index decisions_by_status_view on skedchange.decisions (status_view_id) where status_view_id is not null;
create index decisions_by_superseding on skedchange.decisions (superseded_by) where superseded_by is not null;
create index effects_by_decision on skedchange.effects (decision_id);
create index approvals_by_case on skedchange.approvals (case_id);
create index event_bodies_by_case on skedchange.event_bodies (case_id);

-- Whether the owner's functions below are at work. Neither the service role, whatever it sets, nor a statement of the owner by
-- hand gets past the triggers that protect history.
create function skedchange.is_deleting() returns boolean language sql stable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(current_setting('skedchange.deleting', true), '') = 'on'
    and has_table_privilege(current_user, 'skedchange.case_events', 'DELETE')
$$;
revoke all on function skedchange.is_deleting() from public;
grant execute on function skedchange.is_deleting() to skedchange_service;

create or replace trigger effects_stay_ended before update on skedchange.effects
  for each row when (old.state in ('succeeded', 'failed') and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
create or replace trigger decisions_superseded_once before update on skedchange.decisions
  for each row when (old.superseded_at is not null and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
create or replace trigger tasks_closed_once before update on skedchange.tasks
  for each row when (old.closed_at is not null and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();
create or replace trigger approvals_answered_once before update on skedchange.approvals
  for each row when (old.state <> 'asked' and not skedchange.is_deleting())
  execute function skedchange.refuse_rewriting_history();

-- What stays of a timeline line: ids, codes, numbers and times. Not what a person or a gateway wrote.
create function skedchange.without_texts(detail jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(key, case jsonb_typeof(value) when 'object' then jsonb_build_object('code', value -> 'code') else value end), '{}')
  from jsonb_each(case jsonb_typeof(detail) when 'object' then detail else '{}' end)
  where key in ('gdsBookingReferences', 'refunds')
    or (key = 'error' and jsonb_typeof(value) = 'object')
    or jsonb_typeof(value) in ('number', 'boolean', 'null')
    or (key not in ('note', 'message') and jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$')
$$;

-- Of an effect's results: what the gateway wrote in words.
create function skedchange.results_without_texts(results jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(result || '{"errorMessage": "", "refundText": null}' order by place)
  from jsonb_array_elements(case jsonb_typeof(results) when 'array' then results else '[]' end)
    with ordinality as listed (result, place)
$$;

-- These are part of the statements that call them, so they have no path of their own, which would keep PostgreSQL from that.
-- Whether all work on an order ended before: its cases, effects and tasks, and what was received about it.
create function skedchange.is_over(of_source text, of_order text, before timestamp with time zone) returns boolean
  language sql stable
as $$
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
$$;

-- Cases whose bodies and texts go.
create function skedchange.cases_with_expired_bodies(before timestamp with time zone)
  returns table (id uuid, source text, order_id text, updated_at timestamp with time zone)
  language sql stable
as $$
  select c.id, c.source, c.order_id, c.updated_at from skedchange.cases c
  where c.closed_at is not null and (c.bodies_deleted_at is null or c.updated_at > c.bodies_deleted_at)
    and c.updated_at < before and skedchange.is_over(c.source, c.order_id, before)
$$;

-- Cases that go altogether, with all cases of their orders. The flights have departed, nobody polls the order any more, and the
-- agency's own systems have been told.
create function skedchange.expired_cases(before timestamp with time zone)
  returns table (id uuid, source text, order_id text, opened_at timestamp with time zone)
  language sql stable
as $$
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
$$;

-- Whether a notification belongs to nothing but cases of orders that are over.
create function skedchange.is_notification_over(of_notification uuid, before timestamp with time zone) returns boolean
  language sql stable
as $$
  select not exists (
    select from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
    where j.notification_id = of_notification and not skedchange.is_over(c.source, c.order_id, before)
  )
$$;

-- Deletes the bodies and texts of one case, and says so on its timeline, which is audited. `because` is 'retention' or 'erasure'.
-- @return how many of each went
create function skedchange.delete_case_bodies(about_case uuid, before timestamp with time zone, because text, who text)
  returns jsonb language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  deleted_notifications integer;
  deleted_statuses integer;
  deleted_documents integer;
  deleted_answers integer;
  deleted_notes integer := 0;
  deleted_lines integer;
  counted integer;
  counts jsonb;
begin
  perform set_config('skedchange.deleting', 'on', true);
  update skedchange.notifications n
    set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = because,
      problem = n.problem || '{"path": "", "message": ""}'
    from skedchange.case_notifications j
    where j.case_id = about_case and n.received_at = j.notification_received_at and n.id = j.notification_id
      and n.body_deleted_at is null and n.state <> 'quarantined' and skedchange.is_notification_over(n.id, before);
  get diagnostics deleted_notifications = row_count;
  update skedchange.status_views
    set body = '', body_encoding = 'deleted', key_id = null, body_deleted_at = now(), body_deleted_by = because
    where case_id = about_case and body_deleted_at is null;
  get diagnostics deleted_statuses = row_count;
  -- Nothing refers to these.
  delete from skedchange.document_views where case_id = about_case;
  get diagnostics deleted_documents = row_count;
  update skedchange.effects
    set answer = null, answer_encoding = 'deleted', key_id = null, answer_deleted_at = now(), answer_deleted_by = because
    where case_id = about_case and answer is not null;
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
  counts := jsonb_build_object('notificationBodies', deleted_notifications, 'statusViews', deleted_statuses,
    'documentViews', deleted_documents, 'responses', deleted_answers, 'notes', deleted_notes, 'timelineTexts', deleted_lines);
  if exists (select from jsonb_each_text(counts) where value <> '0') then
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
      values (about_case, now(), 'case.bodies_deleted', who, counts || jsonb_build_object('reason', because));
  end if;
  update skedchange.cases set bodies_deleted_at = now(), last_error = last_error || '{"message": ""}' where id = about_case;
  perform set_config('skedchange.deleting', 'off', true);
  return counts;
end
$$;
revoke all on function skedchange.delete_case_bodies(uuid, timestamp with time zone, text, text) from public;

create function skedchange.refuse_young(before timestamp with time zone) returns void language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if before is null or before > now() - interval '1 day' then
    raise exception 'what ended less than a day ago is not deleted' using errcode = 'check_violation';
  end if;
end
$$;

create function skedchange.add_counts(a jsonb, b jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_object_agg(key, total), '{}') from (
    select key, sum(value::bigint) as total from (
      select key, value from jsonb_each_text(a) union all select key, value from jsonb_each_text(b)
    ) each group by key
  ) totals
$$;

-- Deletes the bodies and texts of up to `batch` cases whose orders were over before. Orders that somebody works on are left for
-- the next time.
create function skedchange.delete_expired_bodies(before timestamp with time zone, batch integer) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function skedchange.delete_expired_bodies(timestamp with time zone, integer) from public;
grant execute on function skedchange.delete_expired_bodies(timestamp with time zone, integer) to skedchange_service;

create function skedchange.notifications_of(of_source text, of_order text)
  returns table (id uuid, received_at timestamp with time zone, source text, digest bytea)
  language sql stable
as $$
  select distinct n.id, n.received_at, n.source, n.digest
  from skedchange.cases c
  join skedchange.case_notifications j on j.case_id = c.id
  join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
  where c.source = of_source and c.order_id = of_order
$$;

-- Deletes all cases of one order with everything that belongs to them. The audit has what happened, and that they were deleted.
create function skedchange.delete_cases_of(of_source text, of_order text) returns jsonb
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
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
  with audited as (
    insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs)
    select now(), 'case.deleted', 'retention', of_source, of_order, c.id, jsonb_build_object('state', c.state)
    from skedchange.cases c where c.id = any (ids) order by c.opened_at, c.id
    returning id
  ) insert into skedchange.audit_unsealed (entry_id) select id from audited;

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
$$;
revoke all on function skedchange.delete_cases_of(text, text) from public;

-- Deletes the finished cases of up to `batch` orders that were over, and flown, before.
create function skedchange.delete_expired_cases(before timestamp with time zone, batch integer) returns jsonb
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function skedchange.delete_expired_cases(timestamp with time zone, integer) from public;
grant execute on function skedchange.delete_expired_cases(timestamp with time zone, integer) to skedchange_service;

-- 000031_erasure ------------------------------------------------------------------------------------------------------

-- Erasure: what is stored about one order, so that it names nobody any more. Ids, states, digests, flights and the audit stay.

-- What was erased. After an older dump is restored, the list says what to erase once more. It has ids only.
create table skedchange.erasures (
  id bigint generated always as identity constraint erasures_pkey primary key,
  source text not null,
  -- One of the two. A notification in quarantine need not name an order.
  order_id text,
  notification_id uuid,
  -- When it was erased first. An entry that is applied to a restored dump has the time of the list.
  erased_at timestamp with time zone not null,
  erased_by text not null,
  -- How many of each went.
  counts jsonb not null,
  constraint erasures_of_one_thing check ((order_id is null) <> (notification_id is null))
);
create unique index erasures_once on skedchange.erasures (source, coalesce(order_id, notification_id::text), erased_at);
create trigger erasures_added_are_audited after insert on skedchange.erasures
  for each row execute function skedchange.audit_row('order.erased', 'id,notification_id,erased_at', '', 'erased_by');
create trigger erasures_never_change before delete or update on skedchange.erasures
  for each row execute function skedchange.refuse_rewriting_history();
grant select on skedchange.erasures to skedchange_service;

-- The status of an erased order is polled no more, until it is imported again.
alter table skedchange.orders drop constraint orders_poll_ended_is_known;
alter table skedchange.orders add constraint orders_poll_ended_is_known
  check (poll_ended in ('travelled', 'no-reference', 'refused', 'erased'));

-- Of reasons: their codes.
create function skedchange.reasons_without_texts(reasons jsonb) returns jsonb language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object('code', reason -> 'code', 'text', '') order by place), '[]')
  from jsonb_array_elements(case jsonb_typeof(reasons) when 'array' then reasons else '[]' end)
    with ordinality as listed (reason, place)
$$;

-- Why an order cannot be erased now: (code, id of what the code is about). No rows if it can.
create function skedchange.erasure_blockers(of_source text, of_order text) returns table (code text, about text)
  language sql stable
as $$
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
$$;

-- Deletes the bodies of notifications in quarantine. They stay there.
create function skedchange.delete_quarantined_bodies(of_source text, ids uuid[]) returns integer
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
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
$$;
revoke all on function skedchange.delete_quarantined_bodies(text, uuid[]) from public;

-- Erases one notification in quarantine.
-- @return how many bodies went: none if it is not there, or not in quarantine
create function skedchange.erase_quarantined(of_source text, of_notification uuid, who text, at timestamp with time zone)
  returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  deleted integer := skedchange.delete_quarantined_bodies(of_source, array[of_notification]);
begin
  if deleted > 0 then
    insert into skedchange.erasures (source, notification_id, erased_at, erased_by, counts)
      values (of_source, of_notification, coalesce(at, now()), who, jsonb_build_object('quarantinedBodies', deleted));
  end if;
  return deleted;
end
$$;
revoke all on function skedchange.erase_quarantined(text, uuid, text, timestamp with time zone) from public;
grant execute on function skedchange.erase_quarantined(text, uuid, text, timestamp with time zone) to skedchange_service;

-- Erases one order. `quarantined` are notifications in quarantine that name it, which only a reader of their bodies can find.
-- @return how many of each went
create function skedchange.erase_order(of_source text, of_order text, who text, at timestamp with time zone, quarantined uuid[])
  returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
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
    set facts = null, trace = null, inputs = null, reasons = skedchange.reasons_without_texts(d.reasons)
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
$$;
revoke all on function skedchange.erase_order(text, text, text, timestamp with time zone, uuid[]) from public;
grant execute on function skedchange.erase_order(text, text, text, timestamp with time zone, uuid[]) to skedchange_service;

-- 000032_initial_passwords --------------------------------------------------------------------------------------------

-- Somebody else has set the password, so its user must change it before anything else. Existing passwords stay as they are.

alter table skedchange.users add column password_change_needed boolean not null default false;
grant update (password_change_needed) on skedchange.users to skedchange_service;

-- 000033_own_sessions -------------------------------------------------------------------------------------------------

-- From where and with what a session was started, so that its user knows it again. Personal data, deleted with the session.

alter table skedchange.sessions
  add column address text constraint sessions_address_length check (char_length(address) <= 64),
  -- Not the whole header, which would tell more than anybody needs: `Firefox on Windows`.
  add column browser text constraint sessions_browser_length check (char_length(browser) <= 64);

-- Sessions that a person ends: by signing out, changing a password, or as an admin. Those that end by themselves are swept.
create function skedchange.audit_ended_session() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entry_id bigint;
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'session.ended', current_setting('skedchange.actor'),
    jsonb_build_object('id', old.id, 'user_id', old.user_id))
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;
create trigger sessions_ended_is_audited after delete on skedchange.sessions
  for each row when (coalesce(current_setting('skedchange.actor', true), '') <> '')
  execute function skedchange.audit_ended_session();

-- 000034_read_only_tokens ---------------------------------------------------------------------------------------------

-- Programs that only read, such as one that exports the audit, need the role of what they read, but no right to change it.

alter table skedchange.api_tokens add column read_only boolean not null default false;

drop trigger api_tokens_added_is_audited on skedchange.api_tokens;
create trigger api_tokens_added_is_audited after insert on skedchange.api_tokens
  for each row execute function skedchange.audit_row('api-token.added', 'id,user_id,role,read_only,expires_at', 'name', '');

-- 000035_replaceable_keys ---------------------------------------------------------------------------------------------

-- Encryption keys can be withdrawn: the owner may replace what a key encrypted, and nothing else of a row. Notes are encrypted.

-- Whether the encrypted bytes name the row that they belong to. Processes of version 0.1 write none that do. Recipients and
-- signing keys are few, so their bytes are looked into.
alter table skedchange.notifications add column is_bound boolean not null default false;
alter table skedchange.status_views add column is_bound boolean not null default false;
alter table skedchange.document_views add column is_bound boolean not null default false;
alter table skedchange.order_status_views add column is_bound boolean not null default false;
alter table skedchange.effects add column is_bound boolean not null default false;
alter table gateway.ocn_bodies add column is_bound boolean not null default false;
grant update (is_bound) on skedchange.effects to skedchange_service;

-- Replaces encrypted bytes. Only the owner may call it: the service role cannot change a body, or an effect that has ended.
-- A row that changed since its bytes were read is left out: `was` has their SHA-256.
-- @return the rows that were replaced
create function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
  returns setof text language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.notifications.body', 'skedchange.notifications', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.status_views.body', 'skedchange.status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.document_views.body', 'skedchange.document_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.order_status_views.body', 'skedchange.order_status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.effects.answer', 'skedchange.effects', 'id', 'uuid', 'answer', 'answer_encoding', 'key_id', true),
    ('gateway.ocn_bodies.body', 'gateway.ocn_bodies', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.signing_keys.private_key', 'skedchange.signing_keys', 'kid', 'text', 'private_key', 'private_key_encoding', 'key_id', false),
    ('gateway.recipients.credential', 'gateway.recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('gateway.recipients.signing_secrets', 'gateway.recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('gateway.recipients.client_certificate', 'gateway.recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.event_recipients.credential', 'skedchange.event_recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('skedchange.event_recipients.signing_secrets', 'skedchange.event_recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false)
  ) as known (name, table_name, id, id_type, bytes, encoding, key, is_marked) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true), set_config('skedchange.actor', 'reencryption', true);
  return query execute format(
    'update %1$s t set %2$I = new.becomes, %3$I = $4 %4$s
     from unnest($1, $2, $3) as new (id, was, becomes)
     where t.%5$I = new.id::%6$s and t.%7$I = ''gzip'' and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$$;
revoke all on function skedchange.replace_ciphertexts(text, text[], bytea[], bytea[], text) from public;

-- An encrypted note is text: skedchange:note:1:<digest>:<key>:<ciphertext>. The digest is of the note and of random bytes that
-- are encrypted with it. It stays when another key encrypts the note, so it is the part that the audit proves.
create function skedchange.is_encrypted_note(note text) returns boolean language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select note ~ '^skedchange:note:1:[A-Za-z0-9_-]{43}:[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+$'
$$;

-- It is part of the statements that call it, so it has no path of its own.
create function skedchange.audited_text(detail text) returns text language sql immutable
as $$
  select case when strpos(detail, 'skedchange:note:1:') = 0 then detail
    else regexp_replace(detail, '(skedchange:note:1:[A-Za-z0-9_-]{43}):[A-Za-z0-9_.-]{1,40}:[A-Za-z0-9_-]+', '\1', 'g') end
$$;

-- Replaces notes by encrypted ones. Only the owner may call it. One that is encrypted already keeps its digest.
-- @return the rows that were replaced
create function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
  returns setof text language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.case_events.detail', 'skedchange.case_events', 'bigint', 'detail', true),
    ('skedchange.bulk_actions.command', 'skedchange.bulk_actions', 'uuid', 'command', true),
    ('skedchange.decisions.note', 'skedchange.decisions', 'uuid', 'note', false),
    ('skedchange.approvals.note', 'skedchange.approvals', 'uuid', 'note', false),
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
$$;
revoke all on function skedchange.replace_notes(text, text[], text[], text[]) from public;
revoke all on function skedchange.is_encrypted_note(text) from public;
revoke all on function skedchange.audited_text(text) from public;
grant execute on function skedchange.audited_text(text) to skedchange_service;

-- As before, of the part of encrypted notes that stays.
create or replace function skedchange.audit_case_events() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id, skedchange.audit_refs(e.detail),
      sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;

create or replace function skedchange.audit_row() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  entry_refs jsonb;
  changed text;
  digest bytea;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
  entry_id bigint;
begin
  select coalesce(jsonb_object_agg(name, row_now ->> name), '{}') into entry_refs
    from unnest(shown) name where row_now ->> name is not null;
  if tg_op = 'UPDATE' then
    select string_agg(name, ',' order by name collate "C") into changed
      from unnest(shown || proved) name where row_now -> name is distinct from row_before -> name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  if cardinality(proved) > 0 then
    select sha256(convert_to(skedchange.audited_text(jsonb_object_agg(name, row_now -> name)::text), 'UTF8')) into digest from unnest(proved) name;
  end if;
  select row_now ->> name into who
    from unnest(string_to_array(tg_argv[3], ',')) with ordinality as given (name, place)
    where row_now ->> name is not null order by place limit 1;
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system'), entry_source,
    entry_order, entry_case, entry_refs, digest)
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;

-- 000037_identity_providers -------------------------------------------------------------------------------------------

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

-- 000038_user_sources -------------------------------------------------------------------------------------------------

-- Some users see the orders of some sources only. Null: of all sources, as admins always do.

alter table skedchange.users
  add column sources text[] constraint users_sources_are_some check (cardinality(sources) >= 1);
grant update (sources) on skedchange.users to skedchange_service;

drop trigger users_added_is_audited on skedchange.users;
create trigger users_added_is_audited after insert on skedchange.users
  for each row execute function skedchange.audit_row('user.added', 'id,username,role,sources,issuer', '', '');
drop trigger users_changed_is_audited on skedchange.users;
create trigger users_changed_is_audited after update on skedchange.users
  for each row when (
    (old.username, old.role, old.sources, old.password_hash, old.disabled_at, old.is_demo, old.issuer, old.subject)
    is distinct from
    (new.username, new.role, new.sources, new.password_hash, new.disabled_at, new.is_demo, new.issuer, new.subject))
  execute function skedchange.audit_row('user.changed', 'id,username,role,sources,disabled_at,is_demo,issuer',
    'password_hash,subject', '');

-- 000039_traces -------------------------------------------------------------------------------------------------------

-- Where work came from, as W3C `traceparent`s, so that a trace goes on in the process that does the work. All are null without
-- tracing. The mark of a pending notification has that of its receipt. A case has those of what happens to it next, newest first:
-- of the notifications that woke it, or of the decision in force. What the gateway side sends has that of its announcement. Not
-- indexed: read with the row.

alter table skedchange.notification_digests add column pending_traceparent text;
alter table skedchange.cases add column traceparents text[];
alter table gateway.ocn_bodies add column traceparent text;

grant update (pending_traceparent) on skedchange.notification_digests to skedchange_service;
grant update (traceparents) on skedchange.cases to skedchange_service;

-- 000040_find ---------------------------------------------------------------------------------------------------------

-- Finding cases: by any part of an OrderID or a reference, by traveller and ticket, by flight, airline, airport and what was
-- decided. In a table of its own, because a case is written each time it moves, and this once for each decision.

-- Trusted since PostgreSQL 13, so the owner of the database may create it. Somebody may have done so in another schema.
create extension if not exists pg_trgm with schema skedchange;

create table skedchange.case_search (
  case_id uuid not null constraint case_search_pkey primary key
    constraint case_search_case_fkey references skedchange.cases (id) on delete cascade,
  -- OrderID and booking references, in upper case.
  ids text not null,
  -- What the case can be filtered by, such as 'airline:LH'; see src/cases/search-terms.ts. Of cases from before, their flights
  -- and what decided them, until they are decided again.
  terms text[] not null default '{}',
  -- The price of the order, and its currency. Null: not known.
  value numeric,
  currency text,
  departure_at timestamp with time zone,
  -- Keyed digests of the words of names and of ticket numbers, and the id of their key. Null: none were read yet, or the bodies
  -- they were read from are deleted.
  name_tokens bigint[],
  token_key text
);

create function skedchange.searched_ids(order_id text, gds_booking_references text[]) returns text language sql immutable
  set search_path = pg_catalog, pg_temp
as $$
  select upper(order_id || ' ' || array_to_string(gds_booking_references, ' '))
$$;

-- Whoever opens a case, also an older program that runs beside this schema, makes it findable by its ids.
create function skedchange.add_case_search() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into skedchange.case_search (case_id, ids)
    select c.id, skedchange.searched_ids(c.order_id, c.gds_booking_references) from opened c
    on conflict (case_id) do nothing;
  return null;
end
$$;
create trigger cases_are_searchable after insert on skedchange.cases
  referencing new table as opened for each statement execute function skedchange.add_case_search();

create function skedchange.change_case_search() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  update skedchange.case_search
    set ids = skedchange.searched_ids(new.order_id, new.gds_booking_references) where case_id = new.id;
  return null;
end
$$;
create trigger cases_change_references after update of gds_booking_references on skedchange.cases
  for each row when (old.gds_booking_references is distinct from new.gds_booking_references)
  execute function skedchange.change_case_search();

-- Retention and erasure both say here that the bodies are gone.
create function skedchange.forget_names() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update skedchange.case_search set name_tokens = null, token_key = null where case_id = new.id and name_tokens is not null;
  return null;
end
$$;
revoke all on function skedchange.forget_names() from public;
create trigger cases_forget_names after update of bodies_deleted_at on skedchange.cases
  for each row when (new.bodies_deleted_at is distinct from old.bodies_deleted_at)
  execute function skedchange.forget_names();

-- Cases from before are added by a job of the workers (src/store/search/older-cases.ts): here they would stop all writing to
-- `cases` until a million of them are read. What is still to be added comes before this id; no row: nothing.
create table skedchange.case_search_backlog (
  only_row boolean primary key default true constraint case_search_backlog_has_one_row check (only_row),
  before_id uuid not null
);
insert into skedchange.case_search_backlog (before_id) values ('ffffffff-ffff-ffff-ffff-ffffffffffff');
grant select, update, delete on skedchange.case_search_backlog to skedchange_service;

do $$
begin
  execute format('create index case_search_by_ids on skedchange.case_search using gin (ids %I.gin_trgm_ops)',
    (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'));
end
$$;
create index case_search_by_terms on skedchange.case_search using gin (terms);
create index case_search_by_name on skedchange.case_search using gin (name_tokens);
create index case_search_by_value on skedchange.case_search (currency, value) where value is not null;
create index case_search_by_departure on skedchange.case_search (departure_at) where departure_at is not null;
-- Which rows are to be given tokens of the newest key.
create index case_search_by_key on skedchange.case_search (token_key) where name_tokens is not null;

grant select, insert on skedchange.case_search to skedchange_service;
grant update (ids, terms, value, currency, departure_at, name_tokens, token_key) on skedchange.case_search to skedchange_service;

-- Lists of open work in another order than that of urgency. What has no such time comes last.
create index cases_by_departure on skedchange.cases (coalesce(departure_at, '9999-12-31 00:00:00+00'::timestamptz), id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_by_deadline on skedchange.cases (coalesce(due_by, '9999-12-31 00:00:00+00'::timestamptz), id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
-- Few cases have either, and all of somebody's, or of a queue, are asked for.
create index cases_by_assignee on skedchange.cases (assignee, opened_at desc) where assignee is not null;
create index cases_by_queue on skedchange.cases (review_queue, opened_at desc) where review_queue is not null;

-- Somebody looked for a traveller: who, and how many cases they found, never what they typed. A function, because nobody may
-- write the audit directly.
create function skedchange.audit_traveller_search(who text, found integer) returns void language sql
  security definer set search_path = pg_catalog, pg_temp
as $$
  with added as (
    insert into skedchange.audit_entries (at, kind, actor, refs)
      values (now(), 'traveller.searched', who, jsonb_build_object('found', found::text))
      returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added
$$;
revoke all on function skedchange.audit_traveller_search(text, integer) from public;
grant execute on function skedchange.audit_traveller_search(text, integer) to skedchange_service;

-- 000041_lists --------------------------------------------------------------------------------------------------------

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

-- A quarantined body that nobody will ever be able to use is taken off the list and out of the alert. It stays stored, and
-- its state stays quarantined, so that it can still be released. Nullable columns are added without reading the table.
alter table skedchange.notifications
  add column discarded_at timestamptz,
  add column discarded_by text,
  add column discard_note text;
grant update (discarded_at, discarded_by, discard_note) on skedchange.notifications to skedchange_service;
create trigger notifications_discarded_is_audited after update of discarded_at on skedchange.notifications
  for each row when (old.discarded_at is null and new.discarded_at is not null)
  execute function skedchange.audit_row('notification.discarded', 'id', '', 'discarded_by');

-- What a person wrote about a body goes with it, by erasure and by retention.
create function skedchange.drop_discard_note() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  new.discard_note := null;
  return new;
end
$$;
create trigger notifications_note_goes_with_body before update of body_deleted_at on skedchange.notifications
  for each row when (new.body_deleted_at is not null and new.discard_note is not null)
  execute function skedchange.drop_discard_note();

-- As before, and of notes of discards.
create or replace function skedchange.replace_notes(of_column text, ids text[], was text[], becomes text[])
 returns setof text
 language plpgsql
 set search_path to 'pg_catalog', 'pg_temp'
as $$
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
$$;

-- 000042_overview -----------------------------------------------------------------------------------------------------

-- What the overview of the dashboard adds up, by hour and by UTC day, so that 90 days are read without reading a million
-- decisions. A job of the workers fills it (src/store/overview). No ids and no texts of orders: it outlives retention.
create table skedchange.overview_sums (
  span text not null constraint overview_sums_span_is_known check (span in ('hour', 'day')),
  figure text not null,
  begins_at timestamptz not null,
  source text not null,
  -- What the figure is split by, such as an airline and an action. Empty: by nothing.
  name text not null,
  part text not null,
  value numeric not null,
  primary key (span, figure, begins_at, source, name, part)
);
grant select, insert, delete on skedchange.overview_sums to skedchange_service;

-- Everything before this hour is added up; one row. It moves in the transaction that adds the hours.
create table skedchange.overview_progress (
  only_row boolean primary key default true constraint overview_progress_has_one_row check (only_row),
  summed_until timestamptz not null
);
grant select, insert, update on skedchange.overview_progress to skedchange_service;

-- What happened in one hour is found without reading everything.
create index decisions_by_time on skedchange.decisions (decided_at);
create index effects_by_end on skedchange.effects (finished_at) where finished_at is not null;
create index case_events_overdue on skedchange.case_events (at) where kind = 'case.overdue';
create index decisions_effect_outcome on skedchange.decisions (case_id)
  where question = 'effect-outcome' and superseded_at is null;

-- 000044_notices ------------------------------------------------------------------------------------------------------

-- Notices: messages by e-mail, Slack or Microsoft Teams, which tell people that cases wait for them.

-- Which cases are announced where and when. Null queues or sources: all.
create table skedchange.notice_rules (
  id uuid constraint notice_rules_pkey primary key,
  name text not null constraint notice_rules_name_length check (char_length(name) between 1 and 100),
  queues text[] constraint notice_rules_queues_are_some check (cardinality(queues) > 0),
  sources text[] constraint notice_rules_sources_are_some check (cardinality(sources) > 0),
  priority_max smallint not null constraint notice_rules_priority_in_range check (priority_max between 0 and 9),
  -- {type: at-once}, {type: before-deadline, minutes} or {type: digest, times, weekdays}.
  timing jsonb not null constraint notice_rules_timing_is_known
    check (timing ->> 'type' in ('at-once', 'before-deadline', 'digest')),
  time_zone text not null,
  channel text not null constraint notice_rules_channel_is_known check (channel in ('email', 'slack', 'teams')),
  addresses text[],
  -- The URL is the credential; its host is shown.
  webhook bytea,
  webhook_encoding text,
  key_id text,
  webhook_host text,
  paused_at timestamptz,
  -- Null: not planned yet.
  next_digest_at timestamptz,
  last_sent_at timestamptz,
  failing_since timestamptz,
  -- {code, message}
  last_error jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint notice_rules_destination_is_complete check (
    (channel = 'email') = coalesce(cardinality(addresses) > 0, false)
    and (channel <> 'email') = (webhook is not null and webhook_encoding is not null and webhook_host is not null))
);

-- One message, from when it is planned until it was sent or nothing of it waits any more.
create table skedchange.notices (
  id uuid constraint notices_pkey primary key,
  rule_id uuid not null constraint notices_rule_fkey references skedchange.notice_rules (id) on delete cascade,
  state text not null default 'pending'
    constraint notices_state_is_known check (state in ('pending', 'sent', 'obsolete')),
  due_at timestamptz not null,
  -- Counts what a message that may have arrived already got added, so that nobody takes it for the same one.
  revision integer not null default 0,
  attempts integer not null default 0,
  failures integer not null default 0,
  fence integer not null default 0,
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index notices_pending on skedchange.notices (due_at) where state = 'pending';
create index notices_pending_by_rule on skedchange.notices (rule_id) where state = 'pending';
create index notices_finished on skedchange.notices (finished_at) where state <> 'pending';

-- Which cases a rule has announced, or has planned to. A case that no longer waits leaves, and is announced again when it
-- waits again. `due_by`: the clock of which a rule before deadlines has told.
create table skedchange.notice_cases (
  rule_id uuid not null constraint notice_cases_rule_fkey references skedchange.notice_rules (id) on delete cascade,
  case_id uuid not null constraint notice_cases_case_fkey references skedchange.cases (id) on delete cascade,
  due_by timestamptz,
  notice_id uuid constraint notice_cases_notice_fkey references skedchange.notices (id) on delete set null,
  constraint notice_cases_pkey primary key (rule_id, case_id)
);
create index notice_cases_by_case on skedchange.notice_cases (case_id);
create index notice_cases_by_notice on skedchange.notice_cases (notice_id);

grant select, insert, delete on skedchange.notice_rules, skedchange.notices, skedchange.notice_cases
  to skedchange_service;
grant update (name, queues, sources, priority_max, timing, time_zone, channel, addresses, webhook, webhook_encoding,
  key_id, webhook_host, paused_at, next_digest_at, last_sent_at, failing_since, last_error, updated_at)
  on skedchange.notice_rules to skedchange_service;
grant update (state, due_at, revision, attempts, failures, fence, leased_until, finished_at) on skedchange.notices
  to skedchange_service;
grant update (due_by, notice_id) on skedchange.notice_cases to skedchange_service;

-- Who is told of the agency's work, and where, is a right like others.
create trigger notice_rules_added_is_audited after insert on skedchange.notice_rules
  for each row execute function skedchange.audit_row('notice-rule.added', 'id,channel',
    'name,addresses,webhook_host,queues,sources,timing', '');
create trigger notice_rules_changed_is_audited after update on skedchange.notice_rules
  for each row when ((old.name, old.queues, old.sources, old.priority_max, old.timing, old.time_zone, old.channel,
      old.addresses, old.webhook, old.paused_at)
    is distinct from (new.name, new.queues, new.sources, new.priority_max, new.timing, new.time_zone, new.channel,
      new.addresses, new.webhook, new.paused_at))
  execute function skedchange.audit_row('notice-rule.changed', 'id,channel,paused_at',
    'name,addresses,webhook,webhook_host,queues,sources,priority_max,timing,time_zone', '');
create function skedchange.audit_removed_notice_rule() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entry_id bigint;
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'notice-rule.removed', current_setting('skedchange.actor', true), jsonb_build_object('id', old.id))
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;
create trigger notice_rules_removed_is_audited after delete on skedchange.notice_rules
  for each row execute function skedchange.audit_removed_notice_rule();

-- Webhook URLs are encrypted again with the others. Otherwise as it was.
create or replace function skedchange.replace_ciphertexts(of_column text, ids text[], was bytea[], becomes bytea[], of_key text)
  returns setof text language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place record;
begin
  select * into strict place from (values
    ('skedchange.notifications.body', 'skedchange.notifications', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.status_views.body', 'skedchange.status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.document_views.body', 'skedchange.document_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.order_status_views.body', 'skedchange.order_status_views', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.effects.answer', 'skedchange.effects', 'id', 'uuid', 'answer', 'answer_encoding', 'key_id', true),
    ('gateway.ocn_bodies.body', 'gateway.ocn_bodies', 'id', 'uuid', 'body', 'body_encoding', 'key_id', true),
    ('skedchange.signing_keys.private_key', 'skedchange.signing_keys', 'kid', 'text', 'private_key', 'private_key_encoding', 'key_id', false),
    ('gateway.recipients.credential', 'gateway.recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('gateway.recipients.signing_secrets', 'gateway.recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('gateway.recipients.client_certificate', 'gateway.recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.event_recipients.credential', 'skedchange.event_recipients', 'id', 'uuid', 'credential', 'credential_encoding', 'key_id', false),
    ('skedchange.event_recipients.signing_secrets', 'skedchange.event_recipients', 'id', 'uuid', 'signing_secrets', 'signing_secrets_encoding', 'signing_secrets_key_id', false),
    ('skedchange.event_recipients.client_certificate', 'skedchange.event_recipients', 'id', 'uuid', 'client_certificate', 'client_certificate_encoding', 'client_certificate_key_id', false),
    ('skedchange.notice_rules.webhook', 'skedchange.notice_rules', 'id', 'uuid', 'webhook', 'webhook_encoding', 'key_id', false)
  ) as known (name, table_name, id, id_type, bytes, encoding, key, is_marked) where name = of_column;
  perform set_config('skedchange.deleting', 'on', true), set_config('skedchange.actor', 'reencryption', true);
  return query execute format(
    'update %1$s t set %2$I = new.becomes, %3$I = $4 %4$s
     from unnest($1, $2, $3) as new (id, was, becomes)
     where t.%5$I = new.id::%6$s and t.%7$I = ''gzip'' and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$$;

-- 000045_task_assignees -----------------------------------------------------------------------------------------------

-- Who does a task. Whoever decided the case is rarely the one who reissues its ticket. That a closed task keeps its
-- assignee is seen to by tasks_closed_once; who assigned it stands in case_events, which are audited.
alter table skedchange.tasks add column assignee text;
create index tasks_open_by_assignee on skedchange.tasks (assignee) where closed_at is null and assignee is not null;
grant update (assignee) on skedchange.tasks to skedchange_service;

-- 000046_views --------------------------------------------------------------------------------------------------------

-- Filters of the queue that a user keeps under a name. They hold no text of a search, which may be the name of a traveller.
create table skedchange.views (
  id uuid not null constraint views_pkey primary key,
  user_id uuid not null constraint views_user_fkey references skedchange.users (id) on delete cascade,
  name text not null,
  -- As they stand in the address of the queue.
  filters text not null,
  created_at timestamptz not null,
  constraint views_one_per_name unique (user_id, name)
);
grant select, insert, delete on skedchange.views to skedchange_service;
grant update (filters) on skedchange.views to skedchange_service;

-- 000047_open_work ----------------------------------------------------------------------------------------------------

-- Lists and counts of open work are read from one index alone, also by severity and rule. Without it, each figure of the
-- overview visits the rows of all open cases, among those of a million that are done.
alter table skedchange.cases
  -- Of the change, as last decided. Null: not known.
  add column severity text,
  -- That made the decision in force. An older program that decides beside this schema leaves it, and the severity, as is.
  add column rule text;
grant update (severity, rule) on skedchange.cases to skedchange_service;

update skedchange.cases c
  set rule = d.rule, severity = (
    select substr(term, 10) from skedchange.case_search s, unnest(s.terms) as term
    where s.case_id = c.id and term like 'severity:%' limit 1
  )
  from skedchange.decisions d
  where d.id = c.decision_id and c.state not in ('done', 'resolved-elsewhere', 'closed');

drop index skedchange.cases_by_urgency;
create index cases_by_urgency on skedchange.cases (priority, coalesce(due_at, opened_at), id)
  include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at)
  where state not in ('done', 'resolved-elsewhere', 'closed');

-- PostgreSQL reads an index alone only where it knows that every transaction sees the rows, which vacuum notes. By
-- default it waits until a fifth of the table has changed.
alter table skedchange.cases set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- 000048_acting_tokens ------------------------------------------------------------------------------------------------

-- With which API token somebody acted, beside who: what compares the actor stays as it is. The writer names the token with
-- `set_config('skedchange.token_id', ..., true)`. Null: with none, or written by an older program.
alter table skedchange.case_events add column token_id uuid
  default nullif(current_setting('skedchange.token_id', true), '')::uuid;
alter table skedchange.decisions add column token_id uuid
  default nullif(current_setting('skedchange.token_id', true), '')::uuid;
alter table skedchange.bulk_actions add column token_id uuid
  default nullif(current_setting('skedchange.token_id', true), '')::uuid;
alter table skedchange.tasks add column closed_token_id uuid;
grant update (closed_token_id) on skedchange.tasks to skedchange_service;

-- As before, with the token. It is part of what is hashed.
create or replace function skedchange.audit_case_events() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id,
      skedchange.audit_refs(e.detail) || jsonb_strip_nulls(jsonb_build_object('actorToken', e.token_id)),
      sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;

create or replace function skedchange.audit_row() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  entry_refs jsonb;
  changed text;
  digest bytea;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
  entry_id bigint;
begin
  select coalesce(jsonb_object_agg(name, row_now ->> name), '{}') into entry_refs
    from unnest(shown) name where row_now ->> name is not null;
  if tg_op = 'UPDATE' then
    select string_agg(name, ',' order by name collate "C") into changed
      from unnest(shown || proved) name where row_now -> name is distinct from row_before -> name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  if cardinality(proved) > 0 then
    select sha256(convert_to(skedchange.audited_text(jsonb_object_agg(name, row_now -> name)::text), 'UTF8')) into digest from unnest(proved) name;
  end if;
  select row_now ->> name into who
    from unnest(string_to_array(tg_argv[3], ',')) with ordinality as given (name, place)
    where row_now ->> name is not null order by place limit 1;
  who := coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system');
  -- Not of what follows in the same transaction, such as the end of a bulk action.
  if who like 'person:%' then
    entry_refs := entry_refs
      || jsonb_strip_nulls(jsonb_build_object('actorToken', nullif(current_setting('skedchange.token_id', true), '')));
  end if;
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], who, entry_source, entry_order, entry_case, entry_refs, digest)
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;

-- 000049_processes ----------------------------------------------------------------------------------------------------

-- Which processes run, so that somebody notices that no worker does before cases have waited for one. Each writes its row
-- every 30 seconds, and deletes it when it stops. A process of an older program has none.
create table skedchange.processes (
  id uuid not null constraint processes_pkey primary key,
  roles text[] not null,
  version text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
grant select, insert, delete on skedchange.processes to skedchange_service;
grant update (seen_at) on skedchange.processes to skedchange_service;

-- 000050_delivery_search ----------------------------------------------------------------------------------------------

-- Deliveries are found by the beginning of an order id, in upper or lower case.
create index deliveries_by_order_beginning on gateway.deliveries (upper(order_id) text_pattern_ops, position);
create index event_deliveries_by_order_beginning
  on skedchange.event_deliveries (upper(order_id) text_pattern_ops, position);

-- 000051_acting_token_of_entries --------------------------------------------------------------------------------------

-- Every audit entry of a person names the API token with which they acted, whatever wrote it. Not entries of the program
-- that follow in the same transaction, such as the end of a bulk action. It is part of what is hashed.
create function skedchange.name_acting_token() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.refs := new.refs
    || jsonb_strip_nulls(jsonb_build_object('actorToken', nullif(current_setting('skedchange.token_id', true), '')));
  return new;
end
$$;
create trigger audit_entries_name_the_token before insert on skedchange.audit_entries
  for each row when (new.actor like 'person:%') execute function skedchange.name_acting_token();

-- The same of the timeline.
create function skedchange.leave_token_out() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.token_id := null;
  return new;
end
$$;
create trigger case_events_of_the_program_have_no_token before insert on skedchange.case_events
  for each row when (new.token_id is not null and new.actor not like 'person:%')
  execute function skedchange.leave_token_out();

-- As before, without the token.
create or replace function skedchange.audit_case_events() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  with added as (
    insert into skedchange.audit_entries
      (at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select e.at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id,
      skedchange.audit_refs(e.detail),
      sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8'))
    from added_events e left join skedchange.cases c on c.id = e.case_id
    order by e.id
    returning id
  )
  insert into skedchange.audit_unsealed (entry_id) select id from added;
  return null;
end
$$;

create or replace function skedchange.audit_row() returns trigger language plpgsql security definer
  set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  row_now jsonb := to_jsonb(new);
  row_before jsonb := case tg_op when 'UPDATE' then to_jsonb(old) else '{}' end;
  shown text[] := string_to_array(tg_argv[1], ',');
  proved text[] := string_to_array(tg_argv[2], ',');
  entry_refs jsonb;
  changed text;
  digest bytea;
  who text;
  entry_case uuid := row_now ->> 'case_id';
  entry_source text := row_now ->> 'source';
  entry_order text := row_now ->> 'order_id';
  entry_id bigint;
begin
  select coalesce(jsonb_object_agg(name, row_now ->> name), '{}') into entry_refs
    from unnest(shown) name where row_now ->> name is not null;
  if tg_op = 'UPDATE' then
    select string_agg(name, ',' order by name collate "C") into changed
      from unnest(shown || proved) name where row_now -> name is distinct from row_before -> name;
    entry_refs := entry_refs || jsonb_build_object('changed', coalesce(changed, ''));
  end if;
  if cardinality(proved) > 0 then
    select sha256(convert_to(skedchange.audited_text(jsonb_object_agg(name, row_now -> name)::text), 'UTF8')) into digest from unnest(proved) name;
  end if;
  select row_now ->> name into who
    from unnest(string_to_array(tg_argv[3], ',')) with ordinality as given (name, place)
    where row_now ->> name is not null order by place limit 1;
  who := coalesce(who, nullif(current_setting('skedchange.actor', true), ''), 'system');
  if entry_case is not null and entry_order is null then
    select c.source, c.order_id into entry_source, entry_order from skedchange.cases c where c.id = entry_case;
  end if;
  insert into skedchange.audit_entries (at, kind, actor, source, order_id, case_id, refs, detail_digest)
  values (now(), tg_argv[0], who, entry_source, entry_order, entry_case, entry_refs, digest)
  returning id into entry_id;
  insert into skedchange.audit_unsealed values (entry_id);
  return null;
end
$$;

-- 000052_reading_of_sources -------------------------------------------------------------------------------------------

-- Why the last poll failed, so that a gateway that refuses the credentials is seen before any case waits for it. Null: it
-- did not fail, or failed in an older program.
alter table skedchange.orders add column poll_error text;
grant update (poll_error) on skedchange.orders to skedchange_service;
create index orders_poll_failing on skedchange.orders (source, poll_error) where poll_error is not null;

-- So that there are statistics of upper(order_id), which the index of 000050 has: without them the planner may expect a
-- beginning to find many.
analyze gateway.deliveries;
analyze skedchange.event_deliveries;

-- 000053_order_views --------------------------------------------------------------------------------------------------

-- A newer view of an order replaces it: what differs is a change of its own kind.
alter table gateway.changes drop constraint changes_kind_is_known;
alter table gateway.changes add constraint changes_kind_is_known check (kind in (
  'retime', 'duration', 'renumber', 'carrier', 'airport', 'terminal', 'aircraft', 'stops', 'fare', 'downgrade',
  'replace', 'cancel', 'restore', 'combined', 'loaded', 'order-view'));

-- The booking references of an order that is replaced are written anew.
grant delete on gateway.order_references to skedchange_service;

-- 000054_agency_of_orders ---------------------------------------------------------------------------------------------

-- An operator serves several agencies, and each must only hear of its own orders. Null: not stated, so all hear of it.
alter table gateway.orders
  add column agency_id text constraint orders_agency_is_short check (length(agency_id) between 1 and 100);
grant update (agency_id) on gateway.orders to skedchange_service;

alter table gateway.ocn_bodies
  add column agency_id text constraint ocn_bodies_agency_is_short check (length(agency_id) between 1 and 100);

-- 000055_given_views --------------------------------------------------------------------------------------------------

-- A newer view of an order is compared with the one before it: what agencies answered here meanwhile is not in it. Null: none
-- was given, or by an older program.
alter table gateway.orders add column given_view json;
grant update (given_view) on gateway.orders to skedchange_service;
