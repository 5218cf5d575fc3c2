import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChangeHistory } from "../../../src/itinerary/change-history.ts";
import { computeTopic } from "../../../src/itinerary/fact-definition.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { sequenceFacts, sequenceParts } from "../../../src/itinerary/sequence-facts.ts";
import { aSegment, details, type OrderViewOptions } from "../../builders/order-view.ts";
import { aProposedChange, plain } from "../../builders/proposed-change.ts";

const now = new Date("2027-03-31T00:00:00Z");

/** LIS–FRA leaving at a time of 14 June and arriving at another. */
function flying(departure: string, arrival = "11:20"): Itinerary {
  return aProposedChange({
    segments: [aSegment("S1", "LH1167", `LIS 2027-06-14 ${departure}`, `FRA 2027-06-14 ${arrival}`)],
    changes: {},
  }).proposal.current;
}

const booked = flying("07:10");
const nothingBefore: ChangeHistory = {
  proposals: [],
  acceptedBefore: false,
  awaiting: null,
  notified: null,
};

interface Circumstances {
  /** Where the flight is proposed to leave. */
  readonly to?: string;
  /** Where it leaves as the view lists it. */
  readonly listed?: string;
  readonly history?: Partial<ChangeHistory> | null;
  readonly accepted?: Itinerary;
  readonly travellerInformedAt?: string | null;
}

function facts(circumstances: Circumstances): Record<string, unknown> {
  const { to = "07:30", listed = "07:10", history = {}, accepted = booked, travellerInformedAt = null } = circumstances;
  const options: OrderViewOptions = {
    segments: [aSegment("S1", "LH1167", `LIS 2027-06-14 ${listed}`, "FRA 2027-06-14 11:20")],
    changes: { S1: [details(`LIS 2027-06-14 ${to}`, "FRA 2027-06-14 11:20")] },
  };
  const { proposal, pairs } = aProposedChange(options, booked);
  return plain(
    computeTopic(
      sequenceFacts,
      sequenceParts({
        booked,
        accepted,
        proposal,
        pairs,
        travellerInformedAt: travellerInformedAt === null ? null : new Date(travellerInformedAt),
        history: history === null ? null : { ...nothingBefore, ...history },
        now,
      }),
    ),
  );
}

/** Earlier proposals, each a departure and the day in March on which it was decided about. */
function earlier(...steps: readonly (readonly [string, number])[]): ChangeHistory["proposals"] {
  return steps.map(([departure, day]) => ({
    proposed: flying(departure),
    decidedAt: new Date(Date.UTC(2027, 2, day)).toISOString(),
  }));
}

describe("without a history", () => {
  test("nothing is known but the notice given", () => {
    expect(facts({ history: null, travellerInformedAt: "2027-06-01T00:00:00Z" })).toEqual({
      changeSequence: "?no-history",
      supersedes: "?no-history",
      flappingCount: "?no-history",
      alreadyAcceptedEarlier: "?no-history",
      changedAfterNotice: "?no-history",
      noticeDays: 13,
    });
  });
});

describe("changeSequence", () => {
  test.each<[string, Circumstances, number]>([
    ["no change at all", { to: "07:10" }, 0],
    ["the first change", {}, 1],
    ["the first change, decided about before", { history: { proposals: earlier(["07:30", 1]) } }, 1],
    ["the same flights under other flags", { history: { proposals: earlier(["07:30", 1], ["07:30", 2]) } }, 1],
    ["the second change", { history: { proposals: earlier(["07:20", 1]) } }, 2],
    ["back and forth", { history: { proposals: earlier(["07:30", 1], ["07:10", 2]) } }, 3],
  ])("counts %s", (_, circumstances, changeSequence) => {
    expect(facts(circumstances)).toMatchObject({ changeSequence });
  });
});

describe("supersedes", () => {
  test.each<[string, Itinerary | null, boolean]>([
    ["nothing", null, false],
    ["the same flights", flying("07:30"), false],
    ["other flights", flying("07:31"), true],
  ])("%s that are still to be decided about", (_, awaiting, supersedes) => {
    expect(facts({ history: { awaiting } })).toMatchObject({ supersedes });
  });
});

