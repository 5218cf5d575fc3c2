import { describe, expect, test } from "vitest";
import type { ClockName } from "../../../../src/policy/legal/clock-catalogue.ts";
import { clocksFor } from "../../../../src/policy/legal/clocks.ts";
import { defaultLegalContext, type LegalContext } from "../../../../src/policy/legal/legal-input.ts";
import { usFederalHolidays } from "../../../../src/policy/legal/us-federal-holidays.ts";
import { localDateOf, startOfDay } from "../../../../src/policy/legal/zone-days.ts";
import { aJourney } from "./legal-cases.ts";

function due(
  name: ClockName,
  context: Partial<LegalContext>,
  departure?: string,
  route?: string,
): string | null | undefined {
  const journey = aJourney({
    ...(departure === undefined ? {} : { departure }),
    ...(route === undefined ? {} : { route }),
  });
  return clocksFor([name], journey, { ...defaultLegalContext, ...context })[0]?.dueAt;
}

const from = (at: string, timeZone = "UTC"): Partial<LegalContext> => ({ refundDueFrom: new Date(at), timeZone });

describe("refund days", () => {
  test("seven business days skip two weekends", () => {
    expect(due("us-refund-card", from("2027-03-05T10:00:00Z"))).toBe("2027-03-17T00:00:00.000Z");
  });

  test("seven business days skip Thanksgiving", () => {
    expect(due("us-refund-card", from("2026-11-20T10:00:00Z"))).toBe("2026-12-03T00:00:00.000Z");
  });

  test("seven business days skip Christmas Day as it is observed, and New Year's Day", () => {
    // Christmas 2027 is a Saturday, kept on Friday 24; so is New Year's Day 2028, kept on Friday 31 December.
    expect(due("us-refund-card", from("2027-12-21T10:00:00Z"))).toBe("2028-01-04T00:00:00.000Z");
  });

  test("twenty calendar days count weekends and holidays", () => {
    expect(due("us-refund-other", from("2026-12-20T10:00:00Z"))).toBe("2027-01-10T00:00:00.000Z");
  });

  test("seven days of the EU end with the seventh", () => {
    expect(due("eu-refund", from("2027-03-01T23:59:00Z"))).toBe("2027-03-09T00:00:00.000Z");
  });

  test("fourteen working days of India know no holidays of the United States", () => {
    expect(due("in-agent-refund", from("2026-11-20T10:00:00Z"))).toBe("2026-12-11T00:00:00.000Z");
  });

  test("days are those of the agency, through a change of its clocks", () => {
    // 22:30 in New York on 10 March; daylight saving begins on 14 March.
    expect(due("eu-refund", from("2027-03-11T03:30:00Z", "America/New_York"))).toBe("2027-03-18T04:00:00.000Z");
    expect(due("eu-refund", from("2027-03-11T03:30:00Z", "UTC"))).toBe("2027-03-19T00:00:00.000Z");
  });

  test("a zone that does not exist counts as UTC", () => {
    expect(due("eu-refund", from("2027-03-11T03:30:00Z", "Mars/Olympus"))).toBe("2027-03-19T00:00:00.000Z");
  });

  test("nothing is due before the refund is", () => {
    expect(due("us-refund-card", {})).toBeNull();
  });
});

describe("which clocks run", () => {
  const names: readonly ClockName[] = [
    "us-refund-card",
    "us-refund-other",
    "us-agency-refund-card",
    "us-agency-refund-other",
    "traveller-told-14-days",
    "ca-rerouting-own-9-hours",
  ];
  const running = (context: Partial<LegalContext>) =>
    clocksFor(names, aJourney(), { ...defaultLegalContext, ...context }).map(({ name }) => name);

  test("all of them while nothing is known", () => {
    expect(running({})).toEqual(names);
  });

  test("those of the way of paying and of whoever charged the traveller", () => {
    expect(running({ payment: "card", merchantOfRecord: "agency" })).toEqual([
      "us-agency-refund-card",
      "traveller-told-14-days",
      "ca-rerouting-own-9-hours",
    ]);
    expect(running({ payment: "other", merchantOfRecord: "carrier" })).toContain("us-refund-other");
  });

  test("no mark for informing the traveller once they are informed", () => {
    expect(running({ travellerInformedAt: new Date("2027-01-01T00:00:00Z") })).not.toContain("traveller-told-14-days");
  });
});

