/**
 * How much the shipped policies settle without a person, over a made-up mix of changes, and whether every accept among it
 * was right. `docs/automation.md` says what the mix is. The exit code is 1 when an accept was wrong.
 *
 *     npm run bench:automation -- [--seed 1] [--count 400] [--json] [--write]
 */

import { parseArgs } from "node:util";
import { readPolicyFile, shippedPolicyNames } from "../../src/app/policy-file.ts";
import { writeAutomationPage } from "./automation-page.ts";
import { drawMix } from "./draw-mix.ts";
import { readMix } from "./read-mix.ts";
import { runMix } from "./run-mix.ts";
import { renderMixReport } from "./text-report.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "400" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const startedAt = performance.now();
const seed = wholeNumber(values.seed, "--seed");
const report = await runMix({
  cases: drawMix(readMix(), seed, wholeNumber(values.count, "--count")),
  policies: shippedPolicyNames.map((name) => ({ name, policy: readPolicyFile(name).policy })),
  onProgress: (done) => {
    if (done % 100 === 0) console.error(`${done} changes decided`);
  },
});
const seconds = Math.round((performance.now() - startedAt) / 1_000);
console.log(values.json ? JSON.stringify({ seed, ...report }, null, 2) : renderMixReport(report, seed));
console.error(`${seconds} s`);
if (values.write) await writeAutomationPage(report, seed);
process.exitCode = report.wrongAccepts.length > 0 ? 1 : 0;

function wholeNumber(text: string, option: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${option} takes a whole number from 1 to 999999, not '${text}'.`);
  return Number(text);
}
