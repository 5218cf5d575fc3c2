// Runs test files again and again while another process burns a core, to find tests that fail on a busy machine:
//
//     npm run test:load                                     # the three slowest files, ten times each
//     npm run test:load -- --runs 3 test/e2e/stop.proof.ts
//
// The exit code is 1 when a run failed; the output of each failed run is shown.
import { spawn, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const slowest = [
  "test/browser/desk-actions.proof.ts",
  "test/e2e/sender-under-faults.proof.ts",
  "test/e2e/crash-points.proof.ts",
];

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "10" } },
  allowPositionals: true,
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs is a whole number from 1 on, not ${values.runs}.`);
const files = positionals.length === 0 ? slowest : positionals;

const burner = spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" });
process.once("exit", () => burner.kill());
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

let failures = 0;
for (const file of files) {
  const command = file.endsWith(".proof.ts") ? ["run", "test:proof"] : ["test"];
  for (let run = 1; run <= runs; run += 1) {
    const startedAt = performance.now();
    const ended = spawnSync("npm", [...command, "--", file], { encoding: "utf8" });
    const passed = ended.status === 0;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    console.log(`${file}, run ${run} of ${runs}: ${passed ? "passed" : "failed"} after ${seconds} s`);
    if (passed) continue;
    failures += 1;
    console.log(`${ended.stdout}${ended.stderr}`);
  }
}
console.log(failures === 0 ? "Every run passed." : `${failures} of ${files.length * runs} runs failed.`);
process.exit(failures === 0 ? 0 : 1);
