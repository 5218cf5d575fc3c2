// Compiles `src` to `dist` and copies what is not TypeScript (SQL, policies, data tables, pages) beside it.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

cpSync(join(root, "src"), dist, {
  recursive: true,
  filter: (source) => !/\.tsx?$/.test(source),
});
