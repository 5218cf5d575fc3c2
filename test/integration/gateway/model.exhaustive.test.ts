import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { airOrderCancel } from "../../../src/contract/operations/air-order-cancel.ts";
import { airOrderInvoluntaryAccept } from "../../../src/contract/operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "../../../src/contract/operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "../../../src/contract/operations/air-reservation-status.ts";
import { airTicketVoid } from "../../../src/contract/operations/air-ticket-void.ts";
import type { FlightSegmentElement, OrderContent } from "../../../src/gateway/order-content.ts";
import { stateTransitions } from "../../../src/gateway/order-states.ts";
import type { GatewayOrder, PnrStatus, ScheduleChangeStatus, Ticket } from "../../../src/gateway/ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inbound, outbound } from "../../builders/gateway-order.ts";
import { type RunningGateway, startGateway } from "../../builders/running-gateway.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { sampleSize } from "../../harness/sample-size.ts";
import { describeOrder, describeStatus, type ModelCall, type ModelOrder, playCall } from "./order-model.ts";

/** Another seed may be given, such as one that failed. */
const seed = Number(process.env["GATEWAY_MODEL_SEED"] ?? 20_261_121);
const callsMin = sampleSize({ quick: 250, proof: 2_000 });

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

describe(`orders at the gateway, with seed ${seed}`, () => {
  test("agree with a simple model whatever is called in whatever order, also at the same time", async () => {
    const real: Real = { calls: 0 };
    const property = fc.asyncProperty(
      fc.commands([fc.constantFrom(...shapes).map(createCommand), ...repeat(6, togetherArbitrary)], {
        maxCommands: 120,
        size: "max",
      }),
      async (commands) => {
        // More runs than needed are allowed for, because nobody knows how many calls a run holds.
        if (real.calls >= callsMin) return;
        const model: Model = { orders: [] };
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const known of model.orders) await expectConsistentHistory(known);
      },
    );

    await fc.assert(property, { seed, numRuns: 60, endOnFailure: true });

    console.info(`gateway model: seed ${seed}, ${real.calls} calls`);
    expect(real.calls).toBeGreaterThanOrEqual(callsMin);
    // npm run test:proof makes 2,000 calls, each with its own transaction.
  }, 240_000);
});

interface Real {
  calls: number;
}

interface Model {
  readonly orders: KnownOrder[];
}

interface KnownOrder {
  readonly orderId: string;
  /** As many operations as the journal must hold. */
  operations: number;
  model: ModelOrder;
}

/** The kinds of order that differ in what references share. */
const shapes = [
  { ticketed: true, references: ["AAA111"], flights: [outbound, inbound], passengers: [{}] },
  { ticketed: false, references: ["AAA111"], flights: [outbound], passengers: [{}] },
  { ticketed: true, references: ["AAA111", "BBB222"], flights: [outbound], passengers: [{}, {}] },
  { ticketed: true, references: ["AAA111", "BBB222"], flights: [outbound, inbound], passengers: [{}] },
] as const;
type Shape = (typeof shapes)[number];

function createCommand(shape: Shape): fc.AsyncCommand<Model, Real> {
  return {
    check: ({ orders }) => orders.length < 4,
    async run(model, real) {
      real.calls += 1;
      const { ticketed, references, flights, passengers } = shape;
      const body = { ticketed, gdsBookingReferences: references, flights, passengers, orderId: newId(systemClock) };
      const response = await gateway.control("POST", "/orders", body);
      expect(response.status).toBe(201);
      const shown = (await response.json()) as ShownOrder;
      const flown = references.map((_, index) => flightsOf(shape, index));
      model.orders.push({
        orderId: shown.orderId,
        operations: 0,
        model: {
          flights: new Map(flights.map((_, position) => [`Segment${position + 1}`, 0])),
          references: new Map(
            references.map((name, position) => [
              name,
              {
                pnrStatus: ticketed ? "CONFIRMED" : "PENDING",
                scheduleChangeStatus: "",
                flags: "",
                flights: flown[position]!,
              },
            ]),
          ),
          tickets: new Map(
            shown.tickets.map((ticket) => [
              ticket.ticketNumber,
              {
                reference: ticket.gdsBookingReference!,
                cents: 20_625 * flown[(references as readonly string[]).indexOf(ticket.gdsBookingReference!)]!.length,
                state: "open",
                flown: [],
              },
            ]),
          ),
          change: null,
        },
      });
    },
    toString: () => `create(${shape.references.length} references, ${shape.flights.length} flights)`,
  };
}

