// Compiles `src` to `dist`, copies what is not TypeScript (SQL, policies, data tables) beside it, and builds the pages of
// the dashboard.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const pages = join(root, "src", "dashboard", "web");

rmSync(dist, { recursive: true, force: true });
run("typescript/bin/tsc", ["-p", join(root, "tsconfig.build.json")]);

cpSync(join(root, "src"), dist, {
  recursive: true,
  filter: (source) => !/\.tsx?$/.test(source) && source !== pages,
});
run("vite/bin/vite.js", ["build", pages, "--logLevel", "warn"]);

function run(program, options) {
  const ended = spawnSync(process.execPath, [join(root, "node_modules", program), ...options], { stdio: "inherit" });
  if (ended.status !== 0) process.exit(ended.status ?? 1);
}
