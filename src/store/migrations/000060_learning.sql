-- Oldest program: 000039
-- The sources that began by only observing orders. Ended at once: the source had decided before. Ended for good: a
-- larger number later does not begin it anew.
create table skedchange.source_learning (
  source text not null constraint source_learning_pkey primary key,
  began_at timestamptz not null,
  ended_at timestamptz
);
grant select, insert, update (ended_at) on skedchange.source_learning to skedchange_service;

-- The orders that were observed meanwhile, each once. None is added after the end.
create table skedchange.learning_orders (
  source text not null constraint learning_orders_source_fkey references skedchange.source_learning (source),
  order_id text not null,
  constraint learning_orders_pkey primary key (source, order_id)
);
grant select, insert on skedchange.learning_orders to skedchange_service;
