import { execFile } from "node:child_process";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { codeOf } from "../../kernel/app-error.ts";

const run = promisify(execFile);

/** What PostgreSQL says about itself in `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Null when it listens on no socket, and in the first moments of a start. */
  readonly socketFolder: string | null;
}

/** Reads `postmaster.pid`; null when there is none, which means that no server runs on this cluster. */
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
 * Makes PostgreSQL see the process named in `postmaster.pid` as dead, which it cannot tell by itself of a stranger that
 * got the same number, or of a zombie. The file stays, because PostgreSQL finds in it the shared memory of the earlier
 * server and refuses to start while orphans of that server still use it.
 *
 * Call it only when the process is proven not to be a server on this cluster.
 */
export async function disownPostmasterFile(cluster: string, file: PostmasterFile): Promise<void> {
  const text = await readFile(pidFile(cluster), "utf8");
  // Another start may have replaced the file since it was read.
  if (Math.abs(Number.parseInt(text, 10)) !== file.pid) return;
  await writeFile(pidFile(cluster), text.replace(/^-?\d+/, String(pidThatNeverExists)));
  if (file.socketFolder !== null) await rm(join(file.socketFolder, `.s.PGSQL.${file.port}.lock`), { force: true });
}

/** Beyond the highest process id of any system, so that asking for it always says "no such process". */
const pidThatNeverExists = 2 ** 31 - 2;

/** Whether the system knows a process of this number, alive or not. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Whether a process exists and is not a zombie, which no signal can end and nobody may ever reap in a container. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!processExists(pid)) return false;
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // "pid (name) state …"; the name may hold anything, also parentheses.
  return !/^[ZX]/.test(status.slice(status.lastIndexOf(")") + 2));
}

/**
 * Whether a live process is the PostgreSQL of this cluster, judged by its command line. A process id alone proves
 * nothing: after a crash, and always after the restart of a container, it may name something else.
 */
export async function isServerOf(pid: number, cluster: string): Promise<"yes" | "no" | "unclear"> {
  const command = await readCommand(pid);
  if (command === null) return "unclear";
  const [program = "", ...rest] = command;
  if (!/^postgres(\.exe)?$/.test(basename(program.replaceAll("\\", "/")))) return "no";
  const folder = rest[rest.indexOf("-D") + 1];
  if (folder === undefined) return "unclear";
  return (await samePath(folder, cluster)) ? "yes" : "no";
}

/** The command line of a process in its parts; null when it cannot be read. */
async function readCommand(pid: number): Promise<string[] | null> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, "utf8");
    return text.split("\0").slice(0, -1);
  } catch {
    // No /proc here (macOS), or it hides the processes of others.
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
