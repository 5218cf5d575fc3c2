import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { airOrderCancel } from "../../../src/contract/operations/air-order-cancel.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../../../src/contract/operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import { airTicketVoid } from "../../../src/contract/operations/air-ticket-void.ts";
import { stateTransitions } from "../../../src/gateway/order-states.ts";
import { pnrStatuses, scheduleChangeStatuses, type Ticket } from "../../../src/gateway/ports.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { orderRequest } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { upcoming } from "../../builders/upcoming.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

/** Between the two flights of the orders here. */
const betweenFlights: Clock = { ...systemClock, now: () => new Date(upcoming("2027-03-15T12:00:00Z")) };

let db: TestDatabase;
let gateway: RunningGateway;
beforeAll(async () => {
  db = await createTestDatabase();
  gateway = await startGateway(db, { clock: betweenFlights });
});
afterAll(async () => {
  await gateway.close();
  await db.drop();
});

describe("AirOrderCancel", () => {
  test("responds with CANCELED, strictly, and leaves the booking CANCELLED", async () => {
    const { orderId } = await createOrder();

    const results = await cancelBooking(orderId, ["LHSKD1"]);

    expect(results).toEqual([
      {
        Status: "SUCCESS",
        Msg: "Booking cancelled",
        BookingStatus: "CANCELED",
        OrderID: orderId,
        GdsBookingReference: "LHSKD1",
      },
    ]);
    expect(await statusOf(orderId)).toMatchObject([{ PnrStatus: "CANCELLED", ScheduleChangeStatus: "" }]);
  });

  test("returns one result for each reference, and the journal says MIXED", async () => {
    const { orderId } = await createOrder();

    const results = await cancelBooking(orderId, ["XXX999", "LHSKD1"]);

    expect(results).toMatchObject([
      { Status: "FAILED", GdsBookingReference: "XXX999" },
      { Status: "SUCCESS", GdsBookingReference: "LHSKD1" },
    ]);
    expect(await gateway.store.readJournal({ orderId, limit: 10 })).toMatchObject([
      { operation: "AirOrderCancel", result: "MIXED", errorCode: "gateway.booking_not_cancellable" },
    ]);
  });

  test("responds with 404 for an order that does not exist", async () => {
    const query = { orderId: "NONE", gdsBookingReferences: ["LHSKD1"] };
    const response = await gateway.post("/AirOrderCancel", airOrderCancel.request(query, envelope));

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ OrderViewRS: { Errors: { Error: { Code: "404" } } } });
  });

  test("changes nothing when it fails", async () => {
    const { orderId } = await createOrder();
    await cancelBooking(orderId, ["LHSKD1"]);
    const before = await gateway.store.readOrder(orderId);

    expect(await cancelBooking(orderId, ["LHSKD1"])).toMatchObject([{ Status: "FAILED" }]);

    expect(await gateway.store.readOrder(orderId)).toEqual(before);
  });
});

describe("AirTicketVoid", () => {
  test("returns each ticket for itself, strictly, and keeps what it did", async () => {
    const { orderId, tickets } = await createOrder({ passengers: [{}, {}] });
    const [first, second] = tickets.map((ticket) => ticket.ticketNumber) as [string, string];

    const once = await voidTickets(orderId, [first]);
    const again = await voidTickets(orderId, [first, second]);

    expect(once).toMatchObject({ Status: "SUCCESS", ErrorMessage: "", BookingStatus: "CONFIRMED" });
    expect(again).toMatchObject({
      Status: "FAILED",
      ErrorMessage: "1 of 2 tickets could not be voided.",
      TicketDetails: [
        { DocumentNumber: first, Status: "FAILED", Msg: `Ticket ${first} is void already.` },
        { DocumentNumber: second, Status: "SUCCESS", Msg: "" },
      ],
      TktRequestId: expect.stringMatching(/^\d+$/),
      BookingStatus: "PENDING",
    });
    expect(await gateway.store.readOrder(orderId)).toMatchObject({ tickets: [{ state: "void" }, { state: "void" }] });
    expect(await gateway.store.readJournal({ orderId, limit: 10 })).toMatchObject([
      { operation: "AirTicketVoid", result: "SUCCESS" },
      { operation: "AirTicketVoid", result: "MIXED", errorCode: "gateway.tickets_not_voidable" },
    ]);
  });

  test("cancels the booking only when NeedToCancelBooking is Y", async () => {
    const { orderId, tickets } = await createOrder();

    const results = await voidTickets(orderId, [tickets[0]!.ticketNumber], true);

    expect(results).toMatchObject({ Status: "SUCCESS", BookingStatus: "CANCELED" });
    expect(await statusOf(orderId)).toMatchObject([{ PnrStatus: "CANCELLED", TicketStatus: "NOT TICKETED" }]);
  });
});

