import { describe, expect, test } from "vitest";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { applyChange } from "../../../src/gateway/apply-change.ts";
import { type ChangeRequest, changeOfFlightSchema, changeRequestSchema } from "../../../src/gateway/change-request.ts";
import { notificationBody, statusBody } from "../../../src/gateway/order-view-body.ts";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import { proposeChange } from "../../../src/gateway/propose-change.ts";
import type { ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
import { changedOrder, gatewayOrder, outbound } from "../../builders/gateway-order.ts";

/** LIS-FRA-MUC and back in one flight: three segments. */
const connecting = gatewayOrder({
  flights: [
    { ...outbound, cabin: "C", rbd: "J", fromTerminal: "1", toTerminal: "1", aircraft: "32N" },
    { from: "FRA", to: "MUC", departure: "2027-03-14T13:00", arrival: "2027-03-14T13:55", flightNumber: "102" },
    { from: "MUC", to: "LIS", departure: "2027-03-21T17:30", arrival: "2027-03-21T19:45", flightNumber: "1790" },
  ],
  journeys: [[0, 1], [2]],
});

const viaZurich = [
  {
    from: "LIS",
    to: "ZRH",
    departure: "2027-03-14T06:00",
    arrival: "2027-03-14T09:45",
    flightNumber: "1",
    carrier: "LX",
  },
  {
    from: "ZRH",
    to: "FRA",
    departure: "2027-03-14T10:50",
    arrival: "2027-03-14T11:55",
    flightNumber: "2",
    carrier: "LX",
  },
];

const nonstop = [
  { from: "LIS", to: "MUC", departure: "2027-03-14T08:00", arrival: "2027-03-14T12:05", flightNumber: "1781" },
];

describe("each kind of change is served strictly and read as it was meant", () => {
  const cases: readonly (readonly [string, ChangeRequest, readonly object[]])[] = [
    [
      "earlier",
      { kind: "retime", departureMinutes: -25 },
      [{ departure: { date: "2027-03-14", time: "06:45" }, arrival: { time: "10:55" }, statedMinutes: 190 }, {}, {}],
    ],
    [
      "later, over midnight, showing the values that differ",
      { kind: "retime", departureMinutes: 1_020, partial: "changed" },
      [{ departure: { date: "2027-03-15", time: "00:10" }, arrival: { date: "2027-03-15", time: "04:20" } }, {}, {}],
    ],
    [
      "later, showing the departure alone: the arrival is not known",
      { kind: "retime", departureMinutes: 20, partial: "departure-only" },
      [{ departure: { time: "07:30", terminal: "1" }, arrival: { airport: "FRA", date: null, time: null } }, {}, {}],
    ],
    [
      "later, showing departure and length: the arrival follows",
      { kind: "retime", departureMinutes: 20, arrivalMinutes: 30, partial: "departure-and-duration" },
      [{ departure: { time: "07:30" }, arrival: { time: "11:50" }, statedMinutes: 200 }, {}, {}],
    ],
    [
      "a later arrival, showing it alone",
      { kind: "retime", departureMinutes: 0, arrivalMinutes: 15, partial: "arrival-only" },
      [{ departure: { time: "07:10" }, arrival: { time: "11:35" } }, {}, {}],
    ],
    [
      "another length",
      { kind: "duration", durationMinutes: 215 },
      [{ departure: { time: "07:10" }, arrival: { time: "11:45" }, statedMinutes: 215 }, {}, {}],
    ],
    ["another number", { kind: "renumber", flightNumber: "9167" }, [{ marketingFlightNumber: "9167" }, {}, {}]],
    [
      "another carrier",
      { kind: "carrier", carrier: "UA", operatingCarrier: "UA", flightNumber: "8801" },
      [{ marketingCarrier: "UA", operatingCarrier: "UA", marketingFlightNumber: "8801" }, {}, {}],
    ],
    [
      "another operating carrier",
      { kind: "carrier", operatingCarrier: "TP", flightIndex: 2 },
      [{}, {}, { marketingCarrier: "LH", operatingCarrier: "TP", marketingFlightNumber: "1790" }],
    ],
    [
      "another airport",
      { kind: "airport", from: "OPO", fromTerminal: "2" },
      [{ departure: { airport: "OPO", date: "2027-03-14", time: "07:10", terminal: "2" }, statedMinutes: 190 }, {}, {}],
    ],
    [
      "another terminal",
      { kind: "terminal", toTerminal: "2" },
      [{ departure: { terminal: "1" }, arrival: { airport: "FRA", time: "11:20", terminal: "2" } }, {}, {}],
    ],
    ["another aircraft", { kind: "aircraft", aircraft: "E90" }, [{ aircraftCode: "E90" }, {}, {}]],
    ["stops and miles", { kind: "stops", stops: 1, miles: 1_180 }, [{ stops: 1, miles: 1_180 }, {}, {}]],
    ["another booking class", { kind: "fare", rbd: "D" }, [{ rbd: "D", cabinType: "C" }, { rbd: "Q" }, { rbd: "Q" }]],
    ["another cabin", { kind: "fare", cabin: "W", rbd: "E", flightIndex: 1 }, [{}, { rbd: "E", cabinType: "W" }, {}]],
    ["a downgrade", { kind: "downgrade" }, [{ rbd: "W", cabinType: "W" }, { cabinType: "Y" }, { cabinType: "Y" }]],
    [
      "several flights in the place of one",
      { kind: "replace", with: viaZurich },
      [{ arrival: { airport: "ZRH" } }, { departure: { airport: "ZRH" }, arrival: { airport: "FRA" } }, {}, {}],
    ],
    [
      "one flight in the place of several",
      {
        kind: "replace",
        flightIndexes: [0, 1],
        with: [
          { from: "LIS", to: "MUC", departure: "2027-03-14T08:00", arrival: "2027-03-14T12:10", flightNumber: "7" },
        ],
      },
      [
        { departure: { airport: "LIS" }, arrival: { airport: "MUC" }, marketingFlightNumber: "7" },
        { departure: { airport: "MUC" } },
      ],
    ],
    ["one flight withdrawn", { kind: "cancel", flightIndex: 2 }, [{}, {}]],
    [
      "several parts at once",
      {
        kind: "combined",
        parts: [
          { kind: "retime", departureMinutes: 30, partial: "changed" },
          { kind: "aircraft", aircraft: "E90" },
          { kind: "retime", departureMinutes: 10, flightIndex: 1 },
        ],
      },
      [
        { departure: { time: "07:40" }, arrival: { time: "11:50" }, aircraftCode: "E90" },
        { departure: { time: "13:10" }, arrival: { time: "14:05" }, aircraftCode: "32B" },
        {},
      ],
    ],
  ];

  test.each(cases)("%s", (_, change, expected) => {
    const order = changedOrder(connecting, change);

    const { proposed } = proposalOf(order);

    expect(proposed.segments).toHaveLength(expected.length);
    expect(proposed.segments).toMatchObject(expected);
  });

  test.each(cases)(
    "%s: what was accepted is what was proposed, whatever part of it was shown",
    (_, change, expected) => {
      const order = changedOrder(connecting, change);
      const accepted: GatewayOrder = {
        ...order,
        content: applyChange(order.content, order.change.segments),
        change: null,
      };

      const { current } = proposalOf(accepted);

      expect(current.segments).toMatchObject(expected.map(withoutUnknowns));
    },
  );

  test("a flight cannot come to arrive where it leaves", () => {
    expect(() => changedOrder(connecting, { kind: "airport", to: "LIS" })).toThrow("would arrive where it leaves");
    expect(
      changeRequestSchema.safeParse({ kind: "replace", with: [{ ...viaZurich[0], to: "LIS" }] }).error?.issues,
    ).toMatchObject([{ path: ["with"], message: "must not leave from where they arrive" }]);
  });

  test("the values that differ are all that is shown, unless the whole is asked for", () => {
    const order = connecting;

    expect(detailsOf(changedOrder(order, { kind: "aircraft", aircraft: "E90" }))).toEqual([
      { Equipment: { AircraftCode: "E90", Name: "" } },
    ]);
    expect(detailsOf(changedOrder(order, { kind: "terminal", toTerminal: "2" }))).toEqual([
      { Arrival: { Terminal: { Name: "2" } } },
    ]);
    expect(detailsOf(changedOrder(order, { kind: "aircraft", aircraft: "E90", partial: "full" }))).toMatchObject([
      { Departure: { AirportCode: "LIS" }, Arrival: { AirportCode: "FRA" }, Equipment: { AircraftCode: "E90" } },
    ]);
  });
});

describe("a change back to what was booked", () => {
  test("of a pending change shows the booked flight as the new one", () => {
    const pending = changedOrder(connecting, { kind: "retime", departureMinutes: 45 }, "first");

    const { current, proposed, flags } = proposalOf(changedOrder(pending, { kind: "restore" }, "second"));

    expect(proposed.segments).toEqual(current.segments);
    expect(flags.accept).toEqual({ known: true, value: "Y" });
  });

  test.each([
    ["times", { kind: "retime", departureMinutes: 45 }],
    ["booking class and cabin", { kind: "downgrade" }],
    ["one flight for several", { kind: "replace", with: viaZurich }],
  ] as const)("of an accepted change brings back what was booked first: %s", (_, change) => {
    const changed = changedOrder(connecting, change);
    const booked = new Map(changed.change.segments.map(({ segmentKey, booked }) => [segmentKey, booked!]));
    const accepted = { ...changed, content: applyChange(changed.content, changed.change.segments), change: null };

    const restored = proposeChange(accepted, changeRequestSchema.parse({ kind: "restore" }), "second", booked);

    expect(proposalOf(restored).proposed.segments.map(flightOf)).toEqual(
      proposalOf(connecting).current.segments.map(flightOf),
    );
  });

  test("of several flights that became one brings back each of them", () => {
    const changed = changedOrder(connecting, { kind: "replace", flightIndexes: [0, 1], with: nonstop });
    const booked = new Map(changed.change.segments.map(({ segmentKey, booked }) => [segmentKey, booked!]));
    const accepted = { ...changed, content: applyChange(changed.content, changed.change.segments), change: null };

    const restored = proposeChange(accepted, changeRequestSchema.parse({ kind: "restore" }), "second", booked);
    const again = { ...restored, content: applyChange(restored.content, restored.change.segments), change: null };

    const { segments } = proposalOf(connecting).current;
    const places = segments.map(({ marketingFlightNumber, departure, arrival }) => ({
      marketingFlightNumber,
      departure,
      arrival,
    }));
    expect(proposalOf(restored).proposed.segments).toMatchObject(places);
    expect(proposalOf(again).current.segments).toMatchObject(places);
  });

  test("of a flight beside one that was withdrawn does not bring that one back", () => {
    const changed = changedOrder(connecting, {
      kind: "combined",
      parts: [
        { kind: "retime", departureMinutes: 45 },
        { kind: "cancel", flightIndex: 1 },
      ],
    });
    const booked = new Map(changed.change.segments.map(({ segmentKey, booked }) => [segmentKey, booked!]));
    const accepted = { ...changed, content: applyChange(changed.content, changed.change.segments), change: null };

    const restored = proposeChange(accepted, changeRequestSchema.parse({ kind: "restore" }), "second", booked);

    expect(restored.change.segments.flatMap(({ becomes }) => becomes)).toMatchObject([
      { Departure: { AirportCode: "LIS", Time: "07:10:00" }, Arrival: { AirportCode: "FRA" } },
    ]);
  });

  test("is refused where nothing has changed", () => {
    expect(() => changedOrder(connecting, { kind: "restore" })).toThrow("nothing to restore");
  });
});

describe("retiming over the change of clocks", () => {
  // Germany goes to summer time at 02:00 on 28 March 2027, Portugal at 01:00.
  test.each([
    [
      "at an airport whose clocks change meanwhile the printed time moves by an hour more",
      "2027-03-27T23:00",
      "2027-03-28T03:10",
      240,
      "04:00",
      "07:10",
    ],
    ["before it, it moves as asked", "2027-03-27T18:00", "2027-03-27T22:10", 60, "19:00", "23:10"],
    ["after it, it moves as asked", "2027-03-28T08:00", "2027-03-28T12:10", 60, "09:00", "13:10"],
  ])("%s", (_, departure, arrival, departureMinutes, leaves, arrives) => {
    const order = gatewayOrder({ flights: [{ ...outbound, departure, arrival }] });

    const { proposed, current, suspicions } = proposalOf(changedOrder(order, { kind: "retime", departureMinutes }));

    expect(proposed.segments[0]).toMatchObject({ departure: { time: leaves }, arrival: { time: arrives } });
    expect(proposed.segments[0]!.statedMinutes).toBe(current.segments[0]!.statedMinutes);
    expect(suspicions).toEqual([]);
  });

  test("in autumn, the printed time moves by an hour less", () => {
    const flight = { ...outbound, departure: "2027-10-30T23:30", arrival: "2027-10-31T02:40" };
    const order = gatewayOrder({ flights: [flight] });

    const { proposed } = proposalOf(changedOrder(order, { kind: "retime", departureMinutes: 240 }));

    expect(proposed.segments[0]).toMatchObject({ departure: { date: "2027-10-31", time: "02:30" } });
  });

  test("at an airport whose zone is not known, minutes are those of the printed clock", () => {
    const order = gatewayOrder({
      flights: [{ ...outbound, to: "QQQ", departure: "2027-03-27T23:00", arrival: "2027-03-28T01:30" }],
    });

    const { proposed } = proposalOf(changedOrder(order, { kind: "retime", departureMinutes: 240 }));

    expect(proposed.segments[0]).toMatchObject({ departure: { time: "04:00" }, arrival: { time: "05:30" } });
  });
});

describe("a change that cannot be made", () => {
  test.each([
    ["a downgrade of the lowest cabin", { kind: "downgrade", flightIndex: 1 }, "has no cabin below Y"],
    ["a flight that is replaced twice", { kind: "replace", flightIndexes: [0, 0], with: viaZurich }, "is named twice"],
    [
      "an airport so far that the flight would arrive before it leaves",
      { kind: "airport", flightIndex: 1, to: "IST" },
      "would arrive before it leaves",
    ],
  ] as const)("is refused: %s", (_, change, message) => {
    expect(() => changedOrder(connecting, change as unknown as ChangeRequest)).toThrow(message);
  });

  test.each([
    ["no carrier", { kind: "carrier", flightNumber: "1" }],
    ["no airport", { kind: "airport" }],
    ["no terminal", { kind: "terminal" }],
    ["neither stops nor miles", { kind: "stops" }],
    ["neither class nor cabin", { kind: "fare" }],
    ["no parts", { kind: "combined", parts: [] }],
    ["a flight and several", { kind: "replace", flightIndex: 0, flightIndexes: [0], with: viaZurich }],
    ["flags inside a part", { kind: "combined", parts: [{ kind: "cancel", flags: {} }] }],
  ])("cannot be asked for: %s", (_, change) => {
    expect(changeRequestSchema.safeParse(change).success).toBe(false);
  });

  test.each([
    [{ kind: "cancel" }, true],
    [{ kind: "cancel", flightIndex: 0 }, false],
    [{ kind: "combined", parts: [{ kind: "cancel", segmentKey: "Segment1" }] }, false],
  ])("of a whole flight names no flight: %j", (change, usable) => {
    expect(changeOfFlightSchema.safeParse(change).success).toBe(usable);
  });
});

/** What a reader makes of the served view and of the notification, both of which must be strictly valid. */
function proposalOf(order: GatewayOrder): Proposal {
  const body = JSON.parse(JSON.stringify(statusBody(order, undefined))) as unknown;
  expect(orderViewResponseSchema.safeParse(body).error?.issues).toBeUndefined();
  const sent = readOrderView(JSON.parse(notificationBody(order).toString()));
  const reading = readOrderView(body);
  if (!reading.ok || !sent.ok) throw new Error("cannot be read");
  const proposal = readProposal(reading.view, order.orderId)!;
  expect(readProposal(sent.view, order.orderId)!.digest).toBe(proposal.digest);
  return proposal;
}

function detailsOf(order: GatewayOrder): unknown {
  return order.change?.segments.flatMap(({ details }) => details);
}

function flightOf({ segmentKey: _, ...flight }: ItinerarySegment) {
  return flight;
}

/** What a partial view could not tell is known once it is accepted. */
function withoutUnknowns(expected: object): object {
  return JSON.parse(JSON.stringify(expected, (_, value: unknown) => (value === null ? undefined : value))) as object;
}
