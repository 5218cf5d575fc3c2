import { codeOf, messageOf } from "../kernel/app-error.ts";
import type { CausedChange } from "./caused-change.ts";
import type { ParsedChangeRequest } from "./change-request.ts";
import type { ChangeHistory, DatedFlight } from "./ports.ts";

export interface FlightChange extends DatedFlight {
  readonly changed: number;
  readonly failed: number;
  /** By order id. */
  readonly items: readonly (CausedChange | FailedChange)[];
  /** The last order id if more orders follow; else null. */
  readonly nextCursor: string | null;
}

export interface FailedChange {
  readonly orderId: string;
  readonly state: "failed";
  readonly code: string;
  readonly message: string;
}

export interface FlightChangeOptions {
  readonly history: ChangeHistory;
  readonly causeChange: (orderId: string, request: ParsedChangeRequest) => Promise<CausedChange>;
}

/** Orders per statement. */
const pageSize = 200;
/** Orders at a time: each one takes a connection. */
const atOnce = 4;

/**
 * Makes one change to every order on a flight, each in its own transaction with its notification, so that a failure
 * does not affect other orders.
 * @param page the order id to continue after, and the most orders.
 */
export async function changeFlight(
  options: FlightChangeOptions,
  flight: DatedFlight,
  request: ParsedChangeRequest,
  page: { readonly after: string | null; readonly limit: number },
): Promise<FlightChange> {
  const items: (CausedChange | FailedChange)[] = [];
  let { after } = page;
  let isComplete = false;
  while (!isComplete && items.length < page.limit) {
    const limit = Math.min(pageSize, page.limit - items.length);
    const orders = await options.history.findOrdersOnFlight(flight, { after, limit });
    const waiting = orders.map(({ orderId, segmentKeys }, position) => async () => {
      items[start + position] = await changeOne(options, orderId, onFlight(request, segmentKeys));
    });
    const start = items.length;
    await Promise.all(Array.from({ length: atOnce }, () => workOff(waiting)));
    after = orders.at(-1)?.orderId ?? after;
    isComplete = orders.length < limit;
  }
  const failed = items.filter(({ state }) => state === "failed").length;
  return { ...flight, changed: items.length - failed, failed, items, nextCursor: isComplete ? null : after };
}

async function workOff(waiting: (() => Promise<void>)[]): Promise<void> {
  for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work();
}

async function changeOne(
  { causeChange }: FlightChangeOptions,
  orderId: string,
  request: ParsedChangeRequest,
): Promise<CausedChange | FailedChange> {
  try {
    return await causeChange(orderId, request);
  } catch (error) {
    return { orderId, state: "failed", code: codeOf(error), message: messageOf(error) };
  }
}

/** Changes each segment of the order on the flight. */
function onFlight(request: ParsedChangeRequest, segmentKeys: readonly string[]): ParsedChangeRequest {
  const parts = request.kind === "combined" ? request.parts : [request];
  const placed = segmentKeys.flatMap((segmentKey) => parts.map((part) => ({ ...part, segmentKey })));
  const { flags, flagsByReference } = request;
  const [only, ...others] = placed;
  if (only !== undefined && others.length === 0) return { ...only, flags, flagsByReference };
  return { kind: "combined", parts: placed, flags, flagsByReference };
}
