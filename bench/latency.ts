/**
 * How long it takes from the push of a notification to the commit of its decision, while little is to do: what it waits for
 * are the signals between processes. The receiver and the worker are processes of their own. A percentile above the wanted one
 * makes the exit code 1.
 *
 *     npm run bench:latency -- [notifications] [milliseconds between them]
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { LoadCalls } from "./acknowledge/load-process.ts";
import { compilePrograms } from "./compile.ts";
import { startDatabaseServer } from "./database.ts";
import { pushTarget } from "./decide/contenders.ts";
import { decidingSettings } from "./decide/decide.ts";
import type { GatewayCalls } from "./decide/gateway-process.ts";
import { minorDelay, orderIdOf } from "./notifications.ts";
import { startProduct } from "./product-process.ts";
import { startProcess } from "./remote-process.ts";
import { createStopList } from "./stop-list.ts";

const count = Number(process.argv[2] ?? 200);
const everyMs = Number(process.argv[3] ?? 200);
const warmUps = 300;
const wantedP95Ms = 100;

const stops = createStopList();
try {
  const programs = compilePrograms();
  stops.add(async () => programs.remove());
  const gateway = await startProcess<GatewayCalls>(programs, "bench/decide/gateway-process");
  stops.add(gateway.stop);
  const load = await startProcess<LoadCalls>(programs, "bench/acknowledge/load-process");
  stops.add(load.stop);
  const server = await startDatabaseServer({ track_commit_timestamp: "on" });
  stops.add(server.stop);
  const { environment, adminUrl } = await server.createDatabase("bench");
  const settings = { ...environment, ...decidingSettings(await gateway.call("listen")) };
  const worker = await startProduct({ ...settings, ROLES: "worker" });
  stops.add(worker.stop);
  const receiver = await startProduct({ ...settings, ROLES: "receiver" });
  stops.add(receiver.stop);
  const target = pushTarget(receiver.agencyUrl);
  await load.call("push", {
    ...target,
    connections: 4,
    firstOrder: 1,
    bodies: "minor-delay",
    until: { count: warmUps },
  });
  await gateway.call("untilFinished", { count: warmUps, withinMs: 120_000 });

  const pushedAt = await pushSlowly(target, warmUps + 1);
  await gateway.call("untilFinished", { count: warmUps + count, withinMs: 60_000 });
  const latencies = await readLatencies(adminUrl, pushedAt);
  report(latencies);
} finally {
  await stops.stop();
}

/** Pushes one notification after the other. @returns when, by order id */
async function pushSlowly(target: ReturnType<typeof pushTarget>, first: number): Promise<ReadonlyMap<string, number>> {
  const pushedAt = new Map<string, number>();
  const pending = minorDelay();
  for (let order = first; order < first + count; order += 1) {
    pushedAt.set(orderIdOf(order), performance.timeOrigin + performance.now());
    const response = await fetch(`${target.url}${target.path}`, {
      method: "POST",
      headers: { authorization: target.authorization, "content-type": "application/json" },
      body: new Uint8Array(pending.bodyOf(order)),
    });
    if (response.status !== 200) throw new Error(`A notification was refused with ${response.status}.`);
    await response.arrayBuffer();
    // Not in step with anything that the processes do again and again.
    await sleep(everyMs * (0.5 + Math.random()));
  }
  return pushedAt;
}

/** In ascending order, in milliseconds. */
async function readLatencies(url: string, pushedAt: ReadonlyMap<string, number>): Promise<readonly number[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ orderId: string; decidedAt: number }>(
      `select c.order_id as "orderId", (extract(epoch from pg_xact_commit_timestamp(d.xmin)) * 1000)::float8 as "decidedAt"
       from skedchange.decisions d join skedchange.cases c on c.id = d.case_id where c.order_id = any($1)`,
      [[...pushedAt.keys()]],
    );
    if (rows.length !== count) throw new Error(`${rows.length} of ${count} orders were decided.`);
    return rows.map(({ orderId, decidedAt }) => decidedAt - pushedAt.get(orderId)!).sort((a, b) => a - b);
  } finally {
    await client.end();
  }
}

function report(latencies: readonly number[]): void {
  const percentile = (share: number): number => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
  const p95Ms = percentile(0.95);
  console.log(
    `${count} notifications, one every ${everyMs} ms on average, from the push to the commit of the decision`,
  );
  console.table([
    { "p50 ms": Math.round(percentile(0.5)), "p95 ms": Math.round(p95Ms), "p99 ms": Math.round(percentile(0.99)) },
  ]);
  console.log(`At most ${wantedP95Ms} ms are wanted at the 95th percentile, with nothing else running.`);
  process.exitCode = p95Ms <= wantedP95Ms ? 0 : 1;
}
