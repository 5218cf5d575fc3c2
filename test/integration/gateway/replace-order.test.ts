import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { OrderContent } from "../../../src/gateway/order-content.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { recipients: 2 });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("replacing an order by a newer view of it", () => {
  test("stores a new order without a notification", async () => {
    const { orderId, view } = viewOf(sample("ocn-minor-delay.json"), newId(systemClock));

    const replaced = await put(orderId, view);

    expect(replaced).toEqual({
      status: 201,
      body: { orderId, outcome: "stored", version: 1, differences: [], notification: null },
    });
    expect(announcedFor(orderId)).toEqual([]);
  });

  test("changes nothing when the view is equal, also while a change is pending", async () => {
    const { orderId, view } = await createOrder();
    expect(await put(orderId, view)).toMatchObject({ status: 200, body: { outcome: "unchanged", version: 1 } });
    await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });
    const changed = await readOrder(orderId);

    const replaced = await put(orderId, changed.orderView);

    expect(replaced).toMatchObject({ body: { outcome: "unchanged", differences: [], notification: null } });
    expect(await readOrder(orderId)).toEqual(changed);
    expect(announcedFor(orderId)).toHaveLength(1);
  });

  test("proposes flights that differ, once, and says what differs and to whom it goes", async () => {
    const { orderId, view } = await createOrder();
    segments(view)[0]!.Departure!.Time = "06:00:00";

    const first = await put(orderId, view);
    const second = await put(orderId, view);

    expect(first).toMatchObject({
      status: 200,
      body: {
        outcome: "changed",
        version: 2,
        differences: expect.arrayContaining([
          { path: "/OrderViewRS/Order/0/PnrStatus", before: "CONFIRMED", after: "SCHEDULE CHANGED" },
        ]),
        notification: {
          changeId: announcedFor(orderId)[0]!.changeId,
          state: "announced",
          deliveries: [
            { deliveryId: expect.any(String), recipientId: "recipient-0" },
            { deliveryId: expect.any(String), recipientId: "recipient-1" },
          ],
        },
      },
    });
    expect(second).toMatchObject({ body: { outcome: "unchanged", version: 2 } });
    expect(announcedFor(orderId)).toHaveLength(1);
    expect(await flightsOf(orderId)).toMatchObject([{ Departure: { Time: "07:10:00" } }, {}]);
  });

  test("announces it as an order of the agency that was stated last, also in later changes", async () => {
    const { orderId, view } = await createOrder();
    expect(await put(orderId, view, { agencyId: "north" })).toMatchObject({
      body: { outcome: "unchanged", version: 2 },
    });
    segments(view)[0]!.Departure!.Time = "06:00:00";

    await put(orderId, view);
    await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });

    expect(await readOrder(orderId)).toMatchObject({ agencyId: "north" });
    expect(announcedFor(orderId)).toMatchObject([{ agencyId: "north" }, { agencyId: "north" }]);
  });

  test.each<[string, (orderId: string) => Promise<object>]>([
    ["a generated one", async (orderId) => orderRequest({ orderId })],
    ["one taken over", async (orderId) => ({ orderView: viewOf(sample("ocn-minor-delay.json"), orderId).view })],
  ])("keeps the agency that an order was made for: %s", async (_, requestOf) => {
    const orderId = newId(systemClock);
    const request = { ...(await requestOf(orderId)), agencyId: "north" };

    const response = await gateway.control("POST", "/orders", request);

    expect(response.status).toBe(201);
    expect(await readOrder(orderId)).toMatchObject({ agencyId: "north" });
  });

  test("of which the agency has accepted the change, finds nothing to change", async () => {
    const { orderId, view } = await createOrder();
    segments(view)[0]!.Departure!.Time = "06:00:00";
    await put(orderId, view);
    await accept(orderId);

    const replaced = await put(orderId, view);

    expect(replaced).toMatchObject({ body: { outcome: "unchanged" } });
    expect(await flightsOf(orderId)).toMatchObject([{ Departure: { Time: "06:00:00" } }, {}]);
  });

  test("proposes the booked flights again when the view goes back", async () => {
    const { orderId, view } = await createOrder();
    const later = structuredClone(view);
    segments(later)[0]!.Departure!.Time = "06:00:00";
    await put(orderId, later);

    const replaced = await put(orderId, view);

    expect(replaced).toMatchObject({ body: { outcome: "changed" } });
    const { openChange } = await readOrder(orderId);
    expect(openChange.segments).toMatchObject([{ becomes: [{ Departure: { Time: "07:10:00" } }] }]);
  });

  test("proposes to withdraw a flight that is not in it", async () => {
    const { orderId, view } = await createOrder();
    const [out] = segments(view);
    view.DataLists.FlightSegmentList.FlightSegment = [out!];
    view.DataLists.FlightList.Flight = view.DataLists.FlightList.Flight.slice(0, 1);

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });
    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });

    const order = await readOrder(orderId);
    expect(order.openChange.segments).toMatchObject([{ segmentKey: "Segment2", becomes: [] }]);
    expect(order.references).toMatchObject([
      { pnrStatus: "SCHEDULE CHANGED", flags: { accept: "N", cancel: "Y", reSchedule: "N" } },
    ]);
  });

  test("proposes two flights in the place of one, and finds nothing to change once they are accepted", async () => {
    const { orderId, view } = await createOrder();
    const [out, back] = segments(view);
    const feeder = { ...out!, SegmentKey: "New1", Arrival: { ...out!.Arrival, AirportCode: "MUC", Time: "10:00:00" } };
    const onward = {
      ...out!,
      SegmentKey: "New2",
      Departure: { ...out!.Arrival, AirportCode: "MUC", Time: "10:50:00" },
    };
    view.DataLists.FlightSegmentList.FlightSegment = [feeder, onward, back!];
    view.DataLists.FlightList.Flight[0]!.SegmentReferences = "New1 New2";

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });
    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });
    await accept(orderId);
    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });

    expect(await flightsOf(orderId)).toMatchObject([
      { SegmentKey: "Segment1", Arrival: { AirportCode: "MUC" } },
      { Departure: { AirportCode: "MUC" }, Arrival: { AirportCode: "FRA" } },
      { SegmentKey: "Segment2" },
    ]);
  });

  test("takes flights as booked when they are said to be", async () => {
    const { orderId, view } = await createOrder();
    segments(view)[0]!.Departure!.Time = "06:00:00";
    view.Order[0]!.PnrStatus = "MODIFIED";

    const replaced = await put(orderId, view, { flights: "booked" });

    expect(replaced).toMatchObject({ body: { outcome: "changed", notification: { state: "announced" } } });
    expect(await flightsOf(orderId)).toMatchObject([{ Departure: { Time: "06:00:00" } }, {}]);
    expect(await readOrder(orderId)).toMatchObject({ openChange: null, references: [{ pnrStatus: "MODIFIED" }] });
  });

  test("announces a change that the view states itself, with the flags that it states", async () => {
    const { orderId, view } = viewOf(sample("ocn-minor-delay.json"), newId(systemClock));
    await put(orderId, { ...view, ShoppingResponseId: "earlier" });

    const replaced = await put(orderId, view);

    expect(replaced).toMatchObject({
      body: {
        outcome: "changed",
        differences: [{ path: "/OrderViewRS/ShoppingResponseId", before: "earlier", after: view.ShoppingResponseId }],
      },
    });
    expect(JSON.parse(Buffer.from(announcedFor(orderId)[0]!.body).toString())).toMatchObject({
      OrderViewRS: { Order: [{ ScheduleChangeStatus: "Initiated", ScheduleChange: view.Order[0]!.ScheduleChange }] },
    });
  });

  test("voids tickets that are no longer listed and adds new ones", async () => {
    const { orderId, view } = await createOrder();
    const [info] = view.TicketDocInfos!.TicketDocInfo;
    const exchanged = { ...info!, TicketDocument: { ...info!.TicketDocument, TicketDocNbr: "2209999999999" } };
    view.TicketDocInfos!.TicketDocInfo = [exchanged];

    await put(orderId, view);

    expect((await readOrder(orderId)).tickets).toMatchObject([
      { ticketNumber: info!.TicketDocument.TicketDocNbr, state: "void" },
      { ticketNumber: "2209999999999", state: "open" },
    ]);
  });

  test("adds and removes booking references", async () => {
    const { orderId, view } = await createOrder();
    view.Order = [
      { ...view.Order[0]!, GdsBookingReference: "LHSKD2" },
      { ...view.Order[0]!, GdsBookingReference: "LHSKD3" },
    ];

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });

    expect((await readOrder(orderId)).references).toMatchObject([
      { gdsBookingReference: "LHSKD2" },
      { gdsBookingReference: "LHSKD3" },
    ]);
  });

  test("refuses a flight that was flown, a flight that replaces none, and a ticket that was voided here", async () => {
    const { orderId, view } = await createOrder();
    await gateway.control("POST", `/orders/${orderId}/flown`, { segmentKeys: ["Segment1"] });
    const flown = structuredClone(view);
    segments(flown)[0]!.Departure!.Time = "06:00:00";
    expect(await put(orderId, flown)).toMatchObject({
      status: 422,
      body: {
        code: "gateway.unusable_order_view",
        problems: [{ path: "/orderView/DataLists/FlightSegmentList/FlightSegment/0" }],
      },
    });

    const strange = structuredClone(view);
    segments(strange).push({ ...segments(strange)[1]!, SegmentKey: "Segment3" });
    expect(await put(orderId, strange)).toMatchObject({
      status: 422,
      body: { problems: [{ path: "/orderView/DataLists/FlightSegmentList/FlightSegment/2" }] },
    });

    const other = await createOrder();
    await put(other.orderId, { ...other.view, TicketDocInfos: { TicketDocInfo: [] } });
    expect(await put(other.orderId, other.view)).toMatchObject({
      status: 422,
      body: { problems: [{ path: "/orderView/TicketDocInfos/TicketDocInfo/0/TicketDocument/TicketDocNbr" }] },
    });
  });

  test.each<[string, (view: View) => unknown, string]>([
    ["another order", (view) => ({ ...view, Order: [{ ...view.Order[0], OrderID: "OTHER" }] }), "/Order/0/OrderID"],
    [
      "a status that does not exist",
      (view) => ({ ...view, Order: [{ ...view.Order[0], PnrStatus: "LOST" }] }),
      "/Order/0/PnrStatus",
    ],
    ["another airline", (view) => ({ ...view, Order: [{ ...view.Order[0], Owner: "AC" }] }), "/Order/0/Owner"],
    ["no flights", (view) => ({ ...view, DataLists: {} }), "/DataLists/FlightSegmentList"],
  ])("refuses a view of %s, and says where", async (_, spoil, path) => {
    const { orderId, view } = await createOrder();

    expect(await put(orderId, spoil(view))).toMatchObject({
      status: 422,
      body: {
        code: "gateway.unusable_order_view",
        problems: [{ path: `/orderView${path}`, message: expect.any(String) }],
      },
    });
  });
});