describe("marks around the booked departure", () => {
  test("days are the same local time so many dates before", () => {
    expect(due("traveller-told-14-days", {}, "2027-04-05 12:00")).toBe("2027-03-22T12:00:00.000Z");
    expect(due("traveller-told-7-days", {}, "2027-04-05 12:00")).toBe("2027-03-29T11:00:00.000Z");
  });

  test("hours are hours, through a change of the clocks", () => {
    expect(due("br-traveller-told-72-hours", {}, "2027-03-30 12:00")).toBe("2027-03-27T11:00:00.000Z");
    expect(due("ca-rerouting-own-9-hours", {}, "2027-03-28 00:30")).toBe("2027-03-28T09:30:00.000Z");
    expect(due("ca-rerouting-any-48-hours", {}, "2027-03-28 00:30")).toBe("2027-03-30T00:30:00.000Z");
  });

  test("a mark in an hour that occurs twice is the first of both, in one that is skipped the earlier reading", () => {
    expect(due("traveller-told-14-days", {}, "2027-11-14 01:30", "LHR-JFK")).toBe("2027-10-31T00:30:00.000Z");
    expect(due("traveller-told-14-days", {}, "2027-04-11 01:30", "LHR-JFK")).toBe("2027-03-28T00:30:00.000Z");
  });

  test("beyond the date line it is the date at the airport of departure that counts", () => {
    expect(due("traveller-told-7-days", {}, "2027-06-08 10:00", "AKL-HNL")).toBe("2027-05-31T22:00:00.000Z");
    expect(due("traveller-told-7-days", {}, "2027-06-08 10:00", "HNL-AKL")).toBe("2027-06-01T20:00:00.000Z");
  });

  test("a departure that is not known has no mark", () => {
    expect(due("traveller-told-14-days", {}, "2027-06-08 10:00", "QQQ-LIS")).toBeNull();
  });
});

describe("federal holidays of the United States", () => {
  test("are those of the published lists", () => {
    expect([...usFederalHolidays(2026)].sort()).toEqual([
      "2026-01-01",
      "2026-01-19",
      "2026-02-16",
      "2026-05-25",
      "2026-06-19",
      "2026-07-03",
      "2026-09-07",
      "2026-10-12",
      "2026-11-11",
      "2026-11-26",
      "2026-12-25",
    ]);
  });

  test("are kept on Monday when they fall on a Sunday, and on Friday when on a Saturday, also of the year before", () => {
    expect(usFederalHolidays(2027).has("2027-07-05")).toBe(true);
    expect(usFederalHolidays(2027).has("2027-12-24")).toBe(true);
    expect(usFederalHolidays(2027).has("2027-12-31")).toBe(true);
    expect(usFederalHolidays(2028).has("2028-01-01")).toBe(false);
  });

  test("have Juneteenth since 2021", () => {
    expect(usFederalHolidays(2020).has("2020-06-19")).toBe(false);
    expect(usFederalHolidays(2021).has("2021-06-18")).toBe(true);
  });
});

describe("a day of the agency", () => {
  test.each([
    ["2027-03-14", "America/New_York", "2027-03-14T05:00:00.000Z"],
    ["2027-11-08", "America/New_York", "2027-11-08T05:00:00.000Z"],
    ["2027-06-01", "Pacific/Kiritimati", "2027-05-31T10:00:00.000Z"],
    ["2027-06-01", "Pacific/Pago_Pago", "2027-06-01T11:00:00.000Z"],
    ["2027-06-01", "Asia/Kathmandu", "2027-05-31T18:15:00.000Z"],
  ])("%s in %s begins at %s", (date, zone, instant) => {
    const start = startOfDay(date, zone);

    expect(new Date(start).toISOString()).toBe(instant);
    expect(localDateOf(new Date(start), zone)).toBe(date);
    expect(localDateOf(new Date(start - 1), zone) < date).toBe(true);
  });
});
