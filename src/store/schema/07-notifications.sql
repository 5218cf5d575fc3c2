-- What gateways pushed: each notification as its bytes came, and its digest, which counts identical copies.

-- One notification: one body as its bytes came. Partitioned by time so that retention drops a partition, not rows.
create table skedchange.notifications (
  id uuid not null,
  source text not null,
  received_at timestamptz not null,
  -- SHA-256 of the body after inflating, as sent.
  digest bytea not null constraint notifications_digest_is_sha256 check (octet_length(digest) = 32),
  content_type text,
  -- The body as the store wrote it: compressed and, when key_id is set, encrypted with that key.
  body bytea not null,
  body_encoding text not null,
  -- Length of the body before that.
  body_bytes integer not null,
  key_id text,
  state text not null
    constraint notifications_state_is_known check (state in ('accepted', 'quarantined', 'released')),
  -- Why it is quarantined: {code, path, message}. Null when it was accepted.
  problem jsonb,
  -- When the body was deleted, and why. Its row stays with id, digest, source and times, so that everything
  -- acknowledged is still accounted for. The encoding of such a body is 'deleted'.
  body_deleted_at timestamptz,
  body_deleted_by text
    constraint notifications_body_deleted_by_is_known check (body_deleted_by in ('retention', 'erasure')),
  -- Whether the encrypted bytes name the row that they belong to (docs/decisions/0016-bytes-name-their-row.md). Those
  -- of version 0.2 did not.
  is_bound boolean not null default false,
  -- A quarantined body that nobody will ever be able to use is taken off the list and out of the alert. It stays
  -- stored, and its state stays quarantined, so that it can still be released.
  discarded_at timestamptz,
  discarded_by text,
  discard_note text,
  constraint notifications_pkey primary key (received_at, id),
  constraint notifications_quarantine_says_why check (state = 'accepted' or problem is not null)
) partition by range (received_at);
-- The store compresses bodies; letting PostgreSQL try again costs CPU and gains nothing.
alter table skedchange.notifications alter column body set storage external;
-- Catches what no partition covers, so that a late maintenance run never refuses a notification.
create table skedchange.notifications_default partition of skedchange.notifications default;
create index notifications_id on skedchange.notifications (id);
create index notifications_quarantined on skedchange.notifications (received_at, id) where state = 'quarantined';
-- What was quarantined may be released; nothing else about the state of a notification ever changes.
create trigger notifications_only_release before update of state on skedchange.notifications
  for each row when (old.state is distinct from new.state and (old.state <> 'quarantined' or new.state <> 'released'))
  execute function skedchange.refuse_rewriting_history();
-- What came and could not be used, and its way out.
create trigger notifications_quarantined_is_audited after insert on skedchange.notifications
  for each row when (new.state = 'quarantined')
  execute function skedchange.audit_row('notification.quarantined', 'id', 'problem', '');
create trigger notifications_released_is_audited after update of state on skedchange.notifications
  for each row when (new.state = 'released' and old.state <> 'released')
  execute function skedchange.audit_row('notification.released', 'id', '', '');
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
grant select, insert, update (state, discarded_at, discarded_by, discard_note)
  on skedchange.notifications to skedchange_service;

-- Identity of bodies, outside the partitions because uniqueness over partitions would need the time in the key.
create table skedchange.notification_digests (
  source text not null,
  digest bytea not null,
  notification_id uuid not null,
  -- With notification_id, the key of the notification in its partition.
  received_at timestamptz not null,
  receipts bigint not null default 1,
  last_receipt_at timestamptz not null,
  -- A notification is acknowledged once its bytes and this mark are committed: what the receiver has read of the body,
  -- so that nobody opens it again, and since when. A feeder opens and wakes the cases of many pending notifications at
  -- once, and clears their marks in the same transaction. Null when nothing is pending.
  pending_orders jsonb,
  pending_since timestamptz,
  -- The W3C `traceparent` of its receipt, so that the trace goes on in the process that does the work. Null without
  -- tracing.
  pending_traceparent text,
  constraint notification_digests_pkey primary key (source, digest)
);
create index notification_digests_pending
  on skedchange.notification_digests (pending_since) where pending_since is not null;
grant select, insert, update (receipts, last_receipt_at, pending_orders, pending_since, pending_traceparent)
  on skedchange.notification_digests to skedchange_service;

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
