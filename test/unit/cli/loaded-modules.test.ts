import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../../bin/skedchange.js", import.meta.url));

/** The files of dist that the command loads, and of its packages the names. */
async function loadedBy(
  ...args: readonly string[]
): Promise<{ files: readonly string[]; packages: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-loaded-"));
  try {
    const env = { ...process.env, NODE_V8_COVERAGE: folder, NODE_OPTIONS: "" };
    await promisify(execFile)(process.execPath, [program, ...args], { env });
    const [report = ""] = await readdir(folder);
    const { result } = JSON.parse(await readFile(join(folder, report), "utf8")) as { result: { url: string }[] };
    const found = (pattern: RegExp): string[] => result.flatMap(({ url }) => pattern.exec(url)?.[1] ?? []);
    return {
      files: found(/\/dist\/(.+)$/).sort(),
      packages: [...new Set(found(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//))].sort(),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

// Each of them costs milliseconds before anything is done; all commands together take more than a second.
test("asking for the version loads no command and no package but the parser of options", async () => {
  const { files, packages } = await loadedBy("--version");

  expect(packages).toEqual(["commander"]);
  expect(files.filter((file) => file.startsWith("cli/commands/"))).toEqual([]);
});

test.each([
  // Its options are the filters that the API declares with zod.
  ["cases", ["commander", "zod"]],
  ["blocked-orders", ["commander"]],
])("%s loads no other command, and nothing of the server", async (command, needed) => {
  const { files, packages } = await loadedBy(command, "--help");

  expect(packages).toEqual(needed);
  expect(files.filter((file) => file.startsWith("cli/commands/"))).toEqual([`cli/commands/${command}.js`]);
  // Words for laws and rules are the same on the pages, and import nothing else of the server.
  const words = /^policy\/(?:(?:.+\/)?[a-z]+-words|fact-labels)\.js$/;
  const ofServer = files.filter((file) => /^(?:contract|policy|store|worker|receiver|sender)\//.test(file));
  expect(ofServer.filter((file) => !words.test(file))).toEqual([]);
});
