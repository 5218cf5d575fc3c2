import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe.each(["basic", "bearer", "oauth"])("the demo with DEMO_AUTHENTICATION=%s", (way) => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = await makeTestFolder();
    server = await startServerProcess({ DATA_DIR: folder, DEMO_AUTHENTICATION: way });
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });

  async function control(path: string): Promise<readonly Record<string, unknown>[]> {
    const headers = { authorization: `Bearer ${demoCredentials.gatewayControlToken}` };
    const response = await fetch(`${server.gatewayUrl}/control${path}`, { headers });
    return ((await response.json()) as { items: Record<string, unknown>[] }).items;
  }

  test("delivers every change at the first try, in that way", async () => {
    await server.waitFor("Stop with Ctrl-C", 50_000);

    expect(server.output()).not.toContain("not received yet");
    expect(await control("/recipients")).toMatchObject([{ authorization: { type: way }, trouble: null }]);
    await eventually(async () => {
      const deliveries = await control("/deliveries");
      expect(deliveries).toHaveLength(11);
      expect(deliveries.filter(({ state, attempts }) => state !== "delivered" || attempts !== 1)).toEqual([]);
    });
  });
});
