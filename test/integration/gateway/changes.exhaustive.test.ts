import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { changeKinds } from "../../../src/gateway/ports.ts";
import { readProposal } from "../../../src/itinerary/proposal.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { inbound, orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { upcoming } from "../../builders/upcoming.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { sampleSize } from "../../harness/sample-size.ts";

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db);
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("several changes in one request", () => {
  test("are made one after the other, each with its notification", async () => {
    const orderId = await createOrder();

    const response = await gateway.control("POST", `/orders/${orderId}/changes`, {
      changes: [
        { kind: "retime", departureMinutes: 30 },
        { kind: "retime", departureMinutes: -10 },
        { kind: "restore" },
      ],
    });

    expect(response.status).toBe(201);
    const { items } = (await response.json()) as { items: { changeId: string; kind: string }[] };
    expect(items).toMatchObject([{ kind: "retime" }, { kind: "retime" }, { kind: "restore" }]);
    expect(departuresAnnounced(orderId)).toEqual(["07:40", "07:00", "07:10"]);
    expect(announcedFor(orderId).map(({ changeId }) => changeId)).toEqual(items.map(({ changeId }) => changeId));
  });

  test("are all refused when one of them cannot be made", async () => {
    const orderId = await createOrder();

    const response = await gateway.control("POST", `/orders/${orderId}/changes`, {
      changes: [
        { kind: "retime", departureMinutes: 30 },
        { kind: "cancel", flightIndex: 7 },
      ],
    });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "gateway.unknown_segment" });
    expect(announcedFor(orderId)).toEqual([]);
    expect(await gateway.store.readOrder(orderId)).toMatchObject({ change: null, version: 1 });
  });
});

describe("a change back to the original", () => {
  test("finds what was booked first, over accepted changes", async () => {
    const orderId = await createOrder();
    for (const departureMinutes of [30, 45]) {
      await change(orderId, {
        kind: "combined",
        parts: [
          { kind: "retime", departureMinutes },
          { kind: "fare", rbd: "B" },
        ],
      });
      await accept(orderId);
    }

    await change(orderId, { kind: "restore" });
    await accept(orderId);

    const order = await gateway.store.readOrder(orderId);
    expect(order?.content.DataLists.FlightSegmentList.FlightSegment).toMatchObject([
      { Departure: { Time: "07:10:00" } },
      { Departure: { Time: "17:30:00" } },
    ]);
    expect(order?.content.Order[0]?.OfferItem[0]?.FareComponent).toMatchObject([{ FareBasis: { RBD: "Q Q" } }]);
  });
});

test("every kind of change can be kept", async () => {
  const requests: Readonly<Record<string, object>> = {
    retime: { departureMinutes: 5 },
    duration: { durationMinutes: 200 },
    renumber: { flightNumber: "9" },
    carrier: { carrier: "UA" },
    airport: { from: "OPO" },
    terminal: { toTerminal: "2" },
    aircraft: { aircraft: "E90" },
    stops: { stops: 1 },
    fare: { rbd: "B" },
    downgrade: { flightIndex: 1 },
    replace: { with: [outbound] },
    restore: {},
    cancel: {},
    combined: { parts: [{ kind: "cancel", flightIndex: 0 }] },
  };
  const orderId = await createOrder({ flights: [outbound, { ...inbound, cabin: "C" }] });

  for (const kind of changeKinds.filter((candidate) => !["loaded", "order-view"].includes(candidate))) {
    expect(await change(orderId, { kind, ...requests[kind] })).toMatchObject({ kind, state: "announced" });
  }
});

