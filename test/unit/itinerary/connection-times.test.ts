import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { connectionTimeSettingsSchema } from "../../../src/itinerary/connection-time-settings.ts";
import {
  type ConnectionTimeOverride,
  connectionTimesVersion,
  connectionTypeOf,
  defaultConnectionTimes,
  minimumConnection,
  toConnectionTimes,
} from "../../../src/itinerary/connection-times.ts";
import type { FlightPair } from "../../../src/itinerary/flight-pairs.ts";
import type { ItinerarySegment } from "../../../src/itinerary/itinerary.ts";

/** `aPair("LIS", "FRA 1", "FRA 1", "JFK")`; a terminal may follow the airport, and carriers the four places. */
function aPair(from: string, over: string, leaves: string, to: string, carriers: string = "LH LH"): FlightPair {
  const [arrivingCarrier, leavingCarrier] = carriers.split(" ");
  return {
    arriving: aFlight(from, over, arrivingCarrier!),
    leaving: aFlight(leaves, to, leavingCarrier!),
  };
}

function aFlight(from: string, to: string, operatingCarrier: string): ItinerarySegment {
  const point = (text: string) => {
    const [airport, terminal] = text.split(" ");
    return {
      airport: airport === "?" ? null : airport!,
      date: "2027-06-14",
      time: "10:00",
      terminal: terminal ?? null,
    };
  };
  return {
    segmentKey: `${from}-${to}`,
    departure: point(from),
    arrival: point(to),
    marketingCarrier: "XX",
    marketingFlightNumber: "1",
    operatingCarrier,
    aircraftCode: null,
    stops: null,
    marriageGroup: null,
    brandId: null,
    cabinType: null,
    rbd: null,
  };
}

const withOverrides = (...overrides: ConnectionTimeOverride[]) => toConnectionTimes({ overrides });

describe("connectionTypeOf", () => {
  test.each([
    ["MUC", "FRA", "HAM", "DD"],
    ["MUC", "FRA", "LIS", "DI"],
    ["LIS", "FRA", "MUC", "ID"],
    ["LIS", "FRA", "CDG", "II"],
    ["MUC", "FRA", "XXX", "DI"],
    ["?", "FRA", "?", "II"],
  ])("%s–%s–%s is %s", (from, over, to, type) => {
    expect(connectionTypeOf(aPair(from, over, over, to))).toBe(type);
  });
});

describe("minimumConnection", () => {
  test.each<[string, FlightPair, number]>([
    ["domestic to domestic", aPair("MUC", "FRA 1", "FRA 1", "HAM"), 45],
    ["domestic to international", aPair("MUC", "FRA 1", "FRA 1", "LIS"), 75],
    ["international to domestic", aPair("LIS", "FRA 1", "FRA 1", "MUC"), 90],
    ["international to international", aPair("LIS", "FRA 1", "FRA 1", "CDG"), 75],
    ["into the United States and on", aPair("LIS", "JFK 1", "JFK 1", "BOS"), 105],
    ["into Canada and out again", aPair("LIS", "YYZ 1", "YYZ 1", "LHR"), 105],
    ["within the United States and out", aPair("BOS", "JFK 1", "JFK 1", "LHR"), 75],
    ["at two terminals", aPair("LIS", "FRA 1", "FRA 2", "CDG"), 105],
    ["at a terminal that is not stated", aPair("LIS", "FRA 1", "FRA", "CDG"), 105],
    ["at no stated terminal", aPair("MUC", "FRA", "FRA", "HAM"), 75],
    ["at another airport, whatever the terminals", aPair("LIS", "LHR 1", "LGW 2", "CDG"), 240],
  ])("depends on the kind of the flights and the terminals: %s", (_, pair, minutes) => {
    expect(minimumConnection(defaultConnectionTimes, pair)).toBe(minutes);
  });

  const heathrow = aPair("LIS", "LHR 2", "LHR 2", "CDG", "LH BA");

  test("an entry for the place replaces the default, and a terminal change still comes on top", () => {
    const times = withOverrides({ airport: "LHR", minutes: 60 });

    expect(minimumConnection(times, heathrow)).toBe(60);
    expect(minimumConnection(times, aPair("LIS", "LHR 2", "LHR 3", "CDG"))).toBe(90);
    expect(minimumConnection(times, aPair("LIS", "FRA 1", "FRA 1", "CDG"))).toBe(75);
  });

  test("an entry with terminals is the whole time between them", () => {
    const times = withOverrides(
      { airport: "LHR", minutes: 60 },
      { airport: "LHR", arrivingTerminal: "2", leavingTerminal: "5", minutes: 85 },
    );

    expect(minimumConnection(times, aPair("LIS", "LHR 2", "LHR 5", "CDG"))).toBe(85);
    expect(minimumConnection(times, aPair("LIS", "LHR 5", "LHR 2", "CDG"))).toBe(90);
  });

  test("a terminal that is not stated is the worst of those it may be", () => {
    const times = withOverrides(
      { airport: "LHR", minutes: 60 },
      { airport: "LHR", arrivingTerminal: "2", leavingTerminal: "4", minutes: 120 },
      { airport: "LHR", arrivingTerminal: "3", leavingTerminal: "4", minutes: 200 },
    );

    expect(minimumConnection(times, aPair("LIS", "LHR 2", "LHR", "CDG"))).toBe(120);
    expect(minimumConnection(times, aPair("LIS", "LHR", "LHR", "CDG"))).toBe(200);
    expect(minimumConnection(times, aPair("LIS", "LHR 5", "LHR", "CDG"))).toBe(90);
  });

  test.each<[string, ConnectionTimeOverride[], number]>([
    [
      "the entry that states most",
      [
        { airport: "LHR", arrivingCarrier: "LH", leavingCarrier: "BA", minutes: 50 },
        { airport: "LHR", arrivingCarrier: "LH", minutes: 55 },
        { airport: "LHR", minutes: 60 },
      ],
      50,
    ],
    [
      "of two that state as much the later one",
      [
        { airport: "LHR", type: "II", minutes: 50 },
        { airport: "LHR", leavingCarrier: "BA", minutes: 55 },
      ],
      55,
    ],
    [
      "none that states another carrier, type or airport",
      [
        { airport: "LHR", arrivingCarrier: "BA", minutes: 50 },
        { airport: "LHR", type: "DI", minutes: 51 },
        { airport: "FRA", minutes: 52 },
        { airport: "LHR", leavingAirport: "LGW", minutes: 150 },
      ],
      75,
    ],
    ["an entry for a carrier at any airport", [{ leavingCarrier: "BA", minutes: 100 }], 100],
  ])("%s counts", (_, overrides, minutes) => {
    expect(minimumConnection(withOverrides(...overrides), heathrow)).toBe(minutes);
  });

  test("an entry for two airports holds in its direction only", () => {
    const times = withOverrides(
      { airport: "LHR", leavingAirport: "LGW", minutes: 150 },
      { airport: "LGW", minutes: 55 },
    );

    expect(minimumConnection(times, aPair("LIS", "LHR 2", "LGW 1", "CDG"))).toBe(150);
    expect(minimumConnection(times, aPair("LIS", "LGW 1", "LHR 2", "CDG"))).toBe(240);
  });
});

