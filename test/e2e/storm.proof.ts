import { afterAll, beforeAll, expect, test } from "vitest";
import { upcoming } from "../builders/upcoming.ts";
import { eventually } from "../harness/eventually.ts";
import { type GatewaySide, startGatewaySide } from "../harness/gateway-side.ts";

const ordersMax = 1_000;
const flightDate = upcoming("2027-03-14");
const flight = {
  from: "LIS",
  to: "FRA",
  carrier: "LH",
  flightNumber: "1167",
  departure: `${flightDate}T07:10`,
  arrival: `${flightDate}T11:20`,
};

let gateway: GatewaySide;
beforeAll(async () => {
  gateway = await startGatewaySide({ ordering: "latest" });
});
afterAll(() => gateway?.close());

interface FlightChange {
  readonly changed: number;
  readonly failed: number;
  readonly items: readonly { readonly orderId: string; readonly changeId: string; readonly deliveries: number }[];
  readonly nextCursor: string | null;
}

interface Deliveries {
  readonly items: readonly { readonly id: string; readonly orderId: string; readonly state: string }[];
  readonly nextCursor: string | null;
}

test("1,000 orders that are changed at once are 1,000 acknowledged notifications, none lost and none doubled", async () => {
  const orderIds = Array.from({ length: ordersMax }, (_, position) => `STORM-${String(position).padStart(4, "0")}`);
  const waiting = [...orderIds];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let orderId = waiting.shift(); orderId !== undefined; orderId = waiting.shift()) {
        await gateway.control("POST", "/orders", { orderId, flights: [flight] });
      }
    }),
  );

  const startedAt = performance.now();
  const change = { kind: "retime", departureMinutes: 90 };
  const caused = await gateway.control<FlightChange>("POST", `/flights/LH/1167/${flightDate}/changes`, change);
  expect(caused).toMatchObject({ changed: ordersMax, failed: 0, nextCursor: null });
  expect(caused.items.map(({ orderId }) => orderId).sort()).toEqual(orderIds);
  expect(caused.items.every(({ deliveries }) => deliveries === 1)).toBe(true);

  await eventually(
    async () => expect((await gateway.control<Deliveries>("GET", "/deliveries?state=pending")).items).toEqual([]),
    { timeoutMs: 150_000, everyMs: 250 },
  );
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`storm: ${ordersMax} notifications acknowledged in ${seconds} s\n`);

  const deliveries = await readDeliveries();
  expect(deliveries.map(({ state }) => state)).toEqual(Array.from({ length: ordersMax }, () => "delivered"));
  const { posts } = gateway.receiver;
  expect(posts).toHaveLength(ordersMax);
  expect(posts.map(({ headers }) => headers["webhook-id"]).sort()).toEqual(deliveries.map(({ id }) => id).sort());
  const named = posts.map(({ body }) => JSON.parse(body.toString()).OrderViewRS.Order[0].OrderID as string);
  expect(named.sort()).toEqual(orderIds);
  // As many orders are booked first as notifications are then sent.
}, 240_000);

async function readDeliveries(): Promise<Deliveries["items"]> {
  const items: Deliveries["items"][number][] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: Deliveries = await gateway.control<Deliveries>("GET", `/deliveries?limit=200${more}`);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
