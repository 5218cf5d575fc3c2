// Runs `npm test` with the machine's date moved ahead, once for each number of days. Arguments go on to vitest:
// `npm run test:dates -- test/integration/worker`.
import { spawnSync } from "node:child_process";

const daysAhead = [120, 400];
const vitest = ["node_modules/vitest/vitest.mjs", "run"];
const handClockOn = `--import=${new URL("hand-moved-clock-on.js", import.meta.url)}`;

const failed = daysAhead.filter((days) => {
  process.stderr.write(`\nThe tests ${days} days ahead:\n`);
  return runTests(days) !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`\nTests failed with the date moved by ${failed.join(" and ")} days.\n`);
  process.exitCode = 1;
}

/** Timers keep the machine's monotonic clock: only the date moves. */
function runTests(days) {
  const command = [process.execPath, ...vitest, ...process.argv.slice(2)];
  const ended = spawnSync("faketime", ["--exclude-monotonic", "-f", `+${days}d`, ...command], {
    stdio: "inherit",
    env: { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${handClockOn}` },
  });
  if (ended.error?.code === "ENOENT") {
    process.stderr.write("There is no faketime on the PATH, which moves the date. Debian: apt-get install faketime\n");
    process.exit(1);
  }
  if (ended.error !== undefined) throw ended.error;
  return ended.status;
}
