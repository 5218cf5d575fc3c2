import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interfaceDocument } from "../../../src/contract/gateway-capabilities.ts";
import { describeChange } from "../../../src/itinerary/describe.ts";
import { differenceBetween } from "../../../src/itinerary/difference.ts";
import { computeFacts } from "../../../src/itinerary/facts.ts";
import { type FactsInput, orderPartsOf } from "../../../src/itinerary/facts-input.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { journeyChanges } from "../../../src/itinerary/journey-changes.ts";
import { severityOf } from "../../../src/itinerary/severity.ts";
import { evaluateLegal } from "../../../src/policy/legal/evaluate-legal.ts";
import { defaultLegalContext } from "../../../src/policy/legal/legal-input.ts";
import { itineraryOf } from "../../builders/fact-values.ts";
import { aSegment, details, type Json, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

const now = new Date("2027-01-01T00:00:00Z");

/** LIS-FRA-ZRH-VIE and, a week later, VIE-LIS. */
const usual: Trip = [
  [
    { flight: "LH1169", from: "LIS", to: "FRA", leaves: "2027-03-14 06:00", arrives: "2027-03-14 10:00" },
    { flight: "LX1071", from: "FRA", to: "ZRH", leaves: "2027-03-14 12:00", arrives: "2027-03-14 12:55" },
    { flight: "LX1586", from: "ZRH", to: "VIE", leaves: "2027-03-14 16:10", arrives: "2027-03-14 17:30" },
  ],
  [{ flight: "OS1", from: "VIE", to: "LIS", leaves: "2027-03-21 16:10", arrives: "2027-03-21 18:30" }],
];

describe("a flight in the middle of a journey that is cancelled", () => {
  test.each(ways())("is withdrawn, and its neighbours are unchanged, when it is %s", (_, describeIn) => {
    const read = readChange(usual, describeIn(usual, new Set([1])));

    expect(read.actions).toEqual([
      "LH1169 LIS-FRA unchanged",
      "LX1071 FRA-ZRH removed",
      "LX1586 ZRH-VIE unchanged",
      "OS1 VIE-LIS unchanged",
    ]);
    expect(asWithdrawn(read.summary)).toBe(
      "LX1071 FRA-ZRH on 14 Mar 2027 is withdrawn; nothing is offered in its place. Nothing else changes.",
    );
    expect(read.facts).toMatchObject({
      cancelled: false,
      partiallyCancelled: false,
      replaced: false,
      removedFlightCount: 1,
      removedFlights: ["LX1071 FRA-ZRH"],
      changedFlightCount: 1,
      connectionBroken: true,
      brokenConnections: ["no flight FRA-ZRH"],
      connections: [],
      shortestConnectionMinutes: 1_000_000,
      connectionTooLong: false,
    });
  });

  test("gives the same rights as the last one, and holds an automatic accept back", () => {
    const [middle, last] = [1, 2].map((position) => readChange(usual, named(usual, new Set([position]))).law);

    expect(middle!.hold.held).toBe(true);
    expect(middle).toEqual(last);
  });
});

describe("new flights that go the way of a withdrawn one", () => {
  const withdraw = (...keys: readonly string[]) => keys.map((key) => ({ FlightKey: "Flight1", SegmentRefs: key }));
  const becomes = (changes: Record<string, Json[]>, ...keys: readonly string[]) =>
    readChange(usual, {
      ...listed(usual),
      changes,
      changedFlights: withdraw(...Object.keys(changes), ...keys),
    }).actions.slice(0, -1);

  test("replace it together with the flight that takes its place", () => {
    expect(becomes({ S0: [details(null, "ZRH 2027-03-14 10:30")] }, "S1")).toEqual([
      "LH1169 LIS-FRA + LX1071 FRA-ZRH replaced",
      "LX1586 ZRH-VIE unchanged",
    ]);
    expect(becomes({ S2: [details("FRA 2027-03-14 12:00", null)] }, "S1")).toEqual([
      "LH1169 LIS-FRA unchanged",
      "LX1071 FRA-ZRH + LX1586 ZRH-VIE replaced",
    ]);
    expect(
      becomes({ S0: [details(null, "MUC 2027-03-14 10:30")], S2: [details("MUC 2027-03-14 12:00", null)] }, "S1"),
    ).toEqual(["LH1169 LIS-FRA + LX1071 FRA-ZRH + LX1586 ZRH-VIE replaced-by-several"]);
  });

  test("leave it withdrawn when they only change something else", () => {
    expect(becomes({ S0: [details("LIS 2027-03-14 06:20", "FRA 2027-03-14 10:20")] }, "S1")).toEqual([
      "LH1169 LIS-FRA retimed",
      "LX1071 FRA-ZRH removed",
      "LX1586 ZRH-VIE unchanged",
    ]);
    expect(becomes({ S2: [{ MarketingCarrier: { FlightNumber: "8" } }] }, "S1")).toEqual([
      "LH1169 LIS-FRA unchanged",
      "LX1071 FRA-ZRH removed",
      "LX1586 ZRH-VIE replaced",
    ]);
    expect(becomes({ S2: [details("MUC 2027-03-14 16:10", null)] }, "S1")).toEqual([
      "LH1169 LIS-FRA unchanged",
      "LX1071 FRA-ZRH removed",
      "LX1586 ZRH-VIE replaced",
    ]);
  });
});

describe("a way on the ground", () => {
  const openJaw: Trip = [
    [
      { flight: "LH1169", from: "LIS", to: "FRA", leaves: "2027-03-14 06:00", arrives: "2027-03-14 10:00" },
      { flight: "LX1586", from: "ZRH", to: "VIE", leaves: "2027-03-14 16:10", arrives: "2027-03-14 17:30" },
    ],
  ];

  test("that was booked stays as booked", () => {
    expect(readChange(openJaw, named(openJaw, new Set()))).toMatchObject({
      facts: { connectionBroken: false, connections: ["FRA-ZRH 370 of 240 min II"], brokenConnections: [] },
      severity: { name: "none" },
    });
  });

  test("within a city is a transfer", () => {
    const over = (leaves: string): Trip => [
      [
        { flight: "BA1", from: "LIS", to: "LHR", leaves: "2027-03-14 06:00", arrives: "2027-03-14 09:00" },
        { flight: "BA2", from: leaves, to: "VIE", leaves: "2027-03-14 16:10", arrives: "2027-03-14 19:30" },
      ],
    ];
    const moved = { ...listed(over("LHR")), changes: { S1: [details("LGW 2027-03-14 16:10", null)] } };

    expect(readChange(over("LHR"), moved).facts).toMatchObject({ connections: ["LHR-LGW 430 of 240 min II"] });
  });
});

/** A flight that is not listed any more is told as that, which is all that differs. */
function asWithdrawn(summary: string): string {
  return summary.replaceAll(/(?<=\b(?:is|are) )no longer listed/g, "withdrawn");
}

describe("for any chain of flights", () => {
  test("exactly the withdrawn ones are withdrawn, and every way to say so gives the same rights", () => {
    fc.assert(
      fc.property(aTripWithout(), ([trip, gone]) => {
        const expected = trip
          .flat()
          .map(
            ({ flight, from, to }, position) =>
              `${flight} ${from}-${to} ${gone.has(position) ? "removed" : "unchanged"}`,
          );
        const all = ways().map(([, describeIn]) => readChange(trip, describeIn(trip, gone)));
        for (const { actions, facts, shown } of all) {
          expect(actions).toEqual(expected);
          expect(shown).toEqual(expected.map((action) => action.split(" ").at(-1)));
          expect(facts).toMatchObject({
            removedFlightCount: gone.size,
            changedFlightCount: gone.size,
            addedFlightCount: 0,
            replaced: false,
          });
          for (const line of facts["brokenConnections"] as string[]) expect(line).toMatch(/^no flight \w{3}-\w{3}$/);
        }
        for (const { law, severity, summary, facts } of all.slice(1)) {
          expect(law).toEqual(all[0]!.law);
          expect(severity).toEqual(all[0]!.severity);
          expect(asWithdrawn(summary)).toBe(asWithdrawn(all[0]!.summary));
          expect(facts["brokenConnections"]).toEqual(all[0]!.facts["brokenConnections"]);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("one is withdrawn and another one retimed", () => {
    fc.assert(
      fc.property(aTripWithout(), ([trip, chosen]) => {
        fc.pre(chosen.size === 2);
        const [gone, retimed] = [...chosen] as [number, number];
        const { from, to, leaves, arrives } = trip.flat()[retimed]!;
        const later = details(`${from} ${leaves.slice(0, -2)}20`, `${to} ${arrives.slice(0, -2)}50`);
        const view = { ...named(trip, new Set([gone])), changes: { [`S${retimed}`]: [later] } };
        const actionOf = (position: number) =>
          position === gone ? "removed" : position === retimed ? "retimed" : "unchanged";

        expect(readChange(trip, view).shown).toEqual(trip.flat().map((_, position) => actionOf(position)));
      }),
      { numRuns: 60 },
    );
  });
});

interface Leg {
  readonly flight: string;
  readonly from: string;
  readonly to: string;
  readonly leaves: string;
  readonly arrives: string;
}

/** Journeys, each with its flights. */
type Trip = readonly (readonly Leg[])[];

type Way = (trip: Trip, gone: ReadonlySet<number>) => OrderViewOptions;

/** How a view may say that flights are cancelled. */
function ways(): readonly (readonly [string, Way])[] {
  const rest: Way = (trip, gone) => {
    const flights = trip.flat().filter((_, position) => !gone.has(position));
    return { segments: flights.map((leg, position) => segmentOf(leg, `S${position}`)), changes: {} };
  };
  return [
    ["named without new values", named],
    [
      "not listed in its journey any more",
      (trip, gone) => {
        const { segments, journeys } = listed(trip);
        return {
          segments: segments.filter((_, position) => !gone.has(position)),
          journeys: journeys
            .map((keys) => keys.filter((key) => !gone.has(Number(key.slice(1)))))
            .filter((keys) => keys.length > 0),
          changes: {},
        };
      },
    ],
    ["not listed any more, and each flight is listed as a journey", rest],
    [
      "not listed any more, and no journeys are listed",
      (trip, gone) => ({ ...rest(trip, gone), dataLists: { FlightList: undefined, OriginDestinationList: undefined } }),
    ],
  ];
}

function named(trip: Trip, gone: ReadonlySet<number>): OrderViewOptions {
  const changedFlights = [...gone].map((position) => ({
    FlightKey: `Flight${listed(trip).journeys.findIndex((keys) => keys.includes(`S${position}`)) + 1}`,
    SegmentRefs: `S${position}`,
  }));
  return { ...listed(trip), changes: {}, changedFlights };
}

function listed(trip: Trip) {
  let position = 0;
  const journeys = trip.map((legs) => legs.map(() => `S${position++}`));
  return { segments: trip.flat().map((leg, i) => segmentOf(leg, `S${i}`)), journeys };
}

function segmentOf({ flight, from, to, leaves, arrives }: Leg, key: string): Json {
  return aSegment(key, flight, `${from} ${leaves} 1`, `${to} ${arrives} 1`);
}

/** Up to eight flights between a few airports of one zone, and one or two of them, but never all. */
function aTripWithout(): fc.Arbitrary<readonly [Trip, ReadonlySet<number>]> {
  const airport = fc.constantFrom("FRA", "ZRH", "VIE", "MUC");
  const stop = fc.record({ to: airport, number: fc.constantFrom("LH1", "LX2"), isStay: fc.boolean() });
  return fc
    .tuple(airport, fc.array(stop, { minLength: 2, maxLength: 8 }), fc.nat(), fc.nat(), fc.boolean())
    .map(([start, stops, first, second, isBoth]) => {
      const trip = tripAlong(start, stops);
      const count = trip.flat().length;
      const gone = new Set(count < 2 ? [] : [first % count, ...(isBoth && count > 2 ? [second % count] : [])]);
      return [trip, gone] as const;
    })
    .filter(([, gone]) => gone.size > 0);
}

function tripAlong(
  start: string,
  stops: readonly { readonly to: string; readonly number: string; readonly isStay: boolean }[],
): Trip {
  const journeys: Leg[][] = [[]];
  let from = start;
  let hours = 0;
  for (const { to, number, isStay } of stops) {
    if (to === from) continue;
    if (isStay && journeys.at(-1)!.length > 0) {
      hours += 48;
      journeys.push([]);
    }
    const leaves = clock(hours);
    // One number on several dates, but not twice on one.
    const isTaken = journeys
      .flat()
      .some((leg) => leg.flight === number && leg.leaves.slice(0, 10) === leaves.slice(0, 10));
    const flight = isTaken ? `OS${journeys.flat().length + 10}` : number;
    journeys.at(-1)!.push({ flight, from, to, leaves, arrives: clock(hours + 1).replace(":00", ":30") });
    from = to;
    hours += 5;
  }
  return journeys.filter((legs) => legs.length > 0);
}

function clock(hours: number): string {
  return new Date(Date.UTC(2027, 1, 1, 6 + hours)).toISOString().slice(0, 16).replace("T", " ");
}

function readChange(trip: Trip, options: OrderViewOptions) {
  const booked: Itinerary = itineraryOf({ ...listed(trip), changes: {} });
  const { view, proposal } = aProposedChange(options, booked);
  const { current, proposed, withdrawnSegmentKeys } = proposal;
  const order = orderPartsOf(view, proposal.orderId);
  const input: FactsInput = {
    booked,
    accepted: booked,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order,
    now,
  };
  const facts = computeFacts(input);
  const values = plain(facts);
  const { journeys } = differenceBetween(booked, proposed, { current, now });
  return {
    facts: values,
    actions: values["flightActions"] as readonly string[],
    /** As on the page of the case. */
    shown: journeys.flatMap(({ flights }) => flights.map(({ action }) => action)),
    law: evaluateLegal({ facts, journeys: journeyChanges(input), context: defaultLegalContext, now }),
    severity: severityOf(facts),
    summary: describeChange({ booked, current, proposed, facts, withdrawnSegmentKeys }),
  };
}
