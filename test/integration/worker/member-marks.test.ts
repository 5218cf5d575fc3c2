import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MemberRuntime, openMembers } from "../../../src/app/members.ts";
import { decidingParts } from "../../../src/app/worker-runtime.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import type { MemberItem, SourceMembers } from "../../../src/dashboard/member-ports.ts";
import { valueDigestOf } from "../../../src/itinerary/member-marks.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { requeueAfterLearning } from "../../../src/store/members/learning.ts";
import { createMemberMarkStore } from "../../../src/store/members/member-marks.ts";
import { addCounts } from "../../../src/store/members/observed-members.ts";
import { requeueAfterMarks } from "../../../src/store/members/waiting-cases.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMemberRecorder } from "../../../src/worker/member-recorder.ts";
import { settingsOf } from "../../../src/worker/worker-context.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { drawFor } from "../../builders/trades/draw.ts";
import { containers } from "../../builders/trades/goods-and-money.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, settled } from "../../harness/scripted-gateway.ts";
import { cautiousPolicy, createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { runCaptured } from "../../unit/cli/captured-terminal.ts";

let db: TestDatabase;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
// What a source has observed and marked is about the source as a whole, so every test begins without any.
beforeEach(async () => {
  await db.ownerDatabase.pool.query(
    "alter table skedchange.member_marks disable trigger user; delete from skedchange.member_marks; alter table skedchange.member_marks enable trigger user",
  );
  await db.ownerDatabase.pool.query("delete from skedchange.observed_members");
  await db.ownerDatabase.pool.query("delete from skedchange.learning_orders");
  await db.ownerDatabase.pool.query("delete from skedchange.source_learning");
  await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");
  await db.ownerDatabase.pool.query("update skedchange.case_search set terms = '{}'");
});

/** What one process has: marks in force, and what it remembers to have stored. */
interface Process extends MemberRuntime {
  readonly recorder: ReturnType<typeof createMemberRecorder>;
}

async function start(learnOrders = 0): Promise<Process> {
  const sources = [
    { id: "default", learnOrders },
    { id: "other", learnOrders: 0 },
  ];
  const policies = { policyOf: () => cautiousPolicy, shadowOf: () => null };
  const members: MemberRuntime = await openMembers({
    sources,
    store: createMemberMarkStore(db.database, systemClock),
    database: db.database,
    settingsOf: (source) =>
      settingsOf(decidingParts({ policies, members, sources: [], timing: defaultTiming }), source),
    clock: systemClock,
    logger: silentLogger,
  });
  return { ...members, recorder: createMemberRecorder() };
}

interface Order {
  readonly orderId: string;
  readonly body: object;
  readonly worker: WorkerUnderTest;
}

/** Takes in an order with a small delay, which the policy accepts, and these further members of its `Order`. */
async function notified(process: Process, further: object): Promise<Order> {
  orderNumber += 1;
  const orderId = `MEMBER${orderNumber}`;
  const body = sampleNotification("minor-delay", { orderId, reference: `MEM${orderNumber}` });
  Object.assign(body.OrderViewRS.Order[0]!, further);
  const gateway = createScriptedGateway(body);
  gateway.status = () => (gateway.journal.length === 0 ? body : settled(body, "Accepted"));
  const { marksOf, learningOf, recorder } = process;
  const worker = createWorkerUnderTest(db.database, gateway, { marksOf, learningOf, recorder });
  await worker.notify(body);
  await worker.work(orderId);
  return { orderId, body, worker };
}

async function look({ worker, orderId }: Order): Promise<void> {
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

async function stateOf({ worker, orderId }: Order): Promise<string> {
  return (await worker.caseOf(orderId)).state;
}

async function isDueOf({ orderId }: Order): Promise<boolean> {
  const { rows } = await db.ownerDatabase.pool.query<{ is_due: boolean }>(
    "select due_at is not null as is_due from skedchange.cases where order_id = $1",
    [orderId],
  );
  return rows[0]!.is_due;
}

/** What `policy explain` decides with the marks of the source as the API lists them, in a file. */
async function explain({ body }: Order, { members }: Process): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-marks-"));
  const file = join(folder, "marks.json");
  await writeFile(file, JSON.stringify(await members.readMarks("default")));
  const args = ["policy", "explain", "-", "--policy", "cautious", "--json", "--marks", file];
  const { stdout } = await runCaptured(args, { stdin: JSON.stringify(body) });
  await rm(folder, { recursive: true });
  return (JSON.parse(stdout) as { readonly action: string }).action;
}

/** As of a decision of an earlier version. */
async function forgetValues({ orderId }: Order): Promise<void> {
  await db.ownerDatabase.pool.query(
    `update skedchange.case_search s set terms = array(
       select term from unnest(s.terms) as term where not starts_with(term, 'member-value:')
     ) from skedchange.cases c where c.id = s.case_id and c.order_id = $1`,
    [orderId],
  );
}

/** An agent takes the case over. */
async function note({ worker, orderId }: Order): Promise<void> {
  const { id } = await worker.caseOf(orderId);
  const common = { caseId: id, note: "I phone them", version: null, visible: null, actor: "person:rui" };
  await worker.worker.act({ action: "note", ...common } as never);
}

async function membersOf({ members }: Process, source = "default"): Promise<SourceMembers> {
  return (await members.read(source, { state: null, text: null }))!;
}

async function itemOf(process: Process, path: string): Promise<MemberItem | undefined> {
  return (await membersOf(process)).items.find((item) => item.path === path);
}

const byAna = { source: "default", reason: "asked the gateway", actor: "person:ana" };

const ids = (number: number) => ({ LinkedTours: `TOUR-99887766-${number}` });
const path = "Order.LinkedTours";

describe("a member that nobody knows", () => {
  test("opens one item, under which the cases of all orders that state it wait", async () => {
    const process = await start();
    const first = await notified(process, ids(1));
    const second = await notified(process, ids(2));

    expect([await stateOf(first), await stateOf(second)]).toEqual(["awaiting-agent", "awaiting-agent"]);
    const { items } = await membersOf(process);
    expect(items).toMatchObject([{ path, class: "other", isOpen: true, waitingCount: 2, values: [] }]);
    expect(items[0]!.example).toMatch(/^[X9-]+$/);
  });

  test("is counted by orders and views, however often a worker sees it, and by those without a change", async () => {
    const process = await start();
    const order = await notified(process, ids(1));
    await look(order);
    await notified(process, ids(2));
    await addCounts(db.database.connection, process.recorder.takeCounts());

    const item = await itemOf(process, path);

    expect(item).toMatchObject({ orders: 2, unchangedOrders: 0 });
    expect(item!.views).toBeGreaterThan(2);
  });

  test("waits with a person under an item, however long its names are", async () => {
    const process = await start();
    let nested: object = { 名: "TOUR-99887766-1", 種: "Guided" };
    for (let level = 0; level < 16; level += 1) nested = { ["予約変更のご案内".repeat(8).slice(0, 60)]: nested };

    const order = await notified(process, { LinkedTours: nested });

    expect(await stateOf(order)).toBe("awaiting-agent");
    const { items } = await membersOf(process);
    expect(items).toMatchObject([
      { isOpen: true, waitingCount: 1 },
      { isOpen: true, waitingCount: 1 },
    ]);
    for (const item of items) expect(item.path).toMatch(/^Order\.LinkedTours\..*\.…[0-9a-f]{16}$/);
  });

  test("is no item of another source", async () => {
    const process = await start();
    await notified(process, ids(1));

    expect((await membersOf(process, "other")).items).toEqual([]);
    expect(await process.members.listSources(["other"])).toEqual([
      { source: "other", openCount: 0, waitingCount: 0, learning: null },
    ]);
  });

  test("adds no statement to a commit once a process has stored it", async () => {
    const process = await start();
    await notified(process, ids(1));
    const before = await countRows();

    await notified(process, ids(2));

    expect(process.recorder.takeCounts()).toMatchObject([{ path, orders: new Set([expect.any(Number)]) }]);
    expect(await countRows()).toBe(before);
  });
});

async function countRows(): Promise<number> {
  const { rows } = await db.ownerDatabase.pool.query<{ views: number }>(
    "select coalesce(sum(views), 0)::integer as views from skedchange.observed_members",
  );
  return rows[0]!.views;
}

describe("marking a member", () => {
  test("shows first what it releases, then releases it, and later orders are accepted", async () => {
    const process = await start();
    const order = await notified(process, ids(1));
    const request = { ...byAna, path, valueDigests: [], replaces: 0 };

    const preview = await process.members.preview(request);
    const marked = await process.members.mark(request);
    await look(order);
    const later = await notified(process, ids(2));

    expect(preview).toEqual({ number: 0, waiting: 1, tried: 1, released: 1, actions: { accept: 1 } });
    expect(marked).toEqual({ outcome: "changed", number: 1, casesDue: 1 });
    expect([await stateOf(order), await stateOf(later)]).toEqual(["done", "done"]);
    expect(await itemOf(process, path)).toMatchObject({
      isOpen: false,
      waitingCount: 0,
      mark: { markedBy: "person:ana" },
    });
    const { version } = process.marksOf("default");
    const { rows } = await db.database.pool.query(
      "select 1 from skedchange.decisions where versions ->> 'memberMarks' = $1 and action = 'accept'",
      [version],
    );
    expect(rows).toHaveLength(2);
  });

  test("releases no case that waits for another member as well", async () => {
    const process = await start();
    const order = await notified(process, { ...ids(1), LinkedHotels: "HOTEL-99887766-1" });

    const preview = await process.members.preview({ source: "default", path, valueDigests: [], replaces: 0 });
    await process.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 });
    await look(order);

    expect(preview).toMatchObject({ waiting: 1, tried: 1, released: 0 });
    expect(await stateOf(order)).toBe("awaiting-agent");
    expect(await itemOf(process, path)).toMatchObject({ waitingCount: 0 });
    expect(await itemOf(process, "Order.LinkedHotels")).toMatchObject({ waitingCount: 1 });
  });

  test("of a code is about one value: another value of the same path asks again", async () => {
    const process = await start();
    const first = await notified(process, { TourKind: "Guided" });
    const tourKind = "Order.TourKind";

    const whole = await process.members.mark({ ...byAna, path: tourKind, valueDigests: [], replaces: 0 });
    const valueDigests = [valueDigestOf("Guided")];
    const value = await process.members.mark({ ...byAna, path: tourKind, valueDigests, replaces: 0 });
    await look(first);
    const same = await notified(process, { TourKind: "Guided" });
    const other = await notified(process, { TourKind: "Selfguided" });

    expect(whole).toMatchObject({ outcome: "refused", code: "members.value_needed" });
    expect(value).toMatchObject({ outcome: "changed" });
    expect([await stateOf(same), await stateOf(other)]).toEqual(["done", "awaiting-agent"]);
    const item = await itemOf(process, tourKind);
    expect(item).toMatchObject({ isOpen: true, waitingCount: 1, markablePaths: [] });
    expect(item!.values.map(({ example, mark }) => [example, mark !== null])).toEqual(
      expect.arrayContaining([
        ["Guided", true],
        ["Selfguided", false],
      ]),
    );
  });

  test("of a value makes only the cases due that state it, and of those all that did not say which they state", async () => {
    const process = await start();
    const guided = await notified(process, { TourKind: "Guided" });
    const selfguided = await notified(process, { TourKind: "Selfguided" });
    const both = await notified(process, { TourKind: ["Selfguided", "guided"] });
    const earlier = await notified(process, { TourKind: "Selfguided" });
    await forgetValues(earlier);
    const request = { ...byAna, path: "Order.TourKind", valueDigests: [valueDigestOf("Guided")], replaces: 0 };

    const preview = await process.members.preview(request);
    const marked = await process.members.mark(request);

    expect(preview).toMatchObject({ waiting: 3, tried: 3, released: 1 });
    expect(marked).toMatchObject({ casesDue: 3 });
    const areDue = await Promise.all([guided, selfguided, both, earlier].map(isDueOf));
    expect(areDue).toEqual([true, false, true, true]);
    expect(await itemOf(process, "Order.TourKind")).toMatchObject({ waitingCount: 4 });
  });

  test("of an order to stop needs its value, even if the element above it is marked", async () => {
    const process = await start();
    const stop = { Tours: { Id: "TOUR-99887766-1", Action: "ContactAirline" } };
    const order = await notified(process, stop);

    await process.members.mark({ ...byAna, path: "Order.Tours", valueDigests: [], replaces: 0 });
    await look(order);
    expect(await stateOf(order)).toBe("awaiting-agent");
    expect(await itemOf(process, "Order.Tours.Action")).toMatchObject({ class: "stop", isOpen: true });

    const valueDigests = [valueDigestOf("ContactAirline")];
    await process.members.mark({ ...byAna, path: "Order.Tours.Action", valueDigests, replaces: 1 });
    await look(order);
    expect(await stateOf(order)).toBe("done");
  });

  test("is refused for what was never stated, what Skedchange reads, and what is marked already", async () => {
    const process = await start();
    await notified(process, ids(1));
    const mark = (changes: object) =>
      process.members.mark({ ...byAna, path, valueDigests: [], replaces: 0, ...changes });

    expect(await mark({ path: "Order.Nothing" })).toMatchObject({ code: "members.not_observed" });
    expect(await mark({ path: "Order" })).toMatchObject({ code: "members.read_by_skedchange" });
    await mark({});
    expect(await mark({ replaces: 1 })).toMatchObject({ code: "members.already_marked" });
    expect(await mark({ source: "nowhere" })).toBeNull();
  });

  test("of the same number by two supervisors is done by one of them", async () => {
    const [here, there] = [await start(), await start()];
    await notified(here, { ...ids(1), LinkedHotels: "HOTEL-99887766-1" });

    const outcomes = await Promise.all([
      here.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 }),
      there.members.mark({ ...byAna, path: "Order.LinkedHotels", valueDigests: [], replaces: 0 }),
    ]);

    expect(outcomes.map((outcome) => outcome!.outcome).sort()).toEqual(["changed", "conflict"]);
    expect((await membersOf(here)).number).toBe(1);
  });

  test("counts in another process as soon as that is notified", async () => {
    const [here, there] = [await start(), await start()];
    await notified(here, ids(1));
    await here.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 });

    await there.refresh();

    expect(there.marksOf("default")).toEqual(here.marksOf("default"));
    expect(there.marksOf("other")).not.toEqual(here.marksOf("default"));
  });

  test("leaves a case alone that an agent has taken over", async () => {
    const process = await start();
    const order = await notified(process, ids(1));
    await note(order);

    expect(await process.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 })).toMatchObject({
      casesDue: 0,
    });
  });

  test("also makes a case due that another process has decided by the marks before", async () => {
    const [here, there] = [await start(), await start()];
    await notified(here, ids(1));
    await here.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 });
    // It has not been notified yet.
    await notified(there, ids(2));

    const inForce = new Map([["default", here.marksOf("default").version]]);
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");

    expect(await requeueAfterMarks(db.database, inForce)).toBe(2);
  });
});

