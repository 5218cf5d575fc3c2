import { describe, expect, test } from "vitest";
import type { TravellerAnswer } from "../../../../src/policy/legal/legal-input.ts";
import { aJourney, assessed, type LegalOptions } from "./legal-cases.ts";

const earlier = [aJourney({ facts: { journeyDepartureEarlierMinutes: 61 } })];
const answered = (choice: TravellerAnswer["choice"]) => ({ choice, at: new Date("2027-01-01T00:00:00Z") });

function hold(options: LegalOptions) {
  return assessed(options).hold;
}

describe("a change is held", () => {
  test("while a right to a refund or another flight is open", () => {
    expect(hold({ presets: ["eu-261"], journeys: earlier })).toEqual({
      held: true,
      reasons: [
        "EU261: the traveller has a right to a refund or another flight on LIS-FRA: leaves 61 min earlier (limit: more than 1 h) (Art 5(1)(a), 8(1); C-146/20).",
      ],
    });
  });

  test("while such a right is unknown, and names the fact that would decide it", () => {
    const journeys = [aJourney({ route: "JFK-LIS", facts: { cabinDowngraded: { unknown: "unknown-cabin" } } })];

    expect(hold({ presets: ["us-dot-260"], journeys })).toEqual({
      held: true,
      reasons: [
        "US DOT: the traveller may have a right to a refund or another flight on JFK-LIS: “Cabin downgraded” is not known (a cabin is missing or not a known one) (14 CFR 260.2 (significantly delayed or changed flight) (5)).",
      ],
    });
  });

  test("for what is certain, without what one law leaves open beside it", () => {
    const facts = { cancelled: true, journeyDepartureLaterMinutes: { unknown: "withdrawn" } };

    expect(hold({ presets: ["ca-appr"], journeys: [aJourney({ route: "YVR-HNL", facts })] }).reasons).toEqual([
      "Canada APPR: the traveller has a right to a refund or another flight on YVR-HNL: the journey is cancelled (s. 12(3)(c), 17, 18).",
    ]);
  });

  test("when no booked flight is known, so that no law could be asked", () => {
    expect(hold({ journeys: [] })).toEqual({
      held: true,
      reasons: ["No booked flight is known, so no law could be looked at."],
    });
    expect(hold({ journeys: [], presets: [] }).held).toBe(false);
  });

  test("when the traveller wants a refund or another flight, whatever the customer agreed to", () => {
    for (const choice of ["refuse", "refund", "reroute"] as const) {
      expect(hold({ journeys: earlier, travellerAnswer: answered(choice), customerAgreement: true }).held).toBe(true);
    }
  });
});

describe("a change is not held", () => {
  test("when nothing gives a right", () => {
    expect(hold({ journeys: [aJourney()] })).toEqual({ held: false, reasons: [] });
  });

  test("for compensation alone", () => {
    const journeys = [aJourney({ facts: { journeyArrivalLaterMinutes: 200, journeyDepartureLaterMinutes: 100 } })];
    const assessment = assessed({ presets: ["eu-261"], journeys, now: "2027-03-10T00:00:00Z" });

    expect(assessment.verdicts.filter(({ verdict }) => verdict !== "not-entitled").map(({ right }) => right)).toEqual([
      "compensation",
    ]);
    expect(assessment.hold.held).toBe(false);
  });

  test("for a partial refund alone", () => {
    expect(hold({ presets: ["eu-261"], journeys: [aJourney({ facts: { cabinDowngraded: true } })] }).held).toBe(false);
  });

  test("once the traveller accepts", () => {
    const released = hold({ journeys: earlier, travellerAnswer: answered("accept") });

    expect(released.held).toBe(false);
    expect(released.reasons.at(-1)).toBe("Released: the traveller accepts the change.");
  });

  test("when the customer agreed beforehand", () => {
    const released = hold({ journeys: earlier, customerAgreement: true });

    expect(released.held).toBe(false);
    expect(released.reasons.at(-1)).toBe("Released: the customer agreed beforehand that such changes are accepted.");
  });

  test("by a preset that is switched off", () => {
    expect(hold({ presets: ["us-dot-260"], journeys: earlier })).toEqual({ held: false, reasons: [] });
  });
});
