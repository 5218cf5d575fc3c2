import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clusterIn } from "../../src/store/embedded-postgres/data-folder.ts";
import { processExists, readPostmasterFile } from "../../src/store/embedded-postgres/postmaster.ts";
import { eventually } from "../harness/eventually.ts";
import { serverEntry, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const stopMs = 30_000;

let folder: string;

beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The process id of the embedded database. */
async function readDatabasePid(): Promise<number> {
  return (await readPostmasterFile(clusterIn(folder)))!.pid;
}

describe("a server stops in order, its database included", () => {
  test("when its terminal is closed, and its log says so", async () => {
    const server = await startServerProcess({ DATA_DIR: folder, LOG_LEVEL: "info", OCN_BASIC_USERNAMEX: "gateway" });
    const databasePid = await readDatabasePid();

    process.kill(server.pid, "SIGHUP");

    await eventually(() => expect(processExists(server.pid)).toBe(false), { timeoutMs: stopMs });
    expect(processExists(databasePid)).toBe(false);
    expect(server.output()).toContain("OCN_BASIC_USERNAMEX is no setting");
    expect(server.output()).toMatch(/"process\.stopping"[^]*"process\.stopped"/);
  });

  test("when npm is ended and with it the shell in between, which passes no signal on", async () => {
    // The echo keeps the shell from becoming the server.
    const shell = spawn("/bin/sh", ["-c", '"$0" "$1" serve; echo ended', process.execPath, serverEntry], {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOST: "127.0.0.1",
        PORT: "0",
        GATEWAY_PORT: "0",
        DATA_DIR: folder,
        npm_lifecycle_event: "start",
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    shell.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => expect(output).toContain("Stop with Ctrl-C"), { timeoutMs: 30_000 });
    const databasePid = await readDatabasePid();

    shell.kill("SIGTERM");

    await eventually(() => expect(processExists(databasePid)).toBe(false), { timeoutMs: stopMs });
    const agencyUrl = /agency side\s+(http\S+)/.exec(output)![1]!;
    await expect(fetch(`${agencyUrl}/healthz`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });
});
