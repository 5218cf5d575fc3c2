import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertCase, insertNotification, insertStatusView } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";

let db: TestDatabase;
let folder: string;
let orderNumber = 0;
let orderId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-erasures-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await db.drop();
});
beforeEach(async () => {
  orderNumber += 1;
  orderId = `ERASE${orderNumber}`;
  await db.ownerDatabase.pool.query(
    "truncate skedchange.orders, skedchange.cases, skedchange.notifications, skedchange.notification_digests cascade",
  );
});

function erase(...args: readonly string[]) {
  return runCaptured(["erase", ...args], {
    environment: { DEMO: "1", DATABASE_URL: db.serviceUrl, DATABASE_OWNER_URL: db.ownerUrl },
  });
}

/** A finished case of the order, whose status names the traveller. */
async function stored(state: "closed" | "awaiting-agent" = "closed"): Promise<string> {
  const id = await insertCase(db.ownerDatabase, { orderId, state, closedAt: state === "closed" ? new Date() : null });
  await insertStatusView(db.ownerDatabase, id, { body: '{"LastName":"MUELLER","FirstName":"ANNA"}' });
  return id;
}

async function bodiesLeft(): Promise<number> {
  const { rows } = await db.database.pool.query("select 1 from skedchange.status_views where length(body) > 0");
  return rows.length;
}

test("without --yes an order is only shown", async () => {
  await stored();

  const run = await erase("--order", `default/${orderId}`);

  expect(run).toMatchObject({ exitCode: 1, stderr: "" });
  expect(linesOf(run.stdout)).toEqual([
    `default/${orderId}: cases: closed; notifications in quarantine: 0.`,
    "Nothing was erased: add --yes --by <name>. This can't be undone.",
    "",
  ]);
  expect(await bodiesLeft()).toBe(1);
});

test("with --yes and a name it is erased, and the list says so", async () => {
  await stored();

  const run = await erase("--order", `default/${orderId}`, "--yes", "--by", "mlopez");

  expect(run).toMatchObject({ exitCode: 0, stdout: `default/${orderId}: erased. statusViews: 1\n` });
  expect(await bodiesLeft()).toBe(0);
  const entries = linesOf((await erase("--list")).stdout)
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as object);
  expect(entries.at(-1)).toEqual({
    source: "default",
    orderId,
    notificationId: null,
    erasedAt: expect.any(String),
    erasedBy: "person:mlopez",
  });
});

test("an order with an open case is not erased, and the reason is named", async () => {
  const id = await stored("awaiting-agent");

  const run = await erase("--order", `default/${orderId}`, "--yes", "--by", "mlopez");

  expect(run.exitCode).toBe(1);
  expect(linesOf(run.stdout)).toContain(`  Case ${id} is open. Close it first.`);
  expect(await bodiesLeft()).toBe(1);
});

test("a traveller is found by words in any order and spelling, and erased", async () => {
  await stored();

  const found = await erase("--traveller", "Müller Anna");
  expect(linesOf(found.stdout)).toContain(`  default/${orderId}: 1 × status.`);
  expect(await bodiesLeft()).toBe(1);

  expect(await erase("--traveller", "Müller Anna", "--yes", "--by", "mlopez")).toMatchObject({ exitCode: 0 });
  expect(await bodiesLeft()).toBe(0);
  expect((await erase("--traveller", "Müller Anna")).stdout).toContain(" 0 orders found.");
});

test("a notification in quarantine that names the order is erased with it, and the exit code says that all is done", async () => {
  await stored();
  await insertNotification(db.ownerDatabase, {
    state: "quarantined",
    body: `{"OrderID":"${orderId}","Name":"Anna Mueller"}`,
  });

  const run = await erase("--traveller", "Müller Anna", "--yes", "--by", "mlopez");

  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("quarantinedBodies: 1") });
  expect((await erase("--traveller", "Müller Anna")).stdout).toContain(" 0 orders found.");
});

test("a notification that names the traveller and cannot be erased yet leaves exit code 1", async () => {
  await insertNotification(db.ownerDatabase, { state: "quarantined", body: '{"Name":"Anna Mueller"}' });
  await insertNotification(db.ownerDatabase, { body: '{"Name":"Anna Mueller"}', pendingSeconds: 1 });

  const run = await erase("--traveller", "Müller Anna", "--yes", "--by", "mlopez");

  expect(run.exitCode).toBe(1);
  expect(linesOf(run.stdout)).toEqual(
    expect.arrayContaining([
      "1 notification in quarantine erased.",
      "1 notification not erased: no worker has looked at it, or it has left quarantine. Search again in a minute.",
    ]),
  );
});

test("what a restored dump brought back is erased by the list, and only that", async () => {
  await stored();
  const list = join(folder, `${orderId}.jsonl`);
  const entry = { source: "default", orderId, notificationId: null, erasedBy: "person:mlopez" };
  await writeFile(
    list,
    `${JSON.stringify({ ...entry, erasedAt: "2026-11-20T10:00:00.000Z" })}\n${JSON.stringify({ ...entry, orderId: "GONE", erasedAt: "2026-11-20T10:00:00.000Z" })}\n`,
  );

  expect(await erase("--apply", list)).toMatchObject({
    exitCode: 0,
    stdout: "1 erased, 0 were erased already, 1 are not stored.\n",
  });
  expect(await bodiesLeft()).toBe(0);

  await stored();
  expect(await erase("--apply", list)).toMatchObject({
    exitCode: 0,
    stdout: "0 erased, 1 were erased already, 1 are not stored.\n",
  });
  expect(await bodiesLeft()).toBe(1);
});

test("a list with a line that is none is refused as a whole", async () => {
  await stored();
  const list = join(folder, `${orderId}.jsonl`);
  await writeFile(list, '{"source":"default"}\n');

  expect(await erase("--apply", list)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Line 1 is not what `skedchange erase --list` prints. Nothing was erased."),
  });
});

test.each([
  [[], "Give one of --order, --traveller, --list and --apply."],
  [["--list", "--order", "default/X"], "Give one of --order, --traveller, --list and --apply."],
  [["--order", "X"], "--order takes <source>/<OrderID>"],
  [["--order", "default/X", "--yes"], "Say who erases: --by <name>."],
  [["--list", "--yes", "--by", "mlopez"], "--yes and --by go with --order or --traveller."],
  [["--apply", "-", "--by", "mlopez"], "--yes and --by go with --order or --traveller."],
])("%s is wrong usage", async (args, message) => {
  expect(await erase(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
});
