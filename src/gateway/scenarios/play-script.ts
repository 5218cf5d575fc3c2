import { codeOf, messageOf } from "../../kernel/app-error.ts";
import type { CausedChange } from "../caused-change.ts";
import type { FailedChange } from "../change-flight.ts";
import type { ChangeRequest } from "../change-request.ts";
import type { DatedFlight } from "../ports.ts";
import { changeErrorCodes } from "../propose-change.ts";
import type { ScenarioOrder, ScenarioScript, ScenarioStep } from "./scenario-script.ts";

/** A running gateway over HTTP, or the one of this process. */
export interface ScenarioGateway {
  /** Returns false if the order id is taken. */
  createOrder(order: ScenarioOrder): Promise<boolean>;
  changeOrder(orderId: string, change: ChangeRequest): Promise<CausedChange>;
  /** Returns all orders on the flight, also those of other scripts. */
  changeFlight(flight: DatedFlight, change: ChangeRequest): Promise<readonly (CausedChange | FailedChange)[]>;
  setFault(fault: Extract<ScenarioStep, { happens: "fault" }>["fault"]): Promise<void>;
}

export interface PlayOptions {
  /** Called after each step; null for no pause. */
  readonly pause: (() => Promise<void>) | null;
  /** Stops after the current order or step. */
  readonly signal: AbortSignal;
  onOrder(made: number, of: number): void;
  onStep(step: ScenarioStep, changes: number): void;
}

export interface PlayedScenario {
  readonly madeOrderIds: ReadonlySet<string>;
  /** Orders of an earlier run, which are not changed again. */
  readonly skippedOrderIds: ReadonlySet<string>;
  readonly changes: readonly CausedChange[];
  /** Orders that could not be changed. */
  readonly refused: readonly FailedChange[];
  readonly faults: number;
  readonly wasStopped: boolean;
}

/** Concurrent bookings. */
const ordersAtOnce = 4;

/** Expected refusals: the order was settled or cancelled meanwhile. */
const refusals: ReadonlySet<string> = new Set(Object.values(changeErrorCodes));

/**
 * Creates the missing orders of a script, then performs the steps for these, in order.
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
