import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { entryUnderAttack, runUnderAttack } from "../security/server-under-attack.ts";

/*
 * What an operator types, as it is installed. SECURITY_TARGET names another installation, to see that a test finds what an
 * older version did wrong.
 */

// Processes start in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const root = join(dirname(entryUnderAttack()), "..");
const apiToken = "a-good-token-of-the-api-0123456789";

let folder: string;
let db: TestDatabase;

beforeAll(async () => {
  folder = await makeTestFolder();
  db = await createEmptyDatabase();
});
afterAll(async () => {
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

// First: the other commands need the schema.
test("the database is migrated with its two URLs and nothing else", async () => {
  const { code, output } = await runUnderAttack(["migrate"], {
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
  });

  expect({ code, output }).toEqual({ code: 0, output: expect.anything() });
});

describe("a checkout", () => {
  test("has its command for `npx`, which neither asks the registry nor installs the checkout a second time", async () => {
    const cache = join(folder, "npm");
    const { stdout } = await promisify(execFile)("npx", ["--offline", "skedchange", "--version"], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: folder, npm_config_cache: cache, npm_config_ignore_scripts: "true" },
    });

    expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
    expect(await readdir(cache)).not.toContain("_npx");
  });

  test("that has changed since a release does not have the name of the release", async () => {
    const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
    const unreleased = changelog.slice(changelog.indexOf("## [Unreleased]"), changelog.search(/^## \[\d/m));
    const releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version);
    const { output } = await runUnderAttack(["--version"], {});

    expect(releases.length).toBeGreaterThan(0);
    if (/^[-*\d]/m.test(unreleased)) expect(releases).not.toContain(output.trim());
  });
});

describe("the doctor, beside a process that decides and sends nothing", () => {
  let server: ServerProcess;
  let settings: Record<string, string>;

  beforeAll(async () => {
    settings = {
      DATABASE_URL: db.serviceUrl,
      DATABASE_OWNER_URL: db.ownerUrl,
      ENCRYPTION_KEYS: createEncryptionKey(new Date()),
      ROLES: "receiver,worker,dashboard",
      OCN_BEARER_TOKENS: "a-good-token-of-the-gateway-0123456789",
      GATEWAY_BASE_URL: "http://127.0.0.1:1",
      GATEWAY_ACCESS_TOKEN: "an-access-token-0123456789",
      API_TOKEN: apiToken,
      LOG_LEVEL: "error",
    };
    server = await startServerProcess(settings, undefined, { entry: entryUnderAttack() });
  });
  afterAll(async () => {
    await server?.end("SIGTERM");
  });

  const examine = async () => (await runUnderAttack(["doctor"], settings)).output;

  test("names the policy that is in force", async () => {
    const file = join(folder, "ours.yaml");
    const rule = "{ name: ask, description: Ask always., when: true, do: review, reason: ask, explain: Ask. }";
    await writeFile(file, `version: 1\nname: our-desk\nrules:\n  - ${rule}\n`);
    const url = ["--url", server.agencyUrl];
    const activated = await runUnderAttack(["policy", "activate", file, ...url, "--note", "ours"], {
      API_TOKEN: apiToken,
    });
    expect(activated).toMatchObject({ code: 0 });

    expect(await examine()).toMatch(/policy default +'our-desk'/);
  });

  test("says that nobody sends the notices that somebody has set up", async () => {
    const response = await fetch(`${server.agencyUrl}/api/v1/notice-rules`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: "Desk",
        when: { type: "at-once" },
        destination: { type: "slack", webhookUrl: "https://hooks.slack.com/services/T/B/x" },
      }),
    });
    expect([response.status, await response.text()]).toEqual([201, expect.anything()]);

    expect(await examine()).toContain("No sender runs, so no notice is sent.");
  });
});
