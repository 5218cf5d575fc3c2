import { describe, expect, test } from "vitest";
import { factValues } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";

const at = (departure: string, now: string) => factValues(`FRA 05-05 12:00 MUC 13:00 > FRA ${departure} -`, { now });

describe("nextDeparture", () => {
  test.each([
    ["2027-05-05 13:00", "2027-05-05T03:00:00Z", "LH1167 FRA-MUC leaves in 7 h"],
    ["2027-05-05 11:00", "2027-05-05T03:00:00Z", "LH1167 FRA-MUC leaves in 6 h"],
    ["2027-05-05 13:00", "2027-05-05T10:30:00Z", "the booked departure of LH1167 FRA-MUC on 5 May 2027 has passed"],
    ["2027-05-05 08:00", "2027-05-05T08:00:00Z", "the new departure of LH1167 FRA-MUC on 5 May 2027 has passed"],
  ])("a flight booked for 12:00 that leaves at %s is described at %s: %s", (departure, now, words) => {
    expect(at(departure, now)).toMatchObject({ nextDeparture: words });
  });

  test.each([
    ["2027-05-05T09:59:59Z", "LH1167 FRA-MUC leaves in 0 min"],
    ["2027-05-05T10:00:00Z", "LH1167 MUC-VIE leaves in 4 h"],
  ])("at %s, of two flights the first of which leaves at 10:00Z: %s", (now, words) => {
    const values = factValues(flights(["FRA 05-05 12:00 MUC 13:00", "MUC 16:00 VIE 17:00"]), { now });

    expect(values).toMatchObject({ nextDeparture: words });
  });
});

describe("a new departure in the past of a flight still to come", () => {
  test.each([
    ["2026-05-05 12:00", "2027-05-01T00:00:00Z", ["the new departure of LH1167 FRA-MUC on 5 May 2026 has passed"]],
    ["2027-05-04 08:00", "2027-05-05T07:00:00Z", ["the new departure of LH1167 FRA-MUC on 4 May 2027 has passed"]],
    ["2027-05-05 08:00", "2027-05-05T09:00:00Z", []],
    ["2027-05-04 08:00", "2027-05-05T11:00:00Z", []],
  ])("at %s, seen at %s, is a problem of the data: %j", (departure, now, problems) => {
    const values = at(departure, now);

    expect(values["dataProblems"]).toEqual(expect.arrayContaining(problems));
    expect(JSON.stringify(values["dataProblems"]).includes("has passed")).toBe(problems.length > 0);
    if (problems.length > 0) expect(values["dataSuspect"]).toBe(true);
  });
});
