import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

/** The commit of 0.3.0. */
export const lastRelease = "ed409000";

/** Whether the history of the repository is there, which an archive of the sources does not have. */
export function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root, stdio: "ignore" }).status === 0;
}

/** What `npm pack` says about the tarball that it made. */
export interface PackedPackage {
  readonly filename: string;
  readonly version: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/**
 * The project as it is released, with the `dist` that is there. From a copy, because packing puts the command into
 * package.json, and other tests read that of the project.
 */
export async function packProject(destination: string): Promise<PackedPackage> {
  return await packCopyOf(root, destination);
}

/**
 * A released version, as far as a server needs it: translated file by file, without types, and without its pages, for which
 * those of the present stand in. A whole build would take a minute.
 *
 * @param commit in the history of the repository.
 */
export async function packCommit(commit: string, destination: string): Promise<PackedPackage> {
  const project = await mkdtemp(join(tmpdir(), "skedchange-sources-"));
  try {
    const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
    execFileSync("tar", ["-x", "-C", project, "--exclude=docs", "--exclude=test"], { input: archive });
    const [src, dist, pages] = [join(project, "src"), join(project, "dist"), join("dashboard", "web")];
    cpSync(src, dist, {
      recursive: true,
      filter: (source) => !/\.tsx?$/.test(source) && source !== join(src, pages),
    });
    for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.startsWith(join(pages, "/"))) continue;
      const { code } = transformSync(readFileSync(join(src, file), "utf8"), { loader: "ts", target: "node20.19" });
      // As the compiler rewrites them.
      const rewritten = code.replaceAll(/((?:from|import\(?) ?"\.{1,2}\/[^"\n]+)\.ts"/g, '$1.js"');
      writeFileSync(join(dist, file.replace(/ts$/, "js")), rewritten);
    }
    cpSync(join(root, "dist", pages), join(dist, pages), { recursive: true });
    return await packCopyOf(project, destination, addMissing);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

export async function packFolder(folder: string, destination: string): Promise<PackedPackage> {
  const { stdout } = await npm(folder, ["pack", "--ignore-scripts", "--json", "--pack-destination", destination]);
  // npm 11 prints a list, npm 12 an object by package.
  return Object.values(JSON.parse(stdout) as Record<string, PackedPackage>)[0]!;
}

async function packCopyOf(
  project: string,
  destination: string,
  prepare: (copy: string, manifest: { readonly files: string[] }) => void = () => {},
): Promise<PackedPackage> {
  const copy = await mkdtemp(join(tmpdir(), "skedchange-packed-"));
  try {
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { files: string[] };
    const listed = manifest.files.filter((file) => !file.startsWith("!"));
    for (const path of ["README.md", "LICENSE", ...listed]) {
      cpSync(join(project, path), join(copy, path), { recursive: true });
    }
    prepare(copy, manifest);
    writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
    await npm(copy, ["run", "--if-present", "prepack"]);
    return await packFolder(copy, destination);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** What releases before 0.4 were packed without, and what docs/one-machine.md needs. */
function addMissing(copy: string, manifest: { readonly files: string[] }): void {
  for (const path of ["deploy/postgres", "deploy/systemd"]) {
    if (existsSync(join(copy, path))) continue;
    mkdirSync(join(copy, "deploy"), { recursive: true });
    cpSync(join(root, path), join(copy, path), { recursive: true });
    manifest.files.push(path);
  }
}

/** Without the settings that an `npm test` hands to what it starts: they name this project. */
export function npm(cwd: string, command: readonly string[]): Promise<{ readonly stdout: string }> {
  const stored = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:package|lifecycle|command|config_local)/.test(name),
  );
  return run("npm", [...command], { cwd, env: Object.fromEntries(stored), maxBuffer: 20_000_000 });
}
