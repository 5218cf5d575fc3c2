import { readFile } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { withFigures } from "../../../bench/automation/automation-page.ts";
import { drawMix } from "../../../bench/automation/draw-mix.ts";
import { readMix } from "../../../bench/automation/read-mix.ts";
import { runMix } from "../../../bench/automation/run-mix.ts";
import { describeWrongAccept } from "../../../bench/automation/text-report.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";

/** What `balanced` accepts at least of the mix: of all seeds together, and of each in each dialect. */
const acceptedByBalancedAtLeast = { ofAll: 0.55, ofEach: 0.53 };

const policies = shippedPolicyNames.map((name) => ({ name, policy: readPolicyFile(name).policy }));
const count = 400;
/** Half a minute on an idle machine. */
const timeout = 180_000;

describe("the shipped policies over a large mix", () => {
  const total = { accepted: 0, decided: 0 };

  test.each([1, 2, 3])(
    "accept nothing wrong, and as much as promised, with seed %i",
    async (seed) => {
      const report = await runMix({ cases: drawMix(readMix(), seed, count), policies });

      expect(report.wrongAccepts.map(describeWrongAccept)).toEqual([]);
      const balanced = report.policies.find(({ policy }) => policy === "balanced")!;
      for (const { accepted, decided } of Object.values(balanced.byDialect)) {
        expect(accepted / decided).toBeGreaterThanOrEqual(acceptedByBalancedAtLeast.ofEach);
        total.accepted += accepted;
        total.decided += decided;
      }
      if (seed !== 1) return;
      const page = await readFile(new URL("../../../docs/automation.md", import.meta.url), "utf8");
      // `npm run bench:automation -- --write` makes it.
      expect(page).toBe(withFigures(page, report, seed));
    },
    timeout,
  );

  test("let balanced accept as much as promised over all seeds", () => {
    expect(total.decided).toBeGreaterThan(0);
    expect(total.accepted / total.decided).toBeGreaterThanOrEqual(acceptedByBalancedAtLeast.ofAll);
  });
});
