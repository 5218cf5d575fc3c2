import type { CaseAction, CaseActionOutcome } from "../cases/case-command.ts";
import type { OrderKey } from "../cases/order-context.ts";
import type { RunOutcome } from "../cases/step.ts";
import { codeOf } from "../kernel/app-error.ts";
import { during, noTracer, traceFields } from "../telemetry/tracing.ts";
import { runOrder } from "./run-order.ts";
import type { WorkerContext } from "./worker-context.ts";

export interface OrderWorker {
  /**
   * Returns orders to dispatch, and marks them as dispatched.
   * @param perSourceMax the most orders of one source that are dispatched or in work at a time; null means no bound.
   */
  takeDue(limit: number, perSourceMax?: number | null): Promise<readonly OrderKey[]>;
  workOn(key: OrderKey): Promise<RunOutcome>;
  /** Records a person's action. A worker carries it out at once, by the same path as an automatic decision. */
  act(action: CaseAction): Promise<CaseActionOutcome>;
}

/** @param onDue called after an action has made a case due, so that it need not wait for the next sweep. */
export function createOrderWorker(context: WorkerContext, onDue: () => void): OrderWorker {
  return {
    takeDue: (limit, perSourceMax = null) =>
      context.store.takeDueOrders(limit, context.timing.dispatchMs, perSourceMax),

    workOn: async (key) => {
      const startedAt = context.clock.now().getTime();
      const outcome = await runOrder(context, key).catch((error: unknown) => {
        context.logger.error({ ...key, code: codeOf(error), error }, "order.failed");
        throw error;
      });
      const durationMs = context.clock.now().getTime() - startedAt;
      context.logger.debug({ ...key, outcome, durationMs }, "order.reconciled");
      return outcome;
    },

    act: async (action) => {
      const { caseId, action: name, actor } = action;
      const { tracer = noTracer } = context;
      const attributes = { "skedchange.case.id": caseId, "skedchange.action": name };
      const span = tracer.start("act on case", { attributes });
      const outcome = await during(span, () => context.store.act(action, span.traceparent));
      const ids = { caseId, action: name, actor, ...traceFields(span.traceparent) };
      context.logger.info({ ...ids, outcome: outcome.outcome }, "case.acted_on");
      if (outcome.outcome === "accepted") onDue();
      return outcome;
    },
  };
}
