-- Oldest program: 000039
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
