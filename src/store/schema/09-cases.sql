-- The open and the finished work on each order: its state, its timeline, the notifications that it is about, and what
-- the gateway said of the order meanwhile.

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
  -- 'person:' and who; null when nobody has taken it.
  assignee text,
  -- By when somebody must have decided: the earliest of the clocks that run for it, and which one that is.
  due_by timestamptz,
  due_by_rule text,
  -- The same without the agency's own target: nobody may put the case off beyond it.
  firm_due_by timestamptz,
  -- When that moment was first seen to have passed with the case still open.
  overdue_at timestamptz,
  -- An automatic effect is not sent before this, so that a person can stop it.
  undo_until timestamptz,
  -- The finished case that a person opened again.
  reopened_from uuid constraint cases_reopened_from_fkey references skedchange.cases (id),
  -- Flights that the change touches, as `LH1167/2027-03-14` by scheduled local date of departure: a cohort shares one.
  flight_dates text[] not null default '{}',
  -- The wake-up by a notification of many orders: while `wake` is still this number, other orders of the source go
  -- first. Whatever else wakes the case counts `wake` on, and so ends it.
  yielding_wake bigint,
  -- When the bodies and texts of the case were deleted. It may be notified again afterwards.
  bodies_deleted_at timestamptz,
  -- W3C `traceparent`s of what happens to it next, newest first: of the notifications that woke it, or of the decision
  -- in force.
  traceparents text[],
  -- How severe the change is, as last decided. Null: not known. It stands here, as the rule does, for cases_by_urgency.
  severity text,
  -- The rule that made the decision in force.
  rule text,
  constraint cases_order_fkey foreign key (source, order_id) references skedchange.orders (source, order_id)
);
-- PostgreSQL reads an index alone only where it knows that every transaction sees the rows, which vacuum notes. By
-- default it waits until a fifth of the table has changed.
alter table skedchange.cases set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
-- At most one open case per order.
create unique index cases_one_open_per_order on skedchange.cases (source, order_id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_due on skedchange.cases (due_at, priority) where due_at is not null;
create index cases_by_order on skedchange.cases (order_id, opened_at desc);
create index cases_newest on skedchange.cases (opened_at desc, id desc);
create index cases_by_flight_date on skedchange.cases using gin (flight_dates)
  where state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_due_by on skedchange.cases (due_by)
  where due_by is not null and overdue_at is null and state not in ('done', 'resolved-elsewhere', 'closed');
create index cases_overdue on skedchange.cases (overdue_at)
  where overdue_at is not null and state not in ('done', 'resolved-elsewhere', 'closed');
-- The most urgent due orders of each source are found without reading the whole backlog, which after a change of season
-- is tens of thousands of cases. Those that only a notification of many orders has made due are few as a rule, and
-- looked for by themselves.
create index cases_due_by_priority on skedchange.cases (source, priority, due_at) include (wake, yielding_wake)
  where due_at is not null;
create index cases_due_yielding on skedchange.cases (source, priority, due_at)
  where due_at is not null and wake = yielding_wake;
-- The daily search for what has expired reads what is left only.
create index cases_with_bodies on skedchange.cases (updated_at)
  where closed_at is not null and (bodies_deleted_at is null or updated_at > bodies_deleted_at);
-- Deleting a row asks each table that refers to it. Without these it would read the whole table every time.
create index cases_by_decision on skedchange.cases (decision_id) where decision_id is not null;
create index cases_by_reopened on skedchange.cases (reopened_from) where reopened_from is not null;
-- Lists of open work in another order than that of urgency. What has no such time comes last.
create index cases_by_departure on skedchange.cases (coalesce(departure_at, '9999-12-31 00:00:00+00'::timestamptz), id)
  where state not in ('done', 'resolved-elsewhere', 'closed');
-- Few cases have either, and all of somebody's, or of a queue, are asked for.
create index cases_by_assignee on skedchange.cases (assignee, opened_at desc) where assignee is not null;
create index cases_by_queue on skedchange.cases (review_queue, opened_at desc) where review_queue is not null;
-- Open cases, the most urgent first: what is overdue, then what must be decided next, and at the same time by priority.
-- It also serves the list by deadline, and lists and counts by severity and rule, which are read from it alone:
-- otherwise each figure of the overview would visit the rows of all open cases, among those of a million that are done.
create index cases_by_urgency on skedchange.cases
  (coalesce(due_by, '9999-12-31 00:00:00+00'::timestamptz), priority, id)
  include (source, state, severity, rule, review_queue, assignee, due_at, due_by, opened_at)
  where state not in ('done', 'resolved-elsewhere', 'closed');

-- The moves that a state may make. The code holds the same list; a test compares them.
create trigger cases_transition_is_allowed before update of state on skedchange.cases
  for each row when (
    old.state is distinct from new.state and old.state || ' -> ' || new.state <> all (array[
      'accepting -> awaiting-agent', 'accepting -> checking', 'accepting -> done', 'accepting -> resolved-elsewhere',
      'ask-traveller -> awaiting-agent', 'ask-traveller -> awaiting-traveller', 'ask-traveller -> checking',
      'ask-traveller -> closed', 'ask-traveller -> resolved-elsewhere', 'ask-traveller -> snoozed',
      'awaiting-agent -> awaiting-traveller', 'awaiting-agent -> checking', 'awaiting-agent -> closed',
      'awaiting-agent -> resolved-elsewhere', 'awaiting-agent -> snoozed',
      'awaiting-traveller -> awaiting-agent', 'awaiting-traveller -> checking', 'awaiting-traveller -> closed',
      'awaiting-traveller -> resolved-elsewhere', 'awaiting-traveller -> snoozed',
      'cancelling -> awaiting-agent', 'cancelling -> checking', 'cancelling -> done',
      'cancelling -> resolved-elsewhere',
      'checking -> accepting', 'checking -> ask-traveller', 'checking -> awaiting-agent',
      'checking -> awaiting-traveller', 'checking -> cancelling', 'checking -> closed', 'checking -> done',
      'checking -> received', 'checking -> resolved-elsewhere', 'checking -> snoozed',
      'received -> checking',
      'snoozed -> awaiting-agent', 'snoozed -> awaiting-traveller', 'snoozed -> checking', 'snoozed -> closed',
      'snoozed -> resolved-elsewhere'
    ])
  ) execute function skedchange.refuse_transition('case');

create trigger cases_start_as_received before insert on skedchange.cases
  for each row when (new.state <> 'received') execute function skedchange.refuse_first_state('case', 'received');
grant select, insert, update (gds_booking_references, state, version, due_at, wake, priority, failures, last_error,
  review_queue, proposal_digest, decision_id, headline, departure_at, updated_at, closed_at, assignee, due_by,
  due_by_rule, firm_due_by, overdue_at, undo_until, flight_dates, yielding_wake, traceparents, severity, rule)
  on skedchange.cases to skedchange_service;

-- What happened to a case, in order: its timeline. The audit reads it by the view `audited_lines`.
create table skedchange.case_events (
  id bigint generated always as identity constraint case_events_pkey primary key,
  case_id uuid not null constraint case_events_case_fkey references skedchange.cases (id),
  at timestamptz not null,
  -- noun.verb: notification.received, decision.made, effect.sent, ...
  kind text not null,
  -- 'receiver', 'worker', or 'person:' and who.
  actor text not null,
  detail jsonb not null default '{}',
  -- When what people and gateways wrote was taken out of the line. The audit has the digest of the whole line, so
  -- verifying must know that this one has been cut.
  texts_deleted_at timestamptz,
  -- With which API token somebody acted, beside who: what compares the actor stays as it is. The writer names the token
  -- with `set_config('skedchange.token_id', ..., true)`. Null: with none.
  token_id uuid default nullif(current_setting('skedchange.token_id', true), '')::uuid,
  -- When the database took it down, by its own clock.
  recorded_at timestamptz not null default now(),
  -- Whether the audit has an entry for it beside it: since the line was changed, or because a program of 0.3.0 or
  -- before wrote it. Any other line is its own entry.
  has_entry boolean not null default false
);
-- One sequence for both, so that blocks of the audit have lines and other entries in one order.
alter table skedchange.audit_entries alter column id set default nextval('skedchange.case_events_id_seq');
create index case_events_by_case on skedchange.case_events (case_id, id);
create index case_events_overdue on skedchange.case_events (at) where kind = 'case.overdue';
-- Lines come in the order of their times, nearly, as the entries of the audit do.
create index case_events_by_time on skedchange.case_events using brin (recorded_at);

-- Lines of the program that follow in the transaction of a person, such as the end of a bulk action, name no token.
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
grant select, insert (case_id, at, kind, actor, detail) on skedchange.case_events to skedchange_service;

-- Lines that are their own entries, with the columns of audit_entries in the same order. Of the detail it shows members
-- that look like an id, and a few with codes; the digest is of all of it. Lengths are compared before the regular
-- expressions, which are slow on long texts.
create view skedchange.audited_lines as
  select e.id, e.at, e.recorded_at, e.kind, e.actor, c.source, c.order_id, e.case_id, e.id as case_event_id,
    (
      select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each_text(case jsonb_typeof(e.detail) when 'object' then e.detail else '{}' end)
      -- A key that is a number would stand at another place in JavaScript.
      where (length(value) = 36 and key ~ '^[A-Za-z][A-Za-z0-9_]*$' and value ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
        or (key in ('action', 'rule', 'reasonCode', 'channel', 'answer') and length(value) <= 64
          and value ~ '^[a-z][a-z0-9._-]*$')
    ) || case when e.token_id is null then '{}' else jsonb_build_object('actorToken', e.token_id) end as refs,
    sha256(convert_to(skedchange.audited_text(e.detail::text), 'UTF8')) as detail_digest
  from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
  where not e.has_entry;
grant select on skedchange.audited_lines to skedchange_service;

-- Whatever changes or deletes a line (retention, erasure, encrypting a note) leaves its entry behind as it was. To the
-- audit a note stays the same when another key encrypts it.
create function skedchange.leave_entry_of_line() returns trigger language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'UPDATE' then
    if (new.case_id, new.at, new.kind, new.actor, skedchange.audited_text(new.detail::text))
      = (old.case_id, old.at, old.kind, old.actor, skedchange.audited_text(old.detail::text))
    then
      return new;
    end if;
    new.has_entry := true;
  end if;
  insert into skedchange.audit_entries
      (id, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest)
    select id, at, recorded_at, kind, actor, source, order_id, case_id, case_event_id, refs, detail_digest
    from skedchange.audited_lines where id = old.id;
  return coalesce(new, old);
end
$$;
revoke all on function skedchange.leave_entry_of_line() from public;
create trigger case_events_leave_their_entry before update or delete on skedchange.case_events
  for each row when (not old.has_entry) execute function skedchange.leave_entry_of_line();

-- Which notifications a case rests on. A notification with several orders joins several cases.
create table skedchange.case_notifications (
  case_id uuid not null constraint case_notifications_case_fkey references skedchange.cases (id),
  notification_id uuid not null,
  notification_received_at timestamptz not null,
  joined_at timestamptz not null,
  constraint case_notifications_pkey primary key (case_id, notification_id)
);
create index case_notifications_by_notification on skedchange.case_notifications (notification_id);
grant select, insert on skedchange.case_notifications to skedchange_service;

-- What the gateway responded when the reservation status was read: the evidence that decisions rest on.
create table skedchange.status_views (
  id uuid not null constraint status_views_pkey primary key,
  case_id uuid not null constraint status_views_case_fkey references skedchange.cases (id),
  purpose text not null
    constraint status_views_purpose_is_known
    check (purpose in ('decide', 'before-effect', 'after-effect', 'settle-unknown')),
  read_at timestamptz not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  body_deleted_at timestamptz,
  body_deleted_by text
    constraint status_views_body_deleted_by_is_known check (body_deleted_by in ('retention', 'erasure')),
  is_bound boolean not null default false,
  -- The notification that the body is compressed against, because a view of an order repeats most of what its
  -- notification says. Without the notification's body it cannot be read, so that takes such views with it. Null:
  -- compressed alone. The key keeps a view to notifications of its own case, and those to their views: a notification
  -- goes with the last case that it has joined.
  compressed_against uuid,
  constraint status_views_repeated_fkey
    foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id)
);
alter table skedchange.status_views alter column body set storage external;
create index status_views_by_case on skedchange.status_views (case_id, read_at);
grant select, insert on skedchange.status_views to skedchange_service;

-- What AirDocRetreive responded after an accept: whether the tickets still fit the flights.
create table skedchange.document_views (
  id uuid not null constraint document_views_pkey primary key,
  case_id uuid not null constraint document_views_case_fkey references skedchange.cases (id),
  read_at timestamptz not null,
  body bytea not null,
  body_encoding text not null,
  body_bytes integer not null,
  key_id text,
  is_bound boolean not null default false,
  -- As in status_views.
  compressed_against uuid,
  constraint document_views_repeated_fkey
    foreign key (case_id, compressed_against)
    references skedchange.case_notifications (case_id, notification_id)
);
alter table skedchange.document_views alter column body set storage external;
create index document_views_by_case on skedchange.document_views (case_id, read_at);
grant select, insert on skedchange.document_views to skedchange_service;
