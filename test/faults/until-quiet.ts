import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** Longer than anything that may still go on by itself: retries, settling, and the job that looks every minute for cases after a stop. */
const quietMs = 120_000;

/**
 * Waits until no delivery and no notification is pending, no case is due now or later, and none waits for automation that was
 * resumed since. False when the time is over.
 */
export async function untilQuiet(pool: pg.Pool): Promise<boolean> {
  const giveUpAt = performance.now() + quietMs;
  while (performance.now() < giveUpAt) {
    const { rows } = await pool.query<{ moving: number }>(`
      select (select count(*)::int from gateway.deliveries where state = 'pending')
        + (select count(*)::int from skedchange.notification_digests where pending_since is not null)
        + (select count(*)::int from skedchange.cases where due_at is not null)
        + (
          select count(*)::int from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id
          where c.state = 'awaiting-agent' and d.question = 'automation-stopped'
            and not skedchange.automation_is_stopped(c.source)
            and not exists (
              select from skedchange.case_events h
              where h.case_id = c.id and h.actor like 'person:%' and h.at >= d.decided_at
            )
        )
        + (select count(*)::int from skedchange.orders where leased_until > now()) as moving`);
    if (rows[0]!.moving === 0) return true;
    await sleep(250);
  }
  return false;
}
