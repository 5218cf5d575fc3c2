import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface CompiledProject {
  /** Holds what the root of the project holds, as far as it was compiled, and everything of `src` that is no TypeScript. */
  readonly folder: string;
  remove(): void;
}

/**
 * Compiles what a `tsconfig.json` names with what that imports, into a folder below `node_modules`, so that packages are
 * found from there.
 *
 * @param project its path from the root of the project.
 * @param from the root of another version of the project; it may have no packages of its own.
 */
export function compileProject(project: string, from = root): CompiledProject {
  const caches = join(root, "node_modules", ".cache");
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(join(caches, "skedchange-compiled-"));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const parameters = ["-p", join(from, project), "--outDir", folder];
  const ended = spawnSync(process.execPath, [compiler, ...parameters], { encoding: "utf8" });
  if (ended.status !== 0) throw new Error(`${project} could not be compiled:\n${ended.stdout}${ended.stderr}`);
  const pages = join(from, "src", "dashboard", "web");
  cpSync(join(from, "src"), join(folder, "src"), {
    recursive: true,
    filter: (source) => !/\.tsx?$/.test(source) && source !== pages,
  });
  cpSync(join(from, "package.json"), join(folder, "package.json"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
