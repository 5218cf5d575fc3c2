import { setTimeout as sleep } from "node:timers/promises";
import type { EffectEnding } from "../cases/case-update.ts";
import type { EffectOutcome } from "../cases/effect.ts";
import type { OrderContext } from "../cases/order-context.ts";
import { codeOf } from "../kernel/app-error.ts";
import { backOffMs } from "../kernel/back-off.ts";
import type { DeskContext } from "./desk-context.ts";
import type { Lease } from "./ports.ts";

/** Tries to keep one outcome: with the usual waits a database has about a quarter of a minute to come back. */
const triesMax = 5;

/**
 * Keeps what came of an effect that was just sent. Nobody but this process knows it, and a gateway tells it only once, so
 * a database that restarts at this moment must not lose it. Whoever takes the order over meanwhile finds it unknown, which
 * the outcome then settles.
 *
 * @throws what the last try threw: the effect stays as sent, and is settled as if the process had died.
 */
export async function keepOutcome(
  desk: DeskContext,
  lease: Lease,
  work: OrderContext,
  effectId: string,
  { outcome, ending }: { readonly outcome: EffectOutcome; readonly ending: EffectEnding },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await desk.store.finishEffect(lease, work.case, effectId, outcome, ending);
      return;
    } catch (error) {
      if (tries === triesMax || codeOf(error) === "desk.lease_lost") throw error;
      const { source, orderId } = lease;
      desk.logger.warn({ source, orderId, caseId: work.case.id, effectId, tries, error }, "effect.not_kept_yet");
      await sleep(backOffMs(desk.timing.retry, tries, desk.random()));
    }
  }
}
