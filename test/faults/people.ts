import { setTimeout as sleep } from "node:timers/promises";
import { count } from "./airlines.ts";
import type { SystemUnderFaults } from "./system-under-faults.ts";

interface WaitingCase {
  readonly id: string;
  readonly orderId: string;
}

/**
 * Decides waiting cases through the API as the plan says, and resumes automation that outcomes have stopped, until it is
 * stopped itself, whatever else goes on.
 */
export function decideRepeatedly(system: SystemUnderFaults): { stop(): Promise<void> } {
  let stopping = false;
  const seen = new Set<string>();
  const deciding = (async () => {
    while (!stopping) {
      await sleep(500);
      await resumeAutomation(system);
      const waiting = await system.pool
        .query<WaitingCase>(
          `select id, order_id as "orderId" from skedchange.cases where state = 'awaiting-agent' order by random() limit 12`,
        )
        .catch(() => ({ rows: [] }));
      for (const { id, orderId } of waiting.rows) {
        const action = system.plan.people.get(orderId) ?? null;
        if (action === null || seen.has(id) || stopping) continue;
        const status = await act(system, { id, orderId }, action);
        if (status !== null) count(system, status === 202 ? `person ${action}` : `person refused (${status})`);
        // What is refused for the flags will be refused again.
        if (status === 422) seen.add(id);
      }
    }
  })();
  return {
    async stop() {
      stopping = true;
      await deciding;
    },
  };
}

/**
 * Finds out, as a person does at the airline, what became of each effect whose outcome stayed unknown, and says so.
 *
 * @returns how many were settled.
 */
export async function settleUnknown(system: SystemUnderFaults): Promise<number> {
  const { rows } = await system.pool.query<WaitingCase & { carriedOut: boolean }>(`
    select c.id, c.order_id as "orderId", exists (
      select from gateway.journal j
      where j.order_id = e.order_id and j.at >= e.planned_at and j.result in ('SUCCESS', 'MIXED')
        and j.operation = case e.action when 'accept' then 'AirOrderInvoluntaryAccept' else 'AirOrderInvoluntaryCancel' end
    ) as "carriedOut"
    from skedchange.effects e join skedchange.cases c on c.id = e.case_id
    where e.state = 'unknown' and c.state = 'awaiting-agent'`);
  let settled = 0;
  for (const { id, orderId, carriedOut } of rows) {
    const action = carriedOut ? "confirm-effect" : "refute-effect";
    if ((await act(system, { id, orderId }, action)) !== 202) continue;
    count(system, `person ${action}`);
    settled += 1;
  }
  return settled;
}

/** Faults of the gateway are outcomes that contradict what was read. */
async function resumeAutomation(system: SystemUnderFaults): Promise<void> {
  const { rows } = await system.pool
    .query<{ id: string; source: string }>(
      "select id, source from skedchange.automation_stops where resumed_at is null and source is not null",
    )
    .catch(() => ({ rows: [] }));
  for (const { id, source } of rows) {
    if ((await post(system, "automation/resume", { source, stopId: id })) === 200) count(system, "person resume");
  }
}

/** The HTTP status of the response; null when none came. */
async function act(system: SystemUnderFaults, { id, orderId }: WaitingCase, action: string): Promise<number | null> {
  const parameters = action === "cancel" ? { confirm: orderId } : {};
  return await post(system, `cases/${id}/actions`, { action, ...parameters });
}

async function post({ fleet, apiToken }: SystemUnderFaults, path: string, body: object): Promise<number | null> {
  const port = fleet.members
    .find((member) => member.agencyPort() !== null && member.name.startsWith("receiver"))
    ?.agencyPort();
  if (port === undefined || port === null) return null;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