function flightsOf({ references, flights }: Shape, position: number): readonly string[] {
  const keys = flights.map((_, index) => `Segment${index + 1}`);
  return references.length === flights.length && references.length > 1 ? [keys[position]!] : keys;
}

/** Calls by what they choose of an order: its references and tickets are known when the call is made. */
const reference = fc.subarray(["AAA111", "BBB222"], { minLength: 1 });
const flag = fc.constantFrom("Y" as const, "N" as const);
const pickArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("change" as const),
      segmentKey: fc.constantFrom("Segment1", "Segment1", "Segment2", null),
      to: fc.constantFrom("later", "later", "back", "withdrawn"),
      minutes: fc.integer({ min: 1, max: 90 }),
      flags: fc.record({ accept: flag, cancel: flag }, { requiredKeys: [] }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("accept" as const), references: reference }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reject" as const), references: reference }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), references: reference }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("status" as const), references: reference }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("void" as const),
      references: reference,
      tickets: fc.subarray([0, 1, 2], { minLength: 1 }),
      cancelsBooking: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("fly" as const),
      segmentKeys: fc.constantFrom(["Segment1"], ["Segment2"]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("modify" as const, "fail" as const), references: reference }),
  },
);
type Choice = typeof pickArbitrary extends fc.Arbitrary<infer T> ? T : never;

const togetherArbitrary = fc
  .tuple(fc.nat({ max: 3 }), fc.array(pickArbitrary, { minLength: 1, maxLength: 3 }))
  .map(([position, picks]) => togetherCommand(position, picks));

/** Calls at the same time on one order. Their responses must be those of some order of them, one after the other. */
function togetherCommand(position: number, picks: readonly Choice[]): fc.AsyncCommand<Model, Real> {
  return {
    check: ({ orders }) => orders.length > 0,
    async run({ orders }, real) {
      const known = orders[position % orders.length]!;
      const calls = picks.map((pick) => callOf(known.model, pick));
      real.calls += calls.length;
      known.operations += calls.filter(isOperation).length;
      const responses = await Promise.all(calls.map((call) => carryOut(known, call)));
      const state = describeStored((await gateway.store.readOrder(known.orderId))!);
      const explained = permutations(calls.map((_, index) => index))
        .map((sequence) => playInOrder(known.model, calls, sequence))
        .filter((played) => JSON.stringify(played.responses) === JSON.stringify(responses));
      const found = explained.find((played) => describeOrder(played.order) === state);
      if (found === undefined) {
        const expected = permutations(calls.map((_, index) => index)).map((sequence) => {
          const played = playInOrder(known.model, calls, sequence);
          return { responses: played.responses, state: describeOrder(played.order) };
        });
        throw new Error(
          `No order of the calls explains the responses.\n${JSON.stringify({ before: describeOrder(known.model), calls, responses, state, expected }, null, 1)}`,
        );
      }
      known.model = found.order;
    },
    toString: () => `together(${position}, ${JSON.stringify(picks)})`,
  };
}

/** The pick made for the order as it is: only references and tickets that it has, and one ticket that nobody has. */
function callOf(order: ModelOrder, pick: Choice): ModelCall {
  const own = (names: readonly string[]): readonly string[] => {
    const known = names.filter((name) => order.references.has(name));
    return known.length > 0 ? known : [[...order.references.keys()][0]!];
  };
  switch (pick.kind) {
    case "change": {
      const segmentKey = pick.to === "withdrawn" ? pick.segmentKey : (pick.segmentKey ?? "Segment1");
      return { ...pick, segmentKey, to: pick.to as "later" };
    }
    case "fly":
      return pick;
    case "void": {
      const numbers = [...order.tickets.keys(), "0000000000000"];
      const tickets = [...new Set(pick.tickets.map((index) => numbers[index % numbers.length]!))];
      return { ...pick, references: own(pick.references), tickets };
    }
    default:
      return { ...pick, references: own(pick.references) };
  }
}

function isOperation({ kind }: ModelCall): boolean {
  return ["accept", "reject", "cancel", "void", "status"].includes(kind);
}