describe("a change of a whole flight", () => {
  test("reaches every order that is booked on it on that date, whoever sells it, and no other", async () => {
    const flight = { ...outbound, departure: "2027-05-02T07:10", arrival: "2027-05-02T11:20", flightNumber: "711" };
    const booked = await createOrder({ flights: [flight, inbound] });
    const codeshare = await createOrder({
      owner: "UA",
      flights: [{ ...flight, carrier: "UA", operatingCarrier: "LH" }],
    });
    const later = { ...flight, departure: "2027-05-03T07:10", arrival: "2027-05-03T11:20" };
    const nextDay = await createOrder({ flights: [later] });
    const other = await createOrder({ flights: [{ ...flight, flightNumber: "712" }] });

    const result = await changeFlight("LH/0711/2027-05-02", { kind: "retime", departureMinutes: 50 });

    expect(result).toMatchObject({ carrier: "LH", flightNumber: "711", changed: 2, failed: 0, nextCursor: null });
    expect(result.items.map(({ orderId }) => orderId)).toEqual([booked, codeshare].sort());
    expect(departuresAnnounced(booked)).toEqual(["08:00"]);
    expect(departuresAnnounced(codeshare)).toEqual(["08:00"]);
    expect([...announcedFor(nextDay), ...announcedFor(other)]).toEqual([]);
  });

  test("finds orders where their flights are now, once a change was accepted", async () => {
    const flight = { ...outbound, departure: "2027-06-02T07:10", arrival: "2027-06-02T11:20", flightNumber: "815" };
    const orderId = await createOrder({ flights: [flight] });
    await change(orderId, { kind: "retime", departureMinutes: 1_440 });
    expect((await changeFlight("LH/815/2027-06-02", { kind: "aircraft", aircraft: "E90" })).changed).toBe(1);
    await change(orderId, { kind: "retime", departureMinutes: 1_440 });
    await accept(orderId);

    expect((await changeFlight("LH/815/2027-06-02", { kind: "cancel" })).items).toEqual([]);
    expect((await changeFlight("LH/815/2027-06-03", { kind: "cancel" })).items).toMatchObject([{ orderId }]);
  });

  test("changes the others when one order cannot be changed, and says why", async () => {
    const flight = { ...outbound, departure: "2027-07-02T07:10", arrival: "2027-07-02T11:20", flightNumber: "333" };
    const gone = await createOrder({ flights: [flight] });
    await change(gone, { kind: "cancel" });
    await gateway.post("/AirOrderInvoluntaryCancel", query("OrderInvoluntaryCancelRQ", gone));
    const left = await createOrder({ flights: [flight] });

    const result = await changeFlight("LH/333/2027-07-02", { kind: "retime", departureMinutes: 20 });

    expect(result).toMatchObject({ changed: 1, failed: 1 });
    expect(result.items).toContainEqual(expect.objectContaining({ orderId: left, state: "announced" }));
    expect(result.items).toContainEqual({
      orderId: gone,
      state: "failed",
      code: "gateway.nothing_to_change",
      message: expect.stringContaining(gone),
    });
  });

  test("goes on from its cursor when there are more orders than asked for", async () => {
    const flight = { ...outbound, departure: "2027-08-02T07:10", arrival: "2027-08-02T11:20", flightNumber: "555" };
    const orderIds = [];
    for (let made = 0; made < 3; made += 1) orderIds.push(await createOrder({ flights: [flight] }));
    const path = "LH/555/2027-08-02";

    const first = await changeFlight(path, { kind: "cancel" }, "?limit=2");
    const second = await changeFlight(path, { kind: "cancel" }, `?limit=2&cursor=${first.nextCursor}`);

    expect([...first.items, ...second.items].map(({ orderId }) => orderId)).toEqual(orderIds.sort());
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
  });

  test("of many orders, up to a thousand, is done in one request, each with one notification", async () => {
    const flight = { ...outbound, departure: "2027-09-02T07:10", arrival: "2027-09-02T11:20", flightNumber: "1000" };
    const count = sampleSize({ quick: 100, proof: 1_000 });
    for (let made = 0; made < count; made += 50) {
      await Promise.all(Array.from({ length: 50 }, () => createOrder({ flights: [flight] })));
    }
    const before = gateway.announced.length;

    const result = await changeFlight("LH/1000/2027-09-02", { kind: "retime", departureMinutes: 20 });

    expect(result).toMatchObject({ changed: count, failed: 0, nextCursor: null });
    expect(new Set(result.items.map(({ orderId }) => orderId)).size).toBe(count);
    const announced = gateway.announced.slice(before).map(({ orderId }) => orderId);
    expect(announced).toHaveLength(count);
    expect(new Set(announced).size).toBe(count);
    // npm run test:proof books a thousand orders first.
  }, 60_000);

  test.each([
    ["LHX/1/2027-03-14", { kind: "cancel" }],
    ["LH/12345/2027-03-14", { kind: "cancel" }],
    ["LH/1/2027-02-30", { kind: "cancel" }],
    ["LH/1/2027-03-14", { kind: "cancel", flightIndex: 0 }],
    ["LH/1/2027-03-14?limit=5001", { kind: "cancel" }],
  ])("is refused: %s with %j", async (path, body) => {
    const [flight = "", search] = path.split("?");
    const response = await gateway.control("POST", `/flights/${flight}/changes${search ? `?${search}` : ""}`, body);

    expect(response.status).toBe(422);
  });
});

interface FlightResponse {
  readonly changed: number;
  readonly items: readonly { readonly orderId: string }[];
  readonly nextCursor: string | null;
}

async function changeFlight(path: string, body: object, search = ""): Promise<FlightResponse> {
  const response = await gateway.control("POST", `/flights/${upcoming(path)}/changes${search}`, body);
  expect(response.status).toBe(200);
  return (await response.json()) as FlightResponse;
}

async function createOrder(overrides: Parameters<typeof orderRequest>[0] = {}): Promise<string> {
  const response = await gateway.control(
    "POST",
    "/orders",
    orderRequest({ orderId: newId(systemClock), ...overrides }),
  );
  expect(response.status).toBe(201);
  return ((await response.json()) as { orderId: string }).orderId;
}

async function change(orderId: string, body: object): Promise<unknown> {
  const response = await gateway.control("POST", `/orders/${orderId}/changes`, body);
  expect(response.status).toBe(201);
  return response.json();
}

async function accept(orderId: string): Promise<void> {
  const response = await gateway.post("/AirOrderInvoluntaryAccept", query("OrderInvoluntaryAcceptRQ", orderId));
  expect(await response.json()).toMatchObject({ OrderInvoluntaryAcceptRS: { Result: [{ Status: "SUCCESS" }] } });
}

function query(root: string, orderId: string) {
  return { [root]: { Query: { OrderID: orderId, GdsBookingReference: ["LHSKD1"] } } };
}

function announcedFor(orderId: string) {
  return gateway.announced.filter((notification) => notification.orderId === orderId);
}

/** The departure of the first flight that each notification of the order proposes. */
function departuresAnnounced(orderId: string): readonly (string | null | undefined)[] {
  return announcedFor(orderId).map(({ body }) => {
    const reading = readOrderView(JSON.parse(Buffer.from(body).toString()));
    if (!reading.ok) throw new Error(reading.problem.message);
    return readProposal(reading.view, orderId)?.proposed.segments[0]?.departure.time;
  });
}
