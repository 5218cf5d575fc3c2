import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { examples } from "../../src/cli/examples.ts";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { acknowledgeResponse } from "../../src/contract/acknowledgement.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { type CliRun, runCaptured } from "../unit/cli/captured-terminal.ts";
import { listen as startListening } from "../unit/cli/listening.ts";

// Servers start, and a decision is made, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = fileURLToPath(new URL("../../", import.meta.url));

/** In the place of each id in an example. */
const anyId = "019aa000-0000-7000-8000-000000000001";

/** What the gateway and the agency of the examples push to. */
let receiver: Server;
let folder: string;
let server: ServerProcess;
let agency: AgencyApi;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await makeTestFolder();
  receiver = createServer((request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify(acknowledgeResponse())));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const settings = { DATA_DIR: join(folder, "data"), ENCRYPTION_KEYS: createEncryptionKey(new Date()) };
  server = await startServerProcess(settings);
  agency = openAgencyApi(server.agencyUrl, demoCredentials.apiToken);
  environment = {
    ...settings,
    PORT: new URL(server.agencyUrl).port,
    GATEWAY_PORT: new URL(server.gatewayUrl!).port,
  };
  await server.waitFor("Stop with Ctrl-C", 50_000);
  for (const name of ["examples", "samples"]) await cp(join(root, name), join(folder, name), { recursive: true });
  for (const name of ["recipient.json", "event-recipient.json"]) {
    const file = join(folder, "examples", name);
    await writeFile(file, atReceiver(await readFile(file, "utf8")));
  }
});
afterAll(async () => {
  await server?.end("SIGTERM");
  receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The examples name a port that may be taken here. */
function atReceiver(text: string): string {
  return text.replaceAll("127.0.0.1:8080", `127.0.0.1:${(receiver.address() as AddressInfo).port}`);
}

describe("the tour of the README", () => {
  test("runs as it is printed, on other ports", async () => {
    const readme = await readFile(join(root, "README.md"), "utf8");
    const tour = readme.slice(readme.indexOf("## Try it"), readme.indexOf("## Run it"));
    const blocks = [...tour.matchAll(/^ +```sh\n(.*?)^ +```/gms)].map(([, block = ""]) => block);
    const lines = blocks.flatMap((block) => block.trim().split("\n"));
    expect(lines.length).toBeGreaterThanOrEqual(8);
    const bin = await shimOfNpx();

    const printed: string[] = [];
    for (const line of lines) {
      const { stdout } = await promisify(execFile)("sh", ["-c", line], {
        cwd: root,
        env: { ...environment, PATH: `${bin}:${process.env["PATH"]}` },
      });
      printed.push(stdout);
      // A reader takes as long between two lines.
      if (line.includes("--cancel")) await agency.caseIn("DEMOCXAI", ["done"]);
      if (line.includes("trigger")) await agency.caseIn("DEMO31AF", ["done"]);
      if (line.includes("send-ocn")) await agency.caseIn("QX7R2M1A", ["awaiting-agent"]);
    }

    const shown = (text: string) => printed.filter((output) => output.includes(text));
    expect(shown("Order DEMOCXAI  AIB4N7  awaiting-agent")).toHaveLength(1);
    expect(shown("Order DEMOCXAI  AIB4N7  done")[0]).toMatch(/refund 412\.50 \(currency not stated\)/);
    expect(shown("Order DEMO31AF  AFT5W1  done")[0]).toContain("accept by policy");
    expect(shown("Order QX7R2M1A")[0]).toContain("awaiting-agent");
  });
});

/** A folder with an `npx` that runs this project's program, without asking a registry. */
async function shimOfNpx(): Promise<string> {
  const file = join(folder, "npx");
  await writeFile(file, `#!/bin/sh\nshift\nexec "${process.execPath}" "${serverEntry}" "$@"\n`);
  await chmod(file, 0o755);
  return folder;
}

describe("the example in the help of each command", () => {
  /** Where the id of the example comes from. */
  const ids: Readonly<Record<string, () => Promise<string>>> = {
    "bulk show": startBulkAction,
    "bulk stop": startBulkAction,
    "tasks close": addTask,
    "policy reevaluate": async () => (await agency.caseIn("DEMO20LH", ["done"])).id,
    "deliveries attempts": () => firstOf("deliveries", "list"),
    "events deliveries attempts": () => firstOf("events", "deliveries", "list"),
    "recipients test": () => firstOf("recipients", "list"),
    "events recipients test": async () => {
      await run(["trigger", "retime", "DEMO20LH", "--minutes", "40"]);
      await eventually(async () => firstOf("events", "deliveries", "list"));
      return firstOf("events", "recipients", "list");
    },
    ...Object.fromEntries(
      ["pause", "resume", "remove"].flatMap((command) => [
        [`recipients ${command}`, () => firstOf("recipients", "list")],
        [`events recipients ${command}`, () => firstOf("events", "recipients", "list")],
      ]),
    ),
  };
  /** What this machine cannot do, with the reason that is printed. */
  const refused: Readonly<Record<string, string>> = {
    "bulk stop": "is already stopped or finished",
    // The demo's own PostgreSQL belongs to the server that runs.
    migrate: "is in use by process",
    "users link": "identity provider",
    // Nobody publishes a newer table while this runs.
    "zones load": "zones.json cannot be read",
    // The demo's own gateway sends nothing that is not known.
    "members mark": "has never stated",
    "members unmark": "is not marked itself",
    // Nobody has added one.
    "users remove-second-factor": "has no second factor",
  };
  /** Run by this file itself, or by the proof of the sandbox. */
  const runsOn = new Set(["serve", "sandbox", "listen"]);

  test.each(Object.entries(examples).filter(([path]) => !runsOn.has(path)))("%s runs: %s", async (path, line) => {
    const id = await ids[path]?.();

    const { exitCode, stderr } = await runLine(line.replace(anyId, id ?? anyId));

    const reason = refused[path];
    if (reason !== undefined) expect(stderr).toContain(reason);
    expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({
      exitCode: reason === undefined ? 0 : 1,
      stderr: reason === undefined ? "" : stderr,
    });
  });

  async function firstOf(...list: readonly string[]): Promise<string> {
    const { stdout } = await run([...list, "--json"]);
    const { items } = JSON.parse(stdout) as { items: readonly { id: string }[] };
    expect(items).not.toEqual([]);
    return items[0]!.id;
  }

  /** Accepting another flight number does not reissue the ticket, which is a task. */
  async function addTask(): Promise<string> {
    const { stdout } = await run(["trigger", "renumber", "--set", "flightNumber=1169", "--json"]);
    const { orderId } = JSON.parse(stdout) as { orderId: string };
    const { id } = await agency.caseIn(orderId, ["awaiting-agent"]);
    await run(["case", id, "--accept"]);
    await agency.caseIn(orderId, ["done"]);
    return firstOf("tasks", "list");
  }

  /** It has ended when its id is returned. */
  async function startBulkAction(): Promise<string> {
    const found = await agency.caseIn("DEMO20LH", ["done"]);
    const response = await fetch(`${server.agencyUrl}/api/v1/bulk-actions`, {
      method: "POST",
      headers: { Authorization: `Bearer ${demoCredentials.apiToken}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        dryRun: false,
        command: { action: "note", note: "Seen." },
        versions: { [found.id]: found.version },
      }),
    });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    await eventually(async () =>
      expect(JSON.parse((await run(["bulk", "show", id, "--json"])).stdout)).toMatchObject({ state: "finished" }),
    );
    return id;
  }
});

describe("skedchange listen", () => {
  test("adds itself to the recipients, prints what it receives, and removes itself at Ctrl-C", async () => {
    const listening = listen();
    await listening.until("Listening");

    const { stdout } = await run(["trigger", "retime", "--minutes", "25"]);
    const orderId = /Made the order (\w+)/.exec(stdout)?.[1];
    await listening.until("leaves 25 min later");
    expect(listening.printed()).toMatch(
      new RegExp(`\\d\\d:\\d\\d:\\d\\d {2}${orderId} \\w+ LH1167 LIS-FRA .* 200 in \\d+ ms`),
    );
    expect((await run(["recipients", "list"])).stdout).toContain("skedchange listen");

    expect((await listening.interrupt()).exitCode).toBe(0);
    expect((await run(["recipients", "list"])).stdout).not.toContain("skedchange listen");
  });

  test("refuses who is not the gateway", async () => {
    const listening = listen();

    expect((await fetch(await listening.address(), { method: "POST", body: "{}" })).status).toBe(401);
    await listening.interrupt();
  });

  const listen = () => startListening([], { environment, demoCredentials });
});

describe("skedchange trigger", () => {
  test.each([
    [["trigger", "explode"], 2, "'explode' is invalid for argument 'change'. Allowed choices are retime, "],
    [["trigger", "retime", "NOBODY"], 1, "There is no order NOBODY"],
    [["trigger", "aircraft", "DEMO30KL"], 1, "aircraft"],
    [["trigger", "retime", "DEMO30KL", "--flight", "9"], 1, "flight"],
  ])("%j ends with %i and says what is possible", async (args, code, text) => {
    const { exitCode, stderr } = await run(args);

    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringContaining(text) });
  });

  test("names the flight by its position and passes on what else is set", async () => {
    const { stdout } = await run([
      "trigger",
      "aircraft",
      "DEMO30KL",
      "--flight",
      "1",
      "--set",
      "aircraft=32N",
      "--json",
    ]);

    expect(JSON.parse(stdout)).toMatchObject({ orderId: "DEMO30KL", kind: "aircraft", state: "announced" });
  });
});

describe("skedchange completion", () => {
  test.each([
    [["policy", "ba"], "backtest"],
    [["case", "DEMO31AF", "--ac"], "--accept"],
    [["events", "recipients", "p"], "pause"],
    [["cas"], "cases case"],
    [["trigger", "re"], "retime restore replace renumber"],
    [["trigger", "retime", "re"], ""],
    [["trigger", "retime", "--mi"], "--minutes"],
    [["tasks", "list", "--state", ""], "open closed all"],
    [["cases", "--order", "DEMO31AF", "--state", "awaiting-a"], "awaiting-agent"],
  ])("completes %j to %s in bash, also after npx", async (words, completed) => {
    const script = (await run(["completion", "bash"])).stdout;
    const typed = ["skedchange", ...words].map((word) => `"${word}"`).join(" ");
    const complete = async (line: string, cursor: number, call: string) =>
      await promisify(execFile)("bash", [
        "-c",
        `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${cursor}; ${call}; echo "\${COMPREPLY[@]}"`,
      ]);

    expect((await complete(typed, words.length, "_skedchange")).stdout.trim()).toBe(completed);
    expect((await complete(`npx ${typed}`, words.length + 1, "_skedchange_of_npx")).stdout.trim()).toBe(completed);
  });

  test.each(["zsh", "fish"])("has a script for %s that names the commands with what they do", async (shell) => {
    const { stdout } = await run(["completion", shell]);

    expect(stdout).toContain("backtest");
    expect(stdout).toContain("list cases, newest first");
    expect(stdout).toContain("RETENTION_BODIES_DAYS");
    expect(stdout).toContain("open closed all");
    expect(stdout).toContain("_of_npx");
  });

  test("names the shells that it knows", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({
      exitCode: 2,
      stderr:
        "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n(add --help for what is possible)\n",
    });
  });
});

async function run(args: readonly string[], stdin = ""): Promise<CliRun> {
  return runCaptured(args, { environment, stdin, demoCredentials });
}

/** Runs one line of a shell in the folder of the examples. Settings before it, quotes, and what is read or written are understood. */
async function runLine(line: string): Promise<CliRun> {
  const [, settings = "", command = ""] = /^(?:printf .*\| )?((?:[A-Z_]+=\S+ )*)npx skedchange (.*)$/.exec(line) ?? [];
  const typed = command.replace(/ (?:>>?|<) \S+$/, "");
  const args = [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const inFolder = args.map((arg) => (/^(examples|samples)\//.test(arg) ? join(folder, arg) : arg));
  const own = Object.fromEntries(
    settings
      .trim()
      .split(" ")
      .filter(Boolean)
      .map((text) => text.split("=", 2)),
  );
  return runCaptured(inFolder, {
    environment: { ...environment, ...own },
    stdin: "correct horse battery staple",
    demoCredentials,
  });
}