interface View extends Omit<OrderContent, "Order" | "DataLists" | "TicketDocInfos"> {
  Order: OrderContent["Order"][number][];
  DataLists: {
    FlightSegmentList: { FlightSegment: Segment[] };
    FlightList: { Flight: { FlightKey: string; SegmentReferences: string }[] };
  };
  TicketDocInfos?: { TicketDocInfo: NonNullable<OrderContent["TicketDocInfos"]>["TicketDocInfo"] };
}

interface Segment {
  SegmentKey: string;
  Departure?: { AirportCode?: string; Time?: string };
  Arrival?: { AirportCode?: string; Time?: string };
}

function segments(view: View): Segment[] {
  return view.DataLists.FlightSegmentList.FlightSegment;
}

function sample(name: string): { OrderViewRS: View } {
  return JSON.parse(readFileSync(new URL(`../../../samples/${name}`, import.meta.url), "utf8"));
}

function viewOf({ OrderViewRS: view }: { OrderViewRS: View }, orderId: string): { orderId: string; view: View } {
  return { orderId, view: { ...view, Order: view.Order.map((order) => ({ ...order, OrderID: orderId })) } };
}

/** With the view of an order that nothing has happened to, as another system would have it. */
async function createOrder(): Promise<{ orderId: string; view: View }> {
  const orderId = newId(systemClock);
  await gateway.control("POST", "/orders", orderRequest({ orderId }));
  return { orderId, view: (await readOrder(orderId)).orderView.OrderViewRS };
}

async function readOrder(orderId: string) {
  return (await (await gateway.control("GET", `/orders/${orderId}`)).json()) as {
    orderView: { OrderViewRS: View };
    openChange: { segments: unknown[] };
    references: unknown[];
    tickets: unknown[];
  };
}

async function flightsOf(orderId: string): Promise<Segment[]> {
  return segments((await readOrder(orderId)).orderView.OrderViewRS);
}

async function put(
  orderId: string,
  orderView: unknown,
  options: object = {},
): Promise<{ status: number; body: unknown }> {
  const response = await gateway.control("PUT", `/orders/${orderId}`, { orderView, ...options });
  return { status: response.status, body: await response.json() };
}

async function accept(orderId: string): Promise<void> {
  const response = await gateway.post("/AirOrderInvoluntaryAccept", {
    OrderInvoluntaryAcceptRQ: { Query: { OrderID: orderId, GdsBookingReference: ["LHSKD1"] } },
  });
  expect(JSON.stringify(await response.json())).toContain("SUCCESS");
}

function announcedFor(orderId: string) {
  return gateway.announced.filter((notification) => notification.orderId === orderId);
}
