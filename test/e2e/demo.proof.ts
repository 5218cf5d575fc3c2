import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { clusterIn } from "../../src/store/embedded-postgres/data-folder.ts";
import { processExists, readPostmasterFile } from "../../src/store/embedded-postgres/postmaster.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let server: ServerProcess;
let agency: AgencyApi;

beforeAll(async () => {
  folder = await makeTestFolder();
  server = await startServerProcess({ DATA_DIR: folder });
  agency = openAgencyApi(server.agencyUrl, demoCredentials.apiToken);
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

describe("demo mode", () => {
  test("shows what changed, the decision and why, for decided and for waiting orders", async () => {
    await server.waitFor("Stop with Ctrl-C", 50_000);

    const output = server.output();
    expect(output).toMatch(/DEMO20LH\s+LH1167 LIS-FRA/);
    expect(output).toContain("accept (done)");
    expect(output).toContain("review (awaiting-agent)");
    expect(output).not.toContain("not received yet");
  });

  test("really sent every change through the gateway's sender to the receiver", async () => {
    const headers = { authorization: `Bearer ${demoCredentials.gatewayControlToken}` };
    const control = async (path: string): Promise<{ items: Record<string, unknown>[] }> =>
      (await (await fetch(`${server.gatewayUrl}/control${path}`, { headers })).json()) as {
        items: Record<string, unknown>[];
      };

    await eventually(async () => {
      const { items } = await control("/deliveries?state=delivered");
      expect(items).toHaveLength(11);
    });
    const { items: journal } = await control("/journal");
    const accepts = journal.filter((entry) => entry["operation"] === "AirOrderInvoluntaryAccept");
    expect(accepts).toHaveLength(3);
    expect(accepts.every((entry) => entry["result"] === "SUCCESS")).toBe(true);
  });

  test("lets a person decide what waits, and carries it out at the gateway", async () => {
    const waiting = await agency.caseIn("DEMOCXAI", ["awaiting-agent"]);

    const { status } = await agency.act(waiting.id, "cancel", { confirm: "DEMOCXAI" });

    expect(status).toBe(202);
    expect((await agency.caseIn("DEMOCXAI", ["done"])).decision).toMatchObject({ action: "cancel" });
  });

  test("writes no secret and no passenger into its output beyond the demo credentials it prints", () => {
    expect(server.output()).not.toMatch(/card_number|Authorization: Basic/);
  });

  test("refuses a second start on the same data", async () => {
    await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(/already|another|in use/i);
  });

  test("stops in order, and leaves no process", async () => {
    const file = await readPostmasterFile(clusterIn(folder));
    const { code, tookMs } = await server.end("SIGTERM");

    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(20_000);
    expect(file === null || processExists(file.pid)).toBe(false);
  });

  test("goes on from its data at the next start, also after it was killed", async () => {
    server = await startServerProcess({ DATA_DIR: folder });
    await server.waitFor("has run on this data before", 50_000);
    await server.end("SIGKILL");

    server = await startServerProcess({ DATA_DIR: folder });
    await server.waitFor("Stop with Ctrl-C", 50_000);

    agency = openAgencyApi(server.agencyUrl, demoCredentials.apiToken);
    expect(await agency.listCases()).toHaveLength(11);
  });

  test("is named by a server for real that starts on its data", async () => {
    await server.end("SIGTERM");

    server = await startServerProcess({
      DATA_DIR: folder,
      ROLES: "dashboard",
      API_TOKEN: "a-token-that-only-we-know",
    });

    await server.waitFor("A demo has run on this database: its invented orders are among the cases.", 10_000);
    expect(server.output()).toContain("people.demo_data_found");
  });
});