describe("flown flights", () => {
  test("are those that have left, and are taken off the refund of a later cancel", async () => {
    const { orderId } = await createOrder();

    const flown = await gateway.control("POST", `/orders/${orderId}/flown`);
    await change(orderId, { kind: "cancel", flightIndex: 1 });
    const [result] = await settlePendingChange(orderId, "reject");

    expect(flown.status).toBe(200);
    expect(await flown.json()).toMatchObject({ tickets: [{ state: "open", flownSegmentKeys: ["Segment1"] }] });
    expect(result).toMatchObject({
      Status: "SUCCESS",
      RefundAmount: 206.25,
      RefundText: "Refund of the tickets to the original form of payment, less the used part: 1 of 2 flights.",
      RefundPaxWiseFare: [{ Amount: 206.25 }],
    });
    const { rows: refunds } = await sql`
      select amount, currency from gateway.refunds where order_id = ${orderId}`.execute(db.database.connection);
    expect(refunds).toEqual([{ amount: "206.25", currency: "USD" }]);
  });

  test("cannot be changed any more, and keep a booking from being cancelled", async () => {
    const { orderId } = await createOrder();
    await gateway.control("POST", `/orders/${orderId}/flown`, { segmentKeys: ["Segment1"] });

    const late = await change(orderId, { kind: "retime", departureMinutes: 10 });

    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: "gateway.nothing_to_change" });
    expect(await cancelBooking(orderId, ["LHSKD1"])).toMatchObject([
      { Status: "FAILED", Msg: "Booking LHSKD1 was flown in part (Segment1).", BookingStatus: "CONFIRMED" },
    ]);
  });

  test.each([
    ["without a ticket", { ticketed: false }, {}, 409, "gateway.nothing_to_fly"],
    ["that nobody booked", {}, { segmentKeys: ["Segment9"] }, 422, "gateway.unknown_segment"],
    ["in another spelling", {}, { segments: ["Segment1"] }, 422, "gateway.invalid_request"],
  ])("cannot be flights %s", async (_, overrides, request, status, code) => {
    const { orderId } = await createOrder(overrides);

    const response = await gateway.control("POST", `/orders/${orderId}/flown`, request);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });
});

describe("bookings that are moved through the control routes", () => {
  test("become MODIFIED, and FAILED when they are only held", async () => {
    const confirmed = await createOrder();
    const held = await createOrder({ ticketed: false });

    await gateway.control("POST", `/orders/${confirmed.orderId}/modified`);
    await gateway.control("POST", `/orders/${held.orderId}/failed`, { gdsBookingReferences: ["LHSKD1"] });

    expect(await statusOf(confirmed.orderId)).toMatchObject([{ PnrStatus: "MODIFIED" }]);
    expect(await statusOf(held.orderId)).toMatchObject([{ PnrStatus: "FAILED" }]);
  });

  test("do not leave the table", async () => {
    const { orderId } = await createOrder();

    const response = await gateway.control("POST", `/orders/${orderId}/failed`);

    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ code: "gateway.booking_not_movable" });
    expect(await statusOf(orderId)).toMatchObject([{ PnrStatus: "CONFIRMED" }]);
  });
});

