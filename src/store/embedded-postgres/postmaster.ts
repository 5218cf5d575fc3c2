import { execFile } from "node:child_process";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { codeOf } from "../../kernel/app-error.ts";

const run = promisify(execFile);

export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Null if it listens on no socket, and in the first moments of a start. */
  readonly socketFolder: string | null;
}

/** Returns null if there is no file, which means that no server runs on this cluster. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  let text: string;
  try {
    text = await readFile(pidFile(cluster), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  const lines = text.split("\n");
  const pid = Math.abs(Number.parseInt(lines[0] ?? "", 10));
  if (!(pid > 0)) return null;
  return { pid, port: Number.parseInt(lines[3] ?? "", 10) || 0, socketFolder: lines[4]?.trim() || null };
}

/**
 * Makes PostgreSQL take the process for dead, which it can't detect for a zombie or an unrelated process. The file
 * stays, because PostgreSQL finds shared memory by it and refuses to start while orphans use that.
 * Call it only if the process is proven not to be a server on this cluster.
 */
export async function disownPostmasterFile(cluster: string, file: PostmasterFile): Promise<void> {
  const text = await readFile(pidFile(cluster), "utf8");
  // Another start may have replaced the file since it was read.
  if (Math.abs(Number.parseInt(text, 10)) !== file.pid) return;
  await writeFile(pidFile(cluster), text.replace(/^-?\d+/, String(pidThatNeverExists)));
  if (file.socketFolder !== null) await rm(join(file.socketFolder, `.s.PGSQL.${file.port}.lock`), { force: true });
}

/** Beyond the highest process id of any system, so it never exists. */
const pidThatNeverExists = 2 ** 31 - 2;

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Returns false for a zombie, which no signal ends and, in a container, nobody may ever reap. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!processExists(pid)) return false;
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // "pid (name) state …"; the name may contain anything, also parentheses.
  return !/^[ZX]/.test(status.slice(status.lastIndexOf(")") + 2));
}

/** Judged by the command line, because after a crash or restart another process may have the id. */
export async function isServerOf(pid: number, cluster: string): Promise<"yes" | "no" | "unclear"> {
  const command = await readCommand(pid);
  if (command === null) return "unclear";
  const [program = "", ...rest] = command;
  if (!/^postgres(\.exe)?$/.test(basename(program.replaceAll("\\", "/")))) return "no";
  const folder = rest[rest.indexOf("-D") + 1];
  if (folder === undefined) return "unclear";
  return (await samePath(folder, cluster)) ? "yes" : "no";
}

/** Returns null if it can't be read. */
async function readCommand(pid: number): Promise<string[] | null> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, "utf8");
    return text.split("\0").slice(0, -1);
  } catch {
    // No /proc (macOS), or it hides the processes of others.
  }
  if (process.platform === "win32") return null;
  try {
    const { stdout } = await run("ps", ["-ww", "-p", String(pid), "-o", "command="]);
    const text = stdout.trim();
    if (text === "") return null;
    // ps joins the parts with spaces; our own command line has `-D <folder> -c …` in this order.
    const ours = /^(.*?\/postgres) -D (.*?)(?: -c .*)?$/.exec(text);
    return ours ? [ours[1]!, "-D", ours[2]!] : text.split(" ");
  } catch {
    return null;
  }
}

async function samePath(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([a, b].map((path) => realpath(path).catch(() => path)));
  return left === right;
}

function pidFile(cluster: string): string {
  return join(cluster, "postmaster.pid");
}
