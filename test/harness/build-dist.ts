import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `dist` when something in `src` is newer, because tests and benchmarks start processes and show pages from it. */
export function buildDistIfStale(): void {
  const builtAt =
    statSync(join(root, "dist", "dashboard", "web", "index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (newestChange(join(root, "src")) <= builtAt) return;
  process.stderr.write("Building dist, because src has changed.\n");
  const build = spawnSync(process.execPath, [join(root, "scripts", "build.js")], { stdio: "inherit" });
  if (build.status !== 0) throw new Error("dist could not be built: see the messages above.");
}

/** The time of the newest change in a folder. A folder changes when something in it is added, renamed or removed. */
function newestChange(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Math.max(
    statSync(folder).mtimeMs,
    ...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}
