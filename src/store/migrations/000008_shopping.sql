-- What was found by searches at the gateway, so that an offer is priced and booked as it was shown.
create table gateway.shopping_responses (
  -- 19 digits; every OfferID begins with it.
  shopping_response_id text not null constraint shopping_responses_pkey primary key
    constraint shopping_responses_id_is_digits check (shopping_response_id ~ '^[0-9]{19}$'),
  request jsonb not null,
  -- In the order of their OfferIDs. json and not jsonb: nothing is searched inside.
  offers json not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index shopping_responses_by_expiry on gateway.shopping_responses (expires_at);

-- A response is never rewritten. Those that expired long ago are removed.
grant select, insert, delete on gateway.shopping_responses to skedchange_service;
