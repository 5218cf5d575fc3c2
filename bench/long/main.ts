/**
 * What large tables, a long time and a storm do to the product. The defaults are for seeing that this runs;
 * docs/performance.md names the sizes that were measured. The exit code is 1 when the storm lost something or met a 5xx.
 *
 *     npm run bench:long -- [--notifications 2000] [--cases 1000] [--rounds 2] [--seconds 1] [--soak-minutes 0.2]
 *       [--storm 500] [--storm-seconds 2] [--connections 64] [--out folder]
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildDistIfStale } from "../../test/harness/build-dist.ts";
import type { LoadCalls } from "../acknowledge/load-process.ts";
import { runRounds } from "../benchmark.ts";
import { compilePrograms } from "../compile.ts";
import { startDatabaseServer } from "../database.ts";
import { createEventRecipient } from "../decide/decide.ts";
import type { GatewayCalls } from "../decide/gateway-process.ts";
import { createRecipient } from "../deliver/deliver.ts";
import type { RecipientCalls } from "../deliver/recipient-process.ts";
import { describeMachine } from "../machine.ts";
import { startProcess } from "../remote-process.ts";
import { createStopList } from "../stop-list.ts";
import { renderBenchmark } from "../text-report.ts";
import { compareSizes } from "./compare-sizes.ts";
import { fillDatabase } from "./fill-database.ts";
import { measuringSettings, readGrowing, startMeasuring } from "./growing-statements.ts";
import { describeGrowing, describeReads, describeSoak, describeStorm } from "./long-report.ts";
import { soak } from "./soak.ts";
import { findFailures, storm } from "./storm.ts";
import { timeReads } from "./time-reads.ts";
import { writeTemplates } from "./write-templates.ts";

/** Numbers of orders that are not used by anything else; those of the rounds begin at 1. */
const soakFirst = 3_000_000;
const stormFirst = 6_000_000;
/** Orders under way at the same time; the default of WORKER_CONCURRENCY. */
const atOnce = 8;

const { values } = parseArgs({
  options: {
    notifications: { type: "string", default: "2000" },
    cases: { type: "string", default: "1000" },
    rounds: { type: "string", default: "2" },
    seconds: { type: "string", default: "1" },
    "soak-minutes": { type: "string", default: "0.2" },
    storm: { type: "string", default: "500" },
    "storm-seconds": { type: "string", default: "2" },
    connections: { type: "string", default: "64" },
    out: { type: "string", default: fileURLToPath(new URL("../results/", import.meta.url)) },
  },
});
const number = (name: Exclude<keyof typeof values, "out">): number => {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} takes a number, not '${values[name]}'.`);
  return value;
};
const cases = number("cases");
const notifications = Math.max(number("notifications"), cases);
const [rounds, seconds, connections] = [number("rounds"), number("seconds"), number("connections")];

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interruption.abort());
const onProgress = (line: string): void => {
  interruption.signal.throwIfAborted();
  console.error(line);
};

buildDistIfStale();
const stops = createStopList();
try {
  const machine = await describeMachine();
  const programs = compilePrograms();
  stops.add(async () => programs.remove());
  const gateway = await startProcess<GatewayCalls>(programs, "bench/decide/gateway-process");
  stops.add(gateway.stop);
  const load = await startProcess<LoadCalls>(programs, "bench/acknowledge/load-process");
  stops.add(load.stop);
  const recipient = await startProcess<RecipientCalls>(programs, "bench/deliver/recipient-process");
  stops.add(recipient.stop);
  const server = await startDatabaseServer(measuringSettings);
  stops.add(server.stop);
  const databases = {
    "empty database": await server.createDatabase("empty"),
    "full database": await server.createDatabase("full"),
  };
  const target = await recipient.call("listen");
  for (const database of Object.values(databases)) {
    await createEventRecipient(database);
    await createRecipient(database, target);
  }
  const parts = { gateway, load, recipient, connections, atOnce, gatewayUrl: await gateway.call("listen") };
  const full = databases["full database"];

  const templates = await writeTemplates(parts, full);
  const filling = { notifications, cases, deliveries: cases, days: 60, openShare: 0.1 };
  await fillDatabase(full, templates, filling, onProgress);

  const reads = await timeReads(full.database);
  console.log(`${describeReads(reads)}\n`);

  await startMeasuring(databases);
  const results = [];
  for (const benchmark of rounds === 0 ? [] : compareSizes(parts, databases)) {
    onProgress(`${benchmark.name}: starting`);
    const started = await benchmark.start({ connections, atOnce, withPeers: false });
    try {
      results.push(
        await runRounds(benchmark, started, { rounds, seconds, warmUp: null, signal: interruption.signal }, onProgress),
      );
    } finally {
      await started.stop();
    }
  }
  const growing = await readGrowing(databases, 15);
  const report = [
    `${notifications.toLocaleString("en-GB")} notifications, ${cases.toLocaleString("en-GB")} cases; ` +
      `${machine.cores} cores (${machine.processor}), Node.js ${machine.node}, commit ${machine.commit ?? "unknown"}`,
    ...results.map(renderBenchmark),
    describeGrowing(growing),
  ];
  console.log(report.join("\n\n"));

  const decided = results.find(({ name }) => name === "decide")?.contenders.at(-1)?.perSecond.median ?? 40;
  const soaked =
    number("soak-minutes") === 0
      ? null
      : await soak(
          parts,
          full,
          { perSecond: decided / 2, minutes: number("soak-minutes"), connections, firstOrder: soakFirst },
          onProgress,
        );
  if (soaked !== null) console.log(`\n${describeSoak(soaked)}`);
  const stormed =
    number("storm") === 0
      ? null
      : await storm(parts, full, {
          notifications: number("storm"),
          seconds: number("storm-seconds"),
          connections,
          firstOrder: stormFirst,
        });
  if (stormed !== null) {
    console.log(`\n${describeStorm(stormed)}`);
    if (findFailures(stormed).length > 0) process.exitCode = 1;
  }

  await mkdir(values.out, { recursive: true });
  await writeFile(
    join(values.out, "long.json"),
    `${JSON.stringify({ machine, filling, reads, results, growing, soak: soaked, storm: stormed }, null, 2)}\n`,
  );
} finally {
  await stops.stop();
}
