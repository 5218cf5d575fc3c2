import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { bundle, compileProcess } from "../harness/compile-process.ts";
import { type CompiledProject, compileProject } from "../harness/compile-project.ts";
import { hasCommit, lastRelease } from "../harness/pack-package.ts";

/** A version of the program, with which a fleet is started. */
export interface Build {
  /** The compiled process, with short waits. */
  readonly entry: string;
  /** Its migrations, among everything that was compiled. */
  readonly migrations: URL;
  /** As its own program does, which knows no other SQL. */
  migrate(ownerUrl: string): Promise<void>;
  remove(): void;
}

/** What is compiled of the last release, and what names its packages. */
const released = ["src", "test", "package.json", "package-lock.json", "tsconfig.json"];

const run = promisify(execFile);

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The program as it is in the work tree. */
export async function buildPresent(): Promise<Build> {
  return asBuild(await compileProcess("test/faults/faults-process"));
}

/** The program as the version after it would be: it adds a column, and programs of the present run on that. */
export function buildNext(present: Build): Build {
  const compiled = fileURLToPath(new URL("../../../", present.migrations));
  const folder = mkdtempSync(join(root, "node_modules", ".cache", "skedchange-next-"));
  cpSync(compiled, folder, { recursive: true });
  const next = asBuild({ folder, remove: () => rmSync(folder, { recursive: true, force: true }) });
  const newest = readdirSync(next.migrations).sort().at(-1)?.slice(0, 6);
  writeFileSync(
    new URL("000999_next.sql", next.migrations),
    `-- Oldest program: ${newest}\nalter table skedchange.orders add column next_thing text;\n`,
  );
  return next;
}

export const hasReleased = (): boolean => hasCommit(lastRelease);

/** The program of the last release with its packages; the present ones suffice to compile it. */
export async function buildReleased(): Promise<Build> {
  // Outside of node_modules: the compiler takes what is inside for packages, and leaves it as it is.
  const sources = mkdtempSync(join(tmpdir(), "skedchange-released-"));
  try {
    const archive = execFileSync("git", ["archive", lastRelease, ...released], {
      cwd: root,
      maxBuffer: 256 * 1024 * 1024,
    });
    execFileSync("tar", ["-x", "-C", sources], { input: archive });
    symlinkSync(join(root, "node_modules"), join(sources, "node_modules"));
    const compiled = compileProject("test/harness/processes.tsconfig.json", sources);
    cpSync(join(sources, "package-lock.json"), join(compiled.folder, "package-lock.json"));
    execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], {
      cwd: compiled.folder,
      stdio: "pipe",
    });
    const build = asBuild(compiled);
    await bundle(build.entry);
    return build;
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

function asBuild({ folder, remove }: CompiledProject): Build {
  const migrator = pathToFileURL(join(folder, "src/store/database/migrator.js"));
  return {
    entry: join(folder, "test/faults/faults-process.js"),
    migrations: pathToFileURL(`${join(folder, "src/store/migrations")}/`),
    async migrate(ownerUrl) {
      const program = `import { migrate } from "${migrator.href}"; await migrate({ ownerUrl: process.argv[1] });`;
      await run(process.execPath, ["--input-type=module", "--eval", program, ownerUrl]);
    },
    remove,
  };
}
