import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";
import { type ServerBinaries, serverEnvironment } from "./binaries.ts";
import { isAlive } from "./postmaster.ts";
import { canEnter, type ServerUser } from "./server-user.ts";

const run = promisify(execFile);

/** For root's data, if the server's user can't reach the DATA_DIR. */
const fallbackParent = "/var/lib/skedchange";

/** The longest path that fits a socket address on every system, without the name of PostgreSQL's socket. */
const socketFolderBytesMax = 103 - "/.s.PGSQL.5432".length;

export function clusterIn(folder: string): string {
  return join(folder, "postgres");
}

export function fallbackFolder(dataDir: string): string {
  return join(fallbackParent, `${basename(resolve(dataDir))}-${shortHash(resolve(dataDir))}`);
}

/** Returns the owner of existing data. Root must go on as that user. */
export async function readDataOwner(dataDir: string): Promise<{ uid: number; gid: number } | undefined> {
  for (const folder of [dataDir, fallbackFolder(dataDir)]) {
    const found = await stat(join(clusterIn(folder), "PG_VERSION")).catch(() => null);
    if (found) return { uid: found.uid, gid: found.gid };
  }
  return undefined;
}

/**
 * Returns `dataDir`, or its fallback if we are root and the server's user can't enter the folders above. Data in the
 * fallback stays there, even if permissions change later.
 * @throws `store.data_unreachable`
 */
export async function prepareDataFolder(dataDir: string, user: ServerUser): Promise<string> {
  const wanted = resolve(dataDir);
  try {
    if (user.switchTo === null) {
      await makeFolder(wanted);
      return wanted;
    }
    const fallback = fallbackFolder(wanted);
    const dataIsInFallback = existsSync(clusterIn(fallback)) && !existsSync(clusterIn(wanted));
    if (!dataIsInFallback) {
      await makeFolderForAll(wanted);
      if (canEnter(wanted, user)) return wanted;
      if (existsSync(clusterIn(wanted))) {
        throw new AppError(
          storeErrors.dataUnreachable,
          `The data in ${wanted} belongs to ${user.name}, who cannot enter that folder. Allow it (chmod o+x on the folder and its parents).`,
        );
      }
    }
    await makeFolderForAll(fallback);
    if (canEnter(fallback, user)) return fallback;
    throw new AppError(
      storeErrors.dataUnreachable,
      `${user.name}, as whom PostgreSQL runs because we are root, can enter neither ${wanted} nor ${fallback}. ` +
        "Set DATA_DIR to a folder that it can enter, or start Skedchange as another user.",
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      storeErrors.dataUnreachable,
      `The data folder ${wanted} cannot be made (${codeOf(error)}). Set DATA_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
}

/** Creates a folder and its missing parents so that every user can pass through them, whatever the umask. */
export async function makeFolderForAll(folder: string): Promise<void> {
  for (const made of await makeFolder(folder)) await chmod(made, 0o755);
}

/** Returns the created folders. Without `recursive`, with which Node 20 hides EROFS and hangs below `/proc`. */
async function makeFolder(folder: string): Promise<readonly string[]> {
  if ((await stat(folder).catch(() => null))?.isDirectory()) return [];
  const parents = dirname(folder) === folder ? [] : await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
    return [...parents, folder];
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return parents;
    throw error;
  }
}

/**
 * Builds the cluster beside its place and renames it, so a crash leaves no half cluster and two starts leave one.
 * @throws `store.data_version`, `store.data_unreachable`, `store.embedded_failed`
 */
export async function initialiseCluster(
  folder: string,
  options: { binaries: ServerBinaries; user: ServerUser; syncToDisk: boolean; passwordFile: string | null },
): Promise<string> {
  const cluster = clusterIn(folder);
  const { binaries, user } = options;
  const version = await readVersion(cluster, user);
  if (version !== null) {
    if (version === binaries.majorVersion) return cluster;
    throw new AppError(
      storeErrors.dataVersion,
      `The data in ${cluster} was written by PostgreSQL ${version}, and this is PostgreSQL ${binaries.majorVersion}. ` +
        "Run the version of Skedchange that wrote it, or set DATA_DIR to another folder.",
    );
  }

  await removeAbandoned(folder);
  const unfinished = `${cluster}.new-${process.pid}`;
  try {
    await mkdir(unfinished, { mode: 0o700 });
    if (user.switchTo !== null) await chown(unfinished, user.switchTo.uid, user.switchTo.gid);
    await run(
      binaries.initdb,
      [
        ...["-D", unfinished, "-U", "postgres", "--encoding=UTF8", "--no-instructions"],
        // Sorts by code point and knows Unicode case, the same on every system.
        ...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
        ...(options.passwordFile === null
          ? // No password on the socket: its folder is private to the server's user (and root).
            ["--auth=trust"]
          : ["--auth=scram-sha-256", `--pwfile=${options.passwordFile}`]),
        ...(options.syncToDisk ? [] : ["--no-sync"]),
      ],
      { ...user.switchTo, cwd: "/", env: serverEnvironment },
    );
    await rename(unfinished, cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (existsSync(join(cluster, "PG_VERSION"))) return cluster;
    const stderr = (error as { stderr?: string }).stderr?.trim();
    throw new AppError(
      storeErrors.embeddedFailed,
      `A new database could not be made in ${cluster}: ${stderr || codeOf(error)}. Is the disk full, or the folder read-only?`,
      { cause: error },
    );
  }
  return cluster;
}

/**
 * In the temporary folder: socket addresses are short, and not every file system supports sockets. Named after the
 * cluster's path, so starts after crashes leave no litter.
 * @throws `store.embedded_failed`
 */
export async function prepareSocketFolder(
  cluster: string,
  user: ServerUser,
  temporary: string = tmpdir(),
): Promise<string> {
  const parents = [...new Set([temporary, "/tmp"])].filter(
    (parent) => Buffer.byteLength(parent) + 32 <= socketFolderBytesMax && canEnter(parent, user),
  );
  const refusals: string[] = [];
  for (const parent of parents) {
    try {
      return await socketFolderIn(parent, cluster, user);
    } catch (error) {
      refusals.push(`${parent} (${codeOf(error)})`);
    }
  }
  throw new AppError(
    storeErrors.embeddedFailed,
    `There is no place for the socket of PostgreSQL: ${refusals.join(" and ") || temporary} cannot be used. Set TMPDIR to a folder that can be written.`,
  );
}

async function socketFolderIn(parent: string, cluster: string, user: ServerUser): Promise<string> {
  const owner = user.switchTo?.uid ?? process.getuid?.();
  const wanted = join(parent, `skedchange-${shortHash(cluster)}`);
  try {
    await mkdir(wanted, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = await lstat(wanted);
    // Somebody else may have created this folder to listen in: never use one that is not ours alone.
    if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
      return ownFolder(await mkdtemp(`${wanted}-`), user);
    }
    return wanted;
  }
  return ownFolder(wanted, user);
}

async function ownFolder(folder: string, user: ServerUser): Promise<string> {
  if (user.switchTo !== null) await chown(folder, user.switchTo.uid, user.switchTo.gid);
  return folder;
}

async function readVersion(cluster: string, user: ServerUser): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(join(cluster, "PG_VERSION"), "utf8"), 10);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new AppError(
      storeErrors.dataUnreachable,
      `The data in ${cluster} cannot be read by ${user.name} (${codeOf(error)}). ` +
        "It was made by another user, perhaps by a start as root: start as that user, give it to yourself with chown -R, or set DATA_DIR to another folder.",
      { cause: error },
    );
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^postgres\.new-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === process.pid || !(await isAlive(Number(pid))))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
