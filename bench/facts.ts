/**
 * What the facts of one order cost: for each sample and for a large order, the time of `computeFacts` beside that of
 * `JSON.parse` of the same notification. Absolute numbers belong to the machine; the ratios are what a change must not
 * make worse.
 *
 *     npx tsx bench/facts.ts [orders of each kind]
 */
import { readdir, readFile } from "node:fs/promises";
import { readNotification } from "../src/contract/notification.ts";
import { describeChange } from "../src/itinerary/describe.ts";
import { differenceBetween } from "../src/itinerary/difference.ts";
import { computeFacts } from "../src/itinerary/facts.ts";
import { orderPartsOf } from "../src/itinerary/facts-input.ts";
import { readProposal } from "../src/itinerary/proposal.ts";
import { severityOf } from "../src/itinerary/severity.ts";
import { aMinorDelay, aSegment, details } from "../test/builders/order-view.ts";

const count = Number(process.argv[2] ?? 5_000);
const samples = new URL("../test/samples/", import.meta.url);
const now = new Date("2026-12-01T00:00:00Z");

const bodies = [
  ...(await Promise.all(
    (await readdir(samples)).sort().map(async (name) => ({ name, body: await readFile(new URL(name, samples)) })),
  )),
  { name: "9 passengers, 8 flights, all retimed", body: aLargeOrder() },
];
const rows = bodies.map(({ name, body }) => measure(name, body));
console.log(`${count} orders of each kind; microseconds`);
console.table(rows);

function measure(name: string, body: Uint8Array) {
  const reading = readNotification(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  const { view } = reading;
  const { orderId } = view.orders[0];
  const proposal = readProposal(view, orderId)!;
  const { current: booked, proposed, withdrawnSegmentKeys } = proposal;
  const order = orderPartsOf(view, orderId);
  const compute = () =>
    computeFacts({ booked, accepted: booked, proposal, passengers: view.passengers, order, baseline: "notice", now });
  const facts = compute();
  const text = new TextDecoder().decode(body);

  const parse = timesOf(() => JSON.parse(text));
  const computing = timesOf(compute);
  const telling = timesOf(() => [
    severityOf(facts),
    differenceBetween(booked, proposed, booked),
    describeChange({ booked, current: booked, proposed, facts, withdrawnSegmentKeys }),
  ]);
  return {
    order: name,
    bytes: body.length,
    "parse, median": round(parse.median),
    "facts, median": round(computing.median),
    "facts, p99": round(computing.p99),
    "of parsing": `${(computing.median / parse.median).toFixed(1)} ×`,
    "severity, difference, summary, median": round(telling.median),
  };
}

/** Microseconds for one run of the work. The first runs only warm the machine up. */
function timesOf(work: () => unknown): { readonly median: number; readonly p99: number } {
  for (let i = 0; i < count / 5; i += 1) work();
  const times = Array.from({ length: count }, () => {
    const startedAt = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - startedAt) / 1_000;
  }).sort((a, b) => a - b);
  return { median: times[Math.floor(count / 2)], p99: times[Math.floor(count * 0.99)] };
}

function round(microseconds: number): number {
  return Math.round(microseconds * 10) / 10;
}

/** There and back with three changes of flight each way. */
function aLargeOrder(): Uint8Array {
  const route = ["LIS", "FRA", "IST", "SIN", "SYD", "SIN", "IST", "FRA", "LIS"];
  const hours = [7, 12, 18, 8, 7, 19, 7, 14];
  const days = [14, 14, 14, 15, 28, 28, 29, 29];
  const at = (leg: number, minutes: number) => {
    const time = new Date(Date.UTC(2027, 2, days[leg], hours[leg], minutes)).toISOString();
    return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
  };
  const legs = Array.from({ length: 8 }, (_, leg) => ({ key: `Segment${leg + 1}`, leg }));
  const view = aMinorDelay({
    passengers: ["ADT", "ADT", "ADT", "ADT", "CHD", "CHD", "CHD", "INF", "INF"],
    segments: legs.map(({ key, leg }) =>
      aSegment(key, `LH${leg + 100}`, `${route[leg]} ${at(leg, 0)} 1`, `${route[leg + 1]} ${at(leg, 190)} 1`),
    ),
    journeys: [legs.slice(0, 4), legs.slice(4)].map((journey) => journey.map(({ key }) => key)),
    changes: Object.fromEntries(
      legs.map(({ key, leg }) => [
        key,
        [details(`${route[leg]} ${at(leg, 20)} 1`, `${route[leg + 1]} ${at(leg, 210)} 1`)],
      ]),
    ),
  });
  return new TextEncoder().encode(JSON.stringify(view));
}
