import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { endWithUs } from "../faults/end-with-us.ts";

/** What a test machine has for systemd. */
export interface StandInUnits {
  /** Where the words of a `systemctl` are posted to. */
  readonly url: string;
  /** What the units printed. */
  logs(): string;
  close(): Promise<void>;
}

interface Unit {
  readonly type: string;
  readonly user: string;
  readonly command: readonly string[];
  readonly environmentFiles: readonly string[];
}

/**
 * Runs `ExecStart` of units with their `User` and `EnvironmentFile`, as systemd would. It does not restart what ends, waits
 * for no time of a timer, and fences nothing in.
 *
 * @param defaultEnvironment of units that name no file of settings.
 */
export async function startUnits(
  folder: string,
  defaultEnvironment: Readonly<Record<string, string>>,
): Promise<StandInUnits> {
  const running = new Map<string, ChildProcess>();
  let log = "";

  function start(name: string): ChildProcess {
    const { command, user, environmentFiles } = readUnit(join(folder, `${name}.service`));
    const [program = "", ...parameters] = command;
    const settings = environmentFiles.map((file) => parseEnv(readFileSync(file, "utf8")));
    const child = spawn(program, parameters, {
      ...idsOf(user),
      cwd: "/",
      env: Object.assign(environmentFiles.length > 0 ? {} : { ...defaultEnvironment }, ...settings) as Record<
        string,
        string
      >,
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithUs(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (log += `${name}: ${chunk.toString()}`));
    }
    return child;
  }

  async function stop(name: string): Promise<void> {
    const child = running.get(name);
    running.delete(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  }

  async function systemctl([verb = "", ...words]: readonly string[]): Promise<void> {
    for (const name of words.filter((word) => !word.startsWith("--"))) {
      if (name.endsWith(".timer")) {
        readUnit(join(folder, name.replace(/\.timer$/, ".service")));
        continue;
      }
      if (verb === "stop" || verb === "restart") await stop(name);
      if (verb === "stop") continue;
      const child = start(name);
      if (readUnit(join(folder, `${name}.service`)).type === "oneshot") {
        const [code] = (await once(child, "close")) as [number | null];
        if (code !== 0) throw new Error(`${name} ended with ${code}:\n${log}`);
      } else running.set(name, child);
    }
  }

  const server = createServer(async (request, response) => {
    try {
      await systemctl((await text(request)).split(" "));
      response.end();
    } catch (error) {
      log += `${String(error)}\n`;
      response.writeHead(500).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    logs: () => log,
    async close() {
      for (const name of running.keys()) await stop(name);
      server.closeAllConnections();
      server.close();
    },
  };
}

function readUnit(path: string): Unit {
  if (!existsSync(path)) throw new Error(`There is no unit ${path}.`);
  const lines = readFileSync(path, "utf8").split("\n");
  const valuesOf = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  return {
    type: valuesOf("Type")[0] ?? "simple",
    user: valuesOf("User")[0] ?? "root",
    command: valuesOf("ExecStart")[0]?.split(" ") ?? [],
    environmentFiles: valuesOf("EnvironmentFile"),
  };
}

/** Only root can run a process as somebody else. */
function idsOf(user: string): { readonly uid?: number; readonly gid?: number } {
  if (process.geteuid?.() !== 0) return {};
  const idOf = (option: string): number => Number(execFileSync("id", [option, user], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
