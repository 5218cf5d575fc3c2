import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { bookOrders } from "../faults/airlines.ts";
import type { Member } from "../faults/fleet.ts";
import { decideRepeatedly } from "../faults/people.ts";
import { planRun } from "../faults/plan-run.ts";
import { compareAtRest } from "../faults/run-faults.ts";
import { type SystemUnderFaults, startSystem } from "../faults/system-under-faults.ts";
import { shortTiming } from "../faults/timing.ts";
import { type Build, buildNext, buildPresent, buildReleased, hasReleased } from "./builds.ts";

/** So many orders that there are two processes of each role, and changes for longer than a roll takes. */
const size = { orders: 510, notifications: 3_000 };
const pauseBetweenChangesMs = 50;

let present: Build;
let next: Build;
beforeAll(async () => {
  present = await buildPresent();
  next = buildNext(present);
}, 120_000);
afterAll(() => {
  next?.remove();
  present?.remove();
});

describe("an upgrade of a running installation, one process after the other, under load", () => {
  test("keeps every process ready, can be taken back with the schema left as it is, and breaks no promise", async () => {
    await underLoad(present, async (system) => {
      await next.migrate(system.postgres.ownerUrl);
      expect(await readinessOf(system.fleet.members)).toEqual(system.fleet.members.map(({ name }) => [name, 200]));
      await system.whileEffectsSucceed();
      await replaceEach(system, next, "SIGTERM");
      await system.whileEffectsSucceed();
      await replaceEach(system, present, "SIGKILL");
      expect(await readinessOf(system.fleet.members)).toEqual(system.fleet.members.map(({ name }) => [name, 200]));
      await system.whileEffectsSucceed();
    });
  }, 400_000);

  const released = hasReleased() ? test : test.skip;
  released(
    "from the last release keeps every process ready and breaks no promise (needs the history of git, and its packages from the registry)",
    async () => {
      const old = await buildReleased();
      try {
        await underLoad(old, async (system) => {
          await present.migrate(system.postgres.ownerUrl);
          expect(await readinessOf(system.fleet.members)).toEqual(system.fleet.members.map(({ name }) => [name, 200]));
          await system.whileEffectsSucceed();
          await replaceEach(system, present, "SIGTERM");
          await system.whileEffectsSucceed();
        });
      } finally {
        old.remove();
      }
    },
    400_000,
  );
});

interface SystemUnderLoad extends SystemUnderFaults {
  /** Resolves when some more have succeeded than when it was called. */
  whileEffectsSucceed(): Promise<void>;
}

/** Airlines change orders steadily and people decide, while `roll` does its work; then every promise is checked. */
async function underLoad(old: Build, roll: (system: SystemUnderLoad) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-rolling-"));
  const encryptionKeys = createEncryptionKey(new Date());
  const plan = planRun(20_261_125, size, "postgresql", shortTiming.worker.leaseMs);
  const { entry, migrate } = old;
  const system = await startSystem({ plan, queue: "postgresql", entry, migrate, folder, encryptionKeys });
  try {
    await bookOrders(system);
    const people = decideRepeatedly(system);
    const airlines = changeSteadily(system);
    await whileEffectsSucceed(system);
    await roll({ ...system, whileEffectsSucceed: () => whileEffectsSucceed(system) });
    expect(airlines.areDone()).toBe(false);
    await airlines.stop();
    await people.stop();

    const { isQuiet, evidence, violations } = await compareAtRest(system, encryptionKeys);
    expect({ isQuiet, violations, logs: folder }).toEqual({ isQuiet: true, violations: [], logs: folder });
    expect(evidence.deliveries.length).toBeGreaterThan(200);
    expect(system.fleet.members.map((member) => [member.name, member.faults()])).toEqual(
      system.fleet.members.map(({ name }) => [name, 0]),
    );
  } finally {
    await system.stop();
  }
  await rm(folder, { recursive: true, force: true });
}

function changeSteadily({ plan, control }: SystemUnderFaults): { areDone(): boolean; stop(): Promise<void> } {
  let stopping = false;
  let areDone = false;
  const changing = (async () => {
    for (const { orderId, changes } of plan.changes) {
      if (stopping) return;
      await control.call("POST", `/orders/${orderId}/changes`, { changes });
      await sleep(pauseBetweenChangesMs);
    }
    areDone = true;
  })();
  return {
    areDone: () => areDone,
    async stop() {
      stopping = true;
      await changing;
    },
  };
}

async function whileEffectsSucceed({ pool }: SystemUnderFaults): Promise<void> {
  const succeeded = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int as count from skedchange.effects where state = 'succeeded'",
    );
    return rows[0]!.count;
  };
  const wanted = (await succeeded()) + 10;
  const giveUpAt = performance.now() + 60_000;
  while ((await succeeded()) < wanted) {
    if (performance.now() > giveUpAt) throw new Error("no effect succeeds any more");
    await sleep(100);
  }
}

/** Receivers first, as `docs/operations.md` says. */
async function replaceEach(
  { fleet }: SystemUnderFaults,
  { entry }: Build,
  signal: "SIGTERM" | "SIGKILL",
): Promise<void> {
  const isReceiver = ({ name }: Member): boolean => name.startsWith("receiver");
  const inOrder = [...fleet.members.filter(isReceiver), ...fleet.members.filter((member) => !isReceiver(member))];
  for (const member of inOrder) await member.replace(entry, signal);
}

async function readinessOf(members: readonly Member[]): Promise<readonly (readonly [string, number])[]> {
  return await Promise.all(
    members.map(async (member) => {
      const port = member.agencyPort() ?? member.gatewayPort();
      const response = await fetch(`http://127.0.0.1:${port}/readyz`);
      await response.arrayBuffer();
      return [member.name, response.status] as const;
    }),
  );
}
