import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { withFigures } from "../../../bench/automation/automation-page.ts";
import { drawMix } from "../../../bench/automation/draw-mix.ts";
import { readMix } from "../../../bench/automation/read-mix.ts";
import { type MixReport, runMix } from "../../../bench/automation/run-mix.ts";
import { describeWrongAccept } from "../../../bench/automation/text-report.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";

/** What `balanced` accepts at least of the mix: of all seeds together, and of each in each dialect. */
const acceptedByBalancedAtLeast = { ofAll: 0.55, ofEach: 0.53 };

const policies = shippedPolicyNames.map((name) => ({ name, policy: readPolicyFile(name).policy }));
const count = 400;
const seeds = [1, 2, 3] as const;
/** Half a minute for each seed on an idle machine. */
const timeout = 3 * 180_000;

const reports = new Map<number, MixReport>();

beforeAll(async () => {
  for (const seed of seeds) reports.set(seed, await runMix({ cases: drawMix(readMix(), seed, count), policies }));
}, timeout);

function byDialectOfBalanced(seed: number) {
  const balanced = reports.get(seed)!.policies.find(({ policy }) => policy === "balanced")!;
  return Object.values(balanced.byDialect);
}

describe("over a large mix of changes", () => {
  test.each(seeds)("the shipped policies accept nothing wrong with seed %i", (seed) => {
    expect(reports.get(seed)!.wrongAccepts.map(describeWrongAccept)).toEqual([]);
  });

  test.each(seeds)("balanced accepts as much as promised in each dialect with seed %i", (seed) => {
    for (const { accepted, decided } of byDialectOfBalanced(seed)) {
      expect(accepted / decided).toBeGreaterThanOrEqual(acceptedByBalancedAtLeast.ofEach);
    }
  });

  test("balanced accepts as much as promised over all seeds and dialects", () => {
    const all = seeds.flatMap(byDialectOfBalanced);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    const decided = sum(all.map((report) => report.decided));

    expect(decided).toBeGreaterThanOrEqual(seeds.length * count);
    expect(sum(all.map(({ accepted }) => accepted)) / decided).toBeGreaterThanOrEqual(acceptedByBalancedAtLeast.ofAll);
  });
});

test("docs/automation.md shows the figures that `npm run bench:automation -- --write` measures", async () => {
  const page = await readFile(new URL("../../../docs/automation.md", import.meta.url), "utf8");

  expect(page).toBe(withFigures(page, reports.get(1)!, 1));
});
