-- Notices: messages by e-mail, Slack or Microsoft Teams, which tell people that cases wait for them, or that automation
-- stopped.

-- Which cases are announced where and when. Null queues or sources: all.
create table skedchange.notice_rules (
  id uuid not null constraint notice_rules_pkey primary key,
  name text not null constraint notice_rules_name_length check (char_length(name) between 1 and 100),
  queues text[] constraint notice_rules_queues_are_some check (cardinality(queues) > 0),
  sources text[] constraint notice_rules_sources_are_some check (cardinality(sources) > 0),
  priority_max smallint not null constraint notice_rules_priority_in_range check (priority_max between 0 and 9),
  -- {type: at-once}, {type: before-deadline, minutes} or {type: digest, times, weekdays}.
  timing jsonb not null
    constraint notice_rules_timing_is_known check (timing ->> 'type' in ('at-once', 'before-deadline', 'digest')),
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
begin
  insert into skedchange.audit_entries (at, kind, actor, refs)
  values (now(), 'notice-rule.removed', current_setting('skedchange.actor', true), jsonb_build_object('id', old.id));
  return null;
end
$$;
create trigger notice_rules_removed_is_audited after delete on skedchange.notice_rules
  for each row execute function skedchange.audit_removed_notice_rule();
grant select, insert, delete, update (name, queues, sources, priority_max, timing, time_zone, channel, addresses,
  webhook, webhook_encoding, key_id, webhook_host, paused_at, next_digest_at, last_sent_at, failing_since,
  last_error, updated_at) on skedchange.notice_rules to skedchange_service;

-- One message, from when it is planned until it was sent or nothing of it waits any more.
create table skedchange.notices (
  id uuid not null constraint notices_pkey primary key,
  rule_id uuid not null constraint notices_rule_fkey references skedchange.notice_rules (id) on delete cascade,
  state text not null default 'pending'
    constraint notices_state_is_known check (state in ('pending', 'stop-pending', 'sent', 'obsolete')),
  due_at timestamptz not null,
  -- Counts what a message that may have arrived already got added, so that nobody takes it for the same one.
  revision integer not null default 0,
  attempts integer not null default 0,
  failures integer not null default 0,
  fence integer not null default 0,
  leased_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The stop of automation that it announces, by a message of its own. Until then its state is 'stop-pending', which
  -- programs of 0.3.0 leave alone: they would find no cases in it, and take it for obsolete.
  stop_id uuid constraint notices_stop_fkey references skedchange.automation_stops (id)
);
create index notices_pending on skedchange.notices (due_at) where state = 'pending';
create index notices_pending_by_rule on skedchange.notices (rule_id) where state = 'pending';
create index notices_stop_pending on skedchange.notices (due_at) where state = 'stop-pending';
create index notices_finished on skedchange.notices (finished_at) where state in ('sent', 'obsolete');
create unique index notices_announce_a_stop_once on skedchange.notices (stop_id, rule_id) where stop_id is not null;
grant select, insert, delete, update (state, due_at, revision, attempts, failures, fence, leased_until, finished_at)
  on skedchange.notices to skedchange_service;

-- Which cases a rule has announced, or has planned to. A case that no longer waits leaves, and is announced again when
-- it waits again. `due_by`: the clock of which a rule before deadlines has told.
create table skedchange.notice_cases (
  rule_id uuid not null constraint notice_cases_rule_fkey references skedchange.notice_rules (id) on delete cascade,
  case_id uuid not null constraint notice_cases_case_fkey references skedchange.cases (id) on delete cascade,
  due_by timestamptz,
  notice_id uuid constraint notice_cases_notice_fkey references skedchange.notices (id) on delete set null,
  constraint notice_cases_pkey primary key (rule_id, case_id)
);
create index notice_cases_by_case on skedchange.notice_cases (case_id);
create index notice_cases_by_notice on skedchange.notice_cases (notice_id);
grant select, insert, delete, update (due_by, notice_id) on skedchange.notice_cases to skedchange_service;
