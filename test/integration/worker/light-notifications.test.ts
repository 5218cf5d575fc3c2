import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openOrders } from "../../../src/app/orders.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import {
  type OrderViewBody,
  sampleNotification,
  withDelayTaken,
  withFlags,
} from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/* Notifications that only say which order has changed: the rest is in the status. */

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let reference: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
let askedFor: (readonly string[])[];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

beforeEach(() => {
  orderNumber += 1;
  orderId = `LIGHT${orderNumber}`;
  reference = `LHSK${String(orderNumber).padStart(2, "0")}`;
  gateway = createScriptedGateway(statusOf());
  askedFor = [];
  const { readStatus } = gateway;
  gateway.readStatus = async (query, ...rest) => {
    askedFor.push(query.gdsBookingReferences);
    // A gateway knows an order only by one of its own references.
    if (!query.gdsBookingReferences.includes(reference))
      throw new ScriptedFailure("responded", "gateway.refused", false);
    return await readStatus(query, ...rest);
  };
  worker = createWorkerUnderTest(db.database, gateway);
});

function statusOf(): OrderViewBody {
  const body = sampleNotification("minor-delay", { orderId, reference });
  return withFlags(body, { Accept: "Y", Cancel: "Y", ReSchedule: "N" });
}

function light(more: object = {}): object {
  return { OrderViewRS: { Order: [{ OrderID: orderId, ...more }] } };
}

async function act(
  command: { readonly action: "reference"; readonly reference: string } | { readonly action: "recheck" },
) {
  const { id } = await worker.caseOf(orderId);
  return await worker.worker.act({
    ...command,
    caseId: id,
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
  });
}

async function expectAccepted(): Promise<void> {
  expect(gateway.journal).toMatchObject([{ action: "accept", query: { gdsBookingReferences: [reference] } }]);
  expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", gdsBookingReferences: [reference] });
}

describe("a notification that states the reference", () => {
  test.each<[string, object]>([
    ["nothing else", {}],
    ["a reason", { PnrStatus: "SCHEDULE CHANGED", ScheduleChangeStatus: "Initiated", ScheduleChangeIndicator: true }],
    ["members that are null", { OfferItem: null, ScheduleChange: null, TotalPrice: null, PaxSeatInfo: null }],
    ["empty lists and texts", { OfferItem: [], ScheduleChange: [], TotalPrice: {}, TicketStatus: "" }],
  ])("and %s is decided by the status", async (_, more) => {
    await worker.notify(light({ GdsBookingReference: reference, ...more }));
    await worker.work(orderId);

    await expectAccepted();
  });

  test("of another booking than the status goes to a person", async () => {
    await worker.notify(light({ GdsBookingReference: `OTHER1 ${reference}` }));
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ decision: { rule: "other-references" } });
  });

  test.each(["Passengers", "FlightSegment", "DataLists"])("without %s is decided by the status", async (left) => {
    const text = JSON.stringify(statusOf(), (key, value: unknown) => (key === left ? undefined : value));
    await worker.notify(text);
    await worker.work(orderId);

    await expectAccepted();
  });
});