function playInOrder(order: ModelOrder, calls: readonly ModelCall[], sequence: readonly number[]) {
  const responses: string[] = [];
  let left = order;
  for (const index of sequence) {
    const step = playCall(left, calls[index]!);
    left = step.order;
    responses[index] = step.response;
  }
  return { order: left, responses };
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

const envelope = { documentName: "Model", agencyName: "Model", iataNumber: "", agencyId: "", contactEmails: [] };

/** Makes the call over HTTP and puts its response as the model puts it. */
async function carryOut({ orderId }: KnownOrder, call: ModelCall): Promise<string> {
  switch (call.kind) {
    case "change": {
      const { segmentKey, to, flags } = call;
      const minutes = to === "back" ? null : call.minutes;
      const target = segmentKey === null ? {} : { segmentKey };
      const change =
        to === "withdrawn"
          ? { kind: "cancel", ...target, flags }
          : minutes === null
            ? { kind: "restore", ...target, flags }
            : { kind: "retime", ...target, departureMinutes: minutes, flags };
      const response = await gateway.control("POST", `/orders/${orderId}/changes`, change);
      if (response.status !== 201) return String(response.status);
      const { gdsBookingReferences } = (await response.json()) as { gdsBookingReferences: string[] };
      return `201 ${gdsBookingReferences.join(" ")}`;
    }
    case "accept": {
      const query = { orderId, gdsBookingReferences: call.references };
      const body = airOrderInvoluntaryAccept.responseSchema.parse(
        await operate("/AirOrderInvoluntaryAccept", airOrderInvoluntaryAccept.request(query, envelope)),
      );
      return body.OrderInvoluntaryAcceptRS.Result.map((r) => `${r.GdsBookingReference.join()}:${r.Status}`).join(" ");
    }
    case "reject": {
      const query = { orderId, gdsBookingReferences: call.references };
      const body = airOrderInvoluntaryCancel.responseSchema.parse(
        await operate("/AirOrderInvoluntaryCancel", airOrderInvoluntaryCancel.request(query, envelope)),
      );
      return body.OrderInvoluntaryCancelRS.Result.map((r) => {
        const cents = r.RefundAmount === undefined ? "-" : String(Math.round(r.RefundAmount * 100));
        return `${r.GdsBookingReference.join()}:${r.Status}:${cents}`;
      }).join(" ");
    }
    case "cancel": {
      const query = { orderId, gdsBookingReferences: call.references };
      const body = airOrderCancel.responseSchema.parse(
        await operate("/AirOrderCancel", airOrderCancel.request(query, envelope)),
      );
      return body.OrderViewRS.Response.map((r) => `${r.GdsBookingReference}:${r.Status}:${r.BookingStatus}`).join(" ");
    }
    case "void": {
      const query = {
        orderId,
        gdsBookingReferences: call.references,
        ticketNumbers: call.tickets,
        needToCancelBooking: call.cancelsBooking,
      };
      const { Result } = airTicketVoid.responseSchema.parse(
        await operate("/AirTicketVoid", airTicketVoid.request(query, envelope)),
      ).AirTicketVoidRS;
      const tickets = Result.TicketDetails.map((ticket) => `${ticket.DocumentNumber}:${ticket.Status}`);
      return [Result.Status, Result.BookingStatus, ...tickets].join(" ");
    }
    case "status": {
      const query = { orderId, gdsBookingReferences: call.references };
      const body = await operate("/AirReservationStatus", airReservationStatus.request(query, envelope));
      expect(airReservationStatus.responseSchema.safeParse(body).error?.issues).toBeUndefined();
      return statusOf(body as ServedView);
    }
    case "fly":
      return String(
        (await gateway.control("POST", `/orders/${orderId}/flown`, { segmentKeys: call.segmentKeys })).status,
      );
    default: {
      const path = call.kind === "modify" ? "modified" : "failed";
      const body = { gdsBookingReferences: call.references };
      return String((await gateway.control("POST", `/orders/${orderId}/${path}`, body)).status);
    }
  }
}

async function operate(path: string, body: unknown): Promise<unknown> {
  const response = await gateway.post(path, body);
  expect(response.status).toBe(200);
  return response.json();
}

interface ServedView {
  readonly OrderViewRS: {
    readonly Order: readonly {
      readonly GdsBookingReference: string;
      readonly PnrStatus: PnrStatus;
      readonly ScheduleChangeStatus: ScheduleChangeStatus;
    }[];
    readonly DataLists: Pick<OrderContent["DataLists"], "FlightSegmentList">;
  };
}

interface ShownOrder {
  readonly orderId: string;
  readonly tickets: readonly Ticket[];
}

const firstDepartures: Readonly<Record<string, string>> = { Segment1: outbound.departure, Segment2: inbound.departure };

function statusOf({ OrderViewRS: { Order, DataLists } }: ServedView): string {
  return describeStatus({ ...nothing, ...readReferences(Order), flights: readFlights(DataLists) });
}

const nothing = { tickets: new Map(), change: null };

function readReferences(elements: ServedView["OrderViewRS"]["Order"]) {
  const references = elements.map(({ GdsBookingReference, PnrStatus, ScheduleChangeStatus }) => {
    const reference = { pnrStatus: PnrStatus, scheduleChangeStatus: ScheduleChangeStatus, flags: "", flights: [] };
    return [GdsBookingReference, reference] as const;
  });
  return { references: new Map(references) };
}

function readFlights({
  FlightSegmentList,
}: Pick<OrderContent["DataLists"], "FlightSegmentList">): ReadonlyMap<string, number> {
  return new Map(FlightSegmentList.FlightSegment.map((segment) => [segment.SegmentKey, laterOf(segment)!]));
}

/** Minutes later than first booked; null for a flight that is withdrawn. */
function laterOf(segment: FlightSegmentElement | undefined): number | null {
  if (segment === undefined) return null;
  const { SegmentKey, Departure } = segment;
  const first = Date.parse(`${firstDepartures[SegmentKey]!}:00Z`);
  return (Date.parse(`${Departure?.Date}T${Departure?.Time}Z`) - first) / 60_000;
}

function describeStored({ references, tickets, change, content }: GatewayOrder): string {
  return describeOrder({
    flights: readFlights(content.DataLists),
    references: new Map(
      references.map(({ gdsBookingReference, pnrStatus, scheduleChangeStatus, flags }) => [
        gdsBookingReference,
        { pnrStatus, scheduleChangeStatus, flights: [], flags: `${flags?.accept ?? ""}${flags?.cancel ?? ""}` },
      ]),
    ),
    tickets: new Map(
      tickets.map(({ ticketNumber, gdsBookingReference, state, flownSegmentKeys }) => [
        ticketNumber,
        { reference: gdsBookingReference ?? "", cents: 0, state, flown: flownSegmentKeys },
      ]),
    ),
    change:
      change === null
        ? null
        : {
            pending: new Map(change.segments.map(({ segmentKey, becomes }) => [segmentKey, laterOf(becomes[0])])),
            references: change.references,
            settled: change.settled,
          },
  });
}

/** What the database holds of an order after everything: journal, results, refunds and states fit together. */
async function expectConsistentHistory({ orderId, operations, model }: KnownOrder): Promise<void> {
  const journal = await gateway.store.readJournal({ orderId, limit: 10_000 });
  expect(journal).toHaveLength(operations);
  // A read takes no lock, so its line may come after that of an amendment which it did not see.
  const amended = journal.filter(({ operation }) => operation !== airReservationStatus.name);
  const versions = amended.map((entry) => entry.orderVersion!);
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));

  const successes = journal
    .filter(({ operation, result }) => operation.startsWith("AirOrderInvoluntary") && result === "SUCCESS")
    .flatMap(({ changeId, gdsBookingReferences }) => gdsBookingReferences.map((name) => `${changeId} ${name}`));
  expect(successes).toHaveLength(new Set(successes).size);
  const { rows: settled } = await sql<{ change_id: string; gds_booking_reference: string }>`
    select s.change_id, s.gds_booking_reference
    from gateway.settlements s join gateway.changes c on c.id = s.change_id
    where c.order_id = ${orderId} and s.outcome <> 'cancelled'`.execute(db.database.connection);
  expect(settled.map((row) => `${row.change_id} ${row.gds_booking_reference}`)).toEqual(
    expect.arrayContaining(successes),
  );

  const { rows: refunds } = await sql<{ ticket_number: string }>`
    select ticket_number from gateway.refunds where order_id = ${orderId}`.execute(db.database.connection);
  const refunded = [...model.tickets].filter(([, ticket]) => ticket.state === "refunded").map(([number]) => number);
  expect(refunds.map((row) => row.ticket_number).sort()).toEqual(refunded.sort());

  for (const { pnrStatus, scheduleChangeStatus } of model.references.values()) {
    expect(reachableStates).toContain(`${pnrStatus}/${scheduleChangeStatus}`);
  }
}

/** What the table leads to from a new order. */
const reachableStates = ((): ReadonlySet<string> => {
  const reached = new Set(["CONFIRMED/", "PENDING/"]);
  for (const state of reached) {
    const [pnrStatus, scheduleChangeStatus] = state.split("/") as [PnrStatus, ScheduleChangeStatus];
    for (const { from, to } of stateTransitions) {
      if (!from.pnrStatuses.includes(pnrStatus) || !from.scheduleChangeStatuses.includes(scheduleChangeStatus))
        continue;
      const pnr = to.pnrStatus === "same" ? pnrStatus : to.pnrStatus;
      reached.add(`${pnr}/${to.scheduleChangeStatus === "same" ? scheduleChangeStatus : to.scheduleChangeStatus}`);
    }
  }
  return reached;
})();

function repeat<T>(times: number, item: T): readonly T[] {
  return Array.from({ length: times }, () => item);
}
