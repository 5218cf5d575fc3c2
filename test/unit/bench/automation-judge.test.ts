import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeAccept } from "../../../bench/automation/judge.ts";
import type { TrueFlight, TruePoint, Truth } from "../../../bench/automation/truth.ts";

const now = Date.parse("2026-12-01T09:00:00Z");
const minute = 60_000;
const day = 1_440 * minute;

function point(airport: string, country: string, at: number, terminal = "1"): TruePoint {
  return { airport, country, terminal, at, date: new Date(at).toISOString().slice(0, 10) };
}

/** TP1 LIS-FRA, sixty days and three hours ahead, three hours long. */
function flight(overrides: Partial<TrueFlight> = {}): TrueFlight {
  const leaves = now + 60 * day + 180 * minute;
  return {
    journey: 0,
    carrier: "TP",
    flightNumber: "1",
    operator: "TP",
    stops: 0,
    cabin: "Y",
    aircraft: "320",
    from: point("LIS", "PT", leaves),
    to: point("FRA", "DE", leaves + 180 * minute),
    ...overrides,
  };
}

function moved(original: TrueFlight, departure: number, arrival = departure): TrueFlight {
  const { from, to } = original;
  return {
    ...original,
    from: point(from.airport, from.country, from.at + departure * minute, from.terminal),
    to: point(to.airport, to.country, to.at + arrival * minute, to.terminal),
  };
}

function truth(overrides: Partial<Truth> = {}): Truth {
  const booked = overrides.booked ?? [flight()];
  return {
    now,
    booked,
    proposed: booked.map((each) => [moved(each, 10)]),
    passengers: [{ type: "ADT", needsAssistance: false }],
    ticketed: true,
    acceptOffered: true,
    ...overrides,
  };
}

function changed(change: (original: TrueFlight) => TrueFlight, original = flight()): Truth {
  return truth({ booked: [original], proposed: [[change(original)]] });
}

function textsOf(policy: string, subject: Truth, breaks?: string): readonly string[] {
  const breaches = judgeAccept(policy, subject);
  return breaches.filter((each) => breaks === undefined || each.breaks === breaks).map(({ text }) => text);
}

/** A connection at FRA: the second flight leaves so many minutes after the first has arrived. */
function connecting(waitMinutes: number, terminal = "1"): readonly [TrueFlight, TrueFlight] {
  const first = flight();
  const leaves = first.to.at + waitMinutes * minute;
  const second = flight({
    flightNumber: "2",
    from: point("FRA", "DE", leaves, terminal),
    to: point("HEL", "FI", leaves + 150 * minute),
  });
  return [first, second];
}

