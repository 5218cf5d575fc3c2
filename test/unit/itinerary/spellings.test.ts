import { describe, expect, test } from "vitest";
import { isSameName, readNameDigests } from "../../../src/contract/name-digests.ts";
import { aircraftOf } from "../../../src/itinerary/aircraft.ts";
import { flightNames } from "../../../src/itinerary/flight-names.ts";
import { comparisonOf } from "../../../src/itinerary/same-value.ts";
import { durationMinutes } from "../../../src/travel/duration.ts";
import { itineraryOf } from "../../builders/fact-values.ts";

describe("values of a flight that are spelled otherwise", () => {
  const same = (member: string, a: string, b: string) => comparisonOf(member)(a, b);

  test.each([
    ["aircraftCode", "Airbus A320", "320"],
    ["aircraftCode", "Boeing 737-800", "738"],
    ["aircraftCode", "A320-200", "320"],
    ["aircraftCode", "Airbus A320neo", "32N"],
    ["aircraftCode", "Boeing 737 MAX 8", "7M8"],
    ["aircraftCode", "Boeing 777-300ER", "77W"],
    ["aircraftCode", "ATR 72-600", "AT7"],
    ["aircraftCode", "E175", "E75"],
    ["aircraftCode", "E120", "EM2"],
    ["cabinType", "Turista", "Y"],
    ["cabinType", "Economy (Y)", "Economy Klasse"],
    ["cabinType", "Premium Economy", "W"],
    ["departure.terminal", "T1", "1"],
    ["arrival.terminal", "Terminal 1", "01"],
  ])("are the same %s: %s and %s", (member, a, b) => {
    expect([same(member, a, b), same(member, b, a)]).toEqual([true, true]);
  });

  test.each([
    ["aircraftCode", "Airbus A320neo", "320"],
    ["aircraftCode", "Boeing 737-800", "739"],
    ["cabinType", "Economy (C)", "Y"],
    ["cabinType", "Premium", "Y"],
    ["departure.terminal", "T1", "2"],
    ["departure.terminal", "2E", "2"],
  ])("are not the same %s: %s and %s", (member, a, b) => {
    expect([same(member, a, b), same(member, b, a)]).toEqual([false, false]);
  });

  test.each(["Reisebus", "Zug", "Deutsche Bahn", "Tren", "Treno", "Autocar", "Railjet", "Eurostar", "THS", "RET"])(
    "%s is no aircraft",
    (stated) => {
      expect(aircraftOf(stated)?.class).toBe("surface");
    },
  );

  test.each(["3 Std. 10 Min.", "3 heures 10", "PT11400S", "3 h 10 min (non-stop)", "3 hours and 10 minutes"])(
    "%s is 190 minutes",
    (stated) => {
      expect(durationMinutes(stated)).toBe(190);
    },
  );
});

test.each([
  "SRA",
  "SRTA",
  "DRA",
  "SIGRA",
  "MISTER",
  "REV",
  "CAPT",
  "LADY",
  "ENG",
  "SENHORA",
  "DONA",
  "HR",
  "FR",
  "MX",
  "M",
])("the title %s behind a name is no part of it", (title) => {
  const [titled, plain] = [`ANA ${title}`, "ANA"].map(
    (FirstName) => readNameDigests({ FirstName, LastName: "SILVA" })!,
  );

  expect(isSameName(titled!, plain!)).toBe(true);
});

test("a single letter as a middle name is no title", () => {
  const [one, other] = ["M", "EVA"].map(
    (MiddleName) => readNameDigests({ FirstName: "ANA", MiddleName, LastName: "SILVA" })!,
  );

  expect(isSameName(one!, other!)).toBe(false);
});

test("flights of one name differ by their dates", () => {
  const [first] = itineraryOf("LIS 07:10 FRA 11:20").segments;
  const second = { ...first!, departure: { ...first!.departure, date: "2027-06-20" } };

  expect(flightNames([second], [first!, second])).toBe("LH1167 LIS-FRA on 20 Jun 2027");
  expect(flightNames([second], [second])).toBe("LH1167 LIS-FRA");
});
