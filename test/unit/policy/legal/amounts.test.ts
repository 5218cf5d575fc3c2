import { describe, expect, test } from "vitest";
import type { LegalAmount } from "../../../../src/policy/legal/assessment.ts";
import { shippedCarriers } from "../../../../src/policy/legal/carriers.ts";
import { aJourney, assessed, type JourneyOptions, verdictsOf } from "./legal-cases.ts";

/** Told five days before departure, so that compensation is open wherever the limits are kept. */
function amount(
  preset: string,
  trigger: string,
  journey: JourneyOptions,
  carriers = shippedCarriers,
): LegalAmount | null | undefined {
  const assessment = assessed({
    carriers,
    presets: [preset],
    journeys: [aJourney({ departure: "2027-03-14 12:00", ...journey })],
    travellerInformedAt: new Date("2027-03-09T12:00:00Z"),
  });
  return verdictsOf(assessment, preset, trigger)[0]?.amount;
}

const cancelled = { cancelled: true, removedFlightCount: 1, journeyArrivalLaterMinutes: { unknown: "withdrawn" } };

describe("compensation by distance", () => {
  const eur = (route: string, km: number) =>
    amount("eu-261", "cancelled-compensation", { route, facts: { ...cancelled, journeyDistanceKm: km } })?.value;
  const gbp = (route: string, km: number) =>
    amount("uk-261", "cancelled-compensation", { route, facts: { ...cancelled, journeyDistanceKm: km } })?.value;

  test("the EU has bands of 1,500 and 3,500 km, and none above 1,500 km within itself", () => {
    expect([1500, 1501, 3500, 3501].map((km) => eur("LIS-CMN", km))).toEqual(["250", "400", "400", "600"]);
    expect([1500, 1501, 3501].map((km) => eur("LIS-HEL", km))).toEqual(["250", "400", "400"]);
  });

  test("the United Kingdom has the same bands without that exception", () => {
    expect([1500, 1501, 3500, 3501].map((km) => gbp("LHR-LIS", km))).toEqual(["220", "350", "350", "520"]);
  });

  test("the distance is that from origin to destination", () => {
    const on = (route: string) => amount("eu-261", "cancelled-compensation", { route, facts: cancelled });

    expect(on("DUS-AYT")).toEqual({ value: "400", currency: "EUR", mayBeReducedTo: null });
    expect(on("LIS-BOD")?.value).toBe("250");
    expect(on("CDG-TLV")?.value).toBe("400");
    expect(on("LIS-FRA-JFK")?.value).toBe("600");
  });

  test("a distance that is not known leaves the amount open", () => {
    const facts = { ...cancelled, journeyDistanceKm: { unknown: "unknown-airport" } };

    expect(amount("eu-261", "cancelled-compensation", { facts })).toBeNull();
  });

  test.each([
    ["LIS-BOD", 1500, 120, "125"],
    ["LIS-BOD", 1500, 121, null],
    ["LIS-HEL", 3400, 180, "200"],
    ["LIS-HEL", 3400, 181, null],
    ["LIS-JFK", 5400, 240, "300"],
    ["LIS-JFK", 5400, 241, null],
  ])("the EU may halve it on %s when the arrival is soon enough (%i km, %i min): %s", (route, km, minutes, reduced) => {
    // Another flight in place of the booked one, which leaves no more than an hour earlier.
    const facts = {
      flightNumberChanged: true,
      journeyDepartureEarlierMinutes: 60,
      journeyDistanceKm: km,
      journeyArrivalLaterMinutes: minutes,
    };

    expect(amount("eu-261", "cancelled-compensation", { route, facts })?.mayBeReducedTo).toBe(reduced);
    expect(amount("eu-261-2026", "cancelled-compensation", { route, facts })?.mayBeReducedTo).toBe(reduced);
  });

  test.each([
    ["LIS-BOD", 1500, 120, "250", "125"],
    ["LIS-HEL", 3400, 180, "400", "200"],
    ["LIS-JFK", 5400, 240, "600", "300"],
  ])(
    "the EU may not halve it for a flight brought forward by more than an hour (C-146/20): %s",
    (route, km, minutes, full, half) => {
      const on = (preset: string, earlier: number | { readonly unknown: string }) =>
        amount(preset, "cancelled-compensation", {
          route,
          facts: {
            cancelled: true,
            journeyDepartureEarlierMinutes: earlier,
            journeyDistanceKm: km,
            journeyArrivalLaterMinutes: minutes,
          },
        });

      for (const preset of ["eu-261", "eu-261-2026"]) {
        expect(on(preset, 60)).toEqual({ value: full, currency: "EUR", mayBeReducedTo: half });
        expect(on(preset, 61)).toEqual({ value: full, currency: "EUR", mayBeReducedTo: null });
        // Nobody is told of half of it while it is not known.
        expect(on(preset, { unknown: "unknown-departure" })?.mayBeReducedTo).toBeNull();
      }
    },
  );

  test.each([
    ["LHR-CDG", 1500, 120, "220", "110"],
    ["LHR-CDG", 1500, 121, "220", null],
    ["LHR-ATH", 1501, 180, "350", "175"],
    ["LHR-ATH", 3500, 180, "350", "175"],
    ["LHR-ATH", 3500, 181, "350", null],
    ["LHR-JFK", 3501, 240, "520", "260"],
    ["LHR-JFK", 3501, 241, "520", null],
  ])(
    "the United Kingdom may halve it on %s of %i km up to two, three or four hours later (%i min)",
    (route, km, minutes, full, half) => {
      const facts = { flightNumberChanged: true, journeyDistanceKm: km, journeyArrivalLaterMinutes: minutes };

      expect(amount("uk-261", "cancelled-compensation", { route, facts })).toEqual({
        value: full,
        currency: "GBP",
        mayBeReducedTo: half,
      });
    },
  );

  test("the United Kingdom may halve it for a delay of exactly three hours up to 3,500 km, and of four beyond", () => {
    const on = (route: string, minutes: number) =>
      amount("uk-261", "delay-compensation", { route, facts: { journeyArrivalLaterMinutes: minutes } })?.mayBeReducedTo;

    expect([on("LHR-CDG", 180), on("LHR-ATH", 180), on("LHR-ATH", 181)]).toEqual([null, "175", null]);
    expect([on("LHR-JFK", 180), on("LHR-JFK", 240), on("LHR-JFK", 241)]).toEqual(["260", "260", null]);
  });

  test("Türkiye has one amount for domestic journeys", () => {
    const on = (route: string) => amount("tr-shy-yolcu", "compensation", { route, facts: cancelled })?.value;

    expect([on("IST-AYT"), on("IST-TLV"), on("IST-JFK")]).toEqual(["100", "250", "600"]);
  });

  test("Türkiye has the bands of the EU for the others, after a cancellation and after a delay of three hours", () => {
    const kms = [1500, 1501, 3500, 3501];
    const at = (trigger: string, facts: JourneyOptions["facts"]) =>
      kms.map(
        (km) =>
          amount("tr-shy-yolcu", trigger, { route: "IST-DXB", facts: { ...facts, journeyDistanceKm: km } })?.value,
      );

    expect(at("compensation", cancelled)).toEqual(["250", "400", "400", "600"]);
    expect(at("delay-compensation", { journeyArrivalLaterMinutes: 180 })).toEqual(["250", "400", "400", "600"]);
    expect(
      amount("tr-shy-yolcu", "delay-compensation", { route: "IST-AYT", facts: { journeyArrivalLaterMinutes: 180 } }),
    ).toEqual({ value: "100", currency: "EUR", mayBeReducedTo: null });
  });
});