describe("toConnectionTimes", () => {
  test("is the defaults under their own name when nothing is set, or set as it is", () => {
    expect(toConnectionTimes({})).toBe(defaultConnectionTimes);
    expect(toConnectionTimes({ domesticToDomestic: 45 }).version).toBe(connectionTimesVersion);
  });

  test("names other times by what they are", () => {
    const times = toConnectionTimes({ domesticToDomestic: 40 });

    expect(times).toMatchObject({ domesticToDomestic: 40, domesticToInternational: 75 });
    expect(times.version).toMatch(/^[0-9a-f]{64}$/);
    expect(toConnectionTimes({ domesticToDomestic: 40 }).version).toBe(times.version);
    expect(toConnectionTimes({ domesticToDomestic: 41 }).version).not.toBe(times.version);
    expect(withOverrides({ airport: "LHR", minutes: 60 }).version).not.toBe(times.version);
  });
});

describe("docs/policy.md", () => {
  const page = readFileSync(new URL("../../../docs/policy.md", import.meta.url), "utf8");
  const { version: _version, overrides: _overrides, ...minutes } = defaultConnectionTimes;

  test.each(Object.entries(minutes))("states the default of %s: %i", (name, value) => {
    expect(page).toContain(`| \`${name}\` | ${value} |`);
  });
});

describe("connectionTimeSettingsSchema", () => {
  function problems(settings: unknown): readonly string[] {
    const parsed = connectionTimeSettingsSchema.safeParse(settings);
    return parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  }

  test("reads what an agency writes, terminals as numbers too", () => {
    const written = {
      tightMargin: 20,
      overrides: [{ airport: "LHR", arrivingTerminal: 2, leavingTerminal: "5", type: "II", minutes: 90 }],
    };

    expect(connectionTimeSettingsSchema.parse(written)).toEqual({
      tightMargin: 20,
      overrides: [{ airport: "LHR", arrivingTerminal: "2", leavingTerminal: "5", type: "II", minutes: 90 }],
    });
  });

  test.each<[unknown, string]>([
    [
      { domesticToDomestic: -1 },
      "domesticToDomestic: 'domesticToDomestic' must be a whole number of minutes from 0 to 2880",
    ],
    [
      { domesticToDomestic: 2881 },
      "domesticToDomestic: 'domesticToDomestic' must be a whole number of minutes from 0 to 2880",
    ],
    [{ terminalChange: "30" }, "terminalChange: 'terminalChange' must be a whole number of minutes from 0 to 2880"],
    [
      { overrides: [{ minutes: 60 }] },
      "overrides.0: an entry must say where it applies; for every connection set the default instead",
    ],
    [
      { overrides: [{ arrivingTerminal: "2", minutes: 60 }] },
      "overrides.0: an entry names a terminal without its airport; add 'airport'",
    ],
    [
      { overrides: [{ leavingAirport: "LGW", minutes: 60 }] },
      "overrides.0: an entry names the airport of departure only; add 'airport'",
    ],
    [
      { overrides: [{ airport: "lhr", minutes: 60 }] },
      "overrides.0.airport: 'airport' must be the IATA code of a known airport, such as LHR",
    ],
    [
      { overrides: [{ arrivingCarrier: "British", minutes: 60 }] },
      "overrides.0.arrivingCarrier: 'arrivingCarrier' must be an airline code of two characters, such as BA",
    ],
    [
      { overrides: [{ airport: "LHR", type: "XX", minutes: 60 }] },
      "overrides.0.type: 'type' must be one of DD, DI, ID, II",
    ],
  ])("refuses %j", (settings, problem) => {
    expect(problems(settings)).toEqual([problem]);
  });

  test.each([0, 2880])("takes %i minutes", (minutes) => {
    expect(problems({ terminalChange: minutes })).toEqual([]);
  });

  test("knows no other names", () => {
    expect(problems({ version: "mine" })).toHaveLength(1);
    expect(problems({ overrides: [{ airport: "LHR", minutes: 60, terminal: "5" }] })).toHaveLength(1);
  });
});
