import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export interface CompiledProcess {
  /** JavaScript, to be run by Node.js. */
  readonly entry: string;
  remove(): void;
}

/**
 * Compiles `faults-process.ts` with what it imports, once for a run: a process that is killed and started again twenty times
 * must not spend the machine on compiling. Below `node_modules`, so that packages are found from there.
 */
export function compileProcess(): CompiledProcess {
  const caches = join(root, "node_modules", ".cache");
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(join(caches, "skedchange-faults-"));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const project = join(root, "test", "faults", "tsconfig.json");
  const ended = spawnSync(process.execPath, [compiler, "-p", project, "--outDir", folder], { encoding: "utf8" });
  if (ended.status !== 0) throw new Error(`the processes could not be compiled:\n${ended.stdout}${ended.stderr}`);
  const pages = join(root, "src", "dashboard", "web");
  cpSync(join(root, "src"), join(folder, "src"), {
    recursive: true,
    filter: (source) => !/\.tsx?$/.test(source) && source !== pages,
  });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  return {
    entry: join(folder, "test", "faults", "faults-process.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
