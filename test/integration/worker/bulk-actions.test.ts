import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BulkCommand } from "../../../src/cases/case-command.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { known } from "../../../src/kernel/fact.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { openDatabase } from "../../../src/store/database/database.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { runBulkActions } from "../../../src/worker/run-bulk-actions.ts";
import { insertCase, insertDecision } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";

let db: TestDatabase;
let bulk: ReturnType<typeof createBulkActions>;

beforeAll(async () => {
  db = await createTestDatabase();
  bulk = createBulkActions(db.database, systemClock);
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.ownerDatabase.pool.query("truncate skedchange.bulk_actions, skedchange.bulk_action_cases");
});

const noted: BulkCommand = { action: "note", note: "strike at the airport" };

async function waitingCases(count: number): Promise<readonly { caseId: string; version: number }[]> {
  const cases = [];
  for (let made = 0; made < count; made++) {
    const caseId = await insertCase(db.ownerDatabase, { state: "awaiting-agent", reviewQueue: "agent" });
    cases.push({ caseId, version: 1 });
  }
  return cases;
}

async function notesOn(caseIds: readonly string[]): Promise<number> {
  const { rows } = await db.ownerDatabase.pool.query(
    "select count(*)::integer as count from skedchange.case_events where kind = 'case.noted' and case_id = any($1)",
    [caseIds],
  );
  return rows[0].count;
}

const ana = { actor: "person:ana", visible: null };

async function workOff(by = bulk): Promise<number> {
  let done = 0;
  while (await runBulkActions({ work: by, logger: silentLogger, onDue: () => {} })) done += 1;
  return done;
}

describe("trying an action out", () => {
  test("previews the outcome of each case and changes nothing", async () => {
    const [open] = await waitingCases(1);
    const finished = await insertCase(db.ownerDatabase, { state: "done" });

    const items = await bulk.preview(
      { action: "reschedule", note: null },
      { caseIds: [open!.caseId, finished, newId(systemClock)] },
      ana,
    );

    expect(items).toHaveLength(2);
    expect(items).toContainEqual(
      expect.objectContaining({ caseId: open!.caseId, possible: false, code: "desk.no_decision" }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ caseId: finished, possible: false, code: "api.case_moved" }),
    );
    const noting = await bulk.preview(noted, { caseIds: [open!.caseId] }, ana);
    expect(noting).toMatchObject([{ possible: true, code: null, message: null, version: 1 }]);
    expect(await notesOn([open!.caseId])).toBe(0);
  });

  test("names what speaks against accepting a case, and nothing of any other action", async () => {
    const broken = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
    const stopped = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
    const harmless = await insertCase(db.ownerDatabase, { state: "awaiting-agent" });
    await insertDecision(db.ownerDatabase, stopped, { facts: { ordersToStop: known(["Order.Hint: contact"]) } });
    await insertDecision(db.ownerDatabase, broken, { facts: { connectionBroken: known(true) } });
    await insertDecision(db.ownerDatabase, harmless, { facts: { connectionBroken: known(false) } });
    const dangersOf = async (action: "accept" | "recheck") =>
      new Map(
        (await bulk.preview({ action, note: null }, { caseIds: [broken, stopped, harmless] }, ana))?.map(
          ({ caseId, dangers }) => [caseId, dangers],
        ),
      );

    expect(await dangersOf("accept")).toEqual(
      new Map([
        [broken, ["connection-broken"]],
        [stopped, ["order-to-stop"]],
        [harmless, []],
      ]),
    );
    expect((await dangersOf("recheck")).get(broken)).toEqual([]);
  });

  test("finds the open cases of a flight on a day", async () => {
    const [one, other, finished] = await Promise.all([
      insertCase(db.ownerDatabase, { state: "awaiting-agent" }),
      insertCase(db.ownerDatabase, { state: "awaiting-agent" }),
      insertCase(db.ownerDatabase, { state: "done" }),
    ]);
    const touch = (id: string, flights: readonly string[]) =>
      db.ownerDatabase.pool.query("update skedchange.cases set flight_dates = $2 where id = $1", [id, flights]);
    await touch(one, ["LH1166/2027-03-20", "LH1167/2027-03-14"]);
    await touch(other, ["LH1167/2027-03-15"]);
    await touch(finished, ["LH1167/2027-03-14"]);

    const items = await bulk.preview(noted, { flight: "LH1167", date: "2027-03-14" }, ana);

    expect(items?.map(({ caseId }) => caseId)).toEqual([one]);
  });
});