describe("flappingCount", () => {
  test.each<[string, ChangeHistory["proposals"], number]>([
    ["one change", [], 0],
    ["further the same way", earlier(["07:20", 20]), 0],
    ["the other way", earlier(["07:40", 20]), 1],
    ["the other way twice", earlier(["07:40", 10], ["07:20", 20]), 2],
    ["back to what was booked, and away again", earlier(["07:30", 10], ["07:10", 20]), 2],
    ["a reversal 30 days ago", earlier(["07:40", 0], ["07:20", 1]), 2],
    ["a reversal 31 days ago", earlier(["07:40", -1], ["07:20", 0]), 1],
  ])("counts changes back: %s", (_, proposals, flappingCount) => {
    expect(facts({ history: { proposals } })).toMatchObject({ flappingCount });
  });

  test("sees the return to earlier flights when their number changes, and compares no other ones", () => {
    const two = aProposedChange({
      segments: [
        aSegment("S1", "LH1", "LIS 2027-06-14 07:10", "MUC 2027-06-14 10:20"),
        aSegment("S2", "LH2", "MUC 2027-06-14 12:10", "FRA 2027-06-14 13:20"),
      ],
      journeys: [["S1", "S2"]],
      changes: {},
    }).proposal.current;
    const proposals = [{ proposed: two, decidedAt: "2027-03-20T00:00:00Z" }];

    expect(facts({ to: "07:10", history: { proposals } })).toMatchObject({ flappingCount: 1 });
    expect(facts({ to: "07:20", history: { proposals } })).toMatchObject({ flappingCount: 0 });
  });

  test("sees an arrival that moves back as well", () => {
    const proposals = [{ proposed: flying("07:10", "11:40"), decidedAt: "2027-03-20T00:00:00Z" }];

    expect(facts({ to: "07:30", history: { proposals } })).toMatchObject({ flappingCount: 1 });
  });
});

describe("what was done before", () => {
  test.each([true, false])("an accept on file: %s", (acceptedBefore) => {
    expect(facts({ history: { acceptedBefore } })).toMatchObject({ alreadyAcceptedEarlier: acceptedBefore });
  });

  test.each<[string, Circumstances, unknown]>([
    ["as booked", {}, false],
    ["as accepted", { listed: "07:20", accepted: flying("07:20") }, false],
    ["as proposed before", { listed: "07:25", history: { proposals: earlier(["07:25", 1]) } }, false],
    ["as the notice proposes", { listed: "07:30" }, false],
    ["as nobody has proposed", { listed: "07:29" }, true],
  ])(
    "flights listed %s are compared with all that were proposed",
    (_, { history, ...circumstances }, changedAfterNotice) => {
      const notified = { current: booked, proposed: flying("07:30") };

      expect(facts({ ...circumstances, history: { notified, ...history } })).toMatchObject({ changedAfterNotice });
      expect(facts({ ...circumstances, history: history ?? {} })).toMatchObject({
        changedAfterNotice: "?no-notification",
      });
    },
  );
});

describe("noticeDays", () => {
  test.each([
    // The booked flight leaves Lisbon at 06:10Z on 14 June.
    ["2027-05-31T06:10:00Z", 14],
    ["2027-05-31T06:10:01Z", 13],
    ["2027-06-07T06:10:00Z", 7],
    ["2027-06-07T06:10:01Z", 6],
    ["2027-06-14T06:10:00Z", 0],
    ["2027-06-14T06:10:01Z", -1],
  ])("from %s are %i", (travellerInformedAt, noticeDays) => {
    expect(facts({ travellerInformedAt })).toMatchObject({ noticeDays });
  });

  test("are unknown until the traveller is informed", () => {
    expect(facts({})).toMatchObject({ noticeDays: "?traveller-not-informed" });
  });

  test("run to the first journey that changes", () => {
    const {
      proposal,
      pairs,
      booked: first,
    } = aProposedChange({
      changes: { Segment2: [details("FRA 2027-03-21 17:40", "LIS 2027-03-21 19:55")] },
    });
    const input = { booked: first, accepted: first, proposal, history: null, now };

    // Frankfurt is on UTC+1 until 28 March: the changed return leaves at 16:30Z on the 21st.
    expect(
      plain(
        computeTopic(
          sequenceFacts,
          sequenceParts({ ...input, pairs, travellerInformedAt: new Date("2027-03-11T16:30:00Z") }),
        ),
      )["noticeDays"],
    ).toBe(10);
  });
});

describe("for any history", () => {
  const time = fc.constantFrom("07:10", "07:20", "07:30", "08:00", null);
  const step = fc.record({ time, day: fc.integer({ min: -40, max: 30 }) });

  test("there are no more changes than proposals, and every reversal but a first one is a change", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const proposals = steps.map(({ time: departure, day }) => ({
          proposed: unknownAt(flying("07:10"), departure),
          decidedAt: new Date(Date.UTC(2027, 2, day)).toISOString(),
        }));
        const { changeSequence, flappingCount } = facts({ history: { proposals } });
        expect(changeSequence).toBeLessThanOrEqual(proposals.length + 1);
        expect(flappingCount).toBeLessThanOrEqual(Math.max(0, (changeSequence as number) - 1));
      }),
    );
  });

  function unknownAt(itinerary: Itinerary, departure: string | null): Itinerary {
    const segments = itinerary.segments.map((segment) => ({
      ...segment,
      departure: { ...segment.departure, time: departure },
    }));
    return { ...itinerary, segments };
  }
});
