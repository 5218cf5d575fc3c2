import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { startServerProcess } from "../harness/server-process.ts";

// Packing, installing, and a demo that makes its database first.
jest.setTimeout(240_000);

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let folder: string;
let paths: readonly string[];
let unpackedSize: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-packed-"));
  // `dist` is there and newer than `src`; building it again would take it from the tests that run it.
  const { stdout } = await npm(root, ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  // npm 11 prints a list, npm 12 an object by package.
  const packed = Object.values(JSON.parse(stdout) as Record<string, PackedPackage>)[0]!;
  ({ unpackedSize } = packed);
  paths = packed.files.map(({ path }) => path);
  await mkdir(join(folder, "agency"));
  await writeFile(join(folder, "agency", "package.json"), "{}");
  await npm(join(folder, "agency"), [
    ...["install", join(folder, packed.filename), "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"],
  ]);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface PackedPackage {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

describe("the packed package", () => {
  test("holds what runs, its samples and its papers, and nothing of what it is developed with", () => {
    const others = paths.filter((path) => !path.startsWith("bin/") && !path.startsWith("dist/"));

    expect(others.filter((path) => !path.startsWith("samples/")).toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "SECURITY.md",
      "package.json",
    ]);
    expect(paths).toContain("dist/cli/main.js");
    expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
    expect(unpackedSize).toBeLessThan(12_000_000);
  });

  test("starts the demo from an empty folder and names a sample that is there", async () => {
    const agency = join(folder, "agency");
    const server = await startServerProcess({ DATA_DIR: join(folder, "data") }, 120_000, {
      cwd: agency,
      entry: join(agency, "node_modules/skedchange/bin/skedchange.js"),
    });
    try {
      await server.waitFor("Stop with Ctrl-C", 90_000);

      expect(server.output()).toMatch(/DEMO20LH\s+LH1167 LIS-FRA/);
      expect((await fetch(`${server.agencyUrl}/`)).status).toBe(200);
      const sample = /npx skedchange send-ocn (?<path>\S+)/.exec(server.output())?.groups?.["path"];
      expect(existsSync(join(agency, sample ?? ""))).toBe(true);
    } finally {
      expect((await server.end("SIGTERM")).code).toBe(0);
    }
  });
});

/** Without the settings that an `npm test` hands to what it starts: they name this project. */
function npm(cwd: string, command: readonly string[]): Promise<{ readonly stdout: string }> {
  const stored = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:package|lifecycle|command|config_local)/.test(name),
  );
  return run("npm", [...command], { cwd, env: Object.fromEntries(stored), maxBuffer: 20_000_000 });
}
