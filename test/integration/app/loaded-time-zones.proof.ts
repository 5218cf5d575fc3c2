import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoCredentials } from "../../../src/config/demo-credentials.ts";
import { shippedTimeZones } from "../../../src/travel/zones.ts";
import { demoGatewayAt } from "../../browser/demo-gateway.ts";
import { eventually } from "../../harness/eventually.ts";
import { runCommand } from "../../harness/run-command.ts";
import { type ServerProcess, startServerProcess } from "../../harness/server-process.ts";

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-zones-"));
  server = await startServerProcess({ DATA_DIR: join(folder, "data"), LOG_LEVEL: "info" });
}, 120_000);
afterAll(async () => {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

interface Decided {
  readonly departureAt: string;
  readonly decisions: readonly { readonly id: string; readonly versions: Readonly<Record<string, string>> }[];
}

async function ask<Body>(path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${demoCredentials.apiToken}` };
  const response = await fetch(`${server.agencyUrl}/api/v1${path}`, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

/** An order that leaves Frankfurt at 09:00 and is retimed by 20 minutes. */
async function changed(orderId: string, number: string): Promise<Decided> {
  const gateway = demoGatewayAt(() => server.gatewayUrl!);
  await gateway.book(orderId, { number, inDays: 40 });
  await gateway.change(orderId, { kind: "retime", departureMinutes: 20 });
  return await eventually(
    async () => {
      const { items } = await ask<{ readonly items: readonly { readonly id: string }[] }>(`/cases?orderId=${orderId}`);
      const found = await ask<Decided>(`/cases/${items[0]!.id}`);
      expect(found.decisions).not.toEqual([]);
      return found;
    },
    { timeoutMs: 60_000 },
  );
}

async function replayOf({ decisions: [decision] }: Decided): Promise<object> {
  return await ask(`/decisions/${decision!.id}/replay`);
}

/** As the shipped one, but Frankfurt is four hours ahead of UTC all year. */
async function loadAnother(): Promise<void> {
  const { zones, links, ...rest } = shippedTimeZones.table;
  const file = join(folder, "zones.json");
  const ofOthers = Object.entries(links).filter(([name]) => name !== "Europe/Berlin");
  const table = {
    ...rest,
    release: "2099a",
    zones: { ...zones, "Europe/Berlin": { start: 240, changes: [] } },
    links: Object.fromEntries(ofOthers),
  };
  await writeFile(file, JSON.stringify(table));
  const command = runCommand(["zones", "load", file], { DATA_DIR: join(folder, "data") });
  expect([await command.ended, command.output()]).toEqual([0, expect.stringContaining("tz 2099a")]);
}

test("a worker that runs decides by a table that is loaded meanwhile, and each decision is replayed by its own", async () => {
  const before = await changed("ZONESA", "1640");

  await loadAnother();
  await server.waitFor("time_zones.in_force");
  const after = await changed("ZONESB", "1642");

  const [earlier, later] = [before, after].map(({ decisions }) => decisions[0]!.versions["timeZones"]);
  expect(earlier).toBe(shippedTimeZones.version);
  expect(later).toMatch(/^2099a-/);
  expect(Date.parse(before.departureAt) - Date.parse(after.departureAt)).toBe(3 * 3_600_000);
  expect([await replayOf(before), await replayOf(after)]).toMatchObject([
    { outcome: "same", because: [] },
    { outcome: "same", because: [] },
  ]);
}, 240_000);
