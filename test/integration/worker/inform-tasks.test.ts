import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import type { CaseSelection } from "../../../src/dashboard/case-filter-ports.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createOverviewQueries } from "../../../src/store/overview/overview-queries.ts";
import { type SampleName, sampleNotification, withFlags } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
let orderNumber = 0;
let orderId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
  orderId = `TELL${orderNumber}`;
  gateway = createScriptedGateway(changed("flight-number-only"));
  worker = createWorkerUnderTest(db.database, gateway, { informChoiceOf: () => "task" });
});

function changed(sample: SampleName) {
  const body = sampleNotification(sample, { orderId, reference: `REF${orderNumber}` });
  return withFlags(body, { Accept: "Y", Cancel: "Y", ReSchedule: "N" });
}

async function act(command: CaseCommand, on?: string): Promise<void> {
  const caseId = on ?? (await worker.caseOf(orderId)).id;
  const by = { caseId, note: null, version: null, visible: null, actor: "person:ana" };
  expect(await worker.worker.act({ ...command, ...by })).toMatchObject({ outcome: "accepted" });
  await worker.work(orderId);
}

const informed = (): CaseCommand => ({ action: "traveller-informed", channel: "phone", happenedAt: new Date() });

/** A person accepts the change of the flight number. */
async function accepted(): Promise<void> {
  await worker.notify(changed("flight-number-only"));
  await worker.work(orderId);
  await act({ action: "accept" });
  expect((await worker.caseOf(orderId)).state).toBe("done");
}

async function toInform() {
  const [newest, ...earlier] = await worker.casesOf(orderId);
  const open = (of: typeof newest) =>
    (of?.tasks ?? []).filter(({ kind, closedAt }) => kind === "inform-traveller" && closedAt === null).length;
  return { newest: open(newest), earlier: earlier.reduce((sum, each) => sum + open(each), 0) };
}

async function found(traveller: CaseSelection["traveller"]): Promise<boolean> {
  const queries = createCaseQueries(db.database, dialect);
  const { items } = await queries.listCases({ visible: null, orderId, traveller, after: null, limit: 10 });
  return items.length > 0;
}

async function counted(): Promise<number> {
  const queries = createOverviewQueries(db.database);
  return (await queries.readOpenWork({ visible: null, source: null }, new Date())).travellersToInform;
}

test("an accepted change leaves a task to inform the traveller, until somebody records that they were", async () => {
  const before = await counted();
  await accepted();
  expect(await toInform()).toEqual({ newest: 1, earlier: 0 });
  expect((await worker.caseOf(orderId)).tasks).toContainEqual(
    expect.objectContaining({
      kind: "inform-traveller",
      reasons: [
        {
          code: "traveller-not-informed",
          text: "The change was accepted. Nobody has recorded that the traveller was informed.",
        },
      ],
      dueBy: expect.objectContaining({ rule: "departure-24h" }),
    }),
  );
  expect(await counted()).toBe(before + 1);

  await act(informed());

  const after = await worker.caseOf(orderId);
  expect(after).toMatchObject({ state: "done", dueAt: null });
  expect(after.tasks).toContainEqual(
    expect.objectContaining({ kind: "inform-traveller", closedBy: "person:ana", closedToken: null }),
  );
  expect(after.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["traveller.informed", "task.closed"]));
  expect(await counted()).toBe(before);
});

test("an accepted change asks a system of the agency to inform the traveller where the source says so", async () => {
  worker = createWorkerUnderTest(db.database, gateway, { informChoiceOf: () => "event" });
  await accepted();

  const { rows } = await db.database.pool.query(
    "select kind from skedchange.tasks where order_id = $1 and by_event and closed_at is null",
    [orderId],
  );
  expect(rows).toEqual([{ kind: "inform-traveller" }]);
});

test("a traveller who was informed before the accept need not be informed again", async () => {
  await worker.notify(changed("flight-number-only"));
  await worker.work(orderId);
  await act(informed());
  await act({ action: "accept" });

  expect((await worker.caseOf(orderId)).state).toBe("done");
  expect(await toInform()).toEqual({ newest: 0, earlier: 0 });
});

test("a traveller who is informed of the next change need not be informed of the one before", async () => {
  await accepted();
  gateway.status = changed("misconnection");
  await worker.notify(changed("misconnection"));
  await worker.work(orderId);
  expect(await toInform()).toEqual({ newest: 0, earlier: 1 });

  await act(informed());

  expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  expect(await toInform()).toEqual({ newest: 0, earlier: 0 });
});

test("a traveller who is informed of an earlier change must still be informed of the next one", async () => {
  await accepted();
  const { id: earlier } = await worker.caseOf(orderId);
  gateway.status = changed("misconnection");
  await worker.notify(changed("misconnection"));
  await worker.work(orderId);
  await act({ action: "accept" });
  expect(await toInform()).toEqual({ newest: 1, earlier: 1 });

  await act(informed(), earlier);

  expect(await toInform()).toEqual({ newest: 1, earlier: 0 });
});

test("cases are found by what their travellers know", async () => {
  await worker.notify(changed("flight-number-only"));
  await worker.work(orderId);
  expect([await found("not-informed"), await found("asked"), await found("answered")]).toEqual([true, false, false]);

  await act({ action: "traveller-asked", channel: "email", happenedAt: new Date(Date.now() - 3_000) });
  expect([await found("not-informed"), await found("asked"), await found("answered")]).toEqual([true, true, false]);

  const undecided = { action: "traveller-answered", channel: "email", answer: "undecided" } as const;
  await act({ ...undecided, happenedAt: new Date(Date.now() - 2_000) });
  expect([await found("not-informed"), await found("asked"), await found("answered")]).toEqual([false, true, false]);

  await act({ ...undecided, answer: "refuses", happenedAt: new Date(Date.now() - 1_000) });
  expect([await found("not-informed"), await found("asked"), await found("answered")]).toEqual([false, false, true]);
});

test("a finished case is found as not informed only while that task is open", async () => {
  await accepted();
  expect(await found("not-informed")).toBe(true);

  await act(informed());
  expect(await found("not-informed")).toBe(false);
});
