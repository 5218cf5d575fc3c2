import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Envelope } from "../../../src/contract/envelope.ts";
import { airOrderCancel } from "../../../src/contract/operations/air-order-cancel.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../../../src/contract/operations/air-order-involuntary-cancel.ts";
import { airTicketVoid } from "../../../src/contract/operations/air-ticket-void.ts";
import type { OrderContent } from "../../../src/gateway/order-content.ts";
import type { OrderRequest } from "../../../src/gateway/order-request.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { inbound, orderRequest, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { envelope } from "../../builders/shopping.ts";
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

  test("refuses a flight that was flown, and one that replaces none", async () => {
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
  });

  describe("that says nothing of what the agency answered meanwhile", () => {
    test.each<[string, (orderId: string) => Promise<void>, object]>([
      ["an accept of the change that it states", accept, { pnrStatus: "CONFIRMED", scheduleChangeStatus: "Accepted" }],
      [
        "a refund instead of the change that it states",
        reject,
        { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" },
      ],
      ["a cancelled booking", cancelBooking, { pnrStatus: "CANCELLED" }],
    ])("leaves %s as it is", async (_, answer, state) => {
      const { orderId, view } = viewOf(sample("ocn-minor-delay.json"), newId(systemClock));
      await put(orderId, view);
      await answer(orderId);
      const answered = await readOrder(orderId);

      expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });
      expect(await put(orderId, { ...view, ShoppingResponseId: "later" })).toMatchObject({
        body: { differences: [{ path: "/OrderViewRS/ShoppingResponseId" }] },
      });

      expect(await flightsOf(orderId)).toEqual(segments(answered.orderView.OrderViewRS));
      expect(await readOrder(orderId)).toMatchObject({ openChange: null, references: [state] });
    });

    test("leaves it settled for the references for which it is", async () => {
      const { orderId, view } = viewOf(sample("ocn-minor-delay.json"), newId(systemClock));
      view.Order.push({ ...view.Order[0]!, GdsBookingReference: "LHSKD2" });
      await put(orderId, view);
      await accept(orderId, ["LHSKD1"]);

      expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });
      await accept(orderId, ["LHSKD2"]);

      expect(await flightsOf(orderId)).toMatchObject([{ Departure: { Time: "07:30:00" } }, {}]);
    });

    test("keeps a booking that the agency cancelled, also of an order that it has never described", async () => {
      const { orderId, view } = await createOrder();
      await cancelBooking(orderId);

      await put(orderId, view);
      await put(orderId, view, { flights: "booked" });

      expect(await readOrder(orderId)).toMatchObject({ references: [{ pnrStatus: "CANCELLED" }] });
    });

    test("takes a booking as reinstated that it called cancelled before", async () => {
      const { orderId, view } = await createOrder();
      await put(orderId, { ...view, Order: [{ ...view.Order[0]!, PnrStatus: "CANCELLED" }] });

      await put(orderId, view);

      expect(await readOrder(orderId)).toMatchObject({ references: [{ pnrStatus: "CONFIRMED" }] });
    });

    test("announces later flights, and does not list a ticket that was voided here", async () => {
      const { orderId, view } = await createOrder();
      const ticketNumber = view.TicketDocInfos!.TicketDocInfo[0]!.TicketDocument.TicketDocNbr;
      await put(orderId, view);
      await voidTicket(orderId, ticketNumber);
      segments(view)[0]!.Departure!.Time = "06:00:00";

      expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });

      const order = await readOrder(orderId);
      expect(order).toMatchObject({ tickets: [{ ticketNumber, state: "void" }], openChange: { segments: [{}] } });
      expect(JSON.stringify(order.orderView)).not.toContain(ticketNumber);
    });
  });

  test("without documents leaves the tickets as they are", async () => {
    const { orderId, view } = await createOrder();
    const { TicketDocInfos, ...without } = view;
    segments(view)[0]!.Departure!.Time = "06:00:00";

    await put(orderId, without);

    expect(await readOrder(orderId)).toMatchObject({
      tickets: [{ state: "open" }],
      orderView: { OrderViewRS: { TicketDocInfos } },
    });
  });

  test("that states a change without flags announces it with unknown flags, once", async () => {
    const { orderId, view } = viewOf(sample("ocn-minor-delay.json"), newId(systemClock));
    const [stating] = view.Order;
    const { ScheduleChangeSegmentList: _, ...DataLists } = view.DataLists as View["DataLists"] &
      Record<string, unknown>;
    const calm = { ...stating!, PnrStatus: "CONFIRMED", ScheduleChangeIndicator: false, ScheduleChangeStatus: "" };
    await put(orderId, { ...view, DataLists, Order: [{ ...calm, ScheduleChange: [] }] });
    const withoutFlags = { ...calm, ScheduleChange: [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }] };

    expect(await put(orderId, { ...view, Order: [withoutFlags] })).toMatchObject({ body: { outcome: "changed" } });
    expect(await put(orderId, { ...view, Order: [withoutFlags] })).toMatchObject({ body: { outcome: "unchanged" } });

    expect(await readOrder(orderId)).toMatchObject({
      openChange: { segments: [{ becomes: [{ Departure: { Time: "07:30:00" } }] }] },
      references: [{ flags: null }],
    });
  });

  test.each(["MODIFIED", "SCHEDULE CHANGED"])("that calls the booking %s is announced once", async (PnrStatus) => {
    const { orderId, view } = await createOrder();
    view.Order[0]!.PnrStatus = PnrStatus;
    segments(view)[0]!.Departure!.Time = "06:00:00";

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });
    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });
    await accept(orderId);
    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });

    expect(await readOrder(orderId)).toMatchObject({ references: [{ scheduleChangeStatus: "Accepted" }] });
  });

  test.each(["MODIFIED", "SCHEDULE CHANGED"])(
    "that only calls a booking %s leaves a pending change",
    async (PnrStatus) => {
      const { orderId, view } = await createOrder();
      view.DataLists.FlightSegmentList.FlightSegment = [];
      view.DataLists.FlightList.Flight = [];
      await put(orderId, view);
      const proposed = await readOrder(orderId);
      expect(proposed.references).toMatchObject([{ pnrStatus: "CANCELLED", scheduleChangeStatus: "Initiated" }]);

      await put(orderId, { ...view, Order: [{ ...view.Order[0]!, PnrStatus }] });

      expect(await readOrder(orderId)).toMatchObject({
        openChange: proposed.openChange,
        references: proposed.references,
      });
    },
  );

  test("proposes a pending change to a booking reference that takes the place of another", async () => {
    const { orderId, view } = await createOrder();
    segments(view)[0]!.Departure!.Time = "06:00:00";
    await put(orderId, view);
    view.Order[0]!.GdsBookingReference = "LHSKD9";

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "changed" } });

    await accept(orderId, ["LHSKD9"]);
    expect(await flightsOf(orderId)).toMatchObject([{ Departure: { Time: "06:00:00" } }, {}]);
  });

  test("whose keys name each other's flights moves no flight to another booking", async () => {
    const { orderId, view } = await createOrder({ gdsBookingReferences: ["LHSKD1", "LHSKD2"], flights: twoBookings });
    const swapped = JSON.parse(
      JSON.stringify(view).replace(/Segment[12]/g, (key) => (key === "Segment1" ? "Segment2" : "Segment1")),
    ) as View;

    expect(await put(orderId, swapped)).toMatchObject({ body: { outcome: "unchanged" } });
    segments(swapped)[0]!.Departure!.Time = "06:00:00";
    await put(orderId, swapped);

    expect(await readOrder(orderId)).toMatchObject({
      references: [{ scheduleChangeStatus: "Initiated" }, { scheduleChangeStatus: "" }],
    });
  });

  test.each<[string, (view: View) => unknown]>([
    [
      "without flights",
      (view) => ({ ...view, DataLists: { ...view.DataLists, FlightSegmentList: { FlightSegment: [] } } }),
    ],
    ["with the booked flights", (view) => view],
  ])("that calls a booking cancelled, %s, ends it with its pending change", async (_, spoil) => {
    const { orderId, view } = await createOrder();
    await gateway.control("POST", `/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 20 });

    const replaced = await put(orderId, spoil({ ...view, Order: [{ ...view.Order[0]!, PnrStatus: "CANCELLED" }] }));

    expect(replaced).toMatchObject({ status: 200, body: { outcome: "changed", notification: { state: "announced" } } });
    expect(await readOrder(orderId)).toMatchObject({ openChange: null, references: [{ pnrStatus: "CANCELLED" }] });
  });

  test("allows the same, in whichever order flights are changed and withdrawn", async () => {
    const flagsAfter = async (...views: readonly ("retimed" | "withdrawn" | "both")[]) => {
      const { orderId, view } = await createOrder();
      for (const what of views) {
        const changed = structuredClone(view);
        if (what !== "withdrawn") segments(changed)[0]!.Departure!.Time = "06:00:00";
        if (what !== "retimed") {
          changed.DataLists.FlightSegmentList.FlightSegment.splice(1);
          changed.DataLists.FlightList.Flight.splice(1);
        }
        await put(orderId, changed);
      }
      return (await readOrder(orderId)).references;
    };

    const atOnce = await flagsAfter("both");

    expect(atOnce).toMatchObject([{ flags: { accept: "Y" } }]);
    expect(await flagsAfter("retimed", "both")).toEqual(atOnce);
    expect(await flagsAfter("withdrawn", "both")).toEqual(atOnce);
  });

  test("that spells the same flights differently proposes nothing", async () => {
    const { orderId, view } = await createOrder();
    const [out] = segments(view);
    out!.Departure = { ...out!.Departure, Time: out!.Departure!.Time!.slice(0, 5), AirportName: "Lisboa" } as never;

    expect(await put(orderId, view)).toMatchObject({ body: { outcome: "unchanged" } });
  });

  test("may leave out flights that have departed", async () => {
    const { orderId, view } = await createOrder({
      flights: [{ ...outbound, departure: "2020-03-14T07:10", arrival: "2020-03-14T11:20" }, inbound],
    });
    view.DataLists.FlightSegmentList.FlightSegment.splice(0, 1);
    view.DataLists.FlightList.Flight.splice(0, 1);

    await put(orderId, view);

    expect(await readOrder(orderId)).toMatchObject({ openChange: null });
    expect(await flightsOf(orderId)).toHaveLength(2);
  });

  test("refuses flights for an order that has none, unless they are booked", async () => {
    const { orderId, view } = await createOrder();
    const without = { ...view.DataLists, FlightSegmentList: { FlightSegment: [] }, FlightList: { Flight: [] } };
    await put(orderId, { ...view, DataLists: without }, { flights: "booked" });

    expect(await put(orderId, view)).toMatchObject({
      status: 422,
      body: { problems: [{ message: expect.stringContaining('"flights": "booked"') }, {}] },
    });
    expect(await put(orderId, view, { flights: "booked" })).toMatchObject({ body: { outcome: "changed" } });
  });

  test("refuses a view that is nested deeper than any order view", async () => {
    const { orderId, view } = await createOrder();
    let deep: unknown = "bottom";
    for (let depth = 0; depth < 200; depth += 1) deep = [deep];

    expect(await put(orderId, { ...view, Deep: deep })).toMatchObject({
      status: 422,
      body: { code: "gateway.invalid_request", detail: expect.stringContaining("nested deeper than 100") },
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
async function createOrder(overrides: Partial<OrderRequest> = {}): Promise<{ orderId: string; view: View }> {
  const orderId = newId(systemClock);
  await gateway.control("POST", "/orders", { ...orderRequest({ orderId }), ...overrides });
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

const twoBookings = [
  { ...outbound, gdsBookingReference: "LHSKD1" },
  { ...inbound, gdsBookingReference: "LHSKD2" },
];

async function accept(orderId: string, gdsBookingReferences = ["LHSKD1"]): Promise<void> {
  await operate(airOrderInvoluntaryAccept, { orderId, gdsBookingReferences });
}

async function reject(orderId: string): Promise<void> {
  await operate(airOrderInvoluntaryCancel, { orderId, gdsBookingReferences: ["LHSKD1"] });
}

async function cancelBooking(orderId: string): Promise<void> {
  await operate(airOrderCancel, { orderId, gdsBookingReferences: ["LHSKD1"] });
}

async function voidTicket(orderId: string, ticketNumber: string): Promise<void> {
  await operate(airTicketVoid, { orderId, gdsBookingReferences: ["LHSKD1"], ticketNumbers: [ticketNumber] });
}

async function operate<Q>(
  operation: { name: string; request(query: Q, by: Envelope): unknown },
  query: Q,
): Promise<void> {
  const response = await gateway.post(`/${operation.name}`, operation.request(query, envelope));
  expect(JSON.stringify(await response.json())).toMatch(/"Status":"SUCCESS"/);
}

function announcedFor(orderId: string) {
  return gateway.announced.filter((notification) => notification.orderId === orderId);
}
