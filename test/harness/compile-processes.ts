import { join } from "node:path";
import { compileProject } from "./compile-project.ts";

/** The processes that only tests start: those of `processes.tsconfig.json`. */
type ProcessFile =
  | "test/harness/crash-worker-process"
  | "test/harness/embedded-parent-process"
  | "test/conformance/queue/worker-process"
  | "test/faults/faults-process"
  | "test/security/flood-process";

export interface CompiledProcesses {
  /** The path of the JavaScript that Node.js runs. */
  entryOf(file: ProcessFile): string;
  remove(): void;
}

/**
 * Compiles the processes that only tests start, with everything that they import. Loading a process through a TypeScript
 * loader costs twice the CPU, and some of them are started twenty times.
 */
export function compileProcesses(): CompiledProcesses {
  const { folder, remove } = compileProject("test/harness/processes.tsconfig.json");
  return { entryOf: (file) => join(folder, `${file}.js`), remove };
}
