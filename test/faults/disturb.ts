import { setTimeout as sleep } from "node:timers/promises";
import { count } from "./airlines.ts";
import type { Disturbance } from "./plan-run.ts";
import type { SystemUnderFaults } from "./system-under-faults.ts";

/** Does what the plan says, each thing once its share of the changes is made; resolves when the last one is over. */
export async function disturb(system: SystemUnderFaults): Promise<void> {
  const underWay: Promise<void>[] = [];
  /** Servers are restarted one at a time. */
  let restarting: Promise<void> = Promise.resolve();
  for (const { after, disturbance } of system.plan.disturbances) {
    while (system.progress < after) await sleep(20);
    if (disturbance.kind === "postgresql" || disturbance.kind === "redis") {
      restarting = restarting.then(() => carryOut(system, disturbance));
      underWay.push(restarting);
    } else {
      underWay.push(carryOut(system, disturbance));
    }
  }
  await Promise.all(underWay);
}

async function carryOut(system: SystemUnderFaults, disturbance: Disturbance): Promise<void> {
  const { fleet, postgres, proxies, redis } = system;
  switch (disturbance.kind) {
    case "kill":
    case "pause": {
      const candidates = fleet.members.filter(({ name }) => name.startsWith(disturbance.role));
      const member = candidates[disturbance.which % candidates.length]!;
      count(system, `${disturbance.kind} ${disturbance.role}`);
      if (disturbance.kind === "kill") member.kill(disturbance.pauseMs);
      else {
        member.pause(disturbance.forMs);
        await sleep(disturbance.forMs);
      }
      return;
    }
    case "postgresql":
      count(system, `postgresql ${disturbance.how}`);
      await postgres.restart(disturbance.how);
      return;
    case "redis": {
      if (redis === null) return;
      const { how, forMs } = disturbance;
      count(system, `redis ${how}`);
      if (how === "flush") {
        await redis.command("flushall");
        return;
      }
      if (how === "freeze") redis.freeze();
      else await redis[how]();
      await sleep(forMs);
      if (how === "freeze") redis.thaw();
      else await redis.start();
      return;
    }
    case "network": {
      const { link, fault, forMs, delayMs } = disturbance;
      count(system, `network ${fault}`);
      proxies[link].show(fault, forMs, delayMs);
      if (fault !== "reset") await sleep(forMs);
      return;
    }
  }
}
