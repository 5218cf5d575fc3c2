-- Oldest program: 000039
-- What a decision is based on is one compressed and encrypted value. What statements look into stands beside it, in the columns
-- of before: `facts`, `itineraries`, `legal` and `versions`, with less in them. A program from before reads these, and finds a
-- decision without trace and inputs, which it cannot replay. Its own decisions have no document.
alter table skedchange.decisions
  add column document bytea,
  add column document_encoding text,
  -- Before compression.
  add column document_bytes integer,
  add column key_id text;
-- It is compressed already.
alter table skedchange.decisions alter column document set storage external;

-- Knows the document as well. All documents name their row.
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
     where t.%5$I = new.id::%6$s and t.%7$I = ''gzip'' and sha256(t.%2$I) = new.was
     returning t.%5$I::text',
    place.table_name, place.bytes, place.key, case when place.is_marked then ', is_bound = true' else '' end,
    place.id, place.id_type, place.encoding
  ) using ids, was, becomes, of_key;
  perform set_config('skedchange.deleting', 'off', true);
end
$$;

-- Deletes the document as well, and what the law says: the part that stands beside the document would look like the whole.
create or replace function skedchange.erase_order(of_source text, of_order text, who text, at timestamp with time zone, quarantined uuid[])
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
$$;