describe("an action on many cases", () => {
  test("acts on each case once, in order, and reports the outcome", async () => {
    const cases = await waitingCases(3);
    const missing = newId(systemClock);
    await db.ownerDatabase.pool.query("update skedchange.cases set version = 2 where id = $1", [cases[1]!.caseId]);

    const id = await bulk.start(noted, [...cases, { caseId: missing, version: 1 }], { actor: "person:ana" });
    expect(await bulk.read(id, ana)).toMatchObject({ state: "running", counts: { total: 4, waiting: 4 } });
    expect(await workOff()).toBe(4);

    const done = await bulk.read(id, ana);
    expect(done).toMatchObject({
      state: "finished",
      askedBy: "person:ana",
      command: noted,
      counts: { total: 4, waiting: 0, accepted: 2, conflict: 1, notFound: 1, refused: 0 },
    });
    expect(done?.rows.map(({ outcome }) => outcome)).toEqual(["accepted", "conflict", "accepted", "not-found"]);
    expect(await notesOn(cases.map(({ caseId }) => caseId))).toBe(2);
  });

  test("is worked off by two runners at once, each case by one of them", async () => {
    const cases = await waitingCases(20);
    const id = await bulk.start(noted, cases, { actor: "person:ana" });

    const done = await Promise.all([workOff(), workOff(createBulkActions(db.database, systemClock))]);
    await workOff();

    expect(done[0] + done[1]).toBe(20);
    expect(await bulk.read(id, ana)).toMatchObject({ state: "finished", counts: { accepted: 20 } });
    expect(await notesOn(cases.map(({ caseId }) => caseId))).toBe(20);
  });

  test("goes on where a runner was killed, in the middle of a case", async () => {
    const cases = await waitingCases(4);
    const id = await bulk.start(noted, cases, { actor: "person:ana" });
    await bulk.workNext();
    const name = `killed runner ${process.pid}`;
    const connect = (url: string) =>
      openDatabase({ url, applicationName: name, maxConnections: 1, onError: () => {}, encryptionKeys: [] });
    const doomed = connect(db.serviceUrl);
    const admin = connect(db.adminUrl);
    // Holds the second case, so that the doomed runner hangs in the middle of its transaction.
    const blocker = await db.ownerDatabase.pool.connect();
    await blocker.query("begin");
    await blocker.query("select 1 from skedchange.cases where id = $1 for update", [cases[1]!.caseId]);
    const hanging = createBulkActions(doomed, systemClock).workNext();
    const failure = hanging.then(
      () => null,
      (error: unknown) => error,
    );
    await eventually(async () => {
      const { rows } = await admin.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = $1 and usename = 'skedchange_app' and wait_event_type = 'Lock'`,
        [name],
      );
      expect(rows).toHaveLength(1);
    });
    expect(await failure).toBeInstanceOf(Error);
    await blocker.query("rollback");
    blocker.release();
    await Promise.all([doomed.close(), admin.close()]);

    expect(await bulk.read(id, ana)).toMatchObject({ counts: { accepted: 1, waiting: 3 } });
    expect(await workOff()).toBe(3);
    expect(await bulk.read(id, ana)).toMatchObject({ state: "finished", counts: { accepted: 4 } });
    expect(await notesOn(cases.map(({ caseId }) => caseId))).toBe(4);
  });

  test.each([
    ["is disabled", "supervisor", true],
    ["is an agent only", "agent", false],
  ])("leaves alone what has not had its turn when who asked for it %s by then", async (_, role, isDisabled) => {
    const username = `asker-${role}`;
    await db.ownerDatabase.pool.query(
      `insert into skedchange.users (id, username, display_name, role, password_hash, is_demo, created_at, updated_at)
       values (gen_random_uuid(), $1, $1, 'supervisor', 'scrypt$x', false, now(), now())`,
      [username],
    );
    const cases = await waitingCases(2);
    const id = await bulk.start(noted, cases, { actor: `person:${username}` });
    await bulk.workNext();
    await db.ownerDatabase.pool.query(
      "update skedchange.users set role = $2, disabled_at = case when $3 then now() end where username = $1",
      [username, role, isDisabled],
    );

    expect(await workOff()).toBe(1);

    const done = await bulk.read(id, ana);
    expect(done).toMatchObject({ state: "finished", counts: { accepted: 1, refused: 1 } });
    expect(done?.rows[1]).toMatchObject({ outcome: "refused", code: "desk.asker_may_not_act" });
  });

  test("leaves alone what has not had its turn when it is stopped, and cannot be stopped twice", async () => {
    const cases = await waitingCases(3);
    const id = await bulk.start(noted, cases, { actor: "person:ana" });
    await bulk.workNext();

    expect(await bulk.stop(id, { actor: "person:ben", visible: null })).toBe(true);
    expect(await workOff()).toBe(0);
    expect(await bulk.stop(id, ana)).toBe(false);
    expect(await bulk.stop(newId(systemClock), ana)).toBeNull();
    expect(await bulk.read(id, ana)).toMatchObject({ state: "stopped", counts: { accepted: 1, waiting: 2 } });
    const { rows } = await db.database.pool.query(
      "select actor from skedchange.audit_entries where kind = 'bulk-action.ended' and refs ->> 'id' = $1",
      [id],
    );
    expect(rows).toEqual([{ actor: "person:ben" }]);
  });

  test("keeps instants that it is given", async () => {
    const cases = await waitingCases(1);
    const until = new Date(Date.now() + 4 * 60 * 60_000);
    await bulk.start({ action: "snooze", until, note: null }, cases, { actor: "person:ana" });
    await workOff();

    const { rows } = await db.ownerDatabase.pool.query(
      "select state, extract(epoch from due_at - $2::timestamptz)::double precision as off from skedchange.cases where id = $1",
      [cases[0]!.caseId, until],
    );
    expect(rows[0].state).toBe("snoozed");
    expect(Math.abs(rows[0].off)).toBeLessThan(5);
  });
});
