import type { Evidence } from "./evidence.ts";
import type { SystemUnderFaults } from "./system-under-faults.ts";

/** What happened in a run, by name, in the order in which it is printed. */
export type RunCounts = readonly (readonly [name: string, value: string])[];

export async function countRun(system: SystemUnderFaults, evidence: Evidence, seconds: number): Promise<RunCounts> {
  const { plan, pool, counts, fleet } = system;
  const { deliveries, notifications, journal, cases, effects } = evidence;
  const one = async (text: string): Promise<number> => (await pool.query<{ count: number }>(text)).rows[0]!.count;
  const did = (prefix: string): string => listed(sumUp(counts, prefix));
  const calls = journal.filter(({ operation }) => operation.startsWith("AirOrderInvoluntary"));
  const byPerson = (counts.get("person confirm-effect") ?? 0) + (counts.get("person refute-effect") ?? 0);
  const unknown = await one(
    "select count(distinct detail ->> 'effectId')::int as count from skedchange.case_events where kind = 'effect.unknown'",
  );
  return [
    ["orders", String(plan.orders.length)],
    ["changes made", `${counts.get("changes") ?? 0} requests, ${evidence.changes.length} changes`],
    ["notifications sent", String(deliveries.length)],
    [
      "acknowledged",
      `${deliveries.filter(({ state }) => state === "delivered").length} in ${await one("select count(*)::int as count from gateway.attempts")} tries`,
    ],
    [
      "stored",
      `${notifications.length} different ones, ${total(notifications.map(({ receipts }) => receipts))} receipts`,
    ],
    ["decisions", listed(countBy(await names("select action as name from skedchange.decisions")))],
    [
      "decisions by people",
      String(await one("select count(*)::int as count from skedchange.decisions where decided_by like 'person:%'")),
    ],
    ["cases in the end", listed(countBy(cases.map(({ state }) => state)))],
    ["effects", listed(countBy(effects.map(({ action, state }) => `${action} ${state}`)))],
    ["sent a second time", String(effects.filter(({ sends }) => sends > 1).length)],
    ["calls at the gateway", listed(countBy(calls.map(({ result }) => result)))],
    ["outcomes unknown at first", `${unknown}, of them ${byPerson} settled by a person, the others by the status`],
    ["faults of the gateway set", did("fault ")],
    ["killed", did("kill ")],
    ["paused beyond the lease", did("pause ")],
    ["PostgreSQL restarted", did("postgresql ")],
    ["Redis disturbed", did("redis ")],
    ["connections disturbed", did("network ")],
    ["people", did("person ")],
    ["processes that ended by themselves", String(total(fleet.members.map((member) => member.faults())))],
    ["seconds", String(seconds)],
  ];

  async function names(text: string): Promise<readonly string[]> {
    return (await pool.query<{ name: string }>(text)).rows.map(({ name }) => name);
  }
}

function sumUp(counts: ReadonlyMap<string, number>, prefix: string): ReadonlyMap<string, number> {
  return new Map(
    [...counts].filter(([name]) => name.startsWith(prefix)).map(([name, times]) => [name.slice(prefix.length), times]),
  );
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function listed(counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "none";
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `${times} ${name}`)
    .join(", ");
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
