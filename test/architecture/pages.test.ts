import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { makeTestFolder } from "../harness/test-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Which modules pages may import, and no others of the server: those that `.oxlintrc.json` excepts. */
const named = [...(await readFile(join(root, ".oxlintrc.json"), "utf8")).matchAll(/"!\*\*\/([\w/-]+\.ts)"/g)].map(
  ([, path]) => (/^(page-table|people\/)/.test(path!) ? `dashboard/${path}` : path!),
);

/** What the named modules import themselves. */
const reached = [
  "contract/orders-to-stop.ts",
  "contract/stop-words.ts",
  "contract/words-in.ts",
  "itinerary/hidden-change.ts",
  "kernel/fact.ts",
  "kernel/listed.ts",
];

test("the pages contain the named modules of the server, and nothing else of it", async () => {
  const { stdout } = await run(process.execPath, [join(root, "scripts", "list-page-modules.js")], { cwd: root });
  const modules = (JSON.parse(stdout) as readonly string[]).map((path) => relative(join(root, "src"), path));

  expect(modules.filter((path) => path.startsWith("dashboard/web/")).length).toBeGreaterThan(100);
  const ofServer = modules.filter((path) => !/^(dashboard\/web|\.\.)\//.test(path));
  expect(ofServer.sort()).toEqual([...named, ...reached].sort());
}, 60_000);

/** What each file imports, and whether the linter has to refuse it. */
const planted: readonly (readonly [file: string, code: string, refused: boolean])[] = [
  ["src/dashboard/web/labels/policy.ts", 'import { a } from "../../../policy/load-policy.ts";', true],
  ["src/dashboard/web/labels/law.ts", 'import { a } from "../../../policy/legal/evaluate-laws.ts";', true],
  ["src/dashboard/web/labels/store.ts", 'import { a } from "../../../store/database/database.ts";', true],
  ["src/dashboard/web/labels/gateway.ts", 'import { a } from "../../../gateway/journey.ts";', true],
  ["src/dashboard/web/queue/server.tsx", 'import { a } from "../../create-dashboard.ts";', true],
  ["src/dashboard/web/queue/api.tsx", 'import { a } from "../../api/routes.ts";', true],
  ["src/dashboard/web/queue/type.tsx", 'import type { a } from "../../api/routes.ts";', false],
  ["src/dashboard/web/queue/named.tsx", 'import { a } from "../../../kernel/counted.ts";', false],
  ["src/dashboard/web/queue/own.tsx", 'import { a } from "../gateway/own.tsx";', false],
  ["src/dashboard/web/overview/queue.ts", 'import { a } from "../../../queue/run-queue.ts";', true],
  ["src/dashboard/web/overview/own-queue.ts", 'import { a } from "../queue/queue-filters.ts";', false],
  ["src/dashboard/web/overview/notices.ts", 'import { a } from "../../../notices/next-digest.ts";', true],
  ["src/dashboard/web/overview/own-notices.ts", 'import { a } from "../notices/notice-words.ts";', false],
  ["src/dashboard/web/overview/people.ts", 'import { a } from "../../people/sessions.ts";', true],
  ["src/dashboard/web/overview/own-people.ts", 'import { a } from "../people/people-words.ts";', false],
  ["src/dashboard/web/labels/node.ts", 'import { a } from "node:fs";', true],
  ["src/dashboard/web/labels/process.ts", "const a = process.pid;", true],
  ["src/dashboard/web/labels/buffer.ts", "const a = Buffer;", true],
  ["src/dashboard/present.ts", 'import { a } from "../policy/load-policy.ts";', true],
  ["src/dashboard/typed.ts", 'import type { a } from "../policy/load-policy.ts";', false],
  ["src/store/read.ts", 'import { a } from "../itinerary/difference.ts";', true],
  ["src/store/typed.ts", 'import type { a } from "../itinerary/difference.ts";', false],
];

describe("the linter", () => {
  test("reads each of its patterns: it refuses what is planted, and nothing else", async () => {
    const folder = await makeTestFolder();
    try {
      await copyFile(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
      for (const [file, code] of planted) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), `${code}\nexport { a };\n`);
      }

      const refused = await filesRefused(folder);

      expect(refused).toEqual(planted.flatMap(([file, , isRefused]) => (isRefused ? [file] : [])).sort());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function filesRefused(folder: string): Promise<readonly string[]> {
  const oxlint = join(root, "node_modules", "oxlint", "bin", "oxlint");
  // It ends with a failure because of what it finds.
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, [oxlint, "--format", "json", "src"], { cwd: folder }, (_error, text) => resolve(text));
  });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
  };
  const ofImports = diagnostics.filter(({ code }) => /no-restricted-(?:imports|globals)/.test(code));
  return [...new Set(ofImports.map(({ filename }) => filename))].sort();
}
