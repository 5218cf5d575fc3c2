import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { airportOf } from "../../../src/travel/airports.ts";
import type { TimeZones } from "../../../src/travel/zone-table.ts";
import { shippedTimeZones, withTimeZones } from "../../../src/travel/zones.ts";
import { aMinorDelay, aSegment, bytesOf, details, type Json } from "../../builders/order-view.ts";

const { policy } = readPolicyFile("balanced");
const now = new Date("2026-12-01T00:00:00Z");

/** The shipped table, but at an airport the clocks are so many minutes ahead of the true time. */
function offAt(airport: string, minutes: number): TimeZones {
  const { zone } = airportOf(airport)!;
  return {
    ...shippedTimeZones,
    offsetMs: (asked, instant) => shippedTimeZones.offsetMs(asked, instant) + (asked === zone ? minutes * 60_000 : 0),
  };
}

function stated(duration: string): Json {
  return { FlightDetail: { FlightDuration: { Value: duration }, Stops: { Value: 0 } } };
}

function evaluate(body: unknown, timeZones: TimeZones = shippedTimeZones) {
  const evaluation = withTimeZones(timeZones, () =>
    evaluateNotification({ body: bytesOf(body), source: "default", now, statusBody: null }, [policy]),
  );
  if (!evaluation.ok) throw new Error(evaluation.message);
  const [{ assessment, verdicts }] = evaluation.orders as [(typeof evaluation.orders)[0]];
  const { booked, proposal, facts } = assessment;
  const arrivals = proposal.proposed.segments.map(({ arrival }) => `${arrival.date} ${arrival.time}`);
  return { booked, facts, arrivals, suspicions: proposal.suspicions, verdict: verdicts[0]! };
}

/** A flight to an airport and one that connects there 90 minutes later; the first leaves 45 minutes later than booked. */
function aLaterFeeder({ from, to, leaves, arrives, duration, next }: (typeof feeders)[number]): unknown {
  const shifted = new Date(Date.parse(`${leaves.replace(" ", "T")}Z`) + 45 * 60_000).toISOString();
  return aMinorDelay({
    segments: [
      aSegment("Segment1", "AF1197", `${from} ${leaves}`, `${to} ${arrives}`, stated(duration)),
      aSegment("Segment2", "AF1280", `${to} ${next.leaves}`, `${next.to} ${next.arrives}`, stated(next.duration)),
    ],
    journeys: [["Segment1", "Segment2"]],
    changes: {
      Segment1: [details(`${from} ${shifted.slice(0, 10)} ${shifted.slice(11, 16)}`, null, stated(duration))],
    },
  });
}

const toLondon = { to: "LHR", leaves: "2027-01-20 15:40", arrives: "2027-01-20 16:00", duration: "1 H 20 M" };
const toKelowna = { to: "YLW", leaves: "2027-01-20 14:20", arrives: "2027-01-20 15:20", duration: "1 H 0 M" };
const onDay = (leaves: string, arrives: string) => ({
  leaves: `2027-01-20 ${leaves}`,
  arrives: `2027-01-20 ${arrives}`,
});
const feeders = [
  { from: "CMN", to: "CDG", ...onDay("10:00", "14:10"), duration: "3 H 10 M", next: toLondon },
  { from: "RAK", to: "CDG", ...onDay("09:55", "14:10"), duration: "03:15", next: toLondon },
  { from: "KIV", to: "CDG", ...onDay("11:50", "14:10"), duration: "3h20m", next: toLondon },
  { from: "YYZ", to: "YVR", ...onDay("10:00", "13:00"), duration: "5 H 0 M", next: toKelowna },
];

/** One flight and later ones, which take as long as is stated, and new values of the first one with the same duration. */
function aRetiming(
  takes: string,
  booked: readonly [string, string, string],
  becomes: readonly [string, string | null],
) {
  return (...further: readonly Json[]) =>
    aMinorDelay({
      segments: [aSegment("Segment1", ...booked, stated(takes)), ...further],
      changes: { Segment1: [details(...becomes, stated(takes))] },
    });
}

