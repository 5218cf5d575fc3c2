import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { endWithUs } from "../faults/end-with-us.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { type BreakableProxy, startBreakableProxy } from "../integration/queue/breakable-proxy.ts";

// It builds the whole program.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/**
 * The steps of the Dockerfile without a daemon: each stage is a folder, and COPY takes only what `.dockerignore` lets through.
 * Left out, because it touches this machine: what removes package managers below /usr/local. `npm ci` is what a clean clone
 * begins with (`.ci/run`), so its result is taken from there.
 */

const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

interface Stage {
  readonly folder: string;
  workdir: string;
  readonly environment: Record<string, string>;
  user: string | null;
  healthcheck: readonly string[];
  entrypoint: readonly string[];
  command: readonly string[];
}

let stages: readonly Stage[];
let image: Stage;
let db: TestDatabase;
/** Over TCP, because the image's user may not enter the folder of the socket. */
let database: BreakableProxy;

beforeAll(async () => {
  stages = await buildStages(readFileSync(join(root, "Dockerfile"), "utf8"));
  image = stages.at(-1)!;
  db = await createTestDatabase();
  database = await startBreakableProxy(db.serviceUrl);
}, 280_000);
afterAll(async () => {
  await database?.close();
  await db?.drop();
  for (const { folder } of stages ?? []) rmSync(folder, { recursive: true, force: true });
});

describe("the image", () => {
  test("holds what runs, and nothing that it is built or tested with", () => {
    const app = join(image.folder, "app");

    expect(readdirSync(app).toSorted()).toEqual(["LICENSE", "NOTICE", "bin", "dist", "node_modules", "package.json"]);
    const packages = readdirSync(join(app, "node_modules"));
    expect(packages).toEqual(expect.arrayContaining(["express", "pg"]));
    expect(packages.filter((name) => ["typescript", "vite", "jest", "react"].includes(name))).toEqual([]);
  });

  test("starts with its own settings, is healthy by its own check, and ends at its stop signal", async () => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      ...image.environment,
      // As `docker run --env` gives them.
      PORT: String(await freePort()),
      GATEWAY_PORT: "0",
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: createEncryptionKey(new Date()),
      API_TOKEN: "0123456789abcdef-api",
      OCN_BEARER_TOKENS: "0123456789abcdef-bearer",
      GATEWAY_BASE_URL: "http://127.0.0.1:1",
      GATEWAY_ACCESS_TOKEN: "0123456789abcdef-access",
      ALLOW_WEAK_SETTINGS: "1",
    };
    const [program = "", ...parameters] = [...image.entrypoint, ...image.command];
    const [checker = "", ...check] = image.healthcheck;
    const healthy = async (): Promise<boolean> => {
      return await run(checker, check, { env }).then(
        () => true,
        () => false,
      );
    };
    expect(await healthy()).toBe(false);

    const server = spawn(program, parameters, {
      cwd: image.workdir,
      env,
      ...userOf(image),
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithUs(server);
    let output = "";
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk: Buffer) => (output += String(chunk)));
    try {
      await eventually(
        async () => {
          if (!(await healthy())) throw new Error(`It is not healthy:\n${output}`);
        },
        { timeoutMs: 30_000, everyMs: 250 },
      );
    } finally {
      const ended = server.exitCode === null ? once(server, "exit") : null;
      server.kill("SIGTERM");
      await ended;
    }
    expect(server.exitCode).toBe(0);
  });
});

