import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { blockHashOf } from "../../../src/store/audit/audit-entry.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";
import { type AuditedDatabase, createAuditedDatabase } from "../store/audited-database.ts";

let db: AuditedDatabase;

beforeEach(async () => {
  db = await createAuditedDatabase();
  await db.addEvent("case.noted", { note: "MARKER" });
  await db.addEvent("case.closed");
});
afterEach(() => db.drop());

function audit(...args: readonly string[]) {
  return runCaptured(["audit", ...args], {
    environment: { DEMO: "1", DATABASE_URL: db.serviceUrl, DATABASE_OWNER_URL: db.ownerUrl },
  });
}

test("verify reports that the chain is intact and prints its head", async () => {
  const { exitCode, stdout, stderr } = await audit("verify");

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(linesOf(stdout)).toEqual([
    "The audit is intact. 2 entries checked.",
    expect.stringMatching(/^Head 1:[0-9a-f]{64}$/),
    "",
  ]);
  const head = /1:[0-9a-f]{64}/.exec(stdout)![0];
  expect((await audit("verify", "--head", head, "--from", "1")).exitCode).toBe(0);
});

test("needs the database and the keys of a process, and none of its other settings", async () => {
  const settings = { DATABASE_URL: db.serviceUrl, OCN_BASIC_USERNAME: "a-name-without-a-password" };
  const keys = createEncryptionKey(new Date());

  const run = (environment: Record<string, string>) => runCaptured(["audit", "verify"], { environment });

  expect(await run({ ...settings, ENCRYPTION_KEYS: keys })).toMatchObject({ exitCode: 0, stderr: "" });
  const { exitCode, stderr } = await run(settings);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("ENCRYPTION_KEYS is not set.");
  expect(stderr).toContain("so it needs the settings of a process: `node --env-file=<file> bin/skedchange.js …`");
});

test("makes no database where there is none, and prints nothing of what it exports", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-no-database-"));
  try {
    const environment = { DATA_DIR: join(folder, "data") };
    const { exitCode, stdout, stderr } = await runCaptured(["audit", "export", "--format", "csv"], { environment });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(`DATABASE_URL is not set, and no database is in ${join(folder, "data")} (DATA_DIR).`);
    expect(existsSync(join(folder, "data"))).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("verify exits with 1 and names the first place that was changed", async () => {
  await db.chain();
  await db.addEvent("case.noted");
  await db.addEvent("case.closed");
  await db.chain();
  await db.tamper("update skedchange.case_events set actor = 'x' where id = 4");

  const { exitCode, stdout } = await audit("verify");
  expect(exitCode).toBe(1);
  expect(linesOf(stdout)[0]).toBe(
    "The audit was changed: Block 2 does not fit: one of its entries 3 to 4, the block itself or the one before was changed. (audit.hash_differs)",
  );

  const inJson = await audit("verify", "--json", "--head", `9:${"ab".repeat(32)}`);
  expect(JSON.parse(inJson.stdout)).toMatchObject({
    checked: 2,
    head: { block: 1 },
    broken: { code: "audit.hash_differs" },
  });
});

test("verify calls nothing changed when an entry has only waited too long for its block", async () => {
  const chainer = new pg.Client({ connectionString: db.serviceUrl });
  await chainer.connect();
  try {
    // Whoever holds its lock keeps everybody from sealing.
    await chainer.query("begin; select skedchange.seal_audit_entries(10)");
    await db.tamper("update skedchange.case_events set recorded_at = now() - interval '61 seconds'");

    const { exitCode, stdout } = await audit("verify");

    expect(exitCode).toBe(1);
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(/^The audit is behind: Entry \d+ has waited .*\(audit\.sealing_behind\)$/),
      expect.stringMatching(/^Head 0:0{64}$/),
      "",
    ]);
  } finally {
    await chainer.end();
  }
});

test.each([
  ["a head without a hash", ["verify", "--head", "12"]],
  ["no block", ["verify", "--from", "0"]],
  ["no format that there is", ["export", "--format", "xml"]],
  ["no case", ["export", "--case", "12"]],
])("%s is a mistake in the call", async (_, args) => {
  expect((await audit(...args)).exitCode).toBe(2);
});

