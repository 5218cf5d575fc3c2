-- Oldest program: 000039
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