async function buildStages(dockerfile: string): Promise<readonly Stage[]> {
  const done: Stage[] = [];
  const names: string[] = [];
  const instructions = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  for (const instruction of instructions) {
    const [, keyword = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(instruction) ?? [];
    const stage = done.at(-1)!;
    switch (keyword) {
      case "FROM":
        done.push(emptyStage());
        names.push(/ AS (\w+)$/.exec(rest)?.[1] ?? "");
        break;
      case "WORKDIR":
        stage.workdir = join(stage.folder, rest);
        mkdirSync(stage.workdir, { recursive: true });
        break;
      case "ENV":
        for (const pair of rest.split(" ")) stage.environment[pair.split("=")[0]!] = pair.slice(pair.indexOf("=") + 1);
        break;
      case "COPY":
        copy(stage, rest, (name) => done[names.indexOf(name)]!);
        break;
      case "RUN":
        for (const command of rest.split(" && ")) await carryOut(stage, command);
        break;
      case "USER":
        stage.user = rest;
        break;
      case "HEALTHCHECK":
        stage.healthcheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4)) as string[];
        break;
      case "ENTRYPOINT":
        stage.entrypoint = JSON.parse(rest) as string[];
        break;
      case "CMD":
        stage.command = JSON.parse(rest) as string[];
        break;
      case "ARG":
      case "EXPOSE":
      case "STOPSIGNAL":
      case "VOLUME":
        break;
      default:
        throw new Error(`This test cannot carry out ${instruction}`);
    }
  }
  return done;
}

function emptyStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), "skedchange-image-"));
  chmodSync(folder, 0o755);
  return { folder, workdir: folder, environment: {}, user: null, healthcheck: [], entrypoint: [], command: [] };
}

function copy(stage: Stage, words: string, stageCalled: (name: string) => Stage): void {
  const from = /^--from=(\w+) /.exec(words)?.[1];
  const paths = words.replace(/^--\S+ /, "").split(" ");
  const [target = "", ...sources] = paths.toReversed();
  const isFolder = target.endsWith("/") || sources.length > 1;
  for (const source of sources) {
    const given = from === undefined ? join(root, source) : join(stageCalled(from).folder, source);
    if (from === undefined && !isInContext(source)) throw new Error(`.dockerignore keeps ${source} from the image.`);
    const destination = join(stage.workdir, target, isFolder ? basename(source) : "");
    mkdirSync(resolve(destination, ".."), { recursive: true });
    if (basename(source) === "node_modules") link(given, destination);
    else cpSync(given, destination, { recursive: true });
  }
}

/** What begins with `*` lets through only what its other lines name. */
function isInContext(path: string): boolean {
  const [first, ...others] = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect([first, ...others.map((line) => line[0])]).toEqual(["*", ...others.map(() => "!")]);
  return others.some((line) => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`));
}

async function carryOut(stage: Stage, command: string): Promise<void> {
  if (command.includes("/usr/local")) return;
  if (command.startsWith("npm ci ")) {
    const lock = "node_modules/.package-lock.json";
    link(join(root, "node_modules"), join(stage.workdir, "node_modules"));
    // npm writes into it, and it would be that of the project.
    rmSync(join(stage.workdir, lock));
    cpSync(join(root, lock), join(stage.workdir, lock));
    return;
  }
  // Folders of the image, and no user of this machine.
  const adapted = command.replaceAll(/(?<= )\/(?=\w)/g, `${stage.folder}/`).replaceAll(/ -[og] node(?= )/g, "");
  await run("sh", ["-c", adapted], { cwd: stage.workdir, env: buildEnvironment(stage), maxBuffer: 20_000_000 });
}

/** Links take no room and no time; across file systems it has to be a copy. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const entries = readdirSync(from).filter((name) => name !== ".cache");
  const paths = entries.map((name) => join(from, name));
  try {
    execFileSync("cp", ["-al", ...paths, to], { stdio: ["ignore", "pipe", "pipe"] });
  } catch {
    execFileSync("cp", ["-a", "--remove-destination", ...paths, to]);
  }
}

function buildEnvironment(stage: Stage): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  // What is pruned needs nothing from the registry.
  return { PATH, HOME, npm_config_offline: "true", npm_config_audit: "false", ...stage.environment };
}

/** Only root can be somebody else. */
function userOf({ user }: Stage): { readonly uid?: number; readonly gid?: number } {
  if (process.geteuid?.() !== 0 || user === null) return {};
  const [uid, gid] = user.split(":").map(Number);
  return { uid: uid!, gid: gid! };
}
