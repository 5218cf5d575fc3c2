-- Where work came from, as W3C `traceparent`s, so that a trace goes on in the process that does the work. All are null without
-- tracing. The mark of a pending notification has that of its receipt. A case has those of what happens to it next, newest first:
-- of the notifications that woke it, or of the decision in force. What the gateway side sends has that of its announcement. Not
-- indexed: read with the row.

alter table skedchange.notification_digests add column pending_traceparent text;
alter table skedchange.cases add column traceparents text[];
alter table gateway.ocn_bodies add column traceparent text;

grant update (pending_traceparent) on skedchange.notification_digests to skedchange_service;
grant update (traceparents) on skedchange.cases to skedchange_service;
