// Does what the README says on a machine that has only Node.js, and measures it: `npm ci`, `npm start` until the first case
// is decided, and with `--test` also `npm test`. It works on a clone of the last commit, with an empty npm cache.
//
//     npm run measure:fresh                       # with the Node.js and npm that run it
//     npm run measure:fresh -- --node 20 --node 22 --node 24 --test
//
// The table it prints belongs into docs/performance.md. `--node` fetches that version, with the npm that it comes with, from
// the npm registry. The exit code is 1 when a command failed; its output is then shown.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { demoCredentials } from "../src/config/demo-credentials.ts";
import { settingDescriptions } from "../src/config/settings.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The npm that a version of Node.js comes with. */
const npmOf: Readonly<Record<string, string>> = { 20: "10.8.2", 22: "10.9", 24: "11" };

/** On a busy machine a start takes tens of seconds; nobody waits longer. */
const firstDecisionMs = 120_000;

const settingNames: ReadonlySet<string> = new Set(settingDescriptions.map(({ name }) => name));

interface Figures {
  readonly node: string;
  readonly npm: string;
  readonly install: { readonly seconds: number; readonly downloadedMiB: number; readonly onDiskMiB: number };
  /** From `npm start` on. */
  readonly firstDecisionSeconds: number;
  /** Null when the tests were not asked for. */
  readonly testSeconds: number | null;
}

const { values } = parseArgs({
  options: { node: { type: "string", multiple: true, default: [] }, test: { type: "boolean", default: false } },
});
const versions = values.node.length === 0 ? [null] : values.node;
const figures: Figures[] = [];
for (const version of versions) {
  try {
    figures.push(await measure(version));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
for (const line of tableOf(figures)) console.log(line);

async function measure(version: string | null): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-fresh-"));
  try {
    const environment = await prepareEnvironment(folder, version);
    const clone = join(folder, "clone");
    await run("git", ["clone", "--quiet", root, clone], { cwd: folder, env: environment });
    const here = { cwd: clone, env: environment };
    const [node, npm] = [await run("node", ["--version"], here), await run("npm", ["--version"], here)];
    console.error(`Node.js ${node.output.trim()}, npm ${npm.output.trim()}: npm ci`);
    const install = await run("npm", ["ci"], here);
    const downloaded = await bytesIn(environment["npm_config_cache"]!);
    const onDisk = await bytesIn(join(clone, "node_modules"));
    console.error("npm start");
    const firstDecisionSeconds = await startUntilFirstDecision(here);
    if (values.test) console.error("npm test");
    return {
      node: node.output.trim(),
      npm: npm.output.trim(),
      install: { seconds: install.seconds, downloadedMiB: inMiB(downloaded), onDiskMiB: inMiB(onDisk) },
      firstDecisionSeconds,
      testSeconds: values.test ? (await run("npm", ["test"], here)).seconds : null,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An environment with no setting of Skedchange, an empty npm cache, and the wanted Node.js first on the PATH. */
async function prepareEnvironment(folder: string, version: string | null): Promise<Record<string, string>> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !settingNames.has(name) && !name.startsWith("npm_") && name !== "NODE_ENV",
  ) as [string, string][];
  const environment = { ...Object.fromEntries(inherited), npm_config_cache: join(folder, "npm-cache") };
  if (version === null) return environment;
  const npm = npmOf[version];
  if (npm === undefined) throw new Error(`--node is one of ${Object.keys(npmOf).join(", ")}, not ${version}.`);
  const tools = join(folder, "tools");
  // A cache of its own, so that what Node.js weighs is not counted as downloaded by the project.
  const fetched = { ...environment, npm_config_cache: join(folder, "tools-cache") };
  await run("npm", ["install", "--no-save", "--prefix", tools, `node@${version}`, `npm@${npm}`], {
    cwd: folder,
    env: fetched,
  });
  return { ...environment, PATH: [join(tools, "node_modules", ".bin"), process.env["PATH"]].join(delimiter) };
}

/** Starts demo mode on free ports, and stops it once its API lists a decided case. @returns seconds. */
async function startUntilFirstDecision(here: Where): Promise<number> {
  const startedAt = performance.now();
  const env = { ...here.env, PORT: "0", GATEWAY_PORT: "0" };
  const child = spawn("npm", ["start"], { cwd: here.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = collectOutput(child);
  const ended = once(child, "exit");
  try {
    while (!(await hasDecision(/agency side\s+(http\S+)/.exec(output())?.[1]))) {
      const lateMs = performance.now() - startedAt;
      if (child.exitCode !== null || lateMs > firstDecisionMs) throw new Error(`No case was decided:\n${output()}`);
      await sleep(20);
    }
    return (performance.now() - startedAt) / 1_000;
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function hasDecision(agencyUrl: string | undefined): Promise<boolean> {
  if (agencyUrl === undefined) return false;
  const headers = { authorization: `Bearer ${demoCredentials.apiToken}` };
  const response = await fetch(`${agencyUrl}/api/v1/cases`, { headers }).catch(() => null);
  if (response === null || !response.ok) return false;
  const { items } = (await response.json()) as { items: readonly { readonly decision: unknown }[] };
  return items.some(({ decision }) => decision !== null);
}

interface Where {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Rejects with what the command wrote when it fails. */
async function run(program: string, options: readonly string[], where: Where) {
  const startedAt = performance.now();
  const child = spawn(program, options, { ...where, stdio: ["ignore", "pipe", "pipe"] });
  const output = collectOutput(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${options.join(" ")} ended with ${code}:\n${output()}`);
  return { output: output(), seconds: (performance.now() - startedAt) / 1_000 };
}

function collectOutput(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function inMiB(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

function tableOf(rows: readonly Figures[]): readonly string[] {
  return [
    "| Node.js | npm | `npm ci` | downloaded | on disk | `npm start` to the first decided case | `npm test` |",
    "|---|---|---|---|---|---|---|",
    ...rows.map(({ node, npm, install, firstDecisionSeconds, testSeconds }) =>
      [
        "",
        node,
        npm,
        `${install.seconds.toFixed(0)} s`,
        `${install.downloadedMiB} MiB`,
        `${install.onDiskMiB} MiB`,
        `${firstDecisionSeconds.toFixed(1)} s`,
        testSeconds === null ? "not run" : `passes, ${testSeconds.toFixed(0)} s`,
        "",
      ]
        .join(" | ")
        .trim(),
    ),
  ];
}
