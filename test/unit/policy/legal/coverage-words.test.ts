import { describe, expect, test } from "@jest/globals";
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
    expect(describeCoverage(given)).toEqual(sentences);
  });
});
