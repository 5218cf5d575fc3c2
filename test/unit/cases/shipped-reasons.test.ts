import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import {
  anOrderView,
  aSegment,
  bytesOf,
  details,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

/** What the shipped policies say of whole notifications: the line that people read first, on the queue. */

const policies = shippedPolicyNames.map((name) => readPolicyFile(name).policy);

const departure = "FRA 2027-05-05 12:00 1";
const arrival = "MUC 2027-05-05 13:00 2";
const stopping: Json = { FlightDetail: { Stops: { Value: 1 } } };
const cabin = (code: string): Json => ({ Code: { Cabin: code } });
const equipment = (code: string): Json => ({ Equipment: { AircraftCode: code, Name: "" } });

describe("a change of the aircraft or the terminal alone", () => {
  const swap = becoming(equipment("320"), equipment("321"));
  const otherTerminal = becoming({}, {}, "FRA 2027-05-05 12:00 2");
  const both = becoming(equipment("320"), equipment("32N"), "FRA 2027-05-05 12:00 2");

  test.each([
    ["another aircraft", swap],
    ["another terminal", otherTerminal],
    ["another aircraft and another terminal", both],
  ])("is accepted by balanced and by airline-thresholds: %s", (_, change) => {
    const accepted = { action: "accept", rule: "aircraft-or-terminal", reason: "aircraft-or-terminal" };

    expect(judge(change)).toMatchObject({ balanced: accepted, "airline-thresholds": accepted });
  });

  test.each([
    ["a propeller", "AT7", "aircraft-class-lowered"],
    ["a bus", "BUS", "aircraft-class-lowered"],
    ["something that nobody knows", "XYZ", "unknown-fact"],
  ])("is for a person when the aircraft becomes %s", (_, code, reason) => {
    const review = { action: "review", reason };

    expect(judge(becoming(equipment("320"), equipment(code)))).toMatchObject({
      balanced: review,
      "airline-thresholds": review,
    });
  });

  test("has the reason of its own rule under cautious, which accepts neither", () => {
    expect(judge(swap).cautious).toMatchObject({ action: "review", rule: "aircraft-changed" });
    expect(judge(otherTerminal).cautious).toMatchObject({ action: "review", rule: "terminal-changed" });
  });

  test.each<[string, string, string]>([
    ["2027-05-03T10:00:00Z", "accept", "aircraft-or-terminal"],
    ["2027-05-03T10:01:00Z", "review", "departure-within-48-hours"],
  ])("is accepted by balanced up to 48 hours ahead: at %s", (now, action, reason) => {
    expect(judge(swap, { now }).balanced).toMatchObject({ action, reason });
  });

  test.each<[string, OrderViewOptions]>([
    ["without a ticket", { ticketed: false }],
    ["for a passenger who asked for a wheelchair", { passengers: [{ PTC: "ADT", SsrRequest: [{ SSRCode: "WCHR" }] }] }],
    ["with a stop on the way", becoming(equipment("320"), { ...equipment("321"), ...stopping })],
    ["in a lower cabin", becoming({ ...equipment("320"), ...cabin("C") }, { ...equipment("321"), ...cabin("M") })],
    ["in another booking class", becoming(equipment("320"), { ...equipment("321"), Code: { ResBookDesigCode: "L" } })],
    [
      "in a booking class of which one is not stated",
      {
        ...becoming(equipment("320"), { ...equipment("321"), Code: { ResBookDesigCode: "L" } }),
        order: { OfferItem: [] },
      },
    ],
  ])("is not accepted %s", (_, change) => {
    const judged = judge({ ...swap, ...change });

    expect(Object.values(judged).map(({ action }) => action)).not.toContain("accept");
  });
});

describe("flights that are named without new values", () => {
  const bothWays = [
    aSegment("Segment1", "LH98", departure, arrival),
    aSegment("Segment2", "LH99", "MUC 2027-05-12 12:00", "FRA 2027-05-12 13:00"),
  ];
  const named = (...flights: number[]) =>
    flights.map((flight) => ({ FlightKey: `Flight${flight}`, SegmentRefs: `Segment${flight}` }));

  test.each([
    ["the only flight", { segments: bothWays.slice(0, 1), changedFlights: named(1) }, "LH98 FRA-MUC"],
    ["the way back", { segments: bothWays, changedFlights: named(2) }, "LH99 MUC-FRA"],
    ["both ways", { segments: bothWays, changedFlights: named(1, 2) }, "LH98 FRA-MUC, LH99 MUC-FRA"],
  ])("are called withdrawn or without values by every shipped policy: %s", (_, change, flights) => {
    for (const decided of Object.values(judge(change))) {
      expect(decided).toMatchObject({ action: "review", priority: 2, reason: "flights-withdrawn" });
      expect(decided.text).toContain(`Cancelled, no longer listed, or sent without new details: ${flights}.`);
    }
  });

  test("are called cancelled once the status says so", () => {
    const change = { segments: bothWays.slice(0, 1), changedFlights: named(1), pnrStatus: "CANCELLED" };

    for (const { reason } of Object.values(judge(change))) expect(reason).toBe("flights-cancelled");
  });
});

describe("a trip of which every flight has left", () => {
  const tenMinutes = becoming({}, {}, "FRA 2027-05-05 12:10 1", "MUC 2027-05-05 13:10 2");
  const acting = ({ "observe-only": _, ...judged }: Readonly<Record<string, Judged>>) => Object.values(judged);

  test("leaves the queue, with a reason of its own and without urgency", () => {
    const judged = judge(tenMinutes, { now: "2027-05-26T00:00:00Z" });

    for (const decided of acting(judged)) {
      expect(decided).toMatchObject({ action: "none", reason: "departed", priority: 5 });
    }
    expect(judged["observe-only"]).toMatchObject({ action: "review", reason: "departed", priority: 5 });
  });

  test.each<[string, string, string]>([
    ["2027-05-05T09:59:00Z", "review", "departure-within-72-hours"],
    ["2027-05-05T10:00:00Z", "review", "departure-within-72-hours"],
    ["2027-05-05T10:09:00Z", "review", "departure-within-72-hours"],
    ["2027-05-05T10:10:00Z", "none", "departed"],
  ])("is over when the later of both departures has passed: at %s", (now, action, reason) => {
    expect(judge(tenMinutes, { now }).cautious).toMatchObject({
      action,
      reason,
      priority: reason === "departed" ? 5 : 0,
    });
  });

  test.each<[string, OrderViewOptions]>([
    ["for a passenger who asked for a wheelchair", { passengers: [{ PTC: "ADT", SsrRequest: [{ SSRCode: "WCHR" }] }] }],
    ["for a child who travelled alone", { passengers: ["CHD"] }],
    ["when nothing is offered any more", { flags: { Accept: "N", Cancel: "N", ReSchedule: "N" } }],
    ["when no flag is stated", { flags: null }],
  ])("leaves it %s too", (_, change) => {
    for (const decided of acting(judge({ ...tenMinutes, ...change }, { now: "2027-05-26T00:00:00Z" }))) {
      expect(decided).toMatchObject({ action: "none", reason: "departed" });
    }
  });

  test("stays with a person, without hurry, when a law may still give something", () => {
    const fiveHours = becoming({}, {}, "FRA 2027-05-05 17:00 1", "MUC 2027-05-05 18:00 2");

    for (const decided of Object.values(judge(fiveHours, { now: "2027-05-26T00:00:00Z" }))) {
      expect(decided).toMatchObject({ action: "review", reason: "departed-with-claim", priority: 5 });
    }
  });

  test("stays with a person when a flight was withdrawn and so never flown", () => {
    const withdrawn = {
      segments: tenMinutes.segments!,
      changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }],
    };

    for (const decided of Object.values(judge(withdrawn, { now: "2027-05-26T00:00:00Z" }))) {
      expect(decided).toMatchObject({ action: "review", reason: "flights-withdrawn" });
    }
  });
});

