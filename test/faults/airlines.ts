import { setTimeout as sleep } from "node:timers/promises";
import type { SystemUnderFaults } from "./system-under-faults.ts";

const lanes = 4;
/** So many unacknowledged notifications and unfinished wake-ups at most: the disturbances are to meet all of the work. */
const backlogMax = 400;

/** Books every order of the plan at the gateway. */
export async function bookOrders({ plan, control }: SystemUnderFaults): Promise<void> {
  const waiting = [...plan.orders];
  await inLanes(async () => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      await control.call("POST", "/orders", order.request);
    }
  });
}

/** Makes the changes of the plan, each with its faults, until so many notifications are announced. */
export async function causeChanges(system: SystemUnderFaults, notifications: number): Promise<void> {
  const { plan, control } = system;
  let next = 0;
  const backlog = watchBacklog(system);
  await inLanes(async () => {
    while (next < plan.changes.length && backlog.announced() < notifications) {
      const { orderId, faults, changes } = plan.changes[next++]!;
      system.progress = Math.max(next / plan.changes.length, backlog.announced() / notifications);
      for (const fault of faults) {
        await control.call("POST", "/faults", fault);
        const { mode } = fault as { mode: string };
        count(system, `fault ${mode}`);
      }
      const made = await control.call("POST", `/orders/${orderId}/changes`, { changes });
      count(system, made === null ? "changes refused" : "changes");
      await backlog.room();
    }
  });
  system.progress = 1;
  await backlog.stop();
}

export function count({ counts }: Pick<SystemUnderFaults, "counts">, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

async function inLanes(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: lanes }, work));
}

function watchBacklog({ pool }: SystemUnderFaults): {
  announced(): number;
  room(): Promise<void>;
  stop(): Promise<void>;
} {
  let announced = 0;
  let waiting = 0;
  let stopping = false;
  const watching = (async () => {
    while (!stopping) {
      try {
        const { rows } = await pool.query<{ announced: number; waiting: number }>(`
          select (select count(*)::int from gateway.deliveries) as announced,
            (select count(*)::int from gateway.deliveries where state = 'pending')
              + (select count(*)::int from skedchange.notification_digests where pending_since is not null)
              + (select count(*)::int from skedchange.cases where due_at <= now()) as waiting`);
        ({ announced, waiting } = rows[0]!);
      } catch {
        // PostgreSQL is being restarted.
      }
      await sleep(100);
    }
  })();
  return {
    announced: () => announced,
    async room() {
      while (waiting > backlogMax && !stopping) await sleep(25);
    },
    async stop() {
      stopping = true;
      await watching;
    },
  };
}
