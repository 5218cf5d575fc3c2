import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  disownPostmasterFile,
  isAlive,
  isServerOf,
  processExists,
  readPostmasterFile,
} from "../../../src/store/embedded-postgres/postmaster.ts";

let cluster: string;
beforeEach(async () => {
  cluster = await mkdtemp(join(tmpdir(), "skedchange-postmaster-"));
});
afterEach(() => rm(cluster, { recursive: true, force: true }));

function write(text: string): Promise<void> {
  return writeFile(join(cluster, "postmaster.pid"), text);
}

test("reads the process, the port and the socket folder", async () => {
  await write("4711\n/data\n1700000000\n5432\n/tmp/x\n\n 5432001 99\nready\n");

  expect(await readPostmasterFile(cluster)).toEqual({ pid: 4711, port: 5432, socketFolder: "/tmp/x" });
});

test("reads the file of a server that has just begun to start", async () => {
  await write("4711\n/data\n1700000000\n");

  expect(await readPostmasterFile(cluster)).toEqual({ pid: 4711, port: 0, socketFolder: null });
});

test("no file, and an empty one, name no server", async () => {
  expect(await readPostmasterFile(cluster)).toBeNull();
  await write("");
  expect(await readPostmasterFile(cluster)).toBeNull();
});

test("a disowned file names a process that cannot exist and keeps the rest", async () => {
  await write("4711\n/data\n1700000000\n5432\n\n\n 5432001 99\nready\n");

  await disownPostmasterFile(cluster, { pid: 4711, port: 5432, socketFolder: null });

  const text = await readFile(join(cluster, "postmaster.pid"), "utf8");
  expect(text).toBe("2147483646\n/data\n1700000000\n5432\n\n\n 5432001 99\nready\n");
  expect(processExists(2_147_483_646)).toBe(false);
});

test("a file that another start has replaced meanwhile is left alone", async () => {
  await write("4712\n/data\n");

  await disownPostmasterFile(cluster, { pid: 4711, port: 5432, socketFolder: null });

  expect(await readFile(join(cluster, "postmaster.pid"), "utf8")).toBe("4712\n/data\n");
});

test("a process is alive until it ends", async () => {
  const child = spawn("sleep", ["60"]);
  expect(await isAlive(child.pid!)).toBe(true);

  child.kill("SIGKILL");
  await once(child, "exit");

  expect(await isAlive(child.pid!)).toBe(false);
});

test("a process that is not PostgreSQL is distinguished from one that is, on this data or other data", async () => {
  // A program of any kind under the name and with the arguments of PostgreSQL.
  const start = (name: string, folder: string) =>
    spawn("/bin/sh", ["-c", "sleep 60; :", "-D", folder], { argv0: name, detached: true });
  const [ours, other, outsider] = [start("/x/postgres", cluster), start("/x/postgres", "/other"), start("sh", cluster)];
  try {
    expect(await isServerOf(outsider.pid!, cluster)).toBe("no");
    expect(await isServerOf(other.pid!, cluster)).toBe("no");
    expect(await isServerOf(ours.pid!, cluster)).toBe("yes");
  } finally {
    for (const child of [ours, other, outsider]) process.kill(-child.pid!, "SIGKILL");
  }
});
