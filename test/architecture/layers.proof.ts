import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const config = join(root, ".dependency-cruiser.js");
const planted = fileURLToPath(new URL("planted-violations", import.meta.url));

describe("the layers of src", () => {
  test("are respected by every module", async () => {
    const { totalCruised, violations } = await cruise(root);

    // Without a parser that it can use, dependency-cruiser sees nothing and complains about nothing.
    expect(totalCruised).toBeGreaterThan(100);
    expect(violations).toEqual([]);
  });

  test("hold every folder of src", async () => {
    const { layers, top } = (await import(config)) as { layers: object; top: readonly string[] };
    const entries = await readdir(join(root, "src"), { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);

    expect(folders.filter((folder) => !(folder in layers) && !top.includes(folder))).toEqual([]);
    // What the package exports.
    expect(entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name)).toEqual(["index.ts"]);
  });

  test("are defended: each planted violation is reported, and nothing else", async () => {
    const { violations } = await cruise(planted);

    expect(violations.sort()).toEqual([
      "bullmq-in-one-place: src/sender/own-queue.ts",
      "client-package-is-small: src/client/index.ts",
      "every-folder-has-a-layer: src/cli/command.ts -> src/misc/helper.ts",
      "kernel-imports-only-its-layers: src/kernel/upwards.ts -> src/worker/detail.ts",
      "no-async-hooks: src/worker/context.ts -> async_hooks",
      "no-cycles: src/queue/first.ts -> src/queue/second.ts",
      "pure-domain: src/policy/read-policy.ts -> fs/promises",
      "receiver-imports-only-its-layers: src/receiver/neighbour.ts -> src/sender/sideways.ts",
      "sql-in-one-place: src/worker/query.ts",
      "store-imports-only-its-layers: src/store/rows.ts -> src/worker/detail.ts",
    ]);
  });
});

interface Cruised {
  readonly totalCruised: number;
  readonly violations: string[];
}

interface CruiseReport {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

function cruise(folder: string): Promise<Cruised> {
  const command = join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
  const options = ["src", "--config", config, "--output-type", "json", "--no-cache"];
  return new Promise((resolve, reject) => {
    // It ends with the number of violations, so the exit code is no failure of its own.
    execFile(process.execPath, [command, ...options], { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      try {
        resolve(read(JSON.parse(stdout) as CruiseReport));
      } catch {
        reject(new Error(`dependency-cruiser failed in ${folder}: ${stderr}`, { cause: error }));
      }
    });
  });
}

function read({ summary }: CruiseReport): Cruised {
  const violations = summary.violations.map(({ rule, from, to }) => {
    // Where a package lies depends on who installed it.
    return to.includes("node_modules") ? `${rule.name}: ${from}` : `${rule.name}: ${from} -> ${to}`;
  });
  return { totalCruised: summary.totalCruised, violations };
}