describe("compensation in Canada", () => {
  const cad = (carriers: JourneyOptions["carriers"], minutes: number) =>
    amount("ca-appr", "compensation", {
      route: "YYZ-FRA-LIS",
      carriers: carriers ?? "AC",
      facts: { journeyArrivalLaterMinutes: minutes },
    })?.value;

  test.each([
    [180, "400"],
    [359, "400"],
    [360, "700"],
    [539, "700"],
    [540, "1000"],
  ])("a large carrier that is %i minutes late owes %s dollars", (minutes, expected) => {
    expect(cad("AC", minutes)).toBe(expected);
  });

  test("is open for a carrier of which the size is not known, or carriers of which it differs", () => {
    expect(cad("ZZ", 180)).toBeUndefined();
    expect(cad(["AC", "ZZ"], 180)).toBeUndefined();
  });

  test.each([
    ["Jazz, which the regulator counts as Air Canada", "QK", "QK", "400"],
    ["Jazz, sold by Air Canada", "QK", "AC", "400"],
    ["PAL, sold by Air Canada", "PB", "AC", "400"],
    ["PAL, sold by itself", "PB", "PB", undefined],
    ["a carrier that no table has, sold by WestJet", "ZZ", "WS", "400"],
    ["a large carrier, sold by one that no table has", "AC", "ZZ", "400"],
    ["a carrier that is not stated, sold by nobody who is", null, null, undefined],
  ])("is what a large carrier owes when a large one sold or flies it: %s", (_, operating, seller, expected) => {
    const found = amount("ca-appr", "compensation", {
      route: "YYZ-YQT",
      carriers: [operating],
      soldBy: [seller],
      facts: { journeyArrivalLaterMinutes: 180 },
    });

    expect(found?.value).toBe(expected);
  });

  test("is what a small carrier owes only when no other carrier of unknown size sold the flight", () => {
    const carriers = { ...shippedCarriers, size: { ...shippedCarriers.size, F8: "small" as const } };
    const on = (soldBy: string) =>
      amount(
        "ca-appr",
        "compensation",
        { route: "YYZ-YQT", carriers: "F8", soldBy, facts: { journeyArrivalLaterMinutes: 180 } },
        carriers,
      )?.value;

    expect([on("F8"), on("ZZ"), on("AC")]).toEqual(["125", undefined, "400"]);
  });
});

test("a right to a refund has no amount", () => {
  expect(amount("eu-261", "cancelled", { facts: cancelled })).toBeNull();
});
