import { expect, test } from "vitest";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { readChange } from "../../../src/app/read-change.ts";
import { observedIn } from "../../../src/cases/observed-members.ts";
import type { MemberItem } from "../../../src/dashboard/member-ports.ts";
import { noMarks } from "../../../src/itinerary/member-marks.ts";
import { bytesOf } from "../../builders/order-view.ts";
import type { Trade } from "../../builders/trades/trade.ts";
import { orderOfTrade, type TradeOrder, trades } from "../../builders/trades/trades.ts";
import { sampleSize } from "../../harness/sample-size.ts";
import {
  createSupervisedSource,
  type SupervisedSource,
  type SupervisorChoice,
} from "../../harness/supervised-source.ts";

const { policy } = readPolicyFile("balanced");
const now = new Date("2026-12-01T00:00:00Z");

/** Orders before the items are answered, and in all. */
const orders = { learned: sampleSize({ quick: 50, proof: 150 }), all: sampleSize({ quick: 90, proof: 300 }) };
const waitingShareMax = 0.02;

interface Outcome {
  readonly items: readonly MemberItem[];
  /** Orders that tell to stop, and those of them that were accepted. */
  readonly stops: number;
  readonly acceptedOverStop: readonly string[];
  /** Of the orders after the answers that do not tell to stop. */
  readonly calm: number;
  readonly waiting: readonly string[];
}

/** Decides the first orders, answers the items that they open as a supervisor would, and decides the others. */
function runTrade(trade: Trade, supervisor: SupervisorChoice): Outcome {
  const learned = learnedFrom(trade);
  const source = learned.source.copy();
  source.answer(supervisor);
  const others = decideOrders(source, trade, orders.learned, orders.all);
  return {
    items: source.items(),
    stops: learned.stops + others.stops,
    acceptedOverStop: [...learned.acceptedOverStop, ...others.acceptedOverStop],
    calm: others.calm,
    waiting: others.waiting,
  };
}

interface Learned extends Omit<Outcome, "items"> {
  readonly source: SupervisedSource;
}

const learnedSources = new Map<Trade, Learned>();

/** Before anything is answered, all supervisors of a trade have decided the same, so it is decided once. */
function learnedFrom(trade: Trade): Learned {
  const known = learnedSources.get(trade);
  if (known !== undefined) return known;
  const source = createSupervisedSource(policy, now);
  const learned = { source, ...decideOrders(source, trade, 0, orders.learned) };
  learnedSources.set(trade, learned);
  return learned;
}

function decideOrders(source: SupervisedSource, trade: Trade, from: number, to: number): Omit<Outcome, "items"> {
  const [acceptedOverStop, waiting]: [string[], string[]] = [[], []];
  let [stops, calm] = [0, 0];
  for (let position = from; position < to; position += 1) {
    const order = orderOfTrade(trade, position);
    const { action, rule, reasons } = source.decide(order.body);
    const isAccepted = action === "accept";
    if (order.calmBody !== null) {
      stops += 1;
      if (isAccepted) acceptedOverStop.push(order.orderId);
    } else {
      calm += 1;
      if (!isAccepted) waiting.push(`${order.orderId} ${rule}: ${reasons[0]!.text}`);
    }
  }
  return { stops, acceptedOverStop, calm, waiting };
}

/** Paths and values of the first orders that are harmless. */
function harmlessOf(trade: Trade): ReadonlySet<string> {
  const positions = Array.from({ length: orders.learned }, (_, position) => position);
  return new Set(positions.flatMap((position) => harmlessIn(orderOfTrade(trade, position))));
}

/** Paths and values that the order would state if nothing told to stop. */
function harmlessIn({ body, calmBody }: TradeOrder): readonly string[] {
  const reading = readChange({ body: bytesOf(calmBody ?? body), statusBody: null });
  if (!reading.ok) throw new Error(reading.message);
  return reading.notified.flatMap((view) => observedIn(view.unread, noMarks).map(keyOf));
}

function keyOf({ path, valueDigest }: { readonly path: string; readonly valueDigest: string | null }): string {
  return `${path}=${valueDigest ?? ""}`;
}

const titled = trades.map((trade) => [trade.name, trade] as const);

test.each(titled)(
  "members of %s open one item for each path, and once they are answered orders go through",
  (_, trade) => {
    const harmless = harmlessOf(trade);

    const { items, stops, acceptedOverStop, calm, waiting } = runTrade(trade, {
      isHarmless: ({ path }, value) => harmless.has(keyOf({ path, valueDigest: value?.valueDigest ?? null })),
      pathOf: ({ markablePaths }) => markablePaths[0]!,
    });

    expect(new Set(items.map(({ path }) => path)).size).toBe(items.length);
    // A path for each id that is stated would be a list that nobody can answer.
    expect(items.length).toBeLessThan(40);
    expect(stops).toBeGreaterThan(orders.all / 20);
    expect(acceptedOverStop).toEqual([]);
    // By chance, four letters of a sign-in are a word that tells to stop.
    expect(waiting.length <= Math.max(1, calm * waitingShareMax) ? [] : waiting).toEqual([]);
  },
);

test.each(titled)("no order over %s is accepted although somebody marks all that is no order to stop", (_, trade) => {
  const { acceptedOverStop } = runTrade(trade, {
    isHarmless: (_, value) => value?.class !== "stop",
    pathOf: ({ markablePaths }) => markablePaths.at(-1)!,
  });

  expect(acceptedOverStop).toEqual([]);
});

test("a text that is another one in each order asks in each order", () => {
  const texts: Trade = {
    name: "texts",
    members: (draw) => ({ order: { Greeting: `Welcome ${draw.letters(5)} to our house` } }),
    stops: [() => ({ order: { Greeting: "Do not process" } })],
  };

  const { items, calm, waiting } = runTrade(texts, {
    isHarmless: () => true,
    pathOf: ({ path }) => path,
  });

  expect(items).toMatchObject([{ path: "Order.Greeting", markablePaths: [] }]);
  expect(waiting).toHaveLength(calm);
});
