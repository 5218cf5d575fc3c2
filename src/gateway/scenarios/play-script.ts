import { codeOf, messageOf } from "../../kernel/app-error.ts";
import type { CausedChange } from "../caused-change.ts";
import type { FailedChange } from "../change-flight.ts";
import type { ChangeRequest } from "../change-request.ts";
import type { DatedFlight } from "../ports.ts";
import { changeErrorCodes } from "../propose-change.ts";
import type { ScenarioOrder, ScenarioScript, ScenarioStep } from "./scenario-script.ts";

/** The gateway that a story is played on: a running one over HTTP, or the one of this process. */
export interface ScenarioGateway {
  /** Whether it was made: false when there is an order of that id already. */
  createOrder(order: ScenarioOrder): Promise<boolean>;
  changeOrder(orderId: string, change: ChangeRequest): Promise<CausedChange>;
  /** What became of each order on the flight, also of those that are in no story. */
  changeFlight(flight: DatedFlight, change: ChangeRequest): Promise<readonly (CausedChange | FailedChange)[]>;
  setFault(fault: Extract<ScenarioStep, { happens: "fault" }>["fault"]): Promise<void>;
}

export interface PlayOptions {
  /** Waits after each step; null when steps follow each other at once. */
  readonly pause: (() => Promise<void>) | null;
  /** Ends the story after the order or the step that is under way. */
  readonly signal: AbortSignal;
  onOrder(made: number, of: number): void;
  onStep(step: ScenarioStep, changes: number): void;
}

/** What became of a story. */
export interface PlayedScenario {
  readonly madeOrderIds: ReadonlySet<string>;
  /** Orders that were there from an earlier time: neither they nor their changes happen again. */
  readonly skippedOrderIds: ReadonlySet<string>;
  readonly changes: readonly CausedChange[];
  /** Orders that could not be changed when their turn came. */
  readonly refused: readonly FailedChange[];
  readonly faults: number;
  readonly wasStopped: boolean;
}

/** Orders that are made at the same time. */
const ordersAtOnce = 4;

/** Refusals that are part of a story: somebody has answered or given up the order meanwhile. */
const refusals: ReadonlySet<string> = new Set(Object.values(changeErrorCodes));

/**
 * Makes the orders of a story that are not there yet, then lets happen what happens to these, in order.
 *
 * @throws whatever the gateway rejects with, except `changeErrorCodes`
 */
export async function playScript(
  gateway: ScenarioGateway,
  { orders, steps }: ScenarioScript,
  options: PlayOptions,
): Promise<PlayedScenario> {
  const { made, skipped } = await makeOrders(gateway, orders, options);
  const changes: CausedChange[] = [];
  const refused: FailedChange[] = [];
  let faults = 0;
  for (const step of made.size === 0 ? [] : steps) {
    if (options.signal.aborted) break;
    if (step.happens === "order-change" && skipped.has(step.orderId)) continue;
    const before = changes.length;
    if (step.happens === "fault") {
      await gateway.setFault(step.fault);
      faults += 1;
    } else {
      for (const outcome of await changeOrders(gateway, step)) {
        if (!made.has(outcome.orderId)) continue;
        if (outcome.state === "failed") refused.push(outcome);
        else changes.push(outcome);
      }
    }
    options.onStep(step, changes.length - before);
    await options.pause?.();
  }
  const wasStopped = options.signal.aborted;
  return { madeOrderIds: made, skippedOrderIds: skipped, changes, refused, faults, wasStopped };
}

async function makeOrders(
  gateway: ScenarioGateway,
  orders: readonly ScenarioOrder[],
  { signal, onOrder }: PlayOptions,
): Promise<{ readonly made: ReadonlySet<string>; readonly skipped: ReadonlySet<string> }> {
  const made = new Set<string>();
  const skipped = new Set<string>();
  const waiting = [...orders];
  const work = async (): Promise<void> => {
    for (let order = waiting.shift(); order !== undefined && !signal.aborted; order = waiting.shift()) {
      const group = (await gateway.createOrder(order)) ? made : skipped;
      group.add(order.orderId);
      onOrder(made.size + skipped.size, orders.length);
    }
  };
  await Promise.all(Array.from({ length: ordersAtOnce }, work));
  return { made, skipped };
}

async function changeOrders(
  gateway: ScenarioGateway,
  step: Exclude<ScenarioStep, { happens: "fault" }>,
): Promise<readonly (CausedChange | FailedChange)[]> {
  if (step.happens === "flight-change") return gateway.changeFlight(step.flight, step.change);
  try {
    return [await gateway.changeOrder(step.orderId, step.change)];
  } catch (error) {
    if (!refusals.has(codeOf(error))) throw error;
    return [{ orderId: step.orderId, state: "failed", code: codeOf(error), message: messageOf(error) }];
  }
}
