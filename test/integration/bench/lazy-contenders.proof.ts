import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bareContender, type LoadSource } from "../../../bench/acknowledge/acknowledge.ts";
import type { LoadCalls } from "../../../bench/acknowledge/load-process.ts";
import type { Contender } from "../../../bench/benchmark.ts";
import * as decide from "../../../bench/decide/contenders.ts";
import { acceptChange, callByFetch } from "../../../bench/decide/gateway-calls.ts";
import type { GatewayCalls } from "../../../bench/decide/gateway-process.ts";
import * as deliver from "../../../bench/deliver/deliver.ts";
import type { RecipientCalls } from "../../../bench/deliver/recipient-process.ts";
import { mixedNotifications } from "../../../bench/notifications.ts";
import { type Programs, type RemoteProcess, startProcess } from "../../../bench/remote-process.ts";
import { runBench } from "../../../bench/run-bench.ts";
import type { BenchReport } from "../../../bench/text-report.ts";

/** The processes of the benchmarks, from TypeScript: here nothing is measured. */
const programs: Programs = {
  fileOf: (path) => fileURLToPath(new URL(`../../../${path}.ts`, import.meta.url)),
  execArgv: ["--import", "tsx"],
};

let load: RemoteProcess<LoadCalls>;
let gateway: RemoteProcess<GatewayCalls>;
let recipient: RemoteProcess<RecipientCalls>;
let gatewayUrl: string;
let target: { readonly url: string; readonly token: string };

beforeAll(async () => {
  [load, gateway, recipient] = await Promise.all([
    startProcess<LoadCalls>(programs, "bench/acknowledge/load-process"),
    startProcess<GatewayCalls>(programs, "bench/decide/gateway-process"),
    startProcess<RecipientCalls>(programs, "bench/deliver/recipient-process"),
  ]);
  [gatewayUrl, target] = await Promise.all([gateway.call("listen"), recipient.call("listen")]);
});
afterAll(() => Promise.all([load?.stop(), gateway?.stop(), recipient?.stop()]));

describe("a run of benchmarks", () => {
  test("shows the figures of a contender that did its work, and writes them as JSON and as a page", async () => {
    const call = callByFetch(gatewayUrl);

    const run = await runWith(
      decide.loopContender("honest loop", "makes every call", gateway, async ({ first, count }) => {
        for (let order = first; order < first + count; order += 1) await acceptChange(call, order);
      }),
    );

    expect({ code: run.code, said: run.lines.filter((line) => line.includes("did not do its work")) }).toEqual({
      code: 0,
      said: [],
    });
    expect(run.printed).toContain("honest loop");
    expect(run.report?.benchmarks[0]?.contenders).toMatchObject([
      { name: "honest loop", figures: { "gateway calls an order": { min: 4, max: 4 } } },
    ]);
    expect(run.page).toContain("honest loop");
  });

  test("ends with an error when a server acknowledges notifications without reading them", async () => {
    let responded = 0;
    const lazy = createServer((request, response) => {
      responded += 1;
      request.resume();
      request.on("end", () => response.end('{"AcknowledgeResponse":{"Status":"OK"}}'));
    });
    const source: LoadSource = { load, connections: 2 };
    // It says that it parsed everything, but it cannot know which orders it was told of.
    const call = async () => ({ parsed: responded, orderSum: responded });

    try {
      const run = await runWith(bareContender(source, await listen(lazy), { call: call as never }));
      expectRefused(run, "bare node:http", "Of what it acknowledged: sum of the orders' numbers should be");
    } finally {
      lazy.closeAllConnections();
      lazy.close();
    }
  });

  test("ends with an error when a worker accepts and does not look at what came of it", async () => {
    const call = callByFetch(gatewayUrl);

    const run = await runWith(
      decide.loopContender("lazy worker", "reads and accepts", gateway, async ({ first, count }) => {
        for (let order = first; order < first + count; order += 1) {
          await call("AirReservationStatus", order);
          await call("AirOrderInvoluntaryAccept", order);
        }
      }),
    );

    expectRefused(run, "lazy worker", "0 of 60 orders had their documents read.");
  });

  test("ends with an error when a worker accepts an order twice", async () => {
    const call = callByFetch(gatewayUrl);

    const run = await runWith(
      decide.loopContender("hasty worker", "accepts the first order twice", gateway, async ({ first, count }) => {
        await call("AirOrderInvoluntaryAccept", first);
        for (let order = first; order < first + count; order += 1) await acceptChange(call, order);
      }),
    );

    expectRefused(run, "hasty worker", "59 of 60 orders were accepted exactly once.");
  });

  test("ends with an error when a sender leaves out one notification or sends other bytes", async () => {
    const bodies = mixedNotifications();

    const run = await runWith(
      deliver.loopContender("lazy sender", "cuts the second, leaves out the last", recipient, async (orders) => {
        for (let order = orders.first; order < orders.first + orders.count - 1; order += 1) {
          const body = order === orders.first + 1 ? bodies.bodyOf(order).subarray(0, 100) : bodies.bodyOf(order);
          await post(body, `${order}`);
        }
      }),
    );

    expectRefused(run, "lazy sender", "198 of 200 notifications arrived byte for byte");
  });
});

interface Run {
  readonly code: number;
  readonly printed: string;
  readonly lines: readonly string[];
  /** Null when nothing was written. */
  readonly report: BenchReport | null;
  readonly page: string | null;
}

/** One short round of a benchmark with this contender only. */
async function runWith<Done extends { count: number; seconds: number }>(contender: Contender<Done>): Promise<Run> {
  const out = await mkdtemp(join(tmpdir(), "skedchange-bench-test-"));
  let printed = "";
  const lines: string[] = [];
  try {
    const code = await runBench(["--rounds", "1", "--seconds", "0.1", "--out", out], {
      benchmarks: [
        {
          name: "planted",
          title: "A planted contender",
          unit: "orders",
          warmUp: 0,
          start: async () => ({ setup: [], contenders: [contender], targets: [], leftOut: [], stop: async () => {} }),
        },
      ],
      print: (text) => {
        printed += `${text}\n`;
      },
      onProgress: (line) => lines.push(line),
    });
    const files = await readdir(out);
    const read = (name: string) => (files.includes(name) ? readFile(join(out, name), "utf8") : null);
    const json = await read("bench.json");
    return { code, printed, lines, report: json === null ? null : JSON.parse(json), page: await read("bench.html") };
  } finally {
    await rm(out, { recursive: true });
  }
}

function expectRefused(run: Run, contender: string, reason: string): void {
  expect(run).toMatchObject({ code: 1, printed: "", report: null, page: null });
  expect(run.lines.at(-1)).toContain(`planted: "${contender}" did not do its work, so its speed says nothing.`);
  expect(run.lines.at(-1)).toContain(reason);
  // Nor was a figure of it shown on the way.
  expect(run.lines.join("\n")).not.toContain("per second");
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(body: Buffer, webhookId: string): Promise<void> {
  const headers = { authorization: `Bearer ${target.token}`, "webhook-id": webhookId, "webhook-timestamp": "1" };
  const response = await fetch(target.url, { method: "POST", headers, body: new Uint8Array(body) });
  await response.text();
}
