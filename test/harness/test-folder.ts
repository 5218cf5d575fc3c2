import { chmod, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Followed by the id of the process that made the folder. */
export const folderPrefix = "skedchange-test-";

/** A temporary folder that the server's user can enter when the tests run as root. */
export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(await parentFolder(), `${folderPrefix}${process.pid}-`));
  await chmod(folder, 0o755);
  return folder;
}

/**
 * In memory where there is room, otherwise on disk. A database of many small files is copied for every test file, which
 * takes 20 times as long on a disk; and a killed process loses nothing that it wrote to memory of the operating system.
 */
async function parentFolder(): Promise<string> {
  const room = await statfs(memoryFolder).catch(() => null);
  return room !== null && room.bavail * room.bsize >= roomNeeded ? memoryFolder : tmpdir();
}

export const memoryFolder = "/dev/shm";
const roomNeeded = 4 * 1024 ** 3;