describe("the judge of accepts", () => {
  test("shares no code with the program: it imports the truth alone, as types", () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../../bench/automation/${name}`, import.meta.url), "utf8");
    const imports = (text: string): readonly string[] =>
      text.match(/^(?:import|export) .*from .*$|import\(.*$/gm) ?? [];

    expect(imports(read("judge.ts"))).toEqual(['import type { TrueFlight, Truth } from "./truth.ts";']);
    expect(imports(read("truth.ts"))).toEqual([]);
  });

  test.each(["cautious", "balanced", "airline-thresholds"])(
    "finds nothing wrong with ten minutes under %s",
    (policy) => {
      expect(judgeAccept(policy, truth())).toEqual([]);
    },
  );

  test("judges every accept of an observe-only policy as wrong, and knows no policy that it was not given", () => {
    expect(textsOf("observe-only", truth())).toEqual(["observe-only accepts nothing by itself"]);
    expect(() => judgeAccept("my-policy", truth())).toThrow(
      "Nobody told the judge what the policy my-policy promises.",
    );
  });

  test.each([
    ["cautious", 30, 31],
    ["cautious", -15, -16],
    ["balanced", 60, 61],
    ["balanced", -20, -21],
    ["airline-thresholds", 60, 61],
    ["airline-thresholds", -30, -31],
  ])("holds %s to %i minutes", (policy, within, beyond) => {
    expect(
      textsOf(
        policy,
        changed((original) => moved(original, within)),
      ),
    ).toEqual([]);
    expect(
      textsOf(
        policy,
        changed((original) => moved(original, beyond)),
        "a limit",
      ),
    ).not.toEqual([]);
  });

  test("holds balanced to its smaller limits when the departure is less than thirty days ahead", () => {
    const at = (days: number) => {
      const leaves = now + days * day;
      return flight({ from: point("LIS", "PT", leaves), to: point("FRA", "DE", leaves + 180 * minute) });
    };

    expect(
      textsOf(
        "balanced",
        changed((original) => moved(original, 46), at(30)),
      ),
    ).toEqual([]);
    expect(
      textsOf(
        "balanced",
        changed((original) => moved(original, 46), at(29)),
      ),
    ).toEqual(["TP1 LIS-FRA leaves 46 minutes later", "TP1 LIS-FRA arrives 46 minutes later"]);
  });

  test.each([
    ["UA", 29, 30],
    ["B6", 59, 60],
    ["LH", 0, 1],
  ])("holds airline-thresholds to what %s calls minor: %i minutes", (carrier, within, beyond) => {
    const original = flight({ carrier });

    expect(
      textsOf(
        "airline-thresholds",
        changed((each) => moved(each, within), original),
      ),
    ).toEqual([]);
    expect(
      textsOf(
        "airline-thresholds",
        changed((each) => moved(each, beyond), original),
      ),
    ).not.toEqual([]);
  });

  test.each([
    ["cautious", 72],
    ["balanced", 48],
    ["airline-thresholds", 72],
  ])("wants %s to leave what departs within %i hours to a person", (policy, hours) => {
    const ahead = (minutes: number) => {
      const leaves = now + minutes * minute;
      return flight({ from: point("LIS", "PT", leaves), to: point("FRA", "DE", leaves + 180 * minute) });
    };

    expect(
      textsOf(
        policy,
        changed((each) => moved(each, 5), ahead(hours * 60)),
      ),
    ).toEqual([]);
    expect(
      textsOf(
        policy,
        changed((each) => moved(each, 5), ahead(hours * 60 - 1)),
      ),
    ).not.toEqual([]);
  });

  test.each<readonly [string, (original: TrueFlight) => TrueFlight]>([
    ["is another airline's", (each) => ({ ...each, operator: "NI" })],
    ["is in another cabin", (each) => ({ ...each, cabin: "W" })],
    ["stops on the way", (each) => ({ ...each, stops: 1 })],
    ["uses another airport", (each) => ({ ...each, to: { ...each.to, airport: "HHN" } })],
    ["is on another date", (each) => ({ ...each, to: { ...each.to, date: "2027-02-01" } })],
  ])("lets no policy accept a flight that %s", (text, change) => {
    for (const policy of ["cautious", "balanced", "airline-thresholds"]) {
      expect(textsOf(policy, changed(change), "a limit")).toContain(`TP1 LIS-FRA ${text}`);
    }
  });

  test("lets only balanced accept a flight that has another number", () => {
    const renumbered = changed((each) => ({ ...each, flightNumber: "9" }));

    expect(textsOf("balanced", renumbered, "a limit")).toEqual([]);
    for (const policy of ["cautious", "airline-thresholds"]) {
      expect(textsOf(policy, renumbered, "a limit")).toContain("TP1 LIS-FRA has another number");
    }
  });

  test("lets all but cautious accept another terminal or aircraft", () => {
    const swapped = changed((each) => ({ ...each, aircraft: "321", to: { ...each.to, terminal: "2" } }));

    expect(textsOf("cautious", swapped)).toEqual([
      "TP1 LIS-FRA uses another terminal",
      "TP1 LIS-FRA uses another aircraft",
    ]);
    expect(textsOf("balanced", swapped)).toEqual([]);
    expect(textsOf("airline-thresholds", swapped)).toEqual([]);
  });

  test("lets cautious accept other times of one flight only", () => {
    const booked = connecting(120);
    const both = truth({ booked, proposed: booked.map((each) => [moved(each, 5)]) });

    expect(textsOf("cautious", both)).toEqual(["2 flights have other times"]);
    expect(textsOf("balanced", both)).toEqual([]);
  });

  test("misses a ticket, an offer, a withdrawn flight, and one that becomes two", () => {
    const booked = [flight()];

    expect(textsOf("balanced", truth({ ticketed: false }))).toEqual(["there is no ticket"]);
    expect(textsOf("balanced", truth({ acceptOffered: false }))).toEqual(["the gateway does not offer to accept"]);
    expect(textsOf("balanced", truth({ booked, proposed: [[]] }))).toContain("TP1 LIS-FRA is withdrawn");
    expect(textsOf("balanced", truth({ booked, proposed: [connecting(90)] }))).toContain(
      "TP1 LIS-FRA becomes 2 flights",
    );
  });

  test("protects those who need assistance, and children without an adult", () => {
    const child = { type: "CHD", needsAssistance: false } as const;
    const adult = { type: "ADT", needsAssistance: false } as const;
    const assisted = { ...adult, needsAssistance: true };

    expect(textsOf("balanced", truth({ passengers: [adult, child] }))).toEqual([]);
    expect(textsOf("balanced", truth({ passengers: [adult, assisted] }))).toEqual(["a passenger needs assistance"]);
    expect(textsOf("balanced", truth({ passengers: [child] }))).toEqual(["only children travel"]);
  });

  test.each([
    ["at one terminal", 90, "1", 15, 16, "FRA: 74 minutes of 75"],
    ["between terminals", 120, "2", 15, 16, "FRA: 104 minutes of 105"],
    ["with a terminal that is not stated", 120, "", 15, 16, "FRA: 104 minutes of 105"],
  ])("wants the minimum time to change flights %s", (_, wait, terminal, enough, tooMuch, text) => {
    const booked = connecting(wait, terminal);
    const later = (minutes: number) => truth({ booked, proposed: [[moved(booked[0], minutes)], [booked[1]]] });

    expect(textsOf("balanced", later(enough))).toEqual([]);
    expect(textsOf("balanced", later(tooMuch))).toEqual([text]);
  });

  test("lets a connection stay as short as it was booked, and get no shorter", () => {
    const booked = connecting(60);
    const both = truth({ booked, proposed: booked.map((each) => [moved(each, 10)]) });
    const shorter = truth({ booked, proposed: [[moved(booked[0], 1)], [booked[1]]] });

    expect(textsOf("balanced", both)).toEqual([]);
    expect(textsOf("balanced", shorter)).toEqual(["FRA: 59 minutes of 75"]);
  });

  test("finds a wait that is too long, a change of airport, and ways that overlap", () => {
    const booked = connecting(450);
    const [first, second] = booked;
    const longer = (minutes: number) => truth({ booked, proposed: [[first], [moved(second, minutes)]] });
    const elsewhere = truth({ booked, proposed: [[first], [{ ...second, from: { ...second.from, airport: "HHN" } }]] });
    const back = [first, { ...second, journey: 1 }];
    const overlapping = truth({ booked: back, proposed: [[moved(first, 451)], [back[1]!]] });

    expect(textsOf("balanced", longer(30))).toEqual([]);
    expect(textsOf("balanced", longer(31))).toEqual(["FRA: 481 minutes is a long wait"]);
    expect(textsOf("balanced", elsewhere, "a connection")).toEqual(["FRA: 450 minutes, from HHN"]);
    expect(textsOf("balanced", overlapping, "a connection")).toEqual(["FRA: -1 minutes between two ways of the trip"]);
  });

  const lands = {
    europe: [point("LIS", "PT", 0), point("FRA", "DE", 0)],
    intoEurope: [point("JFK", "US", 0), point("FRA", "DE", 0)],
    britain: [point("LHR", "GB", 0), point("JFK", "US", 0)],
    states: [point("JFK", "US", 0), point("LAX", "US", 0)],
    toStates: [point("BOG", "CO", 0), point("JFK", "US", 0)],
    canada: [point("YYZ", "CA", 0), point("YVR", "CA", 0)],
    elsewhere: [point("SIN", "SG", 0), point("BKK", "TH", 0)],
  } as const;

  function between(land: keyof typeof lands, operator: string): TrueFlight {
    const original = flight({ operator });
    const [from, to] = lands[land];
    return {
      ...original,
      from: { ...original.from, airport: from.airport, country: from.country },
      to: { ...original.to, airport: to.airport, country: to.country },
    };
  }

  test.each<readonly [string, keyof typeof lands, string, readonly [number, number], readonly [number, number]]>([
    ["brought forward in the EU", "europe", "TP", [-60, -60], [-61, -61]],
    ["postponed in the EU", "europe", "TP", [179, 179], [180, 180]],
    ["brought forward from the United Kingdom", "britain", "VS", [-60, -60], [-61, -61]],
    ["earlier within the United States", "states", "DL", [-179, 0], [-180, 0]],
    ["arriving later within the United States", "states", "DL", [0, 179], [0, 180]],
    ["arriving later in the United States from abroad", "toStates", "AV", [0, 359], [0, 360]],
    ["later in Canada", "canada", "AC", [179, 179], [180, 180]],
  ])("knows the right of a flight %s", (_, land, operator, without, having) => {
    const rights = ([departure, arrival]: readonly [number, number]) =>
      textsOf(
        "balanced",
        changed((each) => moved(each, departure, arrival), between(land, operator)),
        "a right",
      );

    expect(rights(without)).toEqual([]);
    expect(rights(having)).toHaveLength(1);
  });

  test("knows that another number is another flight in Europe, and in the United States from July 2027 on", () => {
    const renumbered = (land: keyof typeof lands, at: number) => ({
      ...changed((each) => ({ ...each, flightNumber: "9" }), between(land, "TP")),
      now: at,
    });
    const laterYear = Date.parse("2027-07-07T00:00:00Z");

    expect(textsOf("balanced", renumbered("europe", now), "a right")).toHaveLength(1);
    expect(textsOf("balanced", renumbered("states", laterYear - 1), "a right")).toEqual([]);
    expect(textsOf("balanced", renumbered("states", laterYear), "a right")).toHaveLength(1);
    expect(textsOf("balanced", renumbered("elsewhere", now), "a right")).toEqual([]);
  });

  test("asks on the way into Europe who flies", () => {
    const brought = (operator: string) =>
      textsOf(
        "balanced",
        changed((each) => moved(each, -61), between("intoEurope", operator)),
        "a right",
      );

    expect(brought("LH")).toHaveLength(1);
    expect(brought("DL")).toEqual([]);
  });
});
