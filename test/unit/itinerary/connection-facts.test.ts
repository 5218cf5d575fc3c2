import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connectionFacts, connectionParts } from "../../../src/itinerary/connection-facts.ts";
import {
  type ConnectionTimes,
  defaultConnectionTimes,
  toConnectionTimes,
} from "../../../src/itinerary/connection-times.ts";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import { flights } from "../../builders/flights.ts";
import { details, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

function facts(options: OrderViewOptions, times: ConnectionTimes = defaultConnectionTimes): Record<string, unknown> {
  const { pairs, records } = aProposedChange(options);
  return plain(computeTopic(connectionFacts, connectionParts(pairs, records, times)));
}

/** Two flights over an airport, with the booked wait and the proposed one, in minutes; all at terminal 1 unless stated. */
interface Wait {
  readonly from?: string;
  readonly over?: string;
  readonly leavesFrom?: string;
  readonly to?: string;
  readonly booked: number;
  readonly proposed?: number;
  readonly bookedTerminals?: readonly [string, string];
  readonly terminals?: readonly [string, string];
}

/** The second flight moves; the first one arrives at noon. */
function waiting(wait: Wait, order: OrderViewOptions = {}): OrderViewOptions {
  const { from = "LIS", over = "FRA", to = "CDG", booked, proposed = booked } = wait;
  const [bookedArrival, bookedDeparture] = wait.bookedTerminals ?? ["1", "1"];
  const [arrival, departure] = wait.terminals ?? wait.bookedTerminals ?? ["1", "1"];
  const arrives = (terminal: string) => `${over} ${clock(0)} ${terminal}`.trim();
  const leaves = (minutes: number, terminal: string) =>
    `${wait.leavesFrom ?? over} ${clock(minutes)} ${terminal}`.trim();
  const lands = (minutes: number) => `${to} ${clock(minutes + 600)} 1`;
  return {
    ...flights([
      `LH1 ${from} ${clock(-180)} 1 ${arrives(bookedArrival)} > - ${arrives(arrival)}`,
      `LH2 ${leaves(booked, bookedDeparture)} ${lands(booked)} > ${leaves(proposed, departure)} ${lands(proposed)}`,
    ]),
    ...order,
  };
}

/** Minutes after noon of 14 June as date and time. */
function clock(minutes: number): string {
  const [date, time] = new Date(Date.UTC(2027, 5, 14, 12) + minutes * 60_000).toISOString().split("T");
  return `${date} ${time!.slice(0, 5)}`;
}

describe("a connection", () => {
  test.each<[string, Wait, number]>([
    ["DD", { from: "MUC", to: "HAM", booked: 300 }, 45],
    ["DI", { from: "MUC", to: "LIS", booked: 300 }, 75],
    ["ID", { from: "LIS", to: "MUC", booked: 300 }, 90],
    ["II", { from: "LIS", to: "CDG", booked: 300 }, 75],
    ["II", { from: "LIS", over: "JFK", to: "LHR", booked: 300 }, 105],
    ["II", { booked: 300, terminals: ["1", "2"] }, 105],
    ["II", { booked: 300, terminals: ["1", ""] }, 105],
  ])("of type %s holds at its minimum and breaks a minute under it: %j", (type, wait, minimum) => {
    expect(facts(waiting({ ...wait, proposed: minimum }))).toMatchObject({
      connectionTypes: [type],
      minimumConnectionMinutes: minimum,
      connectionMarginMinutes: 0,
      connectionBroken: false,
      connectionTight: true,
    });
    expect(facts(waiting({ ...wait, proposed: minimum - 1 }))).toMatchObject({
      connectionMarginMinutes: -1,
      connectionBroken: true,
      connectionTight: false,
    });
  });

  test.each([
    [90, 15, true],
    [91, 16, false],
  ])("of %i minutes has %i to spare: tight is %s", (proposed, connectionMarginMinutes, connectionTight) => {
    const expected = { connectionMarginMinutes, connectionTight, connectionBroken: false };

    expect(facts(waiting({ booked: 300, proposed }))).toMatchObject(expected);
  });

  test.each<[Wait, Record<string, unknown>]>([
    [
      { booked: 300, proposed: 80 },
      { connections: ["FRA 80 of 75 min II"], ...waits(80, 80) },
    ],
    [{ over: "LHR", leavesFrom: "LGW", booked: 300 }, { connections: ["LHR-LGW 300 of 240 min II"] }],
  ])("is listed with its minutes, minimum and type: %j", (wait, expected) => {
    expect(facts(waiting(wait))).toMatchObject(expected);
  });

  test("takes the minimum, the margin and the limits that the agency sets", () => {
    const times = toConnectionTimes({
      tightMargin: 5,
      longestInternational: 100,
      overrides: [{ airport: "FRA", minutes: 60 }],
    });

    expect(facts(waiting({ booked: 90, proposed: 65 }), times)).toMatchObject({
      connectionMarginMinutes: 5,
      connectionBroken: false,
      connectionTight: true,
      connectionTooLong: false,
    });
    expect(facts(waiting({ booked: 90, proposed: 101 }), times)["connectionTooLong"]).toBe(true);
  });

  test.each<[string, Wait, boolean]>([
    ["a minute longer than booked", { booked: 40, proposed: 41 }, false],
    ["as long as booked", { booked: 40 }, false],
    ["a minute shorter than booked", { booked: 40, proposed: 39 }, true],
    ["as long as booked, at other terminals", { booked: 40, terminals: ["1", "2"] }, true],
    ["as long as booked, at a terminal that is no longer stated", { booked: 40, terminals: ["1", ""] }, true],
    ["as long as booked, at terminals never stated", { booked: 40, bookedTerminals: ["", ""] }, false],
  ])("under its minimum and %s", (_, wait, connectionBroken) => {
    expect(facts(waiting(wait))).toMatchObject({ connectionBroken, connectionTight: false });
  });

  test.each([
    [0, true],
    [-5, true],
  ])("of %i minutes is broken even when it was sold like that", (booked, connectionBroken) => {
    expect(facts(waiting({ booked }))).toMatchObject({ shortestConnectionMinutes: booked, connectionBroken });
  });

  test("from another airport than booked is broken, however long", () => {
    const moved = flights([
      `LH1 LIS ${clock(-180)} 1 LHR ${clock(0)} 1 > - LGW ${clock(0)} 1`,
      `LH2 LHR ${clock(600)} 1 CDG ${clock(1200)} 1`,
    ]);

    expect(facts(moved)).toMatchObject({ connectionBroken: true, connectingAirportsChanged: true });
  });

  test.each([
    [240, { connectionBroken: false, connectingAirportsChanged: false, connectionTight: true }],
    [239, { connectionBroken: true }],
  ])("from the other airport that was booked needs four hours, and has %i minutes", (proposed, expected) => {
    expect(facts(waiting({ over: "LHR", leavesFrom: "LGW", booked: 600, proposed }))).toMatchObject(expected);
  });

  test("is unknown while a time is", () => {
    const unknown = "?unknown-arrival";
    const unknownArrival = flights([
      `LH1 LIS ${clock(-180)} 1 FRA ${clock(0)} 1 > LIS ${clock(-170)} 1 -`,
      `LH2 FRA ${clock(300)} 1 CDG ${clock(900)} 1`,
    ]);

    expect(facts(unknownArrival)).toMatchObject({
      connections: unknown,
      shortestConnectionMinutes: unknown,
      connectionMarginMinutes: unknown,
      connectionBroken: unknown,
      connectionTight: unknown,
      connectionTooLong: unknown,
      connectionTypes: ["II"],
      minimumConnectionMinutes: 75,
    });
  });

  const doubtful = "?ambiguous-time";

  test.each([
    ["01:30", { shortestConnectionMinutes: doubtful, connectionBroken: doubtful, connectionTooLong: false }],
    ["01:50", { connectionBroken: false, connectionTight: doubtful }],
  ])("in an hour that occurs twice, to %s, is known only as far as both meanings agree", (leaves, expected) => {
    // Clocks in London go back from 02:00 to 01:00 on 31 October 2027: 01:30 is 00:30Z or 01:30Z.
    const onwards = `LH2 LHR 10-31 05:00 1 CDG 09:00 1 > LHR ${leaves} 1 CDG 09:00 1`;

    expect(facts(flights(["LH1 LIS 10-30 20:00 1 LHR 10-31 00:30 1", onwards]))).toMatchObject(expected);
  });
});

function waits(shortestConnectionMinutes: number, longestConnectionMinutes: number) {
  return { shortestConnectionMinutes, longestConnectionMinutes };
}

describe("a wait of 24 hours", () => {
  test("is a stopover, and one minute less a connection", () => {
    expect(facts(waiting({ booked: 1439 }))).toMatchObject({
      hasConnection: true,
      ...waits(1439, 1439),
      connectingAirports: ["FRA"],
    });
    expect(facts(waiting({ booked: 1440 }))).toMatchObject({
      hasConnection: false,
      connections: [],
      ...waits(1_000_000, 0),
      minimumConnectionMinutes: 0,
      connectionMarginMinutes: 1_000_000,
      connectionTooLong: false,
      connectingAirportsChanged: false,
    });
  });

  test.each([
    ["in the place of a connection", 1439, 1440, true],
    ["that becomes longer", 1440, 2880, false],
  ])("%s is too long: %i minutes and then %i: %s", (_, booked, proposed, connectionTooLong) => {
    expect(facts(waiting({ booked, proposed }))).toMatchObject({ connectionTooLong });
  });
});

describe("connectionTooLong", () => {
  test.each<[string, Wait, boolean]>([
    ["4 hours between domestic flights", { from: "MUC", to: "HAM", booked: 60, proposed: 240 }, false],
    ["a minute more than that", { from: "MUC", to: "HAM", booked: 60, proposed: 241 }, true],
    ["8 hours with an international flight", { booked: 60, proposed: 480 }, false],
    ["a minute more than that", { booked: 60, proposed: 481 }, true],
    ["over the limit and no longer than booked", { booked: 500, proposed: 500 }, false],
    ["over the limit and a minute longer than booked", { booked: 500, proposed: 501 }, true],
  ])("depends on the wait and the kind of the flights: %s", (_, wait, tooLong) => {
    expect(facts(waiting(wait))["connectionTooLong"]).toBe(tooLong);
  });
});

describe("connectingAirportsChanged", () => {
  const direct = flights("LH1 LIS 07:00 1 FRA 11:00 1");
  const carrier = { MarketingCarrier: { AirlineID: "LH" } };
  const overMunich = [details("LIS 07:00 1", "MUC 09:00 1", carrier), details("MUC 12:00 1", "FRA 13:00 1", carrier)];

  test("sees a connection that comes in, and none that stays", () => {
    expect(facts({ ...direct, changes: { Segment1: overMunich } })).toMatchObject({
      connectingAirportsChanged: true,
      connectingAirports: ["MUC"],
    });
    expect(facts(waiting({ booked: 100 }))["connectingAirportsChanged"]).toBe(false);
  });

  test("says nothing of a journey that is withdrawn", () => {
    expect(facts({ ...direct, pnrStatus: "CANCELLED" })["connectingAirportsChanged"]).toBe(false);
    const connecting = flights(["LH1 LIS 07:00 FRA 11:00 > withdrawn", "LH2 FRA 13:00 CDG 14:30 > withdrawn"]);
    expect(facts(connecting)["connectingAirportsChanged"]).toBe(false);
  });
});

describe("a self-transfer", () => {
  /** Two booking references of one order, each with one of the two flights. */
  function twoReferences(wait: Wait, refer: readonly [string, string] = ["Segment1", "Segment2"]): OrderViewOptions {
    const item = (segments: string) => ({
      OfferItem: [
        { Refundable: "false", FareComponent: [{ SegmentRefs: segments, FareBasis: { RBD: "Q", CabinType: "Y" } }] },
      ],
    });
    return waiting(wait, {
      gdsBookingReference: "LHSKD1",
      order: item(refer[0]),
      otherOrders: [
        {
          OrderID: "QX7R2M1A",
          GdsBookingReference: "TPSKD2",
          ...item(refer[1]),
          ScheduleChange: [{ AmendmentsActions: { Accept: "Y", Cancel: "Y", ReSchedule: "N" } }],
        },
      ],
    });
  }

  test.each<[string, Wait, number]>([
    ["180 minutes at one terminal", { booked: 600 }, 180],
    ["240 minutes at another terminal", { booked: 600, bookedTerminals: ["1", "2"] }, 240],
    ["240 minutes at a terminal that is not stated", { booked: 600, bookedTerminals: ["1", ""] }, 240],
    ["240 minutes to another airport", { over: "LHR", leavesFrom: "LGW", booked: 600 }, 240],
  ])("needs %s", (_, wait, minimum) => {
    expect(facts(twoReferences({ ...wait, proposed: minimum }))).toMatchObject({
      selfTransfer: true,
      selfTransferShorter: true,
      minimumConnectionMinutes: minimum,
      connectionBroken: false,
    });
    expect(facts(twoReferences({ ...wait, proposed: minimum - 1 }))["connectionBroken"]).toBe(true);
  });

  test.each([
    ["is flagged when it shrinks by a minute, however long it stays", 600, 599, true],
    ["is not flagged when it stays as it is", 600, 600, false],
    ["is not flagged when it stays as short as it is", 120, 120, false],
  ])("%s: %i minutes and then %i", (_, booked, proposed, selfTransferShorter) => {
    expect(facts(twoReferences({ booked, proposed }))).toMatchObject({ connectionBroken: false, selfTransferShorter });
  });

  test("is none on one reference, and between flights that both references have", () => {
    expect(facts(waiting({ booked: 300 }))).toMatchObject({ selfTransfer: false, selfTransferShorter: false });
    expect(facts(twoReferences({ booked: 300 }, ["Segment1 Segment2", "Segment1 Segment2"]))["selfTransfer"]).toBe(
      false,
    );
  });

  const unknown = "?unknown-reference-of-flight";

  test.each<[number, Record<string, unknown>]>([
    [
      100,
      { selfTransfer: unknown, connectionBroken: unknown, connectionMarginMinutes: unknown, connectionTight: unknown },
    ],
    [74, { connectionBroken: true }],
    [180, { connectionBroken: false }],
  ])("of %i minutes is unknown when nobody knows on which reference its flights are", (proposed, expected) => {
    const listed = waiting({ booked: 600, proposed }, { gdsBookingReference: ["LHSKD1", "TPSKD2"] });

    expect(facts(listed)).toMatchObject(expected);
  });

  test("is unknown when one of its flights is on both references", () => {
    const both = twoReferences({ booked: 600, proposed: 100 }, ["Segment1", "Segment1 Segment2"]);

    expect(facts(both)).toMatchObject({ selfTransfer: unknown });
  });
});

test("a connection to a flight whose airport is not stated is unknown, not broken", () => {
  const inPlace = [
    details("LIS 07:10 1", "MAD 09:30 1"),
    { Departure: { Date: "2027-06-14", Time: "11:30:00" }, Arrival: { Date: "2027-06-14", Time: "14:00:00" } },
  ];

  expect(facts({ ...flights("LH1 LIS 07:10 1 FRA 11:20 1"), changes: { Segment1: inPlace } })).toMatchObject({
    connectionBroken: "?unknown-departure",
    connectingAirports: "?unknown-airport",
  });
});

describe("for any two waits", () => {
  const terminals = fc.tuple(fc.constantFrom("1", "2", ""), fc.constantFrom("1", "2", ""));
  const anyWait = fc.record({
    from: fc.constantFrom("LIS", "MUC"),
    over: fc.constantFrom("FRA", "LHR"),
    to: fc.constantFrom("CDG", "HAM"),
    booked: fc.integer({ min: -60, max: 2_000 }),
    proposed: fc.integer({ min: -60, max: 2_000 }),
    bookedTerminals: terminals,
    terminals,
  });

  test("a connection is broken only under its minimum, tight only above it, and neither when nothing changes", () => {
    fc.assert(
      fc.property(anyWait, (wait) => {
        const changed = facts(waiting(wait));
        const margin = changed["connectionMarginMinutes"] as number;
        const isUnderMinimum = changed["hasConnection"] === true && (margin < 0 || wait.proposed <= 0);
        if (changed["connectionBroken"] === true) expect(isUnderMinimum).toBe(true);
        if (changed["connectionTight"] === true) {
          expect(margin >= 0 && margin <= 15).toBe(true);
          expect(changed["connectionBroken"]).toBe(false);
        }
        const same = facts(waiting({ ...wait, proposed: wait.booked, terminals: wait.bookedTerminals }));
        expect(same).toMatchObject({
          connectionBroken: wait.booked <= 0,
          connectionTight: false,
          connectionTooLong: false,
          connectingAirportsChanged: false,
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe("connections that break or get tight", () => {
  test.each<[Wait, string | null, string | null]>([
    [{ booked: 300, proposed: 40 }, "40 min remain to connect at FRA and 75 min are needed", null],
    [{ booked: 300, proposed: 74 }, "74 min remain to connect at FRA and 75 min are needed", null],
    [{ booked: 300, proposed: 75 }, null, "75 min remain to connect at FRA and 75 min are needed"],
    [{ booked: 300, proposed: 90 }, null, "90 min remain to connect at FRA and 75 min are needed"],
    [{ booked: 300, proposed: 91 }, null, null],
    [{ booked: 300, proposed: 0 }, "0 min remain to connect at FRA and 75 min are needed", null],
    [{ booked: 300, proposed: -1 }, "the next flight from FRA leaves 1 min before they arrive", null],
    [{ booked: 300, proposed: -145 }, "the next flight from FRA leaves 2 h 25 min before they arrive", null],
    // It was sold like that.
    [{ booked: 40 }, null, null],
  ])("are listed with their minutes: %j breaks as %j and is tight as %j", (wait, broken, tight) => {
    const listed = (words: string | null) => (words === null ? [] : [words]);

    expect(facts(waiting(wait))).toMatchObject({ brokenConnections: listed(broken), tightConnections: listed(tight) });
  });

  test("are listed as unknown where the wait is unknown", () => {
    const elsewhere = waiting({ booked: 300 });
    const changes = { ...elsewhere.changes, Segment2: [{ Departure: { AirportCode: "QQQ", Time: null } }] };

    expect(facts({ ...elsewhere, changes })).toMatchObject({
      connectionBroken: true,
      brokenConnections: [
        expect.stringMatching(/^an unknown time remains to connect at FRA-QQQ and \d+ h are needed$/),
      ],
    });
  });
});
