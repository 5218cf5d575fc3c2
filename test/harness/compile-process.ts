import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { type CompiledProject, compileProject } from "./compile-project.ts";

/** The processes that only tests start: those of `processes.tsconfig.json`. */
type ProcessFile =
  | "test/harness/crash-worker-process"
  | "test/harness/embedded-parent-process"
  | "test/conformance/queue/worker-process"
  | "test/faults/faults-process"
  | "test/security/flood-process";

export interface CompiledProcess extends CompiledProject {
  /** The path of the JavaScript that Node.js runs. */
  readonly entry: string;
}

/** Compiles a process that only tests start, some of them twenty times, into one file. */
export async function compileProcess(file: ProcessFile): Promise<CompiledProcess> {
  const project = compileProject("test/harness/processes.tsconfig.json");
  const entry = join(project.folder, `${file}.js`);
  await bundle(entry);
  return { ...project, entry };
}

/**
 * Puts everything that a compiled process imports into its file, packages too: loading some 1,000 files takes most of the
 * CPU of a process that is killed soon after its start. The files stay where they were compiled, for threads, and for what
 * is read beside them.
 */
export async function bundle(entry: string): Promise<void> {
  const folder = dirname(entry);
  await build({
    entryPoints: [entry],
    outfile: entry,
    allowOverwrite: true,
    bundle: true,
    platform: "node",
    format: "esm",
    // Packages in CommonJS call it.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    external: ["pg-native"],
    logLevel: "error",
    plugins: [
      {
        name: "places of files",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/src\/.+\.js$/ }, async ({ path }) => {
            const place = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
            return { contents: (await readFile(path, "utf8")).replaceAll("import.meta.url", place) };
          }),
      },
    ],
  });
}
