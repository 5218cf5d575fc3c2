import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createEncryptionKey, type EncryptionKey, readEncryptionKeys } from "../../src/kernel/encryption-keys.ts";
import { bookOrders, causeChanges } from "./airlines.ts";
import { countRun, type RunCounts } from "./count-run.ts";
import { disturb } from "./disturb.ts";
import { type Evidence, readEvidence } from "./evidence.ts";
import { findViolations, type Violation } from "./find-violations.ts";
import { saveOrders } from "./keep-orders.ts";
import { decideRepeatedly, settleUnknown } from "./people.ts";
import { planRun, type RunSize } from "./plan-run.ts";
import { readFlags } from "./read-flags.ts";
import { type SystemUnderFaults, startSystem } from "./system-under-faults.ts";
import { shortTiming } from "./timing.ts";
import { untilQuiet } from "./until-quiet.ts";

export type QueueKind = "postgresql" | "redis";

export interface RunOptions {
  readonly seed: number;
  readonly size: RunSize;
  readonly queue: QueueKind;
  /** The compiled process. */
  readonly entry: string;
  /** Where the plan, the logs and the violations go; made when it is missing. */
  readonly folder: string;
  readonly print: (line: string) => void;
}

export interface RunResult {
  readonly seed: number;
  readonly queue: QueueKind;
  readonly size: RunSize;
  readonly counts: RunCounts;
  readonly violations: readonly Violation[];
}

/** Rounds in which people settle what stayed unknown; each may lead to another effect. */
const roundsMax = 5;

/**
 * One run: orders are booked, airlines change them while processes, servers and connections are disturbed and the gateway
 * misbehaves, and people decide; then all of it is let come to rest, and the tables of both sides are compared.
 */
export async function runFaults({ seed, size, queue, entry, folder, print }: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const report = (what: string): void => print(`  ${((performance.now() - startedAt) / 1_000).toFixed(1)} s  ${what}`);
  const plan = planRun(seed, size, queue, shortTiming.worker.leaseMs);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "plan.json"), JSON.stringify(plan, null, 1));
  const encryptionKeys = createEncryptionKey(new Date());
  const system = await startSystem({ plan, queue, entry, folder, encryptionKeys });
  const { pool, fleet, control, proxies } = system;
  try {
    report("every process is up");
    await bookOrders(system);
    report(`${plan.orders.length} orders are booked`);
    const people = decideRepeatedly(system);
    const disturbing = disturb(system);
    await causeChanges(system, size.notifications);
    report("the changes are made");
    await disturbing;
    await people.stop();
    for (const proxy of Object.values(proxies)) proxy.heal();
    await Promise.all(fleet.members.map((member) => member.ready()));
    await control.call("DELETE", "/faults");
    report("the disturbances are over");
    const { isQuiet, evidence, violations } = await compareAtRest(system, encryptionKeys);
    report(isQuiet ? "nothing moves any more" : "it does not come to rest");
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const counts = await countRun(system, evidence, seconds);
    await writeFile(join(folder, "violations.json"), JSON.stringify(violations, null, 1));
    const broken = violations.map(({ subject }) => /^F\d+-\d+/.exec(subject)?.[0]).filter((id) => id !== undefined);
    await saveOrders(pool, [...new Set(broken)], folder);
    return { seed, queue, size, counts, violations };
  } finally {
    const late = await system.stop();
    if (late.length > 0) report(`had to be killed in the end: ${late.join(", ")}`);
  }
}

/** Lets everything come to rest, people settle what stayed unknown, and compares the tables of both sides. */
export async function compareAtRest(
  system: SystemUnderFaults,
  encryptionKeys: string,
): Promise<{ readonly isQuiet: boolean; readonly evidence: Evidence; readonly violations: readonly Violation[] }> {
  let isQuiet = await untilQuiet(system.pool);
  for (let round = 0; isQuiet && round < roundsMax && (await settleUnknown(system)) > 0; round += 1) {
    isQuiet = await untilQuiet(system.pool);
  }
  const evidence = await readEvidence(system.pool, readFlags(keysOf(encryptionKeys)));
  return { isQuiet, evidence, violations: findViolations(evidence) };
}

function keysOf(text: string): readonly EncryptionKey[] {
  const reading = readEncryptionKeys(text);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.keys;
}
