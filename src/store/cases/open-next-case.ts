import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { asTraceparents } from "./case-rows.ts";
import { finishedStates } from "./states.ts";

export interface NextCase {
  readonly id: string;
  readonly at: Date;
  readonly finishedId: string;
  /** The worker's references; null takes those of the finished case. */
  readonly gdsBookingReferences: readonly string[] | null;
  readonly isReopened: boolean;
  /** Of the work that opens it; null takes that of the finished case. */
  readonly traceparent: string | null;
}

/** Opens the next case, due at once, for the same notifications; false if a notification has just opened one. */
export async function openNextCase(
  transaction: Connection,
  { id, at, finishedId, gdsBookingReferences, isReopened, traceparent }: NextCase,
): Promise<boolean> {
  const opened = await sql`
    insert into skedchange.cases (
      id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at, reopened_from, traceparents
    )
    select ${id}::uuid, c.source, c.order_id, coalesce(${gdsBookingReferences}::text[], c.gds_booking_references),
      'received', now(), ${at}::timestamptz, ${at}::timestamptz, case when ${isReopened} then c.id end,
      coalesce(${asTraceparents(sql`${traceparent}`)}, c.traceparents)
    from skedchange.cases c where c.id = ${finishedId}
    on conflict (source, order_id) where state not in ${finishedStates} do nothing
    returning id
  `.execute(transaction);
  if (opened.rows.length === 0) return false;
  await sql`
    insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
    select ${id}::uuid, notification_id, notification_received_at, ${at}::timestamptz
    from skedchange.case_notifications where case_id = ${finishedId}
  `.execute(transaction);
  return true;
}
