import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, jest, test } from "@jest/globals";
import { endWithUs } from "../faults/end-with-us.ts";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { serverEntry } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-server.ts";

// Each quickstart starts servers and, one of them, installs packages.
jest.setTimeout(180_000);

const root = fileURLToPath(new URL("../../", import.meta.url));
const quickstarts = join(root, "docs/quickstarts");

/** What a reader types, and what they see then. */
interface Step {
  readonly commands: string;
  /** It goes on in a terminal of its own. */
  readonly isServer: boolean;
  /** Texts that are printed. */
  readonly seen: readonly string[];
}

const pages = (await readdir(quickstarts)).filter((name) => name !== "README.md");

/** Below `try`, each of one quickstart. */
const foldersOfPages = new Set<string>();

describe("a quickstart, followed word for word on other ports", () => {
  test.each(pages)("%s shows what it says and writes into a folder of its own", async (page) => {
    const steps = stepsOf(await readFile(join(quickstarts, page), "utf8"));
    expect(steps.length).toBeGreaterThan(3);

    const place = await checkout();
    try {
      for (const step of steps) {
        const output = step.isServer ? place.start(step.commands) : await place.type(step.commands);
        for (const text of step.seen) {
          await eventually(async () => expect(output()).toContain(place.onPorts(text)), {
            // What was typed has ended by now; a server starts.
            timeoutMs: step.isServer ? 60_000 : 1_000,
          });
        }
      }
      // So that they can be followed in any order.
      const [folder = "", ...others] = await place.leftBehind();
      expect(others).toEqual([]);
      expect([...foldersOfPages]).not.toContain(folder);
      foldersOfPages.add(folder);
    } finally {
      await place.close();
    }
  });
});

function stepsOf(page: string): readonly Step[] {
  const blocks = [...page.matchAll(/^( *)```(sh|sh server|text)\n(.*?)^ *```$/gms)].map(
    ([, indent = "", kind, body = ""]) => ({
      kind,
      body: body.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
  return blocks.flatMap(({ kind, body }, index) => {
    if (kind === "text") return [];
    const next = blocks[index + 1];
    const seen = next?.kind === "text" ? next.body.trim().split("\n") : [];
    return [{ commands: body, isServer: kind === "sh server", seen }];
  });
}

/** A checkout of its own with what a reader has after `npm ci`, and free ports in the place of those on the page. */
async function checkout() {
  const folder = await makeTestFolder();
  for (const name of await readdir(root)) {
    if (!["data", "try", ".git", "bin"].includes(name)) await symlink(join(root, name), join(folder, name));
  }
  await mkdir(join(folder, "bin"));
  await symlink(serverEntry, join(folder, "bin", "skedchange.js"));
  await writeNpx(folder);
  const before = await readdir(folder);
  const ports = new Map<string, string>();
  for (const port of ["3000", "4000", "8080"]) ports.set(port, String(await freePort()));
  const environment: Record<string, string> = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: process.env["HOME"] ?? folder,
    PORT: ports.get("3000")!,
    GATEWAY_PORT: ports.get("4000")!,
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
  const running: { readonly child: ChildProcess; readonly closed: Promise<unknown> }[] = [];
  /** A shell that stays, so that what is exported stays as well. */
  const shell = begin("sh", [], environment);
  let typed = 0;

  function onPorts(text: string): string {
    return text.replaceAll(/:(3000|4000|8080)\b/g, (_, port: string) => `:${ports.get(port)}`);
  }

  function begin(command: string, args: readonly string[], env: Record<string, string>) {
    const child = spawn(command, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    endWithUs(child);
    // Its output closes when all that it started have ended; a shell itself ends before its server.
    running.push({ child, closed: once(child, "close") });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  }

  return {
    onPorts,
    start(commands: string): () => string {
      // A program of the reader listens where the page says; ours where the settings say.
      const env = /receive\.(?:ts|py)/.test(commands) ? { ...environment, PORT: ports.get("8080")! } : environment;
      return begin("sh", ["-c", onPorts(commands)], env).output;
    },
    async type(commands: string): Promise<() => string> {
      typed += 1;
      const before = shell.output().length;
      shell.child.stdin.write(`${onPorts(commands)}\necho "--- done ${typed}"\n`);
      await eventually(async () => expect(shell.output()).toContain(`--- done ${typed}`), { timeoutMs: 90_000 });
      return () => shell.output().slice(before);
    },
    /** What the reader finds in the checkout afterwards; `try` is ignored by Git. */
    async leftBehind(): Promise<readonly string[]> {
      const found = (await readdir(folder)).filter((name) => !before.includes(name));
      expect(found).toEqual(["try"]);
      return await readdir(join(folder, "try"));
    },
    async close(): Promise<void> {
      for (const { child, closed } of running) {
        if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
        await closed;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs this project's program for `skedchange` and what is installed for the rest, without asking a registry. */
async function writeNpx(folder: string): Promise<void> {
  const file = join(folder, "bin", "npx");
  await writeFile(
    file,
    `#!/bin/sh
name="$1"; shift
if [ "$name" = skedchange ]; then exec "${process.execPath}" "${serverEntry}" "$@"; fi
exec "./node_modules/.bin/$name" "$@"
`,
  );
  await chmod(file, 0o755);
}
