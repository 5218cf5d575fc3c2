import { codeOf, messageOf } from "../kernel/app-error.ts";
import type { CausedChange } from "./caused-change.ts";
import type { ParsedChangeRequest } from "./change-request.ts";
import type { ChangeHistory, DatedFlight } from "./ports.ts";

/** What became of the orders on one flight. */
export interface FlightChange extends DatedFlight {
  readonly changed: number;
  readonly failed: number;
  /** One for each order, by order id. */
  readonly items: readonly (CausedChange | FailedChange)[];
  /** The last order id when there are more orders on the flight; null when there are not. */
  readonly nextCursor: string | null;
}

/** An order that could not be changed. */
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

/** Orders that are found in one statement. */
const pageSize = 200;
/** Orders that are changed at the same time: each takes a connection while it is. */
const atOnce = 4;

/**
 * Makes one change to every order on a flight, each in a transaction of its own with its notification: an order that
 * cannot be changed does not keep the others back.
 *
 * @param page orders after that id, at most so many of them.
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

/** The change as one of the segments that an order has on the flight; of several, each is changed. */
function onFlight(request: ParsedChangeRequest, segmentKeys: readonly string[]): ParsedChangeRequest {
  const parts = request.kind === "combined" ? request.parts : [request];
  const placed = segmentKeys.flatMap((segmentKey) => parts.map((part) => ({ ...part, segmentKey })));
  const { flags, flagsByReference } = request;
  const [only, ...others] = placed;
  if (only !== undefined && others.length === 0) return { ...only, flags, flagsByReference };
  return { kind: "combined", parts: placed, flags, flagsByReference };
}
