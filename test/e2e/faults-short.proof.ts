import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunResult, runFaults } from "../faults/run-faults.ts";
import { type CompiledProcess, compileProcess } from "../harness/compile-process.ts";
import { hasRedisServer, requiresRedis } from "../harness/redis-presence.ts";

/** `npm run test:faults` runs the whole; this is the same driver on a small plan. */
const size = { orders: 60, notifications: 200 };
const seed = 20_261_121;

let compiled: CompiledProcess;
beforeAll(async () => {
  compiled = await compileProcess("test/faults/faults-process");
});
afterAll(() => compiled?.remove());

const queues = (["postgresql", "redis"] as const).filter(
  (queue) => queue === "postgresql" || hasRedisServer() || requiresRedis(),
);

describe.each(queues)("processes, servers and connections disturbed at random, with the queue on %s", (queue) => {
  test("keep every promise, whatever is disturbed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "skedchange-faults-short-"));
    let printed = "";
    const run = (): Promise<RunResult> =>
      runFaults({
        seed,
        size,
        queue,
        folder,
        entry: compiled.entry,
        print: (line) => {
          printed += `${line}\n`;
        },
      });
    const { violations, counts } = await run();

    expect({ violations, said: violations.length > 0 ? `${printed}logs are in ${folder}` : "" }).toEqual({
      violations: [],
      said: "",
    });
    // A run in which nothing happened would keep every promise as well.
    const count = (name: string): number => Number(/^\d+/.exec(new Map(counts).get(name) ?? "")?.[0] ?? 0);
    expect(count("notifications sent")).toBeGreaterThanOrEqual(size.notifications);
    expect(count("killed")).toBeGreaterThan(0);
    expect(count("PostgreSQL restarted")).toBeGreaterThan(0);
    expect(count("effects")).toBeGreaterThan(0);
    await rm(folder, { recursive: true, force: true });
    // A whole run with its disturbances, leases that run out in real time, and the wait until all is quiet.
  }, 240_000);
});
