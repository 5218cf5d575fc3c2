import { expect, test } from "@jest/globals";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { readChange } from "../../../src/app/read-change.ts";
import { observedIn } from "../../../src/cases/observed-members.ts";
import type { MemberItem } from "../../../src/dashboard/member-ports.ts";
import { noMarks } from "../../../src/itinerary/member-marks.ts";
import { bytesOf } from "../../builders/order-view.ts";
import type { Trade } from "../../builders/trades/trade.ts";
import { orderOfTrade, type TradeOrder, trades } from "../../builders/trades/trades.ts";
import { sampleSize } from "../../harness/sample-size.ts";
import { createSupervisedSource, type SupervisorChoice } from "../../harness/supervised-source.ts";

const { policy } = readPolicyFile("balanced");
const now = new Date("2026-12-01T00:00:00Z");

/** Orders before the items are answered, and in all. */
interface Orders {
  readonly learned: number;
  readonly all: number;
}
const careful: Orders = { learned: sampleSize({ quick: 50, proof: 150 }), all: sampleSize({ quick: 90, proof: 300 }) };
const hasty: Orders = { learned: sampleSize({ quick: 30, proof: 150 }), all: sampleSize({ quick: 50, proof: 300 }) };
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
function runTrade(
  trade: Trade,
  orders: Orders,
  supervisor: (harmless: ReadonlySet<string>) => SupervisorChoice,
): Outcome {
  const source = createSupervisedSource(policy, now);
  const harmless = new Set<string>();
  const [acceptedOverStop, waiting]: [string[], string[]] = [[], []];
  let [stops, calm] = [0, 0];
  for (let position = 0; position < orders.all; position += 1) {
    const order = orderOfTrade(trade, position);
    if (position < orders.learned) for (const key of harmlessIn(order)) harmless.add(key);
    if (position === orders.learned) source.answer(supervisor(harmless));
    const { action, rule, reasons } = source.decide(order.body);
    const isAccepted = action === "accept";
    if (order.calmBody !== null) {
      stops += 1;
      if (isAccepted) acceptedOverStop.push(order.orderId);
    } else if (position >= orders.learned) {
      calm += 1;
      if (!isAccepted) waiting.push(`${order.orderId} ${rule}: ${reasons[0]!.text}`);
    }
  }
  return { items: source.items(), stops, acceptedOverStop, calm, waiting };
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
    const supervisor = (harmless: ReadonlySet<string>): SupervisorChoice => ({
      isHarmless: ({ path }, value) => harmless.has(keyOf({ path, valueDigest: value?.valueDigest ?? null })),
      pathOf: ({ markablePaths }) => markablePaths[0]!,
    });

    const { items, stops, acceptedOverStop, calm, waiting } = runTrade(trade, careful, supervisor);

    expect(new Set(items.map(({ path }) => path)).size).toBe(items.length);
    // A path for each id that is stated would be a list that nobody can answer.
    expect(items.length).toBeLessThan(40);
    expect(stops).toBeGreaterThan(careful.all / 20);
    expect(acceptedOverStop).toEqual([]);
    // By chance, four letters of a sign-in are a word that tells to stop.
    expect(waiting.length <= Math.max(1, calm * waitingShareMax) ? [] : waiting).toEqual([]);
  },
);

test.each(titled)("no order over %s is accepted although somebody marks all that is no order to stop", (_, trade) => {
  const supervisor = (): SupervisorChoice => ({
    isHarmless: (_, value) => value?.class !== "stop",
    pathOf: ({ markablePaths }) => markablePaths.at(-1)!,
  });

  expect(runTrade(trade, hasty, supervisor).acceptedOverStop).toEqual([]);
});

test("a text that is another one in each order asks in each order", () => {
  const texts: Trade = {
    name: "texts",
    members: (draw) => ({ order: { Greeting: `Welcome ${draw.letters(5)} to our house` } }),
    stops: [() => ({ order: { Greeting: "Do not process" } })],
  };

  const { items, calm, waiting } = runTrade(texts, hasty, () => ({
    isHarmless: () => true,
    pathOf: ({ path }) => path,
  }));

  expect(items).toMatchObject([{ path: "Order.Greeting", markablePaths: [] }]);
  expect(waiting).toHaveLength(calm);
});