describe("members of another trade", () => {
  // Some hundred looks at orders, one after the other.
  test("open one item for each path, and release the cases once they are answered, but not those with an order to stop", async () => {
    const process = await start();
    const cases: Order[] = [];
    for (let position = 0; position < 24; position += 1) {
      const { order } = containers.members(drawFor(1, position));
      cases.push(await notified(process, order!));
    }
    const stopped = await notified(process, {
      ...containers.members(drawFor(1, 24)).order,
      BillOfLading: [{ Freight: "REFUSED" }],
    });
    const { items } = await membersOf(process);

    expect(await Promise.all(cases.map(stateOf))).toEqual(cases.map(() => "awaiting-agent"));
    expect(new Set(items.map((item) => item.path)).size).toBe(items.length);

    for (const { path: markable, markablePaths, values } of items) {
      const harmless = values.filter((value) => value.class !== "stop").map((value) => value.valueDigest);
      const valueDigests = markablePaths.length > 0 ? [] : harmless;
      const replaces = (await membersOf(process)).number;
      const marked = await process.members.mark({ ...byAna, path: markable, valueDigests, replaces });
      expect(marked).toMatchObject({ outcome: "changed" });
    }
    for (const order of [...cases, stopped]) await look(order);
    const later = await notified(process, containers.members(drawFor(1, 25)).order!);

    expect(await Promise.all(cases.map(stateOf))).toEqual(cases.map(() => "done"));
    expect(await stateOf(later)).toBe("done");
    expect(await stateOf(stopped)).toBe("awaiting-agent");
    const { marks } = (await process.members.readMarks("default"))!;
    expect(marks).toContainEqual(
      expect.objectContaining({ path: "Order.ContainerLoad.SealOperator", valueDigest: null, keyForms: ["XXXX"] }),
    );
    const word = await notified(process, { ContainerLoad: { SealOperator: "Harbour" } });
    expect(await stateOf(word)).toBe("awaiting-agent");
    const explained = await Promise.all([later, word, stopped].map((order) => explain(order, process)));
    expect(explained).toEqual(["accept", "review", "review"]);
  }, 90_000);
});

