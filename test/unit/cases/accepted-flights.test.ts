import { describe, expect, test } from "vitest";
import { showsOtherFlights } from "../../../src/cases/accepted-flights.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import type { Proposal } from "../../../src/itinerary/proposal.ts";
import { known } from "../../../src/kernel/fact.ts";
import { itineraryOf } from "../../builders/fact-values.ts";
import { aSegment, details } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

const out = aSegment("S1", "LH1", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20");
const back = aSegment("S2", "LH2", "FRA 2027-03-21 16:00", "LIS 2027-03-21 18:10");
const booked = flights(out, back);
const decided = flights(aSegment("S1", "LH1", "LIS 2027-03-14 07:30", "FRA 2027-03-14 11:40"), back);
const other = flights(aSegment("S1", "LH1", "LIS 2027-03-14 09:55", "FRA 2027-03-14 14:05"), back);
const before = "2027-03-01T00:00:00Z";

function flights(...segments: readonly object[]): Itinerary {
  return itineraryOf({ segments: segments as never, changes: {} });
}

/** A status with nothing left to answer. */
function accepted(current: Itinerary, proposed = current, status = "Accepted"): Proposal {
  const { proposal } = aProposedChange({
    segments: [out, back],
    changes: { S1: [details("LIS 2027-03-14 07:30", null)] },
  });
  const no = known("N" as const);
  return {
    ...proposal,
    current,
    proposed,
    withdrawnSegmentKeys: [],
    scheduleChangeStatus: known(status),
    flags: { accept: no, cancel: no, reSchedule: no },
    referencesAllowing: { accept: [], cancel: [], reSchedule: [] },
  } as Proposal;
}

function shows(proposal: Proposal, expected = decided, now = before): boolean {
  return showsOtherFlights(proposal, expected, new Date(now));
}

describe("a status after an accept", () => {
  test("shows other flights than those decided about", () => {
    expect(shows(accepted(other))).toBe(true);
    expect(shows(accepted(booked))).toBe(true);
  });

  test("shows those decided about", () => {
    expect(shows(accepted(decided))).toBe(false);
  });

  test("says nothing of it while a change is open, and when it lists no flight", () => {
    expect(shows(accepted(booked, other, "Initiated"))).toBe(false);
    expect(shows(accepted(flights()))).toBe(false);
  });

  test("may go on listing the change beside the flights from before", () => {
    expect(shows(accepted(booked, decided))).toBe(false);
    expect(shows(accepted(booked, other))).toBe(true);
  });

  test("does not list what was flown, and that alone is no other flight", () => {
    const onTheWay = accepted(flights(back));

    expect(shows(onTheWay, decided, "2027-03-14T10:40:00Z")).toBe(false);
    expect(shows(onTheWay, decided, "2027-03-14T10:39:00Z")).toBe(true);
  });

  test("fits times that the change decided about did not show", () => {
    const [first, ...rest] = decided.segments;
    const withoutArrival = {
      ...decided,
      segments: [{ ...first!, arrival: { ...first!.arrival, time: null } }, ...rest],
    };

    expect(shows(accepted(decided), withoutArrival)).toBe(false);
    expect(shows(accepted(other), withoutArrival)).toBe(true);
  });
});
