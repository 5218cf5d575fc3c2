import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { datedSample } from "../../builders/sample-notification.ts";

const now = new Date("2027-01-01T00:00:00Z");

type Point = Record<string, unknown>;
interface Values {
  Departure?: Point;
  Arrival?: Point;
  MarketingCarrier?: Point;
  OperatingCarrier?: Point;
}
type Change = (values: Values) => void;

/** The sample of a small delay, which the policy accepts as it is. */
function decide(changeBooked: Change, changeNew: Change) {
  const body = datedSample("minor-delay");
  const { FlightSegmentList, ScheduleChangeSegmentList } = body.OrderViewRS.DataLists;
  const [{ SegmentKey: key, SegmentDetails: details }] = ScheduleChangeSegmentList.ScheduleChangeSegment as [
    { SegmentKey: string; SegmentDetails: Values[] },
  ];
  changeBooked(FlightSegmentList.FlightSegment.find(({ SegmentKey }) => SegmentKey === key) as unknown as Values);
  for (const values of details) changeNew(values);
  const judged = evaluateNotification(
    { body: Buffer.from(JSON.stringify(body)), statusBody: null, source: "default", now },
    [readPolicyFile("balanced").policy],
  );
  if (!judged.ok) throw new Error(judged.message);
  const { assessment, verdicts } = judged.orders[0]!;
  return { action: verdicts[0]!.action, reasons: verdicts[0]!.reasons.map(({ text }) => text).join("\n"), assessment };
}

const nothing: Change = () => {};
const members = ["Departure", "Arrival", "MarketingCarrier", "OperatingCarrier"] as const;

/** Writes a text instead of the code, into what is stated already or as the only value. */
function write(name: (typeof members)[number], text: string): Change {
  const key = name === "Departure" || name === "Arrival" ? "AirportCode" : "AirlineID";
  return (values) => void (values[name] = { ...values[name], [key]: text });
}

describe("a flight whose carrier or airport is no code", () => {
  test("would be accepted with its codes", () => {
    expect(decide(nothing, nothing).action).toBe("accept");
  });

  const texts = ["\u001b]52;c;eA==\u0007", "https://evil.example/a", "LHLH", "FRAX", "=1+1", "ＬＨ", "ﬁa"];
  const places = members.flatMap((name) => texts.map((text) => ({ name, text })));

  test.each(places)("is not accepted automatically: $name $text", ({ name, text }) => {
    const change = write(name, text);

    for (const [booked, proposed] of [
      [change, nothing],
      [nothing, change],
      [change, change],
    ] as const) {
      const { action, assessment } = decide(booked, proposed);
      expect(action).not.toBe("accept");
      const { current, proposed: after } = assessment.proposal;
      for (const { marketingCarrier, operatingCarrier, departure, arrival } of [
        ...current.segments,
        ...after.segments,
      ]) {
        for (const code of [marketingCarrier, operatingCarrier]) expect(code ?? "LH").toMatch(/^[A-Z\d]{2,3}$/);
        for (const { airport } of [departure, arrival]) expect(airport ?? "FRA").toMatch(/^[A-Z]{3}$/);
      }
    }
  });

  test("goes to a person with what is stated, and is unknown by its reason", () => {
    const { reasons, assessment } = decide(nothing, write("Arrival", "Frankfurt/Main"));

    expect(reasons).toContain("has an airport that is not known: “Frankfurt/Main”");
    expect(assessment.facts).toMatchObject({ airportChanged: { known: false, reason: "unknown-airport" } });
    expect(decide(nothing, write("Arrival", "A".repeat(61))).reasons).toContain("a text that is no name");
  });

  test("states no carrier by its reason", () => {
    const { assessment } = decide(nothing, write("MarketingCarrier", "LHLH"));

    expect(assessment.facts).toMatchObject({ marketingCarrierChanged: { known: false, reason: "unknown-carrier" } });
  });

  test("is none that is written in lower case or with blanks around it", () => {
    const lower: Change = (values) => {
      for (const name of members) {
        const point = values[name];
        for (const key of ["AirportCode", "AirlineID"]) {
          if (typeof point?.[key] === "string") point[key] = ` ${point[key].toLowerCase()} `;
        }
      }
    };

    expect(decide(lower, lower).action).toBe("accept");
  });
});
