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
