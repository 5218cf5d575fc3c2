-- Each work on an order asks for its effects that ended, which are kept for ever.

create index effects_by_order on skedchange.effects (source, order_id, finished_at desc);
