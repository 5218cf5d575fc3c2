import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The processes that only tests start: those of `processes.tsconfig.json`. */
type ProcessFile =
  | "test/harness/crash-worker-process"
  | "test/harness/embedded-parent-process"
  | "test/conformance/queue/worker-process"
  | "test/faults/faults-process";

export interface CompiledProcesses {
  /** The path of the JavaScript that Node.js runs. */
  entryOf(file: ProcessFile): string;
  remove(): void;
}

/**
 * Compiles the processes that only tests start, with everything that they import. Loading a process through a TypeScript
 * loader costs twice the CPU, and some of them are started twenty times. The folder lies below `node_modules`, so that
 * packages are found from there.
 */
export function compileProcesses(): CompiledProcesses {
  const caches = join(root, "node_modules", ".cache");
  mkdirSync(caches, { recursive: true });
  const folder = mkdtempSync(join(caches, "skedchange-processes-"));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const project = join(root, "test", "harness", "processes.tsconfig.json");
  const ended = spawnSync(process.execPath, [compiler, "-p", project, "--outDir", folder], { encoding: "utf8" });
  if (ended.status !== 0) throw new Error(`The processes could not be compiled:\n${ended.stdout}${ended.stderr}`);
  const pages = join(root, "src", "dashboard", "web");
  cpSync(join(root, "src"), join(folder, "src"), {
    recursive: true,
    filter: (source) => !/\.tsx?$/.test(source) && source !== pages,
  });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  return {
    entryOf: (file) => join(folder, `${file}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