describe("calls at the same time", () => {
  test.each([1, 2, 3])("refund or void a ticket, not both (round %d)", async () => {
    const { orderId, tickets } = await createOrder();
    await change(orderId, { kind: "retime", departureMinutes: 20 });

    const [[rejected], voided] = await Promise.all([
      settlePendingChange(orderId, "reject"),
      voidTickets(orderId, [tickets[0]!.ticketNumber]),
    ]);

    const paidBack = rejected?.RefundAmount ?? 0;
    expect([paidBack > 0, voided.Status === "SUCCESS"].filter(Boolean)).toHaveLength(1);
    expect((await gateway.store.readOrder(orderId))?.tickets[0]?.state).toBe(paidBack > 0 ? "refunded" : "void");
  });

  test.each([1, 2, 3])("cancel a booking once, whatever they are called (round %d)", async () => {
    const { orderId, tickets } = await createOrder();

    const [first, second, voided] = await Promise.all([
      cancelBooking(orderId, ["LHSKD1"]),
      cancelBooking(orderId, ["LHSKD1"]),
      voidTickets(orderId, [tickets[0]!.ticketNumber], true),
    ]);

    const responses = [first[0]!.Status, second[0]!.Status, voided.Status];
    expect(responses.filter((status) => status === "SUCCESS")).toHaveLength(1);
    expect([first[0]!.BookingStatus, second[0]!.BookingStatus, voided.BookingStatus]).toEqual([
      "CANCELED",
      "CANCELED",
      "CANCELED",
    ]);
  });

  test.each([1, 2, 3])("accept a change or cancel the booking under it (round %d)", async () => {
    const { orderId } = await createOrder();
    await change(orderId, { kind: "retime", departureMinutes: 20 });

    const [[accepted], [cancelled]] = await Promise.all([
      settlePendingChange(orderId, "accept"),
      cancelBooking(orderId, ["LHSKD1"]),
    ]);

    expect(cancelled).toMatchObject({ Status: "SUCCESS" });
    const { rows } = await db.ownerDatabase.pool.query<{ outcome: string }>(
      "select outcome from gateway.settlements s join gateway.changes c on c.id = s.change_id where c.order_id = $1",
      [orderId],
    );
    expect(rows).toEqual([{ outcome: accepted?.Status === "SUCCESS" ? "accepted" : "cancelled" }]);
  });

  test.each([1, 2, 3])("accept one of two changes that follow each other at most once each (round %d)", async () => {
    const { orderId } = await createOrder();
    await change(orderId, { kind: "retime", departureMinutes: 20 });

    await Promise.all([
      settlePendingChange(orderId, "accept"),
      change(orderId, { kind: "retime", departureMinutes: 40 }),
      settlePendingChange(orderId, "accept"),
      settlePendingChange(orderId, "accept"),
    ]);

    const journal = await gateway.store.readJournal({ orderId, limit: 10 });
    const successes = journal.filter(({ result }) => result === "SUCCESS").map(({ changeId }) => changeId);
    expect(successes.length).toBeGreaterThan(0);
    expect(new Set(successes).size).toBe(successes.length);
  });
});

describe("the database", () => {
  test("holds the same moves as the code", async () => {
    const { rows } = await db.database.pool.query<{ move: string }>(
      "select from_state || ' -> ' || to_state as move from gateway.reference_transitions",
    );

    expect(rows.map((row) => row.move).sort()).toEqual([...knownMoves()].sort());
  });

  test.each([
    ["CANCELLED", "Rejected", "CONFIRMED", "Accepted"],
    ["FAILED", "", "CONFIRMED", ""],
    ["CONFIRMED", "", "FAILED", ""],
    ["CANCELLED", "", "SCHEDULE CHANGED", "Initiated"],
  ])("refuses to move a booking from %s (%s) to %s (%s)", async (...states) => {
    const { orderId } = await createOrder();
    const [pnrBefore, changeBefore, pnrAfter, changeAfter] = states;
    const admin = db.ownerDatabase.pool;
    await admin.query("alter table gateway.order_references disable trigger order_references_transition_is_allowed");
    const move = "update gateway.order_references set pnr_status = $2, schedule_change_status = $3 where order_id = $1";
    await admin.query(move, [orderId, pnrBefore, changeBefore]);
    await admin.query("alter table gateway.order_references enable trigger order_references_transition_is_allowed");

    await expect(db.database.pool.query(move, [orderId, pnrAfter, changeAfter])).rejects.toMatchObject({
      code: "23514",
      constraint: "order_references_transition_is_allowed",
    });
  });

  test.each([
    ["bring a void ticket back", "update gateway.tickets set state = 'open' where order_id = $1", "23514"],
    ["refund a void ticket", "update gateway.tickets set state = 'refunded' where order_id = $1", "23514"],
    ["take a ticket away", "delete from gateway.tickets where order_id = $1", "42501"],
    ["change what was refunded", "update gateway.refunds set amount = 0 where order_id = $1", "42501"],
    ["change the table", "update gateway.reference_transitions set to_state = 'X' where from_state = $1", "42501"],
  ])("does not let the service %s", async (_, statement, code) => {
    const { orderId, tickets } = await createOrder();
    await voidTickets(orderId, [tickets[0]!.ticketNumber]);

    await expect(db.database.pool.query(statement, [orderId])).rejects.toMatchObject({ code });
  });

  test("pays a ticket back once, whatever the program does", async () => {
    const { orderId, tickets } = await createOrder();
    await change(orderId, { kind: "retime", departureMinutes: 20 });
    await settlePendingChange(orderId, "reject");
    const { rows: refunds } = await sql`
      select ticket_number, amount from gateway.refunds where order_id = ${orderId}`.execute(db.database.connection);

    const again = sql`
      insert into gateway.refunds select * from gateway.refunds where order_id = ${orderId}`.execute(
      db.database.connection,
    );

    expect(refunds).toEqual([{ ticket_number: tickets[0]?.ticketNumber, amount: "412.50" }]);
    await expect(again).rejects.toMatchObject({ code: "23505", constraint: "refunds_pkey" });
  });
});

