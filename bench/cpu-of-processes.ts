import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Of some programs, over the time between `start` and `perUnit`. */
export interface CpuMeter {
  start(): void;
  /** For the report, in microseconds for each of `count` pieces of work; empty where it cannot be told. */
  perUnit(count: number): Readonly<Record<string, number>>;
}

/** @param processes the first process of each program by its name; those below them count as well */
export function createCpuMeter(processes: Readonly<Record<string, number>>): CpuMeter {
  const read = () => Object.entries(processes).map(([name, pid]) => [`${name}, µs of CPU each`, cpuMsOf(pid)] as const);
  let before = new Map<string, number>();
  return {
    start() {
      before = new Map(read());
    },
    perUnit(count) {
      if (!canMeasureCpu) return {};
      return Object.fromEntries(read().map(([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1_000) / count]));
    },
  };
}

/** Linux tells it in /proc. */
export const canMeasureCpu = existsSync("/proc/self/stat");

/** A tick of /proc is a hundredth of a second. */
const msPerTick = 10;

/** Of a process and all below it, since they started, in milliseconds. */
export function cpuMsOf(pid: number): number {
  const ids = canMeasureCpu ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  // A child has a higher id than its parent, but for the rare wrap-around.
  const processes = ids.flatMap(readProcess).toSorted((a, b) => a.pid - b.pid);
  const family = new Set([pid]);
  for (const one of processes) if (family.has(one.parent)) family.add(one.pid);
  return processes.filter((one) => family.has(one.pid)).reduce((sum, { ms }) => sum + ms, 0);
}

/** None when it has just ended. */
function readProcess(id: string): readonly { readonly pid: number; readonly parent: number; readonly ms: number }[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${id}/stat`, "utf8");
  } catch {
    return [];
  }
  // proc(5): the name is in parentheses and may hold blanks; then state, parent, … The 14th to 17th are user and system time, of
  // the process and of the children that it has seen end.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [{ pid: Number(id), parent: Number(fields[1]), ms: ticks * msPerTick }];
}
