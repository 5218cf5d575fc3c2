import { describe, expect, test } from "vitest";
import { known } from "../../../../src/kernel/fact.ts";
import type { Entitlement } from "../../../../src/policy/legal/assessment.ts";
import { type Coverage, describeCoverage } from "../../../../src/policy/legal/coverage-words.ts";

function coverage(
  applies: Readonly<Record<string, boolean | "unknown">>,
  others: {
    readonly verdict?: Entitlement;
    readonly switchedOff?: readonly string[];
    readonly journeys?: string[];
  } = {},
): Coverage {
  const { verdict, switchedOff = [], journeys = ["DEL-DXB"] } = others;
  return {
    presets: Object.entries(applies).map(([id, each]) => ({ id, applies: each })),
    journeys,
    switchedOff,
    verdicts: verdict === undefined ? [] : [{ verdict }],
  };
}

const byDefault = { "us-dot-260": false, "eu-261": false, "uk-261": false, "ca-appr": false };

describe("which laws were looked at", () => {
  test.each<[string, Coverage | null, readonly string[]]>([
    [
      "none that is on covers the trip",
      coverage(byDefault, { switchedOff: ["in-dgca"] }),
      ["None of the laws that are on (US, EU, UK, Canada) covers DEL-DXB.", "India's law covers it and is off."],
    ],
    [
      "several journeys",
      coverage({ "uk-261": false }, { journeys: ["DEL-DXB", "DXB-DEL"], switchedOff: ["eu-261"] }),
      ["None of the laws that are on (UK) covers DEL-DXB or DXB-DEL.", "The EU's law covers it and is off."],
    ],
    [
      "one covers it and gives nothing",
      coverage({ ...byDefault, "eu-261": true, "uk-261": true }, { verdict: "not-entitled" }),
      ["The law of the EU and the UK gives no right for this change."],
    ],
    ["one gives a right", coverage({ ...byDefault, "eu-261": true }, { verdict: "entitled" }), []],
    [
      "one may cover it",
      coverage({ ...byDefault, "ca-appr": "unknown" }, { verdict: "cannot-tell" }),
      ["It is not known whether the law of Canada covers DEL-DXB."],
    ],
    ["all are off", coverage({}), ["No law was looked at: all of them are off."]],
    [
      "no flight is known",
      coverage(byDefault, { journeys: [] }),
      ["No booked flight is known, so no law could be looked at."],
    ],
    ["the law was not asked", null, ["No law was looked at for this decision."]],
    ["an older decision, which does not say which", { verdicts: [] }, []],
  ])("%s", (_, given, sentences) => {
    expect(describeCoverage(given, null)).toEqual(sentences);
  });

  test("is said of a law that names no right for such a change, and rules none out", () => {
    const silent = [{ preset: "ca-appr", change: "leaves 8 h earlier" }];

    expect(describeCoverage({ ...coverage({ "ca-appr": true, "eu-261": true }), silent }, null)).toEqual([
      "The law of the EU gives no right for this change.",
      "The law of Canada does not say whether a journey that leaves 8 h earlier gives a right.",
    ]);
  });

  test("is no statement about rights while a change is open that shows no difference", () => {
    const unseen = {
      acceptAllowed: known(true),
      changedFlightCount: known(0),
      addedFlightCount: known(0),
      cancelled: known(false),
      partiallyCancelled: known(false),
      dataSuspect: known(false),
      backToOriginal: known(false),
    };
    const covered = coverage({ "eu-261": true }, { verdict: "not-entitled" });
    const notKnown = ["What changes is not known, nor is whether the law of the EU gives a right."];
    const noRight = ["The law of the EU gives no right for this change."];

    expect(describeCoverage(covered, unseen)).toEqual(notKnown);
    expect(describeCoverage(covered, { ...unseen, changedFlightCount: known(1) })).toEqual(noRight);
    expect(describeCoverage(covered, { ...unseen, acceptAllowed: known(false) })).toEqual(noRight);
    expect(describeCoverage(covered, { ...unseen, backToOriginal: known(true) })).toEqual(noRight);
  });
});