/** Each move of the table in the code that leads to another state, as the database writes it. */
function knownMoves(): ReadonlySet<string> {
  const moves = new Set<string>();
  for (const { from, to } of stateTransitions) {
    for (const pnr of pnrStatuses.filter((status) => from.pnrStatuses.includes(status))) {
      for (const status of scheduleChangeStatuses.filter((one) => from.scheduleChangeStatuses.includes(one))) {
        const toPnr = to.pnrStatus === "same" ? pnr : to.pnrStatus;
        const toStatus = to.scheduleChangeStatus === "same" ? status : to.scheduleChangeStatus;
        if (pnr !== toPnr || status !== toStatus) moves.add(`${pnr}/${status} -> ${toPnr}/${toStatus}`);
      }
    }
  }
  return moves;
}

interface CreatedOrder {
  readonly orderId: string;
  readonly tickets: readonly Ticket[];
}

async function createOrder(overrides: Parameters<typeof orderRequest>[0] = {}): Promise<CreatedOrder> {
  const response = await gateway.control(
    "POST",
    "/orders",
    orderRequest({ orderId: newId(systemClock), ...overrides }),
  );
  expect(response.status).toBe(201);
  return (await response.json()) as CreatedOrder;
}

function change(orderId: string, request: object): Promise<Response> {
  return gateway.control("POST", `/orders/${orderId}/changes`, request);
}

const envelope = { documentName: "Test", agencyName: "Caller", iataNumber: "", agencyId: "", contactEmails: [] };

async function operate(path: string, body: unknown): Promise<unknown> {
  const response = await gateway.post(path, body);
  expect(response.status).toBe(200);
  return response.json();
}

async function cancelBooking(orderId: string, gdsBookingReferences: readonly string[]) {
  const body = await operate("/AirOrderCancel", airOrderCancel.request({ orderId, gdsBookingReferences }, envelope));
  return airOrderCancel.responseSchema.parse(body).OrderViewRS.Response;
}

async function voidTickets(orderId: string, ticketNumbers: readonly string[], needToCancelBooking = false) {
  const query = { orderId, gdsBookingReferences: ["LHSKD1"], ticketNumbers, needToCancelBooking };
  const body = await operate("/AirTicketVoid", airTicketVoid.request(query, envelope));
  return airTicketVoid.responseSchema.parse(body).AirTicketVoidRS.Result;
}

async function settlePendingChange(
  orderId: string,
  how: "accept" | "reject",
): Promise<readonly { readonly Status: string; readonly RefundAmount?: number | undefined }[]> {
  const query = { orderId, gdsBookingReferences: ["LHSKD1"] };
  if (how === "accept") {
    const body = await operate("/AirOrderInvoluntaryAccept", airOrderInvoluntaryAccept.request(query, envelope));
    return airOrderInvoluntaryAccept.responseSchema.parse(body).OrderInvoluntaryAcceptRS.Result;
  }
  const body = await operate("/AirOrderInvoluntaryCancel", airOrderInvoluntaryCancel.request(query, envelope));
  return airOrderInvoluntaryCancel.responseSchema.parse(body).OrderInvoluntaryCancelRS.Result;
}

async function statusOf(orderId: string) {
  const query = { orderId, gdsBookingReferences: ["LHSKD1"] };
  const body = await operate("/AirReservationStatus", airReservationStatus.request(query, envelope));
  return airReservationStatus.responseSchema.parse(body).OrderViewRS.Order;
}
