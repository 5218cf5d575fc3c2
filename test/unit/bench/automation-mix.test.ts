import { beforeAll, describe, expect, test } from "vitest";
import { dialects } from "../../../bench/automation/dialects.ts";
import { drawCase, drawMix, type MixedCase } from "../../../bench/automation/draw-mix.ts";
import { readMix } from "../../../bench/automation/read-mix.ts";
import { type MixReport, runMix } from "../../../bench/automation/run-mix.ts";
import { describeWrongAccept } from "../../../bench/automation/text-report.ts";
import type { TruePoint } from "../../../bench/automation/truth.ts";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import { findAirport } from "../../../src/gateway/served-airports.ts";
import { kindOfChange } from "../../../src/policy/automation-report.ts";
import { firstInstantIn } from "../../../src/travel/zones.ts";
import type { Json } from "../../builders/order-view.ts";

const mix = readMix();
const seed = 12;
/** Of each kind at least one, with this seed. */
const count = 30;
const shipped = shippedPolicyNames.map((name) => ({ name, policy: readPolicyFile(name).policy }));

const cases: MixedCase[] = [];
beforeAll(async () => {
  for await (const each of drawMix(mix, seed, count)) cases.push(each);
});

describe("the mix of changes", () => {
  test("is the same to the byte for the same seed and position, and another one for another seed", async () => {
    const text = ({ bodies }: MixedCase) =>
      dialects.map((dialect) => Buffer.from(bodies(dialect).notification).toString());

    expect(text(await drawCase(mix, seed, 3))).toEqual(text(cases[3]!));
    expect(text(await drawCase(mix, seed + 1, 3))).not.toEqual(text(cases[3]!));
  });

  test("has each kind as often among a hundred as its share says", async () => {
    const kinds = new Map<string, number>();
    for (const { kind } of cases) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);

    expect([...kinds.keys()].sort()).toEqual(mix.changes.map(({ kind }) => kind).sort());
    for (const { kind, share } of mix.changes) expect(kinds.get(kind)).toBeLessThanOrEqual(share);
  });

  test("is rendered as it was drawn: what the judge knows stands in the bodies", () => {
    for (const { truth, bodies } of cases) {
      const { OrderViewRS: view } = JSON.parse(Buffer.from(bodies("document").status).toString());
      const lists = view.DataLists;
      const booked: Json[] = lists.FlightSegmentList.FlightSegment;
      const changed = new Map<unknown, Json[]>(
        lists.ScheduleChangeSegmentList.ScheduleChangeSegment.map((each: Json) => [
          each["SegmentKey"],
          each["SegmentDetails"],
        ]),
      );
      const named = view.Order[0].ScheduleChange.flatMap((each: Json) => String(each["SegmentRefs"] ?? "").split(" "));
      const proposed = booked.map((segment) => {
        const key = segment["SegmentKey"];
        return changed.get(key) ?? (named.includes(key) ? [] : [segment]);
      });

      expect(proposed.map((flights) => flights.map(shown))).toEqual(
        truth.proposed.map((flights) => flights.map(formatted)),
      );
      expect(booked.map(shown)).toEqual(truth.booked.map(formatted));
      expect(view.DataLists.PassengerList.Passengers).toHaveLength(truth.passengers.length);
    }
  });

  test("is of the kind that the facts state, where a dialect states everything", () => {
    for (const { truth, kind, index, bodies } of cases) {
      for (const dialect of ["document", "codes"] as const) {
        const { notification, status } = bodies(dialect);
        const judged = evaluateNotification(
          { body: notification, statusBody: status, source: "mix", now: new Date(truth.now) },
          [shipped[0]!.policy],
        );
        const facts = judged.ok ? judged.orders[0]!.assessment.facts : null;

        expect([index, dialect, kindOfChange(facts!)]).toEqual([index, dialect, kind]);
      }
    }
  });
});

describe("the shipped policies over the mix", () => {
  let report: MixReport;
  beforeAll(async () => {
    report = await runMix({ cases, policies: shipped });
  });

  test("accept nothing that breaks a limit, a protected passenger, a connection or a right", () => {
    expect(report.wrongAccepts.map(describeWrongAccept)).toEqual([]);
    expect(report.accepts).toBeGreaterThan(count);
  });

  test("decide about every change in every dialect, and observe-only accepts none", () => {
    for (const { report: counts } of report.policies) expect(counts.decided).toBe(count * dialects.length);
    expect(report.policies.find(({ policy }) => policy === "observe-only")?.report.accepted).toBe(0);
  });
});

describe("a policy that accepts too much", () => {
  test("is found out, with the seed, the position and the dialect of each accept that is wrong", async () => {
    const policy = readPolicyFile(
      new URL("../../corpus/policies/accept-anything.yaml", import.meta.url).pathname,
    ).policy;

    const { wrongAccepts, accepts } = await runMix({ cases, policies: [{ name: "balanced", policy }] });

    expect(wrongAccepts.length).toBeGreaterThan(0);
    expect(wrongAccepts.length).toBeLessThan(accepts);
    const broken = new Set(wrongAccepts.flatMap(({ breaches }) => breaches.map(({ breaks }) => breaks)));
    expect([...broken].sort()).toEqual(expect.arrayContaining(["a connection", "a limit"]));
    expect(describeWrongAccept(wrongAccepts[0]!)).toMatch(
      /^seed 12, change \d+ \(.+\), (document|sparse|codes): balanced accepts by .+ and breaks /,
    );
  });
});

/** A flight as a body shows it, and as the judge knows it, in the same words. */
function shown(segment: Json) {
  const { MarketingCarrier, Departure, Arrival, Equipment, FlightDetail } = segment as Record<string, Json>;
  return {
    flight: `${MarketingCarrier!["AirlineID"]}${MarketingCarrier!["FlightNumber"]}`,
    aircraft: Equipment!["AircraftCode"],
    stops: (FlightDetail!["Stops"] as Json)["Value"],
    from: shownPoint(Departure!),
    to: shownPoint(Arrival!),
  };
}

function shownPoint({ AirportCode, Date: date, Time: time, Terminal }: Json) {
  const zone = findAirport(String(AirportCode))!.timeZone;
  const at = firstInstantIn(zone, Date.parse(`${String(date)}T${String(time)}Z`));
  return { airport: AirportCode, terminal: (Terminal as Json)["Name"], at, date };
}

function formatted({ carrier, flightNumber, aircraft, stops, from, to }: MixedCase["truth"]["booked"][number]) {
  return { flight: `${carrier}${flightNumber}`, aircraft, stops, from: formattedPoint(from), to: formattedPoint(to) };
}

function formattedPoint({ airport, terminal, at, date }: TruePoint) {
  return { airport, terminal, at, date };
}