describe("withdrawing a mark", () => {
  test("stops later orders again, and is kept beside the mark in the history and the audit", async () => {
    const process = await start();
    await notified(process, ids(1));
    await process.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 });

    const withdrawn = await process.members.withdraw({ ...byAna, path, valueDigests: [], replaces: 1 });
    const later = await notified(process, ids(2));

    expect(withdrawn).toEqual({ outcome: "changed", number: 2, casesDue: 0 });
    expect(await stateOf(later)).toBe("awaiting-agent");
    expect((await process.members.readMarks("default"))!.changes).toMatchObject([
      { number: 2, change: "withdrawn", path, changedBy: "person:ana" },
      { number: 1, change: "marked", path, reason: byAna.reason },
    ]);
    const { rows } = await db.ownerDatabase.pool.query<{ refs: object }>(
      "select refs from skedchange.audit_entries where kind = 'member-marks.changed' order by id desc limit 2",
    );
    expect(rows.map(({ refs }) => refs)).toMatchObject([{ change: "withdrawn" }, { change: "marked" }]);
    expect(await process.members.withdraw({ ...byAna, path, valueDigests: [], replaces: 2 })).toMatchObject({
      code: "members.not_marked",
    });
  });

  test("cannot change what was marked before", async () => {
    const process = await start();
    await notified(process, ids(1));
    await process.members.mark({ ...byAna, path, valueDigests: [], replaces: 0 });

    for (const statement of [
      "update skedchange.member_marks set reason = 'other'",
      "delete from skedchange.member_marks",
      "update skedchange.member_mark_sets set marks = '[]'",
    ]) {
      await expect(db.ownerDatabase.pool.query(statement)).rejects.toMatchObject({
        constraint: expect.stringMatching(/never_change$/),
      });
      await expect(db.database.pool.query(statement)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("a source that learns", () => {
  const startLearning = async (orders: number): Promise<Process> => {
    await db.ownerDatabase.pool.query("truncate skedchange.decisions cascade");
    return await start(orders);
  };
  const sources = ["default", "other"];

  test("decides orders and sends nothing until it has observed as many as it should", async () => {
    const process = await startLearning(2);
    const states: string[] = [];
    for (let round = 0; round < 3; round++) {
      const order = await notified(process, {});
      await process.refresh();
      states.push(await stateOf(order));
      if (round === 1) continue;
      const { reasons } = (await order.worker.caseOf(order.orderId)).decisions[0]!;
      if (round === 0) {
        expect(reasons[0]).toEqual({
          code: "learning",
          text: "This source is still learning: 0 of 2 orders observed.",
        });
      }
    }

    expect(states).toEqual(["awaiting-agent", "awaiting-agent", "done"]);
    expect(process.learningOf("default")).toBeNull();
    expect((await start(5)).learningOf("default")).toBeNull();
  });

  test("decides the cases again, once it has learned, that waited for nothing else", async () => {
    const process = await startLearning(2);
    const waiting = await notified(process, {});
    const takenOver = await notified(process, {});
    const early = await requeueAfterLearning(db.database.connection, sources);
    await note(takenOver);
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");
    await process.refresh();
    await requeueAfterLearning(db.database.connection, sources);
    const isDue = [await isDueOf(waiting), await isDueOf(takenOver)];
    await look(waiting);
    const again = await requeueAfterLearning(db.database.connection, sources);

    expect(early).toBe(0);
    expect(isDue).toEqual([true, false]);
    expect([await stateOf(waiting), await stateOf(takenOver)]).toEqual(["done", "awaiting-agent"]);
    expect(again).toBe(0);
  });

  test("leaves cases that wait for a member as well with people", async () => {
    const process = await startLearning(1);
    const order = await notified(process, ids(1));
    await process.refresh();

    expect(await requeueAfterLearning(db.database.connection, sources)).toBe(0);
    expect(await stateOf(order)).toBe("awaiting-agent");
  });

  test("also decides its cases again if it is no longer to learn", async () => {
    const order = await notified(await startLearning(200), {});

    await start(0);

    expect(await requeueAfterLearning(db.database.connection, sources, ["other"])).toBe(0);
    expect(await requeueAfterLearning(db.database.connection, sources, sources)).toBe(1);
    expect(await isDueOf(order)).toBe(true);
  });

  test("does not learn if it has decided before", async () => {
    await notified(await start(), {});

    expect((await start(200)).learningOf("default")).toBeNull();
  });
});
