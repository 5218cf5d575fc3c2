import { assertNever } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import type {
  AfterFailedAttempt,
  AttemptResult,
  BegunAttempt,
  HealthChange,
  Reason,
  RecipientHealth,
} from "../../sender/ports.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { lockLane, scheduleLane, supersedeOlder } from "./deliveries.ts";
import type { DeliveryTables } from "./delivery-tables.ts";

interface FailedAttempt {
  readonly attempt: BegunAttempt;
  readonly result: AttemptResult;
  readonly next: AfterFailedAttempt;
  readonly health: HealthChange;
}

/** Returns whether the lease was still valid. */
export async function finishAttempt(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  { attempt, result, next, health }: FailedAttempt,
): Promise<boolean> {
  const { lease } = attempt;
  if (next.kind === "disable-recipient") await lockRecipient(trx, tables, lease.recipientId);
  await recordHealth(trx, tables, clock, attempt, health);
  const [fence] = await Promise.all([
    lockLane(trx, tables, lease),
    sql`
      update ${tables.attempts}
      set outcome = ${result.outcome}, http_status = ${result.httpStatus}, error_code = ${result.errorCode},
        error_message = ${result.errorMessage}, answer_excerpt = ${result.answerExcerpt},
        duration_ms = ${result.durationMs},
        timings = ${result.timings === null ? null : JSON.stringify(result.timings)}
      where id = ${attempt.attemptId}`.execute(trx),
  ]);
  // The fence alone decides: while nobody else took the lane, being late does no harm.
  if (fence !== lease.fence) return false;
  await takeStep(trx, tables, clock, attempt, next);
  if (result.errorCode === "sender.not_sent") await forgetFirstTry(trx, tables, attempt);
  await scheduleLane(trx, tables, lease);
  await sql`
    update ${tables.lanes} set leased_until = null, leased_by = null
    where recipient_id = ${lease.recipientId} and order_id = ${lease.orderId}`.execute(trx);
  return true;
}

/** Time without an attempt must not use up the retry schedule. */
async function forgetFirstTry(
  trx: Connection,
  tables: DeliveryTables,
  { delivery, startedAt }: BegunAttempt,
): Promise<void> {
  await sql`
    update ${tables.deliveries} set first_tried_at = null
    where id = ${delivery.id} and failures = 0 and first_tried_at = ${startedAt}`.execute(trx);
}

/** A delivery that has ended meanwhile, such as by removal, stays unchanged. */
async function takeStep(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  attempt: BegunAttempt,
  next: AfterFailedAttempt,
): Promise<void> {
  const { id } = attempt.delivery;
  switch (next.kind) {
    case "retry":
      await sql`
        update ${tables.deliveries} set failures = failures + 1, due_at = ${next.dueAt}
        where id = ${id} and state = 'pending'`.execute(trx);
      await supersedeOlder(trx, tables, clock, attempt.lease);
      return;
    case "dead":
      await sql`
        update ${tables.deliveries}
        set state = 'dead', failures = failures + 1, dead_reason = ${JSON.stringify(next.reason)}, finished_at = ${clock.now()}
        where id = ${id} and state = 'pending'`.execute(trx);
      return;
    case "disable-recipient":
      await disableRecipient(trx, tables, clock, attempt, next.reason);
      return;
    case "again":
      return;
    default:
      assertNever(next);
  }
}

async function recordHealth(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  attempt: BegunAttempt,
  health: HealthChange,
): Promise<void> {
  const { recipientId } = attempt.lease;
  switch (health.kind) {
    case "unchanged":
      return;
    case "failed": {
      // Skipped if the URL was changed during the attempt, because the result is about the old URL.
      const { rows } = await sql<RecipientHealth>`
        update ${tables.recipients}
        set failed_in_row = failed_in_row + 1, failing_since = coalesce(failing_since, ${attempt.startedAt})
        where id = ${recipientId} and state = 'active' and url = ${attempt.url}
        returning failed_in_row as "failedInRow", failing_since as "failingSince",
          failing_notices as "notices"`.execute(trx);
      const verdict = rows[0] === undefined ? null : health.judge(rows[0]);
      if (verdict !== null && verdict.kind !== "disable") {
        await sql`
          update ${tables.recipients} set failing_notices = ${verdict.notices}
          where id = ${recipientId} and failing_notices <> ${verdict.notices}`.execute(trx);
      }
      if (verdict?.kind === "hold") {
        await sql`
          update ${tables.recipients}
          set held_until = ${verdict.hold.until}, held_because = ${verdict.hold.because}, ramp_lanes = 1
          where id = ${recipientId} and (held_until is null or held_until < ${verdict.hold.until})`.execute(trx);
      } else if (verdict?.kind === "disable") {
        await disableRecipient(trx, tables, clock, attempt, verdict.reason);
      }
      return;
    }
    default:
      assertNever(health);
  }
}

/** Skipped like `recordHealth` if the URL was changed during the attempt. */
async function disableRecipient(
  trx: Connection,
  tables: DeliveryTables,
  clock: Clock,
  { lease, url }: BegunAttempt,
  reason: Reason,
): Promise<void> {
  const now = clock.now();
  await sql`
    update ${tables.recipients}
    set state = 'disabled', state_reason = ${JSON.stringify(reason)}, state_changed_at = ${now}, updated_at = ${now}
    where id = ${lease.recipientId} and state = 'active' and url = ${url}`.execute(trx);
}

async function lockRecipient(trx: Connection, tables: DeliveryTables, recipientId: string): Promise<void> {
  await sql`select from ${tables.recipients} where id = ${recipientId} for no key update`.execute(trx);
}
