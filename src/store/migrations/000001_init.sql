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
