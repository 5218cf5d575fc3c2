import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { readNotifiedOrders } from "../../../src/contract/notified-orders.ts";
import type { OrderView } from "../../../src/contract/order-view.ts";
import { readOrderViews } from "../../../src/contract/order-views.ts";
import { bodiesWithMonster, monstrousValues } from "../../builders/monstrous-values.ts";
import { aMinorDelay, anOrderView, aSegment, bytesOf, details, type Json } from "../../builders/order-view.ts";
import { forCorruptBodies } from "../../harness/corrupt-cases.ts";
import { sampleOf } from "../../harness/sample-size.ts";
import { withinTime } from "../../harness/within-time.ts";

const samples = new URL("../../../samples/", import.meta.url);

const notifications = [
  ...readdirSync(samples).map((file) => readFileSync(new URL(file, samples), "utf8")),
  ...[
    anOrderView(),
    anOrderView({ otherOrders: [{ OrderID: "A2", GdsBookingReference: ["R1", "R2"] }] }),
    anOrderView({ flags: null, ticketed: false, passengers: ["ADT", "CHD", "INF"] }),
    aMinorDelay(),
    aMinorDelay({ changes: { Segment2: [null, details("FRA 2027-03-21 18:30", "LIS 2027-03-21 20:45")] } }),
    aMinorDelay().OrderViewRS,
    { OrderViewRS: { Order: { OrderID: "A1", GdsBookingReference: "R1" } } },
  ].map((body) => JSON.stringify(body)),
].map((text) => ({ text }));

const fullest = JSON.parse(readFileSync(new URL("ocn-minor-delay.json", samples), "utf8")) as Json;

/** What every reading of a notification must be, whatever the body: thrown as a sentence, since those of `expect` are slow. */
function checkReading(body: Uint8Array): void {
  const reading = readOrderViews(body);
  const named = readNotifiedOrders(body);
  if (reading.ok !== named.ok) throw new Error("The receiver and the worker differ in whether it is usable.");
  if (!reading.ok) {
    if (JSON.stringify(reading) !== JSON.stringify(named)) throw new Error("They refuse it for different reasons.");
    const { code, path } = reading.problem;
    if (!/^ocn\.\w+$/.test(code) || !/^(?:\/[^/]+)*$/.test(path))
      throw new Error(`A problem without form: ${code} ${path}`);
    return;
  }
  if (!named.ok || JSON.stringify(namedIn(reading.views)) !== JSON.stringify(named.orders)) {
    throw new Error("The receiver and the worker read different orders.");
  }
  const stored = JSON.stringify(reading.views);
  if (/\\u0000|\\ud[89a-f]/.test(stored)) throw new Error("It holds characters that PostgreSQL does not store.");
  const orders = reading.views.flatMap((view) => view.orders);
  if (orders.length === 0 || orders.some(({ orderId }) => orderId === "" || orderId.length > 128)) {
    throw new Error("An order without an id.");
  }
}

/** Each order once, with the references of all its elements. */
function namedIn(views: readonly OrderView[]): object[] {
  const orders = views.flatMap((view) => view.orders);
  const ids = [...new Set(orders.map(({ orderId }) => orderId))];
  return ids.map((orderId) => ({
    orderId,
    gdsBookingReferences: [
      ...new Set(orders.filter((order) => order.orderId === orderId).flatMap((order) => order.gdsBookingReferences)),
    ],
  }));
}

describe("a damaged notification", () => {
  test("is a view or a typed problem with a path, the same for receiver and worker (another eighth of the bodies each day)", () => {
    forCorruptBodies(notifications, 0.5, checkReading);
    // Half of 100,000 bodies are for this test; `npm run test:long` reads all of them.
  }, 300_000);

  test("is read in time when a date goes on with 100,000 times and has none beside it", () => {
    const segment = aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", {
      Departure: { AirportCode: "LIS", Date: `${"T1".repeat(100_000)}\n1` },
    });

    withinTime(20_000, () => checkReading(bytesOf(anOrderView({ segments: [segment] }))));
  });

  test.each([
    ["lists", "[".repeat(500_000) + "]".repeat(500_000)],
    ["objects", `${'{"Order":'.repeat(150_000)}1${"}".repeat(150_000)}`],
  ])(
    "is read in time with more than 100,000 %s in one another",
    (_, nested) => {
      for (const body of [nested, `{"OrderViewRS":${nested}}`, `{"Order":{"OrderID":"A1","OfferItem":${nested}}}`]) {
        withinTime(15_000, () => checkReading(bytesOf(body)));
      }
    },
    // Each of the three bodies may take 15 s.
    300_000,
  );

  test.each(Object.keys(monstrousValues))(
    "is read in time with %s in the place of any part",
    (name) => {
      for (const { path, text } of sampleOf(bodiesWithMonster(name, fullest), 16)) {
        const body = Buffer.from(text);
        try {
          withinTime(20_000, () => checkReading(body));
        } catch (cause) {
          throw new Error(`In the place of ${path}: ${String(cause)}`, { cause });
        }
      }
    },
    // npm run test:proof puts it in the place of every part, each of which has its own limit.
    300_000,
  );
});
