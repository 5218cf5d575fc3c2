import { describe, expect, test } from "vitest";
import { renderLegalPage } from "../../../../scripts/render-laws.ts";
import { known, unknown } from "../../../../src/kernel/fact.ts";
import { carriersReading, shippedCarriers } from "../../../../src/policy/legal/carriers.ts";
import { countriesIn } from "../../../../src/policy/legal/territories.ts";
import { aJourney, assessed, type JourneyOptions, ruling } from "./legal-cases.ts";

/** A withdrawn journey: a right to a refund wherever the law applies. */
const gone = { cancelled: true, removedFlightCount: 1 };

type Carriers = string | readonly (string | null)[];

function ifCancelled(preset: string, route: string, carriers: Carriers = "LH", more: JourneyOptions = {}): string {
  const assessment = assessed({ presets: [preset], journeys: [aJourney({ route, carriers, facts: gone, ...more })] });
  const verdict = assessment.verdicts.find(({ trigger }) => trigger === "cancelled");
  if (verdict === undefined) return "does-not-apply";
  return verdict.unknownFact === null ? verdict.verdict : `${verdict.verdict}: ${verdict.unknownFact}`;
}

describe("where a law applies", () => {
  test.each([
    ["us-dot-260", "JFK-LAX", "AA", "entitled"],
    ["us-dot-260", "LIS-EWR", "TP", "entitled"],
    ["us-dot-260", "SJU-LIS", "TP", "entitled"],
    ["us-dot-260", "LHR-JFK-MEX", "ZZ", "entitled"],
    ["us-dot-260", "LIS-FRA", "UA", "does-not-apply"],
    ["eu-261", "LIS-JFK", "ZZ", "entitled"],
    ["eu-261", "FDF-MIA", "AA", "entitled"],
    ["eu-261", "ZRH-JFK", "ZZ", "entitled"],
    ["eu-261", "OSL-JFK", "ZZ", "entitled"],
    ["eu-261", "JFK-LIS", "TP", "entitled"],
    ["eu-261", "JFK-LIS", "DL", "does-not-apply"],
    ["eu-261", "JFK-LIS", "BA", "does-not-apply"],
    ["eu-261", "JFK-LIS", "ZZ", "cannot-tell: operatingCarriers"],
    ["eu-261", "JFK-FRA-LIS", ["UA", "LH"], "cannot-tell: operatingCarriers"],
    ["eu-261", "JFK-FRA-LIS", ["LH", null], "cannot-tell: operatingCarriers"],
    ["eu-261", "DEL-CDG-JFK", "AF", "does-not-apply"],
    ["eu-261", "JFK-LAX", "AF", "does-not-apply"],
    ["eu-261", "GIB-LHR", "BA", "does-not-apply"],
    ["uk-261", "LHR-JFK", "ZZ", "entitled"],
    ["uk-261", "JFK-LHR", "BA", "entitled"],
    ["uk-261", "JFK-LHR", "LH", "entitled"],
    ["uk-261", "JFK-LHR", "AA", "does-not-apply"],
    ["uk-261", "JFK-LHR", "ZZ", "cannot-tell: operatingCarriers"],
    ["uk-261", "DXB-LIS", "BA", "entitled"],
    ["uk-261", "DXB-LIS", "TP", "does-not-apply"],
    ["uk-261", "JER-CDG", "EI", "does-not-apply"],
    ["uk-261", "JFK-LHR-JNB", "BA", "cannot-tell: routeCountries"],
    ["ca-appr", "LIS-YYZ", "TP", "entitled"],
    ["ca-appr", "BOS-YUL-LHR", "AC", "entitled"],
    ["ca-appr", "LIS-JFK", "AC", "does-not-apply"],
    ["br-anac-400", "LIS-GRU", "TP", "entitled"],
    ["br-anac-400", "LIS-EZE", "LA", "does-not-apply"],
    ["tr-shy-yolcu", "IST-LIS", "TP", "entitled"],
    ["tr-shy-yolcu", "LIS-IST", "TK", "entitled"],
    ["tr-shy-yolcu", "LIS-IST", "TP", "does-not-apply"],
    ["tr-shy-yolcu", "LIS-IST", "ZZ", "cannot-tell: operatingCarriers"],
    ["tr-shy-yolcu", "LIS-FRA-IST", ["LH", "TK"], "cannot-tell: operatingCarriers"],
    ["tr-shy-yolcu", "IST-AYT", "PC", "entitled"],
    ["tr-shy-yolcu", "LIS-IST-DXB", "TK", "cannot-tell: routeCountries"],
    ["tr-shy-yolcu", "LIS-JFK", "TK", "does-not-apply"],
  ] as readonly (readonly [string, string, Carriers, string])[])(
    "%s, %s on %s: %s",
    (preset, route, carriers, expected) => {
      expect(ifCancelled(preset, route, carriers)).toBe(expected);
    },
  );

  describe.each(["eu-261", "eu-261-2026"])("%s", (preset) => {
    test("leaves out a booking that only changes flights in the Union (C-451/20)", () => {
      expect(ifCancelled(preset, "KIV-VIE-BKK", "OS")).toBe("does-not-apply");
      expect(ifCancelled(preset, "KIV-VIE", "OS")).toBe("entitled");
      expect(ifCancelled(preset, "VIE-BKK", "OS")).toBe("entitled");
      expect(ifCancelled(preset, "VIE-IST-BKK", "TK")).toBe("entitled");
    });

    test("applies when the seller of two flights operates the second one into the Union (C-367/20)", () => {
      const soldBy = (seller: JourneyOptions["soldBy"], more: JourneyOptions = {}) =>
        ifCancelled(preset, "JFK-AMS-HAM", ["DL", "KL"], {
          ...(seller === undefined ? {} : { soldBy: seller }),
          ...more,
        });

      expect(soldBy("KL")).toBe("entitled");
      // What the Court did not decide stays open.
      expect(soldBy(["DL", "KL"])).toBe("cannot-tell: operatingCarriers");
      expect(soldBy("AF")).toBe("cannot-tell: operatingCarriers");
      expect(soldBy([null, "KL"])).toBe("cannot-tell: operatingCarriers");
      expect(soldBy("KL", { oneBooking: false })).toBe("cannot-tell: operatingCarriers");
      expect(ifCancelled(preset, "SFO-JFK-AMS-HAM", ["DL", "DL", "KL"], { soldBy: "KL" })).toBe(
        "cannot-tell: operatingCarriers",
      );
      expect(ifCancelled(preset, "JFK-AMS-HAM", ["KL", "DL"], { soldBy: "DL" })).toBe("cannot-tell: operatingCarriers");
      // Nor is it about flights of which a third-country carrier operates the last, or all.
      expect(ifCancelled(preset, "JFK-AMS", "DL", { soldBy: "KL" })).toBe("does-not-apply");
      expect(ifCancelled(preset, "BOS-JFK-AMS", "DL", { soldBy: "KL" })).toBe("does-not-apply");
      expect(ifCancelled(preset, "SFO-LHR-AMS", ["UA", "BA"], { soldBy: "BA" })).toBe("does-not-apply");
      expect(ifCancelled(preset, "SFO-AMS-JFK", ["DL", "KL"], { soldBy: "KL" })).toBe("does-not-apply");
    });

    test("is unknown for a journey that only changes flights in the Union when it may be several bookings, on which nothing was decided", () => {
      const open = "cannot-tell: selfTransfer";

      expect(ifCancelled(preset, "KIV-VIE-BKK", "OS", { oneBooking: false })).toBe(open);
      expect(ifCancelled(preset, "KIV-VIE-BKK", "OS", { oneBooking: { unknown: "order-not-given" } })).toBe(open);
      expect(ifCancelled(preset, "KIV-IST-BKK", "TK", { oneBooking: false })).toBe("does-not-apply");
    });
  });

  test.each("OR 6B DI 2L A5 WX NO XZ GQ SS BF TX H4 A2".split(" "))(
    "an arrival in the Union on %s is one on a Community carrier",
    (carrier) => {
      expect(ifCancelled("eu-261", "JFK-CDG", carrier)).toBe("entitled");
      expect(ifCancelled("eu-261", "JFK-LHR", carrier)).toBe("does-not-apply");
    },
  );

  test("the table of licences says how old it is and what it is worth", () => {
    expect(carriersReading.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(renderLegalPage()).toContain(carriersReading.caveat);
  });

  test("several laws apply to one journey: from the United Kingdom to the EU on a carrier of the EU", () => {
    const { presets, verdicts } = assessed({ journeys: [aJourney({ route: "LHR-FRA", facts: gone })] });
    const open = verdicts.filter(({ verdict, right }) => verdict === "entitled" && right === "refund-or-rerouting");

    expect(presets.map(({ id, applies }) => [id, applies])).toEqual([
      ["us-dot-260", false],
      ["eu-261", true],
      ["uk-261", true],
      ["ca-appr", false],
    ]);
    expect(open.map(({ preset, trigger }) => `${preset} ${trigger}`)).toEqual(["eu-261 cancelled", "uk-261 cancelled"]);
  });

  test("an airport that no table has makes the route unknown", () => {
    expect(ifCancelled("eu-261", "QQQ-JFK")).toBe("cannot-tell: routeCountries");
    expect(ifCancelled("us-dot-260", "QQQ-JFK")).toBe("entitled");
  });

  test("the agency's own table of carriers counts", () => {
    const carriers = { ...shippedCarriers, licensedIn: { ...shippedCarriers.licensedIn, ZZ: "EU" as const } };
    const journeys = [aJourney({ route: "JFK-LIS", carriers: "ZZ", facts: gone })];

    expect(ruling({ journeys, carriers }, "eu-261", "cancelled")).toBe("entitled");
  });

  test("what did not happen gives no right, even where nobody knows whether the law applies", () => {
    const { verdicts, hold } = assessed({ presets: ["eu-261"], journeys: [aJourney({ route: "QQQ-JFK" })] });

    expect(verdicts.length).toBeGreaterThan(0);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["not-entitled"]));
    expect(hold).toEqual({ held: false, reasons: [] });
  });

  test("an order that is only held has no ticket to refund; one of which that is not known may have", () => {
    const journeys = [aJourney({ facts: gone })];

    expect(ruling({ journeys, held: known(true) }, "eu-261", "cancelled")).toBe("not-entitled");
    expect(ruling({ journeys, held: unknown("missing-payment-status") }, "eu-261", "cancelled")).toBe("entitled");
  });
});