test("export prints JSON lines with which anybody can compute the hashes, and the head beside them", async () => {
  await db.chain();
  await db.addEvent("case.reopened");

  const { exitCode, stdout, stderr } = await audit("export");

  const lines = linesOf(stdout.trimEnd()).map((line) => JSON.parse(line));
  expect(lines.map(({ block, kind, entries }) => [block, kind ?? entries])).toEqual([
    [1, "case.noted"],
    [1, "case.closed"],
    [1, 2],
    [2, "case.reopened"],
    [2, 1],
  ]);
  const [noted, closed, first, reopened, second] = lines;
  expect(first.hash).toBe(blockHashOf("00".repeat(32), [noted, closed]));
  expect(second.hash).toBe(blockHashOf(first.hash, [reopened]));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `Head 2:${second.hash}\n` });
  expect(stdout).not.toContain("MARKER");
});

describe("the script of docs/audit.md", () => {
  const page = readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8");
  const script = /```js\n(.*?)```/s.exec(page)![1]!;
  const verifyExport = (lines: string) =>
    spawnSync(process.execPath, ["--input-type=module", "--eval", script], { input: lines, encoding: "utf8" });

  test("verifies an export without any program of ours", async () => {
    await db.chain();
    await db.addEvent("case.noted", { note: 'a \u2028 of "many" \\ kinds' });
    const { stdout, stderr } = await audit("export");

    expect(verifyExport(stdout)).toMatchObject({ status: 0, stdout: stderr.replace("Head ", ""), stderr: "" });
  });

  test.each([
    [
      "an entry that was changed",
      (lines: string) => lines.replace("case.closed", "case.opened"),
      "Block 1 does not fit.",
    ],
    ["an entry that is gone", (lines: string) => lines.replace(/.*case\.closed.*\n/, ""), "Block 1 does not fit."],
    [
      "an end without its block",
      (lines: string) => lines.replace(/.*"entries".*\n$/, ""),
      "The last block is missing.",
    ],
  ])("finds %s", async (_, change, message) => {
    const { stdout } = await audit("export");

    const { status, stderr } = verifyExport(change(stdout));

    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

test("export takes a case, an order and a span of time", async () => {
  const kindsOf = async (...args: readonly string[]) => {
    const { stdout } = await audit("export", ...args);
    return [...stdout.matchAll(/"kind":"([^"]+)"/g)].map(([, kind]) => kind);
  };
  expect(await kindsOf("--case", db.caseId, "--order", db.orderId)).toHaveLength(2);
  expect(await kindsOf("--order", "other")).toEqual([]);
  expect(await kindsOf("--since", new Date(Date.now() + 60_000).toISOString())).toEqual([]);
  expect(await kindsOf("--until", new Date(Date.now() - 60_000).toISOString())).toEqual([]);
});

test("export as CSV gives a spreadsheet nothing to run", async () => {
  const orderId = `=HYPERLINK("http://example.com","x")`;
  await db.database.pool.query("insert into skedchange.orders (source, order_id) values ('+default', $1)", [orderId]);
  await db.database.pool.query(
    `with added as (
       insert into skedchange.cases (id, source, order_id, state, opened_at, updated_at)
       values (gen_random_uuid(), '+default', $1, 'received', now(), now()) returning id
     ) select id from added`,
    [orderId],
  );
  await db.database.pool.query(
    `insert into skedchange.case_events (case_id, at, kind, actor, detail)
     select id, now(), '-kind', '@actor', '{}' from skedchange.cases where source = '+default'`,
  );

  const { stdout } = await audit("export", "--format", "csv", "--order", orderId);
  const [header, line] = linesOf(stdout);
  expect(header).toBe("block,id,at,recordedAt,kind,actor,source,orderId,caseId,caseEventId,refs,detailDigest");
  expect(line).toContain(`,'-kind,'@actor,'+default,"'=HYPERLINK(""http://example.com"",""x"")",`);
});
