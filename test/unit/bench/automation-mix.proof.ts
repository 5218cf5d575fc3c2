import { readFile } from "node:fs/promises";
import { describe, expect, test } from "@jest/globals";
import { withFigures } from "../../../bench/automation/automation-page.ts";
import { drawMix } from "../../../bench/automation/draw-mix.ts";
import { readMix } from "../../../bench/automation/read-mix.ts";
import { runMix } from "../../../bench/automation/run-mix.ts";
import { describeWrongAccept } from "../../../bench/automation/text-report.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";

/** What `balanced` accepts at least of the mix, in each dialect. Raise it when it accepts more. */
const acceptedByBalancedAtLeast = 0.43;

const policies = shippedPolicyNames.map((name) => ({ name, policy: readPolicyFile(name).policy }));
const count = 400;
/** Half a minute on an idle machine. */
const timeout = 180_000;

describe("the shipped policies over a large mix", () => {
  test.each([1, 2, 3])(
    "accept nothing wrong, and as much as promised, with seed %i",
    async (seed) => {
      const report = await runMix({ cases: drawMix(readMix(), seed, count), policies });

      expect(report.wrongAccepts.map(describeWrongAccept)).toEqual([]);
      const balanced = report.policies.find(({ policy }) => policy === "balanced")!;
      for (const { accepted, decided } of Object.values(balanced.byDialect)) {
        expect(accepted / decided).toBeGreaterThanOrEqual(acceptedByBalancedAtLeast);
      }
      if (seed !== 1) return;
      const page = await readFile(new URL("../../../docs/automation.md", import.meta.url), "utf8");
      // `npm run bench:automation -- --write` makes it.
      expect(page).toBe(withFigures(page, report, seed));
    },
    timeout,
  );
});