describe("a notification of only an order id", () => {
  test("takes the reference from an import", async () => {
    const orders = openOrders({
      database: db.database,
      sources: [{ id: "default" }],
      clock: systemClock,
      onDue: () => {},
      logger: silentLogger,
    });
    await orders.importOrders({
      source: "default",
      orders: [soldOrder()],
      replace: false,
      dryRun: false,
      actor: "person:ana",
      tokenId: null,
    });
    await worker.notify(light());
    await worker.work(orderId);

    expect(askedFor[0]).toEqual([reference]);
    expect((await worker.caseOf(orderId)).decision?.rule).toBe("several-flights-retimed");
  });

  test("takes it from an earlier notification, of a case that is finished", async () => {
    await worker.notify(light({ GdsBookingReference: reference }));
    await worker.work(orderId);
    await expectAccepted();
    gateway.journal.length = 0;
    const again = statusOf();
    again.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment[0]!.SegmentDetails = [
      { Departure: { Time: "07:20:00" }, Arrival: { Time: "11:30:00" } },
    ];
    gateway.status = again;

    await worker.notify(light({ PnrStatus: "SCHEDULE CHANGED" }));
    askedFor.length = 0;
    await worker.work(orderId);

    expect(askedFor.length).toBeGreaterThan(0);
    expect(new Set(askedFor.flat())).toEqual(new Set([reference]));
    expect((await worker.caseOf(orderId)).decision?.rule).not.toBe("check:reference");
    expect(await worker.casesOf(orderId)).toHaveLength(2);
  });

  test("takes it from a poll of the order", async () => {
    await worker.notify(light());
    await db.database.pool.query("update skedchange.orders set gds_booking_references = $2 where order_id = $1", [
      orderId,
      [reference],
    ]);
    await worker.work(orderId);

    await expectAccepted();
  });

  test("asks for the reference, and goes on by itself once a person has entered it", async () => {
    await worker.notify(light());
    await worker.work(orderId);

    expect(askedFor).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:reference", reasons: [{ code: "no-booking-reference" }] },
    });
    expect((await worker.caseOf(orderId)).possibleActions).toContain("reference");

    expect(await act({ action: "reference", reference })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);

    await expectAccepted();
    const { timeline } = await worker.caseOf(orderId);
    expect(timeline).toContainEqual(
      expect.objectContaining({
        kind: "case.reference_entered",
        actor: "person:ana",
        detail: { reference, note: null },
      }),
    );
  });

  test("asks again after a wrong one, which the right one replaces", async () => {
    await worker.notify(light());
    await worker.work(orderId);
    await act({ action: "reference", reference: "WRONG1" });
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:status" } });

    await act({ action: "reference", reference });
    await worker.work(orderId);

    expect(askedFor).toContainEqual(["WRONG1"]);
    await expectAccepted();
  });

  test("names no change once the status shows none, since nobody has named one", async () => {
    const body = withFlags(withDelayTaken(statusOf()), { Accept: "N", Cancel: "N", ReSchedule: "N" });
    Object.assign(body.OrderViewRS.Order[0]!, {
      PnrStatus: "CONFIRMED",
      ScheduleChangeStatus: "",
      ScheduleChange: [],
      ScheduleChangeIndicator: false,
    });
    gateway.status = body;
    await worker.notify(light());
    await worker.work(orderId);

    await act({ action: "reference", reference });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found.facts?.backToOriginal).toEqual({ known: true, value: false });
    expect(found.headline).toBe("Nothing changes.");
    expect(found.decision?.reasons[0]).toEqual({
      code: "status-lags-behind",
      text: "The booking shows no proposed change. It may be older than the notification, so it is checked once more.",
    });
  });

  test("plans the polls that the order had none of for want of a reference", async () => {
    await worker.notify(light());
    await worker.work(orderId);
    await db.database.pool.query("update skedchange.orders set poll_ended = 'no-reference' where order_id = $1", [
      orderId,
    ]);

    await act({ action: "reference", reference });

    const { rows } = await db.database.pool.query("select poll_ended from skedchange.orders where order_id = $1", [
      orderId,
    ]);
    expect(rows).toEqual([{ poll_ended: null }]);
  });

  test("asks for none where the status was read", async () => {
    await worker.notify(light({ GdsBookingReference: `OTHER1 ${reference}` }));
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).possibleActions).not.toContain("reference");
    expect(await act({ action: "reference", reference })).toMatchObject({
      outcome: "refused",
      code: "desk.reference_known",
    });
  });
});

describe("a list of order views", () => {
  test("is worked on order by order, each with the view that states it", async () => {
    const other = sampleNotification("misconnection", { orderId: `${orderId}B`, reference: "OTHER1" });
    await worker.notify([other, statusOf()]);
    await worker.work(orderId);

    await expectAccepted();
    expect(await worker.casesOf(`${orderId}B`)).toHaveLength(1);
  });

  test("says nothing certain of an order that two of them state, so a person is asked", async () => {
    await worker.notify([statusOf(), statusOf(), light()]);
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent" });
  });
});

/** The flights of the sample as an agency's books have them. */
function soldOrder() {
  const { FlightSegment } = statusOf().OrderViewRS.DataLists.FlightSegmentList;
  return {
    orderId,
    gdsBookingReferences: [reference],
    segments: FlightSegment.map((segment) => {
      const { Departure, Arrival } = segment;
      const { MarketingCarrier } = segment as unknown as { readonly MarketingCarrier: Record<string, string> };
      return {
        departure: { airport: Departure.AirportCode, date: Departure.Date, time: Departure.Time.slice(0, 5) },
        arrival: { airport: Arrival.AirportCode, date: Arrival.Date, time: Arrival.Time.slice(0, 5) },
        marketingCarrier: MarketingCarrier["AirlineID"]!,
        marketingFlightNumber: MarketingCarrier["FlightNumber"]!,
      };
    }),
  };
}
