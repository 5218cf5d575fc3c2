import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithUs } from "./end-with-us.ts";

/** One process of the product, which is started again whenever it ends, until the fleet is closed. */
export interface Member {
  readonly name: string;
  /** Where it listens now; null while it does not. */
  agencyPort(): number | null;
  gatewayPort(): number | null;
  /** SIGKILL; it is started again by itself after the pause. */
  kill(pauseMs: number): void;
  /** Ends it and starts it again from another program. Resolves when it listens. */
  replace(entry: string, signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** SIGSTOP, and SIGCONT after so long. */
  pause(forMs: number): void;
  /** Times that it ended without being killed by us. */
  faults(): number;
  /** Resolves when it listens. */
  ready(): Promise<void>;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Ends every process with SIGTERM, and with SIGKILL who does not. Returns those that took a kill. */
  stop(): Promise<readonly string[]>;
}

export interface MemberPlan {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

const startMs = 90_000;
const stopMs = 12_000;
/** A process that fails to start so often in a row has another reason than a server that is being restarted. */
const vainStartsMax = 20;

/**
 * Starts processes and keeps them running, as a supervisor does. Their output goes to a file of each in `folder`.
 *
 * @param onMove called whenever a process begins or ceases to listen.
 */
export function startFleet(entry: string, folder: string, plans: readonly MemberPlan[], onMove: () => void): Fleet {
  const members = plans.map((plan) => startMember(entry, folder, plan, onMove));
  return {
    members,
    async stop() {
      const ends = await Promise.all(members.map(async (member) => ((await member.stop()) ? null : member.name)));
      return ends.filter((name) => name !== null);
    },
  };
}

function startMember(
  entry: string,
  folder: string,
  { name, environment }: MemberPlan,
  onMove: () => void,
): Member & { stop(): Promise<boolean> } {
  const logFile = join(folder, `${name}.log`);
  const log = createWriteStream(logFile, { flags: "a" });
  let program = entry;
  let child: ChildProcess;
  let ports: { agency: number | null; gateway: number | null } | null = null;
  let pauseMs = 0;
  let faults = 0;
  let vainStarts = 0;
  let stopping = false;
  let killed = false;

  function launch(): void {
    killed = false;
    let printed = "";
    child = spawn(process.execPath, ["--enable-source-maps", program], {
      env: { PATH: process.env["PATH"] ?? "", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithUs(child);
    const stuck = setTimeout(() => child.kill("SIGKILL"), startMs);
    child.stdout?.pipe(log, { end: false });
    child.stderr?.on("data", (chunk: Buffer) => {
      log.write(chunk);
      if (ports !== null) return;
      printed += chunk.toString();
      if (!printed.includes("  database ")) return;
      clearTimeout(stuck);
      const portOf = (side: string): number | null => {
        const port = new RegExp(`${side} side\\s+http://[^:]+:(\\d+)`).exec(printed)?.[1];
        return port === undefined ? null : Number(port);
      };
      ports = { agency: portOf("agency"), gateway: portOf("gateway") };
      onMove();
    });
    child.once("exit", (code, signal) => {
      clearTimeout(stuck);
      log.write(`--- ended: ${signal ?? code}\n`);
      const wasUp = ports !== null;
      ports = null;
      onMove();
      if (stopping) return;
      // Without a database no process starts; that it tries again is the supervisor's part.
      if (!killed && wasUp) faults += 1;
      vainStarts = wasUp || killed ? 0 : vainStarts + 1;
      setTimeout(
        () => {
          if (!stopping) launch();
        },
        killed ? pauseMs : 250,
      );
    });
  }

  async function ready(): Promise<void> {
    const giveUpAt = performance.now() + 2 * startMs;
    while (ports === null) {
      if (vainStarts >= vainStartsMax || performance.now() > giveUpAt)
        throw new Error(
          `${name} does not come up; its log in ${folder} ends with:\n${readFileSync(logFile, "utf8").slice(-2_000)}`,
        );
      await sleep(20);
    }
  }

  launch();
  return {
    name,
    agencyPort: () => ports?.agency ?? null,
    gatewayPort: () => ports?.gateway ?? null,
    faults: () => faults,
    kill(forMs) {
      pauseMs = forMs;
      killed = true;
      child.kill("SIGKILL");
    },
    pause(forMs) {
      const paused = child;
      paused.kill("SIGSTOP");
      setTimeout(() => paused.kill("SIGCONT"), forMs);
    },
    ready,
    async replace(next, signal) {
      program = next;
      pauseMs = 0;
      killed = true;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      await ready();
    },
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return true;
      const ended = once(child, "exit");
      child.kill("SIGCONT");
      child.kill("SIGTERM");
      const inOrder = await Promise.race([ended.then(() => true), sleep(stopMs, false, { ref: false })]);
      if (!inOrder) child.kill("SIGKILL");
      await ended;
      log.end();
      return inOrder;
    },
  };
}
