import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import pg from "pg";
import { makeEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { chainHashOf } from "../../../src/store/audit/audit-entry.ts";
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
    "The audit is intact. 2 links checked.",
    expect.stringMatching(/^Head 2:[0-9a-f]{64}$/),
    "",
  ]);
  const head = /2:[0-9a-f]{64}/.exec(stdout)![0];
  expect((await audit("verify", "--head", head, "--from", "2")).exitCode).toBe(0);
});

test("needs the database and the keys of a process, and none of its other settings", async () => {
  const settings = { DATABASE_URL: db.serviceUrl, OCN_BASIC_USERNAME: "a-name-without-a-password" };
  const keys = makeEncryptionKey(new Date());

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
  await db.tamper("update skedchange.audit_entries set actor = 'x' where id = 2");

  const { exitCode, stdout } = await audit("verify");
  expect(exitCode).toBe(1);
  expect(linesOf(stdout)[0]).toBe(
    "The audit was changed: Link 2 does not fit: its entry 2, the link itself or the one before was changed. (audit.hash_differs)",
  );

  const inJson = await audit("verify", "--json", "--head", `9:${"ab".repeat(32)}`);
  expect(JSON.parse(inJson.stdout)).toMatchObject({ checked: 1, broken: { code: "audit.hash_differs" } });
});

test("verify calls nothing changed when an entry has only waited too long for its link", async () => {
  const chainer = new pg.Client({ connectionString: db.serviceUrl });
  await chainer.connect();
  try {
    // Whoever holds its lock keeps everybody from sealing.
    await chainer.query("begin; select skedchange.seal_audit_entries(10)");
    await db.tamper("update skedchange.audit_entries set recorded_at = now() - interval '61 seconds'");

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
  ["no link", ["verify", "--from", "0"]],
  ["no format that there is", ["export", "--format", "xml"]],
  ["no case", ["export", "--case", "12"]],
])("%s is a mistake in the call", async (_, args) => {
  expect((await audit(...args)).exitCode).toBe(2);
});

test("export prints JSON lines with which anybody can compute the hashes, and the head beside them", async () => {
  const { exitCode, stdout, stderr } = await audit("export");

  const entries = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  let hash = "00".repeat(32);
  for (const { seq: _, hash: stored, ...entry } of entries) {
    hash = chainHashOf(hash, entry);
    expect(stored).toBe(hash);
  }
  expect(entries.map(({ kind }) => kind)).toEqual(["case.noted", "case.closed"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `Head 2:${hash}\n` });
  expect(stdout).not.toContain("MARKER");
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
  expect(header).toBe("seq,hash,id,at,recordedAt,kind,actor,source,orderId,caseId,caseEventId,refs,detailDigest");
  expect(line).toContain(`,'-kind,'@actor,'+default,"'=HYPERLINK(""http://example.com"",""x"")",`);
});
