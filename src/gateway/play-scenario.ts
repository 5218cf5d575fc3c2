import { codeOf } from "../kernel/app-error.ts";
import type { CausedChange } from "./caused-change.ts";
import { changeRequestSchema } from "./change-request.ts";
import type { Scenario } from "./demo-scenario.ts";
import type { OrderActions } from "./order-actions.ts";
import { orderExistsCode } from "./order-codes.ts";
import { orderRequestSchema } from "./order-request.ts";

export interface PlayedScenario {
  /** Orders of an earlier run, which are not changed again. */
  readonly skippedOrderIds: readonly string[];
  readonly changes: readonly CausedChange[];
}

/** Creates the missing orders of a scenario, then changes these, in order. */
export async function playScenario(actions: OrderActions, scenario: Scenario): Promise<PlayedScenario> {
  const skipped = new Set<string>();
  for (const order of scenario.orders) {
    try {
      await actions.createOrder(orderRequestSchema.parse(order));
    } catch (error) {
      if (codeOf(error) !== orderExistsCode) throw error;
      skipped.add(order.orderId);
    }
  }
  const changes: CausedChange[] = [];
  for (const { orderId, change } of scenario.changes) {
    if (!skipped.has(orderId)) changes.push(await actions.causeChange(orderId, changeRequestSchema.parse(change)));
  }
  return { skippedOrderIds: [...skipped], changes };
}
