import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithUs } from "../test/faults/end-with-us.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const startMs = 60_000;

/** A process of the product as it is installed: `bin/skedchange.js serve`, logging to a file. */
export interface ProductProcess {
  readonly agencyUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts it with these settings and none of this machine's, and waits until it listens. */
export async function startProduct(environment: Readonly<Record<string, string>>): Promise<ProductProcess> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-bench-log-"));
  const logFile = join(folder, "log.json");
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, [join(root, "bin", "skedchange.js"), "serve"], {
    env: { PATH: process.env["PATH"] ?? "", HOST: "127.0.0.1", PORT: "0", GATEWAY_PORT: "0", ...environment },
    stdio: ["ignore", log, "pipe"],
  });
  closeSync(log);
  endWithUs(child);
  const ended = once(child, "exit");
  let introduction = "";
  let timer: NodeJS.Timeout | undefined;
  const listening = await new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, startMs, false);
    child.once("exit", () => resolve(false));
    child.stderr?.on("data", (chunk: Buffer) => {
      introduction += chunk.toString();
      if (introduction.includes("  database ")) resolve(true);
    });
  });
  clearTimeout(timer);
  if (!listening) {
    child.kill("SIGKILL");
    throw new Error(`The product did not start:\n${introduction}${readFileSync(logFile, "utf8").slice(-2_000)}`);
  }
  const agencyUrl = /agency side\s+(http\S+)/.exec(introduction)?.[1];
  if (agencyUrl === undefined) throw new Error(`The product does not say where it listens:\n${introduction}`);
  return {
    agencyUrl,
    pid: child.pid!,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
