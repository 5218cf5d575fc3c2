import { describe, expect, test } from "vitest";
import { formatLegal, type ShownLegal } from "../../../src/cli/legal-lines.ts";
import { plainStyle } from "../../../src/cli/style.ts";

const presets = [{ id: "eu-261", applies: true }] as const;

function print(legal: ShownLegal, mayBeAccepted: boolean): readonly string[] {
  return formatLegal(legal, null, { style: plainStyle, width: null, mayBeAccepted });
}

describe("passenger rights in the terminal", () => {
  test("say once that no law could be looked at, whether the change may be accepted or not", () => {
    const noFlight = "No booked flight is known, so no law could be looked at.";
    const legal = { presets, journeys: [], verdicts: [], hold: { held: true, reasons: [noFlight] }, warnings: [] };

    expect(print(legal, true)).toEqual([
      "  Legal hold: an agent must review it before it is accepted.",
      `  - ${noFlight}`,
    ]);
    expect(print(legal, false)).toEqual([`  ${noFlight}`]);
  });

  test("say that an amount is for each passenger", () => {
    const compensation = {
      preset: "eu-261",
      title: "Flight cancelled",
      right: "compensation",
      verdict: "entitled",
      unknownFact: null,
      paragraph: "Article 7",
      journey: null,
      amount: { value: "400", currency: "EUR" },
    } as const;
    const hold = { held: false, reasons: [] };

    const lines = print({ presets, verdicts: [compensation], hold, warnings: [] }, true);

    expect(lines.join("\n")).toContain("compensation of EUR 400 per passenger");
  });
});