describe("domestic and international in the United States", () => {
  const arrives = (route: string, minutes: number) =>
    ruling(
      { journeys: [aJourney({ route, facts: { journeyArrivalLaterMinutes: minutes } })] },
      "us-dot-260",
      "arrives-later",
    );

  test.each([
    ["JFK-LAX", "within the states"],
    ["JFK-SJU", "to Puerto Rico"],
    ["HNL-GUM", "to Guam, over the date line"],
    ["STT-MIA-PPG", "between territories"],
  ])("%s is domestic: %s", (route) => {
    expect([arrives(route, 179), arrives(route, 180)]).toEqual(["not-entitled", "entitled"]);
  });

  test.each([
    ["JFK-YYZ", "to Canada"],
    ["JFK-YYZ-SEA", "through another country"],
    ["GUM-NRT", "from a territory to elsewhere"],
  ])("%s is international: %s", (route) => {
    expect([arrives(route, 359), arrives(route, 360)]).toEqual(["not-entitled", "entitled"]);
  });

  test("when an airport is not known, only a move between the limits is unknown", () => {
    expect([179, 180, 359, 360].map((minutes) => arrives("JFK-QQQ", minutes))).toEqual([
      "not-entitled",
      "cannot-tell: routeCountries",
      "cannot-tell: routeCountries",
      "entitled",
    ]);
  });

  test("each journey is judged by its own limit", () => {
    const late = { journeyArrivalLaterMinutes: 200 };
    const { verdicts } = assessed({
      presets: ["us-dot-260"],
      journeys: [aJourney({ route: "LAX-LIS", facts: late }), aJourney({ route: "JFK-LAX", facts: late })],
    });

    expect(verdicts.filter(({ verdict }) => verdict === "entitled").map(({ journey }) => journey)).toEqual(["JFK-LAX"]);
  });
});

test("outermost regions belong to the EU, overseas territories do not", () => {
  const eu = countriesIn("EU");

  expect(["GP", "MQ", "GF", "RE", "YT", "MF", "CH", "IS", "NO"].filter((country) => !eu.includes(country))).toEqual([]);
  expect(["GB", "BL", "NC", "PF", "GL", "FO", "SJ", "GI"].filter((country) => eu.includes(country))).toEqual([]);
});
