import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { readSteps } from "../harness/page-steps.ts";
import { openPageTerminals } from "../harness/page-terminals.ts";
import { serverEntry } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

// Each quickstart starts servers and, one of them, installs packages.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const root = fileURLToPath(new URL("../../", import.meta.url));
const quickstarts = join(root, "docs/quickstarts");

const pages = (await readdir(quickstarts)).filter((name) => name !== "README.md");

/** Below `try`, each of one quickstart. */
const foldersOfPages = new Set<string>();

describe("a quickstart, followed word for word on other ports", () => {
  test.each(pages)("%s shows what it says and writes into a folder of its own", async (page) => {
    const steps = readSteps(await readFile(join(quickstarts, page), "utf8"));
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
  const terminals = openPageTerminals({ folder, environment });

  function onPorts(text: string): string {
    return text.replaceAll(/:(3000|4000|8080)\b/g, (_, port: string) => `:${ports.get(port)}`);
  }

  return {
    onPorts,
    start(commands: string): () => string {
      // A program of the reader listens where the page says; ours where the settings say.
      const env = /receive\.(?:ts|py)/.test(commands) ? { ...environment, PORT: ports.get("8080")! } : environment;
      return terminals.start(onPorts(commands), env);
    },
    type: (commands: string) => terminals.type(onPorts(commands)),
    /** What the reader finds in the checkout afterwards; `try` is ignored by Git. */
    async leftBehind(): Promise<readonly string[]> {
      const found = (await readdir(folder)).filter((name) => !before.includes(name));
      expect(found).toEqual(["try"]);
      return await readdir(join(folder, "try"));
    },
    async close(): Promise<void> {
      await terminals.close();
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
