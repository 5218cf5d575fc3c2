import { describe, expect, test } from "vitest";
import { evaluateLegal, warningsOf } from "../../../../src/policy/legal/evaluate-legal.ts";
import { type LegalFactName, legalFact, legalFactCatalogue } from "../../../../src/policy/legal/legal-facts.ts";
import { defaultLegalContext } from "../../../../src/policy/legal/legal-input.ts";
import { legalPresets, legalPresetVersions, selectedPresets } from "../../../../src/policy/legal/presets.ts";
import { aJourney, assessed, legalInput } from "./legal-cases.ts";

describe("the shipped presets", () => {
  test("are on for the United States, the EU, the United Kingdom and Canada, and off for the others", () => {
    expect(legalPresets.filter(({ onByDefault }) => onByDefault).map(({ id }) => id)).toEqual([
      "us-dot-260",
      "eu-261",
      "uk-261",
      "ca-appr",
    ]);
    expect(legalPresets.filter(({ onByDefault }) => !onByDefault).map(({ id }) => id)).toEqual([
      "br-anac-400",
      "in-dgca",
      "tr-shy-yolcu",
      "eu-261-2026",
    ]);
  });

  test("are switched one by one", () => {
    expect(selectedPresets({ "eu-261": false, "br-anac-400": true }).map(({ id }) => id)).toEqual([
      "us-dot-260",
      "uk-261",
      "ca-appr",
      "br-anac-400",
    ]);
  });

  test("have each a version of its own, a citation, and a review after the day on which they were read", () => {
    expect(new Set(legalPresetVersions.map(({ version }) => version)).size).toBe(legalPresets.length);
    for (const { id, citation, asOf, reviewBy, triggers } of legalPresets) {
      expect({ id, later: reviewBy > asOf, cited: citation !== "" }).toEqual({ id, later: true, cited: true });
      expect(new Set(triggers.map((trigger) => trigger.id)).size).toBe(triggers.length);
      expect(triggers.filter(({ paragraph }) => paragraph === "")).toEqual([]);
    }
  });

  test("are named in an assessment with the version that was asked", () => {
    const { presets } = assessed({ presets: ["eu-261"] });
    const version = legalPresetVersions.find(({ id }) => id === "eu-261")!.version;

    expect(presets).toEqual([{ id: "eu-261", version, applies: true }]);
  });

  test("explain a verdict with paragraph, citation, note and clocks", () => {
    const { verdicts } = assessed({
      presets: ["eu-261"],
      journeys: [aJourney({ facts: { journeyDepartureLaterMinutes: 185 } })],
    });

    expect(verdicts.find(({ trigger }) => trigger === "postponed-3-hours")).toEqual({
      preset: "eu-261",
      trigger: "postponed-3-hours",
      title: "Leaves three hours later or more",
      right: "refund-or-rerouting",
      verdict: "cannot-tell",
      journey: "LIS-FRA",
      unknownFact: "courtReading",
      because:
        "leaves 3 h 5 min later (limit: 3 h or more) and no settled reading of the law by courts is known for it",
      paragraph: "Art 5(1)(a), 8(1); C-395/20",
      citation: "Regulation (EC) No 261/2004",
      note: "Less than three hours later is no cancellation (C-395/20); whether more is, was not found settled.",
      amount: null,
      clocks: [
        expect.objectContaining({ name: "traveller-told-14-days", dueAt: "2027-02-28T07:10:00.000Z" }),
        expect.objectContaining({ name: "traveller-told-7-days", dueAt: "2027-03-07T07:10:00.000Z" }),
        expect.objectContaining({ name: "eu-refund", dueAt: null }),
      ],
    });
  });
});

describe("warnings", () => {
  const warningsOn = (now: string) => assessed({ presets: ["us-dot-260"], now }).warnings;

  test("begin on the day after the review date", () => {
    expect(warningsOn("2027-07-07T23:59:59.999Z")).toEqual([]);
    expect(warningsOn("2027-07-08T00:00:00Z")).toEqual([
      "us-dot-260 was to be reviewed by 2027-07-07 (as of 2026-09-18): have somebody read the law again before relying on it.",
    ]);
  });

  test("name a law that is not in force", () => {
    expect(assessed({ presets: ["eu-261-2026"] }).warnings).toEqual([
      "eu-261-2026 is not in force: It applies about one year after its publication in the Official Journal, which has not been seen. Switch eu-261 off when it does.",
    ]);
  });

  test("name a law before the first and after the last day on which it is in force", () => {
    const canada = legalPresets.find(({ id }) => id === "ca-appr")!;
    const ended = { ...canada, inForce: { from: "2019-12-15", to: "2027-01-31" } };
    const on = (now: string) => warningsOf([ended], new Date(now));

    expect(on("2019-12-14T23:59:59Z")).toEqual(["ca-appr is not in force before 2019-12-15."]);
    expect(on("2019-12-15T00:00:00Z")).toEqual([]);
    expect(on("2027-01-31T23:59:59Z")).toEqual([]);
    expect(on("2027-02-01T00:00:00Z")).toEqual([
      "ca-appr was in force until 2027-01-31: switch it off in the policy (settings.legalPresets).",
    ]);
  });

  test("name a preset that does not exist", () => {
    const input = legalInput();
    const context = { ...defaultLegalContext, presets: { "eu-216": true } };

    expect(evaluateLegal({ ...input, context }).warnings[0]).toMatch(
      /^There is no legal preset eu-216; there are us-dot-260, /,
    );
  });
});

describe("what conditions can read of each preset", () => {
  test("is the strongest verdict, an unknown one before not-entitled, and off for a preset that was not asked", () => {
    const assessment = assessed({
      presets: ["eu-261", "uk-261", "us-dot-260"],
      journeys: [
        aJourney({ route: "LHR-FRA", facts: { journeyDepartureEarlierMinutes: 61, flightNumberChanged: true } }),
      ],
    });
    const names = Object.keys(legalFactCatalogue) as LegalFactName[];
    const facts = Object.fromEntries(names.map((name) => [name, legalFact(name, assessment)]));

    expect(facts).toMatchObject({
      "legal.eu_261_refund": "entitled",
      "legal.uk_261_refund": "cannot-tell",
      "legal.us_dot_260_refund": "not-entitled",
      "legal.ca_appr_refund": "off",
      "legal.eu_261_compensation": "not-entitled",
    });
  });

  test("covers every preset and its rights", () => {
    const wanted = legalPresets.flatMap(({ id, triggers }) => {
      const stem = `legal.${id.replaceAll("-", "_")}`;
      const rights = new Set(triggers.map(({ right }) => right));
      return [`${stem}_refund`, ...(rights.has("compensation") ? [`${stem}_compensation`] : [])];
    });

    expect(Object.keys(legalFactCatalogue).sort()).toEqual(wanted.sort());
  });
});
