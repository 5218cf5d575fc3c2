import { strict as assert } from "node:assert";
import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { migrate } from "../../src/store/database/migrator.ts";
import { clusterIn } from "../../src/store/embedded-postgres/data-folder.ts";
import { prepareDatabase } from "../../src/store/embedded-postgres/own-database.ts";
import { isAlive, isServerOf, readPostmasterFile } from "../../src/store/embedded-postgres/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/store/embedded-postgres/server.ts";
import { eventually } from "./eventually.ts";
import { folderPrefix, makeTestFolder, memoryFolder } from "./test-folder.ts";
import { templateName } from "./test-server-address.ts";

export interface TestServer {
  readonly adminUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** One server for one run of tests, with the migrated template on it, in a folder that goes with it. */
export async function startTestServer(): Promise<TestServer> {
  await removeAbandonedServers();
  const folder = await makeTestFolder();
  const server = await startEmbeddedPostgres({ dataDir: folder, settings: disposable });
  try {
    const { ownerUrl } = await prepareDatabase(server.adminUrl, templateName);
    await migrate({ ownerUrl });
  } catch (error) {
    await stop(server, folder);
    throw error;
  }
  return { adminUrl: server.adminUrl, pid: server.pid, stop: () => stop(server, folder) };
}

/** Fast instead of durable: nobody misses this data. */
export const disposable = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
} as const;

async function stop(server: EmbeddedPostgres, folder: string): Promise<void> {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Ends the servers of runs that were killed before they could stop them. */
async function removeAbandonedServers(): Promise<void> {
  const folders = await Promise.all(
    [memoryFolder, tmpdir()].map(async (parent) => {
      const names = await readdir(parent).catch(() => []);
      return names.map((name) => join(parent, name));
    }),
  );
  for (const folder of folders.flat()) {
    const pid = new RegExp(`^${folderPrefix}(\\d+)-`).exec(basename(folder))?.[1];
    if (pid === undefined || (await isAlive(Number(pid)))) continue;
    // Folders of other users are theirs to remove.
    const file = await readPostmasterFile(clusterIn(folder)).catch(() => undefined);
    if (file === undefined) continue;
    if (file !== null) {
      if ((await isAlive(file.pid)) && (await isServerOf(file.pid, clusterIn(folder))) === "yes") {
        process.kill(file.pid, "SIGQUIT");
        await eventually(async () => assert(!(await isAlive(file.pid))));
      }
      if (file.socketFolder?.includes("skedchange-")) await rm(file.socketFolder, { recursive: true, force: true });
    }
    await rm(folder, { recursive: true, force: true });
  }
}