describe("the way back of a long stay", () => {
  const returning = (changes: OrderViewOptions["changes"]) => ({
    segments: [
      aSegment("Segment1", "LH98", departure, arrival),
      aSegment("Segment2", "LH99", "MUC 2027-08-12 12:00", "FRA 2027-08-12 13:00"),
    ],
    changes: changes ?? {},
  });
  const wayBack = returning({ Segment2: [details("MUC 2027-08-12 12:10", "FRA 2027-08-12 13:10")] });

  test("is an ordinary case when the way out is flown, and is accepted as one", () => {
    const judged = judge(wayBack, { now: "2027-06-01T00:00:00Z" });

    expect(judged.cautious).toMatchObject({ action: "accept", reason: "small-retiming" });
    expect(judged.balanced).toMatchObject({ action: "accept", reason: "small-retiming" });
  });

  test("is urgent close to its departure, as any flight is", () => {
    expect(judge(wayBack, { now: "2027-08-11T00:00:00Z" }).cautious).toMatchObject({
      action: "review",
      reason: "departure-within-72-hours",
    });
  });

  test("has begun once the journey that changes has, and is a person's at once", () => {
    const wayOut = returning({ Segment1: [details("FRA 2027-05-05 12:10 1", "MUC 2027-05-05 13:10 2")] });

    for (const decided of Object.values(judge(wayOut, { now: "2027-05-05T10:10:00Z" }))) {
      expect(decided).toMatchObject({ action: "review", reason: "partly-flown", priority: 1 });
    }
  });
});

