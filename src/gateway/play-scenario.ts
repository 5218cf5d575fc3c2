import { codeOf } from "../kernel/app-error.ts";
import type { CausedChange } from "./caused-change.ts";
import { changeRequestSchema } from "./change-request.ts";
import type { Scenario } from "./demo-scenario.ts";
import { type OrderActions, orderExists } from "./order-actions.ts";
import { orderRequestSchema } from "./order-request.ts";

/** What became of a scenario. */
export interface PlayedScenario {
  /** Orders that were there from an earlier time: neither they nor their changes happen again. */
  readonly skippedOrderIds: readonly string[];
  readonly changes: readonly CausedChange[];
}

/** Makes the orders of a scenario that are not there yet, then causes the changes to these, in order. */
export async function playScenario(actions: OrderActions, scenario: Scenario): Promise<PlayedScenario> {
  const skipped = new Set<string>();
  for (const order of scenario.orders) {
    try {
      await actions.createOrder(orderRequestSchema.parse(order));
    } catch (error) {
      if (codeOf(error) !== orderExists) throw error;
      skipped.add(order.orderId);
    }
  }
  const changes: CausedChange[] = [];
  for (const { orderId, change } of scenario.changes) {
    if (!skipped.has(orderId)) changes.push(await actions.causeChange(orderId, changeRequestSchema.parse(change)));
  }
  return { skippedOrderIds: [...skipped], changes };
}
