import { execFile } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { promisify } from "node:util";

/** Where and with what figures were measured. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** Null when it is no checkout. */
  readonly commit: string | null;
  /** Over the last minute, at the start: what else the machine does. */
  readonly loadBefore: number;
}

const run = promisify(execFile);

export async function describeMachine(): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    commit: await readCommit(),
    loadBefore: Math.round(loadavg()[0]! * 10) / 10,
  };
}

async function readCommit(): Promise<string | null> {
  try {
    const { stdout: commit } = await run("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname });
    const { stdout: changes } = await run("git", ["status", "--porcelain", "-uno"], { cwd: import.meta.dirname });
    return `${commit.trim()}${changes === "" ? "" : " with changes"}`;
  } catch {
    return null;
  }
}
