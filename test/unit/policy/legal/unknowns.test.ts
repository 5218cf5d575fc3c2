import { describe, expect, test } from "vitest";
import type { JourneyChangeFactName } from "../../../../src/itinerary/journey-changes.ts";
import { unknown } from "../../../../src/kernel/fact.ts";
import { labelOfFact } from "../../../../src/policy/fact-labels.ts";
import { aJourney, assessed, ruling, verdictsOf } from "./legal-cases.ts";

describe("a fact that is not known", () => {
  test.each([
    ["us-dot-260", "departs-earlier", "journeyDepartureEarlierMinutes"],
    ["us-dot-260", "arrives-later", "journeyArrivalLaterMinutes"],
    ["us-dot-260", "airport-changed", "destinationChanged"],
    ["us-dot-260", "connections-added", "connectionsAdded"],
    ["us-dot-260", "downgraded", "cabinDowngraded"],
    ["eu-261", "brought-forward", "journeyDepartureEarlierMinutes"],
    ["eu-261", "delayed-5-hours", "journeyDepartureLaterMinutes"],
    ["eu-261", "cancelled", "cancelled"],
    ["ca-appr", "delayed-3-hours", "journeyArrivalLaterMinutes"],
    ["br-anac-400", "retimed", "journeyArrivalEarlierMinutes"],
  ] as const)("leaves %s %s open and is named: %s", (preset, trigger, fact: JourneyChangeFactName) => {
    const routes: Readonly<Record<string, string>> = {
      "ca-appr": "YYZ-LIS",
      "br-anac-400": "GRU-LIS",
      "eu-261": "LIS-JFK",
    };
    const journeys = [
      aJourney({ route: routes[preset] ?? "JFK-LIS", facts: { [fact]: { unknown: "unknown-arrival" } } }),
    ];
    const assessment = assessed({ presets: [preset], journeys });
    const [verdict] = verdictsOf(assessment, preset, trigger);

    expect(verdict).toMatchObject({ verdict: "cannot-tell", unknownFact: fact });
    expect(verdict?.because).toBe(`“${labelOfFact(fact)}” is not known (an arrival time is missing or unreadable)`);
    expect(assessment.hold.held).toBe(true);
    expect(assessment.hold.reasons.join()).toContain(`“${labelOfFact(fact)}” is not known`);
  });

  test("decides nothing where another part is false or true already", () => {
    const needs = { assistance: unknown("not-stated") };
    const route = "JFK-LIS";
    const same = [aJourney({ route })];
    const elsewhere = [aJourney({ route, facts: { connectingAirportsChanged: true } })];
    const moved = [
      aJourney({ route, facts: { originChanged: true, destinationChanged: { unknown: "unknown-airport" } } }),
    ];

    expect(ruling({ journeys: same, ...needs }, "us-dot-260", "connecting-airport-changed")).toBe("not-entitled");
    expect(ruling({ journeys: elsewhere, ...needs }, "us-dot-260", "connecting-airport-changed")).toBe(
      "cannot-tell: assistanceRequested",
    );
    expect(ruling({ journeys: moved }, "us-dot-260", "airport-changed")).toBe("entitled");
  });

  test("does not matter on a journey to which the law does not apply", () => {
    const journeys = [aJourney({ route: "DEL-DXB", facts: { cancelled: { unknown: "removed-or-unknown" } } })];

    expect(assessed({ journeys })).toMatchObject({ verdicts: [], hold: { held: false } });
  });
});

describe("when the traveller was informed", () => {
  const gone = { cancelled: true, removedFlightCount: 1 };
  const journeys = [aJourney({ departure: "2027-03-20 12:00", facts: gone })];
  const compensation = (options: { readonly now?: string; readonly travellerInformedAt?: Date }) =>
    ruling({ journeys, ...options }, "eu-261", "cancelled-compensation");

  test("the traveller is not informed yet and there is time: no compensation yet", () => {
    expect(compensation({ now: "2027-03-06T12:00:00Z" })).toBe("not-entitled");
  });

  test("it is unknown whether the traveller was informed and the time has passed: unknown", () => {
    expect(compensation({ now: "2027-03-06T12:00:01Z" })).toBe("cannot-tell: noticeDays");
  });

  test("informing exactly two weeks before is in time, a second later is not", () => {
    expect(compensation({ travellerInformedAt: new Date("2027-03-06T12:00:00Z") })).toBe("not-entitled");
    expect(compensation({ travellerInformedAt: new Date("2027-03-06T12:00:01Z") })).toBe("entitled");
  });

  test("two weeks are the same local time two weeks before, though the clocks changed in between", () => {
    const afterSwitch = [aJourney({ departure: "2027-04-05 12:00", facts: gone })];
    const informed = (at: string) =>
      ruling({ journeys: afterSwitch, travellerInformedAt: new Date(at) }, "eu-261", "cancelled-compensation");

    // Lisbon is at UTC+1 from 28 March: noon on 5 April is 11:00Z, noon on 22 March is 12:00Z.
    expect(informed("2027-03-22T12:00:00Z")).toBe("not-entitled");
    expect(informed("2027-03-22T12:00:01Z")).toBe("entitled");
  });

  test("a departure that is not known leaves it open", () => {
    const undated = [{ ...journeys[0]!, departure: { airport: "LIS", date: null, time: null } }];

    expect(ruling({ journeys: undated }, "eu-261", "cancelled-compensation")).toBe("cannot-tell: noticeDays");
  });
});
