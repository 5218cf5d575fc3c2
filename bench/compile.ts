import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileProject } from "../test/harness/compile-project.ts";
import type { Programs } from "./remote-process.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * Compiles the processes of all benchmarks as the product is compiled. A loader of TypeScript would do for starting them,
 * but what it makes of closures is slower.
 */
export function compilePrograms(): Programs & { remove(): void } {
  const { folder, remove } = compileProject("bench/tsconfig.json");
  cpSync(join(root, "samples"), join(folder, "samples"), { recursive: true });
  return { fileOf: (path) => join(folder, `${path}.js`), execArgv: ["--enable-source-maps"], remove };
}