describe("a passenger who asked for assistance", () => {
  test.each([
    ["BLND", "blind passenger"],
    ["DEAF", "deaf passenger"],
    ["MEDA", "medical case"],
    ["WCHR", "wheelchair"],
  ])("is named to people by what was asked for: %s", (SSRCode, kind) => {
    const passengers = [{ PTC: "ADT", SsrRequest: [{ SSRCode, Text: "MS EXAMPLE" }] }];
    const change = { ...becoming({}, {}, "FRA 2027-05-05 12:10 1", "MUC 2027-05-05 13:10 2"), passengers };

    for (const decided of Object.values(judge(change))) {
      expect(decided).toMatchObject({
        reason: "assistance-requested",
        text: `Assistance is requested: ${kind}. Check that it is still booked and possible.`,
      });
    }
  });
});

describe("the line on the queue", () => {
  const by = (minutes: string, arriving = minutes) =>
    becoming({}, {}, `FRA 2027-05-05 ${minutes} 1`, `MUC 2027-05-05 ${arriving} 2`);

  test.each([
    ["12:31", "13:31", "LH98 FRA-MUC departs and arrives 31 min later; limit 30 min."],
    ["11:44", "12:50", "LH98 FRA-MUC departs 16 min earlier and arrives 10 min earlier; limit 15 min."],
    [
      "11:44",
      "13:05",
      "LH98 FRA-MUC departs 16 min earlier and arrives 5 min later; limits departure 15 min earlier, arrival 30 min later.",
    ],
    ["16:00", "17:00", "LH98 FRA-MUC departs and arrives 4 h later; limit 30 min."],
  ])("says by how much a flight moves, and the limit: %s to %s", (leaving, arriving, text) => {
    expect(judge(by(leaving, arriving)).cautious).toMatchObject({ reason: "retiming-beyond-limits", text });
  });

  test("says by how much a flight moved that was accepted", () => {
    expect(judge(by("12:30", "13:30")).cautious).toMatchObject({
      action: "accept",
      text: "LH98 FRA-MUC departs and arrives 30 min later; limit 30 min. No other difference is known.",
    });
    // 30 days ahead the limits of balanced are wider.
    expect(judge(by("12:30", "13:30")).balanced?.text).toContain("limit 60 min");
    expect(judge(by("12:30", "13:30"), { now: "2027-04-20T00:00:00Z" }).balanced?.text).toContain("limit 45 min");
  });

  test("says by how much each of several flights moves", () => {
    const segments = [
      aSegment("Segment1", "LH98", departure, arrival),
      aSegment("Segment2", "LH99", "MUC 2027-05-12 12:00", "FRA 2027-05-12 13:00"),
    ];
    const changes = {
      Segment1: [details("FRA 2027-05-05 12:10 1", arrival)],
      Segment2: [details("MUC 2027-05-12 11:55", "FRA 2027-05-12 12:55")],
    };

    expect(judge({ segments, changes }).cautious?.text).toBe(
      "2 flights are retimed: LH98 FRA-MUC departs 10 min later, LH99 MUC-FRA departs and arrives 5 min earlier.",
    );
  });

  const throughFrankfurt = (minutesLate: number) => ({
    segments: [
      aSegment("Segment1", "LH1", "LIS 2027-05-05 08:00 1", "FRA 2027-05-05 12:00 1"),
      aSegment("Segment2", "LH2", "FRA 2027-05-05 14:00 1", "JFK 2027-05-05 16:00 1"),
    ],
    journeys: [["Segment1", "Segment2"]],
    changes: {
      Segment1: [
        details(`LIS 2027-05-05 ${clock("08:00", minutesLate)} 1`, `FRA 2027-05-05 ${clock("12:00", minutesLate)} 1`),
      ],
    },
  });

  test("says where a connection breaks or gets tight, and the minutes of both", () => {
    const broken = judge(throughFrankfurt(80)).cautious;
    const tight = judge(throughFrankfurt(40)).cautious;

    expect(broken).toMatchObject({ reason: "connection-broken" });
    expect(broken?.text).toMatch(
      /^A connection is too short or missing: 40 min remain to connect at FRA and (75 min|1 h 45 min) are needed\. Ask the airline for other flights\.$/,
    );
    expect(tight).toMatchObject({ reason: "connection-tight" });
    expect(tight?.text).toMatch(
      /^Tight connection: 80 min remain to connect at FRA and 75 min are needed\. Check that the traveller can make it\.$/,
    );
  });

  const booked = "LH98 FRA-MUC on 5 May 2027";

  test.each<[string, OrderViewOptions, string, string]>([
    [
      "another terminal",
      becoming({}, {}, "FRA 2027-05-05 12:00 2"),
      "terminal-changed",
      `${booked} leaves from terminal 2 instead of 1. Tell the traveller about the terminal.`,
    ],
    [
      "another airport",
      becoming({}, {}, departure, "FMM 2027-05-05 13:00"),
      "airport-changed",
      `${booked} arrives at FMM instead of MUC. Check that the traveller can use the other airport.`,
    ],
    [
      "another operating carrier",
      becoming({}, { OperatingCarrier: { AirlineID: "EN" } }),
      "carrier-changed",
      `${booked} is operated by EN instead of LH. Check seats and services with the new airline.`,
    ],
    [
      "a stop",
      becoming({ FlightDetail: { Stops: { Value: 0 } } }, stopping),
      "stop-added",
      `${booked} makes 1 stop instead of 0. Ask the traveller whether the stop suits.`,
    ],
    [
      "another aircraft",
      becoming(equipment("320"), equipment("321")),
      "aircraft-changed",
      `${booked} is flown with aircraft 321 instead of 320. Check the seats.`,
    ],
    [
      "another number and ten minutes",
      becoming({}, { MarketingCarrier: { FlightNumber: "100" } }, "FRA 2027-05-05 12:10 1", "MUC 2027-05-05 13:10 2"),
      "flight-replaced",
      `${booked} becomes LH100, leaves 10 min later, 12:10, and arrives 13:10. Ask the traveller, and check the ticket.`,
    ],
  ])("names the flight and what to do when it has %s", (_, change, reason, text) => {
    expect(judge(change).cautious).toMatchObject({ reason, text });
  });

  test("says how much remains between two journeys where one ends too late for the next", () => {
    const change = {
      segments: [
        aSegment("Segment1", "LH1167", "LIS 2027-05-05 07:10", "FRA 2027-05-05 11:20"),
        aSegment("Segment2", "LH400", "FRA 2027-05-05 13:20", "JFK 2027-05-05 16:00"),
      ],
      changes: { Segment1: [details("LIS 2027-05-05 07:55", "FRA 2027-05-05 12:05")] },
    };

    expect(judge(change).balanced).toMatchObject({
      reason: "directions-overlap",
      text: "A journey arrives too late for the next one: 75 min remain at FRA between two journeys and 1 h 45 min are needed. Ask the airline for other flights.",
    });
  });

  test("says how long the departure is away where that decides", () => {
    expect(judge(by("12:10", "13:10"), { now: "2027-05-05T03:00:00Z" }).cautious?.text).toBe(
      "Less than 72 hours remain before departure: LH98 FRA-MUC leaves in 7 h.",
    );
  });

  test("says once that a booking is cancelled and yet has new flights", () => {
    const judged = judge({ ...by("12:10", "13:10"), pnrStatus: "CANCELLED" });

    expect(judged.balanced).toMatchObject({
      reason: "unknown-fact",
      text: "The booking status is CANCELLED, yet new flights are offered. Ask the airline which is right.",
    });
  });

  test("says that a departure has passed instead of counting backwards", () => {
    expect(JSON.stringify(judge(by("12:10", "13:10"), { now: "2027-05-05T10:05:00Z" }))).not.toMatch(/-\d+ min/);
  });

  test("finds a new date in the past impossible while the booked one is to come", () => {
    const change = becoming({}, {}, "FRA 2026-05-05 12:00 1", "MUC 2026-05-05 13:00 2");

    for (const decided of Object.values(judge(change))) {
      expect(decided).toMatchObject({ action: "review", reason: "data-suspect" });
      expect(decided.text).toContain("the new departure of LH98 FRA-MUC on 5 May 2026 has passed");
    }
  });

  test("asks for no alternative where a withdrawn flight has left already", () => {
    const change = {
      segments: [aSegment("Segment1", "LH98", departure, arrival)],
      changedFlights: [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }],
    };

    expect(judge(change, { now: "2027-05-20T00:00:00Z" }).balanced?.text).toBe(
      "Cancelled, no longer listed, or sent without new details: LH98 FRA-MUC. Ask the airline what it offers.",
    );
  });

  /** Two flights over Frankfurt, of which the second leaves later than booked. */
  const waiting = (arrives: string, booked: string, proposed: string): OrderViewOptions => {
    const twoHoursOn = (local: string) =>
      new Date(Date.parse(`${local.replace(" ", "T")}:00Z`) + 7_200_000).toISOString().slice(0, 16).replace("T", " ");
    return {
      segments: [
        aSegment("Segment1", "LH1", "LIS 2027-05-05 07:00 1", `FRA ${arrives} 1`),
        aSegment("Segment2", "LH2", `FRA ${booked} 1`, `JFK ${twoHoursOn(booked)} 1`),
      ],
      journeys: [["Segment1", "Segment2"]],
      changes: { Segment2: [details(`FRA ${proposed} 1`, `JFK ${twoHoursOn(proposed)} 1`)] },
    };
  };

  test.each([
    ["2027-05-05 20:00", "2027-05-06 10:00", "2027-05-06 14:00", "18 h at FRA instead of 14 h"],
    ["2027-05-05 12:00", "2027-05-05 14:00", "2027-05-05 23:30", "11 h 30 min at FRA instead of 2 h"],
    ["2027-05-05 18:00", "2027-05-05 20:00", "2027-05-06 05:00", "11 h at FRA instead of 2 h, now overnight"],
  ])("says how a wait changes, overnight or not: from %s, until %s as booked and %s now", (from, booked, now, wait) => {
    expect(judge(waiting(from, booked, now)).cautious).toMatchObject({
      reason: "waiting-longer",
      text: `The wait between flights changes: ${wait}. The airline may owe a hotel or other flights.`,
    });
  });

  test("says in words what does not fit, and names no segment key", () => {
    const impossible = judge(by("12:00", "11:00"));
    const incomplete = judge(becoming({}, { Departure: { AirportCode: "FRA", Date: "2027-05-05", Time: "soon" } }));

    for (const { reason, text } of Object.values(impossible)) {
      expect({ reason, text }).toMatchObject({
        reason: "data-suspect",
        text: expect.stringContaining("LH98 FRA-MUC arrives before it leaves"),
      });
    }
    for (const { reason, text } of Object.values(incomplete)) {
      expect({ reason, text }).toMatchObject({
        reason: "data-suspect",
        text: expect.stringContaining("LH98 FRA-MUC states a time that cannot be read: “soon” as Departure.Time"),
      });
      expect(text).not.toMatch(/Segment1|unknown-/);
    }
  });
});

