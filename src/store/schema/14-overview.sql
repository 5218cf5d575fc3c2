-- The figures of the overview page.

-- What the overview of the dashboard adds up, by hour and by UTC day, so that 90 days are read without reading a
-- million decisions. A job of the workers fills it (src/store/overview). No ids and no texts of orders: it outlives
-- retention.
create table skedchange.overview_sums (
  span text not null constraint overview_sums_span_is_known check (span in ('hour', 'day')),
  figure text not null,
  begins_at timestamptz not null,
  source text not null,
  -- What the figure is split by, such as an airline and an action. Empty: by nothing.
  name text not null,
  part text not null,
  value numeric not null,
  constraint overview_sums_pkey primary key (span, figure, begins_at, source, name, part)
);
grant select, insert, delete on skedchange.overview_sums to skedchange_service;

-- Everything before this hour is added up; one row. It moves in the transaction that adds the hours.
create table skedchange.overview_progress (
  only_row boolean not null default true constraint overview_progress_pkey primary key
    constraint overview_progress_has_one_row check (only_row),
  summed_until timestamptz not null
);
grant select, insert, update on skedchange.overview_progress to skedchange_service;
