-- Oldest program: 000055

-- Lanes stayed for ever, one for each order and recipient. Now a lane is deleted with its last delivery. Programs of
-- 0.3.0 add a lane together with a delivery, so they do not miss one.
create or replace function gateway.delete_ended(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids uuid[];
  deleted integer;
  bodies integer;
  recipient_ids uuid[];
  order_ids text[];
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
  with ended as (
    delete from gateway.deliveries where id = any (ids) returning recipient_id, order_id
  )
  select count(*), array_agg(recipient_id), array_agg(order_id) into deleted, recipient_ids, order_ids from ended;
  -- A later lane of the order counts its leases from the beginning, so no process may still hold one of this.
  delete from gateway.lanes where (recipient_id, order_id) in (
    select l.recipient_id, l.order_id from gateway.lanes l
    where (l.recipient_id, l.order_id) in (select * from unnest(recipient_ids, order_ids))
      and l.due_at is null and (l.leased_until is null or l.leased_until < before)
      and not exists (
        select from gateway.deliveries d where d.recipient_id = l.recipient_id and d.order_id = l.order_id
      )
    for update of l skip locked
  );
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

-- Those whose deliveries were deleted before. This waits for no process: a lane that one has locked gets a delivery, and
-- goes with that. A process waits for this only if it adds a delivery to a lane that is being deleted.
delete from gateway.lanes where (recipient_id, order_id) in (
  select l.recipient_id, l.order_id from gateway.lanes l
  where l.due_at is null and (l.leased_until is null or l.leased_until < now() - interval '1 day')
    and not exists (
      select from gateway.deliveries d where d.recipient_id = l.recipient_id and d.order_id = l.order_id
    )
  for update of l skip locked
);