/** A time of day so many minutes later. */
function clock(time: string, minutes: number): string {
  return new Date(Date.parse(`2027-01-01T${time}:00Z`) + minutes * 60_000).toISOString().slice(11, 16);
}

interface Judged {
  readonly action: string;
  readonly rule: string;
  readonly priority: number;
  readonly reason: string | undefined;
  readonly text: string | undefined;
}

/** What each shipped policy decides about a notification whose status says the same. */
function judge(
  change: OrderViewOptions,
  { now = "2027-01-01T00:00:00Z", status = {} }: { now?: string; status?: OrderViewOptions } = {},
): Readonly<Record<string, Judged>> {
  const bodyOf = (options: OrderViewOptions) =>
    bytesOf(
      anOrderView({
        pnrStatus: "SCHEDULE CHANGED",
        scheduleChangeIndicator: true,
        scheduleChangeStatus: "Initiated",
        ...options,
      }),
    );
  const judgement = evaluateNotification(
    { body: bodyOf(change), statusBody: bodyOf({ ...change, ...status }), source: "default", now: new Date(now) },
    policies,
  );
  if (!judgement.ok) throw new Error(judgement.message);
  const verdicts = judgement.orders[0]?.verdicts ?? [];
  return Object.fromEntries(
    verdicts.map(({ action, rule, priority, reasons }, index): [string, Judged] => [
      shippedPolicyNames[index]!,
      { action, rule, priority, reason: reasons[0]?.code, text: reasons[0]?.text },
    ]),
  );
}

/** One flight of Frankfurt to Munich, LH98, and what becomes of it. */
function becoming(booked: Json, proposed: Json, from = departure, to = arrival): OrderViewOptions {
  return {
    segments: [aSegment("Segment1", "LH98", departure, arrival, booked)],
    changes: { Segment1: [details(from, to, proposed)] },
  };
}