describe("a flight that takes as long as booked", () => {
  test.each(feeders)("arrives at $to as much later as it leaves $from", (feeder) => {
    const { arrivals } = evaluate(aLaterFeeder(feeder));

    const expected = new Date(Date.parse(`${feeder.arrives.replace(" ", "T")}Z`) + 45 * 60_000).toISOString();
    expect(arrivals[0]).toBe(`${expected.slice(0, 10)} ${expected.slice(11, 16)}`);
  });

  test.each([
    [
      "without any time zone",
      aRetiming("2 H 10 M", ["LH1", "QQQ 03-14 07:10", "QQW 03-14 11:20"], ["QQQ 03-14 07:30", null]),
      "2027-03-14 11:40",
    ],
    [
      "across the change of the clocks by real minutes",
      aRetiming("2 H 10 M", ["LH1", "LIS 03-27 22:10", "FRA 03-28 01:20"], ["LIS 03-27 23:10", null]),
      "2027-03-28 03:20",
    ],
  ])("does so %s", (_, body, arrival) => {
    expect(evaluate(body()).arrivals).toEqual([arrival]);
  });
});

describe("a table of time zones that is wrong", () => {
  const errors = [-60, -30, 30, 60];
  const cases = feeders.flatMap((feeder) =>
    [feeder.from, feeder.to].flatMap((airport) => errors.map((minutes) => ({ feeder, airport, minutes }))),
  );

  test.each(cases)("by $minutes minutes at $airport never leads to an accept", ({ feeder, airport, minutes }) => {
    const { verdict } = evaluate(aLaterFeeder(feeder), offAt(airport, minutes));

    expect(verdict.action).toBe("review");
  });

  const toVancouver = (takes: string) =>
    aRetiming(takes, ["LH492", "FRA 01-20 13:30", "YVR 01-20 15:55"], ["FRA 01-20 13:40", "YVR 01-20 16:05"]);

  test("is blamed with both readings when a further flight speaks for the other end", () => {
    const body = toVancouver("10 H 25 M")(
      aSegment("Segment2", "LH900", "FRA 02-20 13:30", "LHR 02-20 14:05", stated("1 H 35 M")),
    );
    const { verdict, facts, suspicions } = evaluate(body, offAt("YVR", -60));

    expect(suspicions).toEqual(["zone-contradicted:2026f YVR -8 -7"]);
    expect(verdict).toMatchObject({ action: "review", rule: "check:sanity" });
    expect(verdict.reasons[0]!.text).toContain(
      "the times at YVR are not known: YVR is at -8 by our time zone table 2026f, and the stated durations say -7",
    );
    expect(facts.arrivalShiftMinutes).toEqual({ known: false, reason: "zone-contradicted" });
    expect(facts.departureShiftMinutes).toEqual({ known: true, value: 10 });
  });

  test("may be wrong at either end of a single flight", () => {
    const body = toVancouver("10 H 25 M")();

    expect(evaluate(body).verdict).toMatchObject({ action: "accept", rule: "small-retiming" });
    expect(evaluate(body, offAt("YVR", -60)).verdict.reasons[0]!.text).toContain(
      "the times at FRA and YVR are not known: FRA is at +1 by our time zone table 2026f, and the stated durations say 0, or YVR is at -8, and they say -7",
    );
  });

  test.each([15, 29, 45, 61, 90, 120])("is not blamed for a difference of %i minutes, but the duration", (minutes) => {
    const total = 10 * 60 + 25 + minutes;
    const { verdict, suspicions } = evaluate(toVancouver(`${Math.floor(total / 60)} H ${total % 60} M`)());

    expect(suspicions).toEqual([]);
    expect(verdict).toMatchObject({ action: "review", rule: "duration-contradicted" });
  });

  test("is not blamed when flights at the airport disagree about it", () => {
    const body = toVancouver("11 H 25 M")(
      aSegment("Segment2", "LH493", "YVR 02-20 17:30", "FRA 02-21 12:00", stated("10 H 30 M")),
    );

    expect(evaluate(body).suspicions).toEqual([]);
  });

  test("leaves an arrival unknown that only a doubtful zone could give", () => {
    const body = aMinorDelay({
      segments: [aSegment("Segment1", "AF1197", "CMN 01-20 10:00", "CDG 01-20 14:10")],
      changes: { Segment1: [details("CMN 01-20 10:45", null, stated("3 H 0 M"))] },
    });

    expect(evaluate(body).arrivals).toEqual(["2027-01-20 14:45"]);
    expect(evaluate(body, offAt("CMN", 60)).arrivals).toEqual(["null null"]);
  });
});
