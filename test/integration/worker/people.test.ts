import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reevaluateDecision } from "../../../src/app/reevaluate-decision.ts";
import type { CaseAction, CaseCommand } from "../../../src/cases/case-command.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { createClockStore } from "../../../src/store/cases/clocks.ts";
import { readDecision } from "../../../src/store/cases/stored-decisions.ts";
import { createPeopleStore } from "../../../src/store/people.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withFlags,
} from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, ScriptedFailure, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { policyOf } from "../../unit/policy/policies.ts";

let db: TestDatabase;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  await db.ownerDatabase.pool.query(
    `insert into skedchange.users (id, username, display_name, role, password_hash, is_demo, created_at, updated_at, disabled_at)
     select gen_random_uuid(), name, name, role, 'scrypt$x', false, now(), now(), case when off then now() end
     from (values ('ana', 'agent', false), ('vera', 'viewer', false), ('gone', 'admin', true)) as u (name, role, off)`,
  );
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));

let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeEach(() => {
  orderNumber += 1;
  orderId = `PEOPLE${orderNumber}`;
});

async function notified(
  sample: SampleName,
  changes: Parameters<typeof createWorkerUnderTest>[2] = {},
  prepare: (body: OrderViewBody) => OrderViewBody = (body) => body,
) {
  const body = prepare(sampleNotification(sample, { orderId, reference: `REF${orderNumber}` }));
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway, changes);
  await worker.notify(body);
  return body;
}

/** A case that waits for a person; both flags are Y. */
async function waiting(
  changes: Parameters<typeof createWorkerUnderTest>[2] = {},
  sample: SampleName = "misconnection",
): Promise<string> {
  await notified(sample, changes, (body) => withFlags(body, { Accept: "Y", Cancel: "Y", ReSchedule: "N" }));
  await worker.work(orderId);
  const found = await worker.caseOf(orderId);
  expect(found.state).toBe("awaiting-agent");
  return found.id;
}

/** As when the bytes of a known notification come again and the time that they wait is over. */
async function comeAgain(caseId: string): Promise<void> {
  await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now(), wake = wake + 1 where id = $1", [
    caseId,
  ]);
}

type Extra = Partial<Pick<CaseAction, "caseId" | "note" | "version" | "actor">>;

async function act(command: CaseCommand, extra: Extra = {}) {
  const caseId = extra.caseId ?? (await worker.caseOf(orderId)).id;
  return await worker.worker.act({
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
    ...command,
    ...extra,
    caseId,
  });
}

async function kinds(): Promise<readonly string[]> {
  return (await worker.caseOf(orderId)).timeline.map(({ kind }) => kind);
}

const hour = 60 * 60_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

describe("a cancel", () => {
  test.each([undefined, "", "peopleX"])("is refused without the OrderID typed (%s)", async (confirm) => {
    await waiting();

    expect(await act({ action: "cancel", ...(confirm === undefined ? {} : { confirm }) })).toMatchObject({
      outcome: "refused",
      code: "desk.confirmation_missing",
    });
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test("is carried out with it", async () => {
    await waiting();

    expect(await act({ action: "cancel", confirm: orderId })).toMatchObject({ outcome: "accepted", state: "checking" });
    await worker.work(orderId);

    expect(gateway.journal.map(({ action }) => action)).toEqual(["cancel"]);
  });
});

describe("a cancel above the value limit", () => {
  const limited = (secondPersonAbove: string) => ({
    store: createCaseStore(db.database, systemClock, dialect, { secondPersonAbove }),
  });
  const cancel = () => act({ action: "cancel", confirm: orderId }, { actor: "person:ana", note: "they asked for it" });

  async function valueOf(): Promise<string> {
    const fact = (await worker.caseOf(orderId)).facts?.orderValue;
    if (fact === undefined || !fact.known) throw new Error("the sample has no value");
    return fact.value;
  }

  test("waits for another person, who carries it out", async () => {
    await waiting(limited("0"));

    const asked = await cancel();
    const waitingCase = await worker.caseOf(orderId);

    expect(asked).toMatchObject({ outcome: "accepted", state: "awaiting-agent", decisionId: null });
    expect(waitingCase.approval).toMatchObject({ action: "cancel", askedBy: "person:ana", note: "they asked for it" });
    expect(waitingCase.possibleActions).toEqual(expect.arrayContaining(["approve", "refuse-approval"]));
    expect(waitingCase.possibleActions).not.toContain("cancel");

    const approvalId = waitingCase.approval!.id;
    expect(await act({ action: "approve", approvalId }, { actor: "person:ben" })).toMatchObject({
      outcome: "accepted",
      state: "checking",
    });
    await worker.work(orderId);
    const done = await worker.caseOf(orderId);
    expect(gateway.journal.map(({ action }) => action)).toEqual(["cancel"]);
    expect(done).toMatchObject({ state: "done", approval: null });
    expect(done.decisions[0]).toMatchObject({ decidedBy: "person:ben", note: "they asked for it" });
    expect(await kinds()).toEqual(expect.arrayContaining(["approval.asked", "approval.given"]));
  });

  test("is not approved by the one who asked for it, nor asked for twice", async () => {
    await waiting(limited("0"));
    await cancel();
    const approvalId = (await worker.caseOf(orderId)).approval!.id;

    expect(await act({ action: "approve", approvalId })).toMatchObject({ code: "desk.second_person_needed" });
    expect(await cancel()).toMatchObject({ code: "desk.approval_asked" });
    expect(gateway.journal).toEqual([]);
  });

  test.each([
    ["added the account of the other", "user.added", true],
    ["changed the account of the other", "user.changed", true],
    ["has nothing to do with the account of the other", null, false],
  ] as const)("is marked in timeline and audit when the one who asked %s", async (_, by, isMarked) => {
    const people = createPeopleStore(db.database);
    const username = `second${orderNumber}`;
    const actor = (kind: string) => ({ actor: kind === by ? "person:ana" : "person:root" });
    const user = { id: randomUUID(), username, displayName: username, role: "supervisor", sources: null } as const;
    const stored = {
      ...user,
      password: { hash: "scrypt$x", proof: null },
      passwordChangeNeeded: true,
      isDemo: false,
      at: new Date(),
    };
    await people.createUser(stored, 100, actor("user.added"));
    await people.changeUser(
      user.id,
      { password: { hash: "scrypt$y", proof: null, changeNeeded: true } },
      new Date(),
      actor("user.changed"),
    );
    // Whoever has set a password must not get rid of the mark by changing it.
    await people.changeUser(user.id, { password: { hash: "scrypt$z", proof: null, changeNeeded: false } }, new Date(), {
      actor: `person:${username}`,
    });
    await waiting(limited("0"));
    await cancel();

    const approvalId = (await worker.caseOf(orderId)).approval!.id;
    await act({ action: "approve", approvalId }, { actor: `person:${username}` });

    const mark = "approval.approver_set_up_by_asker";
    expect((await kinds()).includes(mark)).toBe(isMarked);
    const { rows } = await db.ownerDatabase.pool.query(
      "select actor, refs from skedchange.audited_lines where order_id = $1 and kind = $2",
      [orderId, mark],
    );
    expect(rows).toEqual(isMarked ? [{ actor: `person:${username}`, refs: { approvalId, action: "cancel" } }] : []);
  });

  test("is over when the second person refuses, and can be asked for again", async () => {
    await waiting(limited("0"));
    await cancel();
    const approvalId = (await worker.caseOf(orderId)).approval!.id;

    expect(await act({ action: "refuse-approval", approvalId }, { actor: "person:ben" })).toMatchObject({
      outcome: "accepted",
      state: "awaiting-agent",
    });
    expect(await act({ action: "approve", approvalId }, { actor: "person:ben" })).toMatchObject({
      code: "desk.approval_not_open",
    });
    expect(await cancel()).toMatchObject({ outcome: "accepted", approvalId: expect.any(String) });
  });

  test("is void when the proposal changes", async () => {
    await waiting(limited("0"));
    await cancel();
    gateway.status = withFlags(sampleNotification("replaced-by-two", { orderId, reference: `REF${orderNumber}` }), {
      Accept: "Y",
      Cancel: "Y",
      ReSchedule: "N",
    });
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).approval).toBeNull();
    expect(await kinds()).toContain("approval.voided");
  });

  test("stays asked for when the same proposal is only looked at again", async () => {
    await waiting(limited("0"));
    await cancel();
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).approval).not.toBeNull();
  });

  test("is void when somebody accepts instead", async () => {
    await waiting(limited("0"));
    await cancel();

    expect(await act({ action: "accept" }, { actor: "person:ben" })).toMatchObject({ outcome: "accepted" });
    expect((await worker.caseOf(orderId)).approval).toBeNull();
  });

  test("takes one person at the limit itself and two just above it", async () => {
    await waiting();
    const value = await valueOf();

    worker = createWorkerUnderTest(db.database, gateway, limited(value));
    expect(await act({ action: "cancel", confirm: orderId })).toMatchObject({ state: "checking" });

    beforeNext();
    await waiting(limited(String(Number(value) - 0.01)));
    expect(await act({ action: "cancel", confirm: orderId })).toMatchObject({ state: "awaiting-agent" });
  });
});

function beforeNext(): void {
  orderNumber += 1;
  orderId = `PEOPLE${orderNumber}`;
}

describe("a snooze", () => {
  test("rests until then and comes back to the same people", async () => {
    await waiting();

    expect(await act({ action: "snooze", until: inHours(4) })).toMatchObject({ outcome: "accepted", state: "snoozed" });
    const resting = await worker.caseOf(orderId);
    expect(resting.state).toBe("snoozed");
    expect(Math.abs(resting.dueAt!.getTime() - inHours(4).getTime())).toBeLessThan(60_000);

    // As if the four hours had passed: the timeline is what the snooze rests on.
    await db.ownerDatabase.pool.query(
      `update skedchange.case_events set detail = detail || jsonb_build_object('until', now() - interval '1 second')
       where kind = 'case.snoozed' and case_id = $1`,
      [resting.id],
    );
    await worker.makeDue(orderId);
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", dueAt: null });
  });

  test("goes on when the same notification comes again, and ends when the change is another one", async () => {
    const id = await waiting();
    const until = inHours(4);
    await act({ action: "snooze", until });

    await comeAgain(id);
    await worker.work(orderId);
    const resting = await worker.caseOf(orderId);
    expect(resting.state).toBe("snoozed");
    expect(Math.abs(resting.dueAt!.getTime() - until.getTime())).toBeLessThan(60_000);

    gateway.status = sampleNotification("replaced-by-two", { orderId, reference: `REF${orderNumber}` });
    await worker.makeDue(orderId);
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test.each([
    ["a past moment", () => inHours(-0.01), "desk.snooze_past"],
    ["more than 30 days", () => inHours(30 * 24 + 1), "desk.snooze_too_long"],
  ])("is refused for %s", async (_, until, code) => {
    await waiting();

    expect(await act({ action: "snooze", until: until() })).toMatchObject({ outcome: "refused", code });
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test.each([
    ["departure_at", "desk.snooze_past_departure"],
    ["firm_due_by", "desk.snooze_past_due"],
  ])("may reach %s and not go beyond it", async (column, code) => {
    const id = await waiting();
    const end = inHours(10);
    await db.ownerDatabase.pool.query(
      `update skedchange.cases set departure_at = null, firm_due_by = null where id = $1`,
      [id],
    );
    await db.ownerDatabase.pool.query(`update skedchange.cases set ${column} = $2 where id = $1`, [id, end]);

    expect(await act({ action: "snooze", until: new Date(end.getTime() + 1) })).toMatchObject({ code });
    expect(await act({ action: "snooze", until: end })).toMatchObject({ outcome: "accepted" });
  });
});

describe("who works on a case", () => {
  test("is an enabled user who may act, and may be taken back", async () => {
    await waiting();

    expect(await act({ action: "assign", assignee: "ana" })).toMatchObject({ outcome: "accepted" });
    expect((await worker.caseOf(orderId)).assignee).toBe("person:ana");
    expect(await act({ action: "assign", assignee: null })).toMatchObject({ outcome: "accepted" });
    expect((await worker.caseOf(orderId)).assignee).toBeNull();
    expect(await kinds()).toContain("case.assigned");
  });

  test.each(["vera", "gone", "nobody-of-this-name"])("is not %s", async (assignee) => {
    await waiting();

    expect(await act({ action: "assign", assignee })).toMatchObject({ code: "desk.assignee_unknown" });
  });
});

describe("a note", () => {
  test("is kept in the timeline, also of a finished case, and counts as a change", async () => {
    const id = await waiting();
    const { version } = await worker.caseOf(orderId);
    await act({ action: "close" });
    expect(await act({ action: "note" }, { note: "the customer called back" })).toMatchObject({ outcome: "accepted" });

    const found = await worker.caseOf(orderId);
    expect(found.id).toBe(id);
    expect(found.timeline.at(-1)).toMatchObject({
      kind: "case.noted",
      actor: "person:ana",
      detail: { note: "the customer called back" },
    });
    expect(found.version).toBeGreaterThan(version + 1);
  });

  test("without words is refused", async () => {
    await waiting();

    expect(await act({ action: "note" })).toMatchObject({ code: "desk.note_missing" });
  });
});

describe("the reschedule desk", () => {
  test("has the case until the change is another one, whatever is looked at again", async () => {
    await waiting();

    expect(await act({ action: "reschedule" })).toMatchObject({ outcome: "accepted", state: "awaiting-agent" });
    await act({ action: "recheck" });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found).toMatchObject({ state: "awaiting-agent", reviewQueue: "reschedule" });
    expect(found.decision).toMatchObject({ action: "review", decidedBy: "person:ana", rule: "person" });
  });
});

describe("the end of a case by a person", () => {
  test("at the airline leaves it resolved elsewhere", async () => {
    await waiting();

    expect(await act({ action: "resolved-elsewhere" })).toMatchObject({ state: "resolved-elsewhere" });
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "resolved-elsewhere",
      dueBy: null,
      decision: { action: "none", reasons: [{ code: "person-resolved-elsewhere" }] },
    });
  });

  test.each([
    ["a known reason", { reasonCode: "duplicate" as const }, null, "accepted"],
    ["no reason, as before", {}, null, "accepted"],
    ["another reason with a note", { reasonCode: "other" as const }, "strike over", "accepted"],
    ["another reason without one", { reasonCode: "other" as const }, null, "refused"],
  ])(
    "is accepted with a known reason or a note, and as before without either: %s",
    async (_, parameters, note, outcome) => {
      await waiting();

      expect(await act({ action: "close", ...parameters }, { note })).toMatchObject({ outcome });
      expect((await worker.caseOf(orderId)).state).toBe(outcome === "accepted" ? "closed" : "awaiting-agent");
    },
  );

  test("at the airline, or for a known reason, is not undone by the same notification coming again", async () => {
    for (const command of [{ action: "resolved-elsewhere" }, { action: "close", reasonCode: "duplicate" }] as const) {
      beforeNext();
      const id = await waiting();
      await act(command);
      await comeAgain(id);
      await worker.work(orderId);

      expect((await worker.casesOf(orderId)).map((found) => found.id)).toEqual([id]);
    }
  });
});

describe("a notification of another change that came right before", () => {
  const flags = { Accept: "Y", Cancel: "Y", ReSchedule: "N" };

  /** A case that waits while nobody has read yet what the newest notification tells of. */
  async function waitingWithNews(): Promise<string> {
    const id = await waiting();
    const news = withFlags(sampleNotification("replaced-by-two", { orderId, reference: `REF${orderNumber}` }), flags);
    gateway.status = news;
    await worker.notify(news);
    return id;
  }

  test("is looked at although a person ends the case", async () => {
    const id = await waitingWithNews();
    const seen = await worker.caseOf(orderId);

    expect(await act({ action: "close" }, { version: seen.version })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);

    const cases = await worker.casesOf(orderId);
    expect(cases).toHaveLength(2);
    expect(cases[0]).toMatchObject({ state: "awaiting-agent" });
    expect(cases[0]?.proposalDigest).not.toBe(seen.proposalDigest);
    expect(cases[1]).toMatchObject({ id, state: "closed" });
  });

  test.each([
    ["hands it on", { action: "reschedule" }],
    ["asks the traveller", { action: "traveller-asked", channel: "phone", happenedAt: inHours(-1) }],
    ["puts it off", { action: "snooze", until: inHours(4) }],
  ] as const)("is looked at although a person %s", async (_, command) => {
    await waitingWithNews();
    const seen = await worker.caseOf(orderId);

    expect(await act(command, { version: seen.version })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found.proposalDigest).not.toBe(seen.proposalDigest);
    expect(found).toMatchObject({ state: "awaiting-agent", decision: { decidedBy: "policy" } });
  });

  test("is looked at although a second person is asked for", async () => {
    await waitingWithNews();
    worker = createWorkerUnderTest(db.database, gateway, {
      store: createCaseStore(db.database, systemClock, dialect, { secondPersonAbove: "0" }),
    });

    await act({ action: "cancel", confirm: orderId });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).approval).toBeNull();
    expect(await kinds()).toContain("approval.voided");
  });
});

describe("reopening", () => {
  test("opens the next case, which a worker looks at", async () => {
    const id = await waiting();
    await act({ action: "close" });

    const reopened = await act({ action: "reopen" }, { caseId: id });
    await worker.work(orderId);

    const [next, before] = await worker.casesOf(orderId);
    expect(reopened).toMatchObject({ outcome: "accepted", caseId: next!.id, state: "received" });
    expect(next).toMatchObject({ state: "awaiting-agent", reopenedFrom: id });
    expect(next!.notifications).toHaveLength(1);
    expect(before).toMatchObject({ id, state: "closed" });
  });

  test("is refused while the case, or a later one, is open", async () => {
    const id = await waiting();
    expect(await act({ action: "reopen" })).toMatchObject({ outcome: "conflict", state: "awaiting-agent" });

    await act({ action: "close" });
    await act({ action: "reopen" }, { caseId: id });
    expect(await act({ action: "reopen" }, { caseId: id })).toMatchObject({ outcome: "conflict", state: "closed" });
    expect(await worker.casesOf(orderId)).toHaveLength(2);
  });
});

describe("a case that is over", () => {
  test("keeps the time at which it ended when somebody notes on it", async () => {
    const id = await waiting();
    await act({ action: "close" });
    const closedAt = async () =>
      (await db.ownerDatabase.pool.query("select closed_at from skedchange.cases where id = $1", [id])).rows[0]
        .closed_at;
    const ended = await closedAt();

    expect(await act({ action: "note" }, { note: "seen" })).toMatchObject({ outcome: "accepted", state: "closed" });

    expect(await closedAt()).toEqual(ended);
    expect(ended).toBeInstanceOf(Date);
  });

  test("is not reopened when a notification opens the next case at the same moment", async () => {
    const id = await waiting();
    await act({ action: "close" });
    await worker.work(orderId);
    const receiver = await db.ownerDatabase.pool.connect();
    try {
      await receiver.query("begin");
      await receiver.query(
        `insert into skedchange.cases (id, source, order_id, gds_booking_references, state, due_at, opened_at, updated_at)
         select gen_random_uuid(), source, order_id, gds_booking_references, 'received', now(), now(), now()
         from skedchange.cases where id = $1`,
        [id],
      );
      const reopened = act({ action: "reopen" }, { caseId: id });
      const { rows } = await receiver.query<{ pid: number }>("select pg_backend_pid() as pid");
      await untilSomebodyWaitsFor(rows[0]!.pid);
      await receiver.query("commit");

      expect(await reopened).toMatchObject({ outcome: "conflict", state: "closed" });
      expect(await worker.casesOf(orderId)).toHaveLength(2);
    } finally {
      receiver.release();
    }
  });

  async function untilSomebodyWaitsFor(pid: number): Promise<void> {
    for (let look = 0; look < 500; look++) {
      const { rows } = await db.ownerDatabase.pool.query(
        "select 1 from pg_stat_activity a where $1 = any(pg_blocking_pids(a.pid))",
        [pid],
      );
      if (rows.length > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("nobody waited for the receiver");
  }
});

describe("an accept that a person decided", () => {
  type Order = Record<string, unknown>;

  /** What the status says of the order besides, from now on. */
  function setStatuses(body: OrderViewBody, statuses: Order): void {
    const changed = structuredClone(body);
    for (const order of changed.OrderViewRS.Order) Object.assign(order, statuses);
    gateway.status = changed;
  }

  test.each<Order>([
    { PnrStatus: "FAILED" },
    { PnrStatus: "HX" },
    { PaymentStatus: "REFUNDED" },
    { ScheduleChangeStatus: "Rejected" },
    { ScheduleChangeStatus: "Withdrawn" },
  ])("is asked about again when the status says %j by then", async (statuses) => {
    await waiting();
    const body = gateway.status as OrderViewBody;
    expect(await act({ action: "accept" })).toMatchObject({ outcome: "accepted" });
    setStatuses(body, statuses);

    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { decidedBy: "policy", rule: "check:status-says-more" },
    });
  });

  test("is carried out when the person decides so once more", async () => {
    await waiting();
    const body = gateway.status as OrderViewBody;
    await act({ action: "accept" });
    setStatuses(body, { PnrStatus: "HX" });
    await worker.work(orderId);

    await act({ action: "accept" });
    await worker.work(orderId);

    expect(gateway.journal).toMatchObject([{ action: "accept" }]);
  });
});

describe("stopping an automatic effect", () => {
  /** As the worker leaves a case whose effect may still be stopped. */
  async function stoppable(undoUntil: Date): Promise<string> {
    const id = await waiting();
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set state = 'checking', due_at = $2, undo_until = $2, version = version + 1 where id = $1",
      [id, undoUntil],
    );
    return id;
  }

  test("leaves the case with a person, whom no rule overtakes", async () => {
    await stoppable(inHours(1));
    expect((await worker.caseOf(orderId)).possibleActions).toContain("stop");

    expect(await act({ action: "stop" })).toMatchObject({ outcome: "accepted", state: "awaiting-agent" });
    expect(await worker.caseOf(orderId)).toMatchObject({
      undoUntil: null,
      decision: { reasons: [{ code: "person-stopped" }] },
    });
    await act({ action: "recheck" });
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { decidedBy: "person:ana" },
    });
    expect(gateway.journal).toEqual([]);
  });

  test("is too late once the time is over, or when there is none", async () => {
    await stoppable(inHours(-0.001));
    expect(await act({ action: "stop" })).toMatchObject({ outcome: "conflict", state: "checking" });
    expect((await worker.caseOf(orderId)).possibleActions).not.toContain("stop");

    beforeNext();
    await waiting();
    expect(await act({ action: "stop" })).toMatchObject({ outcome: "conflict", state: "awaiting-agent" });
  });
});

describe("what the traveller was informed of and answered", () => {
  const channel = "phone" as const;
  const contact = (happenedAt: Date = inHours(-1)) => ({ channel, happenedAt });
  const toAsk = async () => {
    await notified("misconnection", { policyOf: () => policyOf({ when: "true", do: "ask-traveller" }) }, (body) =>
      withFlags(body, { Accept: "Y", Cancel: "Y", ReSchedule: "N" }),
    );
    await worker.work(orderId);
  };

  test("asked: the case waits for the traveller, whatever is looked at again", async () => {
    await waiting();

    expect(await act({ action: "traveller-asked", ...contact() })).toMatchObject({ state: "awaiting-traveller" });
    await act({ action: "recheck" });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found.state).toBe("awaiting-traveller");
    expect(found.travellerContacts).toMatchObject([{ kind: "asked", channel, recordedBy: "person:ana", answer: null }]);
    expect(await kinds()).toContain("traveller.asked");
  });

  test("to ask: what the policy wants to be asked needs an agent, and waits for the traveller only once they were", async () => {
    await toAsk();
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "ask-traveller",
      reviewQueue: "agent",
      decision: { action: "ask-traveller", decidedBy: "policy" },
    });
    await act({ action: "recheck" });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("ask-traveller");

    expect(await act({ action: "traveller-asked", ...contact() })).toMatchObject({ state: "awaiting-traveller" });
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-traveller", reviewQueue: null });
  });

  test("asked in vain: once the clock has run out, the case is an agent's, whatever is looked at again", async () => {
    await toAsk();
    await act({ action: "traveller-asked", ...contact() });
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set due_by = now() - interval '1 second', due_by_rule = 'agency' where order_id = $1",
      [orderId],
    );

    await createClockStore(db.database, systemClock).markOverdue(10);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", reviewQueue: "agent" });
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
  });

  test("undecided: the case goes on waiting for the traveller", async () => {
    await waiting();
    await act({ action: "traveller-asked", ...contact() });

    await act({ action: "traveller-answered", answer: "undecided", ...contact() });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("awaiting-traveller");
  });

  test.each([
    ["accepts", "accept"],
    ["refuses", "refuse"],
    ["wants-refund", "refund"],
    ["wants-rerouting", "reroute"],
  ] as const)("answered %s: the policy decides with it", async (answer, choice) => {
    await waiting({}, "replaced-by-two");
    await act({ action: "traveller-asked", ...contact() });

    expect(await act({ action: "traveller-answered", answer, ...contact() })).toMatchObject({ state: "checking" });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    expect(found.decision?.decidedBy).toBe("policy");
    expect(found.decision?.reasons[0]?.code === "traveller-declined").toBe(answer !== "accepts");
    const stored = await readDecision(db.database, found.decision!.id, null);
    expect(stored?.inputs).toMatchObject({ order: { travellerAnswer: choice } });
    expect(reevaluateDecision(stored!, worker.context.policyOf("default")).outcome).toBe("same");
    expect(found.decisions.at(-1)?.legal?.hold.held).toBe(true);
    expect(found.decisions[0]?.legal?.hold.held).toBe(answer !== "accepts");
  });

  test("agreed beforehand by the customer: nothing is held, and the decision says so", async () => {
    await waiting({ customerAgreementOf: (source) => source === "default" }, "replaced-by-two");

    const { decisions } = await worker.caseOf(orderId);
    const stored = await readDecision(db.database, decisions[0]!.id, null);
    expect(stored?.inputs).toMatchObject({ order: { customerAgreement: true } });
    expect(decisions[0]?.legal?.hold).toMatchObject({ held: false });
    expect(reevaluateDecision(stored!, worker.context.policyOf("default")).outcome).toBe("same");
  });

  test("a decision stored before version 0.2.0 is replayed with the reason that kept rules from deciding", async () => {
    await waiting({ customerAgreementOf: (source) => source === "default" }, "replaced-by-two");

    const { decisions } = await worker.caseOf(orderId);
    const stored = await readDecision(db.database, decisions[0]!.id, null);
    const { manualReviewReason: _, ...inputs } = stored!.inputs as Record<string, unknown>;
    const overruled = { code: "change-not-shown", text: "The gateway does not show what was agreed to." };
    const reevaluation = reevaluateDecision(
      { ...stored!, inputs: { ...inputs, overruled } },
      worker.context.policyOf("default"),
    );
    expect(reevaluation).toMatchObject({ outcome: "different", verdict: { rule: "check:change-not-shown" } });
  });

  test("informed: it is decided with how long before departure that was, and the earliest time counts", async () => {
    await waiting();
    expect((await worker.caseOf(orderId)).facts?.noticeDays).toMatchObject({ known: false });

    await act({ action: "traveller-informed", ...contact(inHours(-50)) });
    await act({ action: "traveller-informed", ...contact(inHours(-1)) });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    const departure = found.departureAt!.getTime();
    expect(found.state).toBe("awaiting-agent");
    expect(found.facts?.noticeDays).toEqual({
      known: true,
      value: Math.floor((departure - inHours(-50).getTime()) / (24 * hour)),
    });
  });

  test("about an older proposal does not count for a new one", async () => {
    await waiting();
    await act({ action: "traveller-answered", answer: "wants-refund", ...contact() });
    await worker.work(orderId);
    gateway.status = sampleNotification("replaced-by-two", { orderId, reference: `REF${orderNumber}` });
    await act({ action: "recheck" });
    await worker.work(orderId);

    const found = await worker.caseOf(orderId);
    const stored = await readDecision(db.database, found.decision!.id, null);
    expect(stored?.inputs).toMatchObject({ order: { travellerAnswer: null } });
    expect(found.facts?.noticeDays).toMatchObject({ known: false });
  });

  test.each([
    ["in the future", () => inHours(0.1), "desk.contact_in_future"],
    ["more than a year ago", () => inHours(-365 * 24 - 1), "desk.contact_too_old"],
  ])("cannot have happened %s", async (_, happenedAt, code) => {
    await waiting();

    expect(await act({ action: "traveller-informed", ...contact(happenedAt()) })).toMatchObject({ code });
    expect((await worker.caseOf(orderId)).travellerContacts).toEqual([]);
  });

  test("while a worker has the case, the worker loses it and the next one begins with the answer", async () => {
    const id = await waiting();
    await act({ action: "recheck" });
    const taken = await worker.context.store.take({ source: "default", orderId }, "slow", 60_000);
    await taken?.context;
    expect((await worker.caseOf(orderId)).state).toBe("checking");

    await act({ action: "traveller-answered", answer: "refuses", ...contact() }, { caseId: id });

    expect(await worker.context.store.renewLease(taken!.lease, 60_000)).toBe(false);
  });
});

describe("an action", () => {
  test.each([
    { action: "accept" },
    { action: "close" },
    { action: "snooze", until: new Date() },
    { action: "assign", assignee: null },
    { action: "recheck" },
    { action: "reschedule" },
    { action: "resolved-elsewhere" },
    { action: "stop" },
    { action: "traveller-answered", channel: "email", happenedAt: new Date(), answer: "accepts" },
    { action: "confirm-effect" },
    { action: "approve", approvalId: randomUUID() },
  ] satisfies CaseCommand[])("is a conflict on a finished case: %j", async (command) => {
    await waiting();
    await act({ action: "close" });

    const outcome = await act(command);

    expect(outcome).toMatchObject({ outcome: "conflict", state: "closed" });
    expect((await worker.caseOf(orderId)).possibleActions.toSorted()).toEqual(["note", "reopen", "traveller-informed"]);
  });

  test("on another version than the one seen is a conflict, and at the same version is accepted", async () => {
    await waiting();
    const { version } = await worker.caseOf(orderId);

    for (const off of [version - 1, version + 1]) {
      expect(await act({ action: "note" }, { note: "n", version: off })).toMatchObject({
        outcome: "conflict",
        version,
      });
    }
    expect(await act({ action: "note" }, { note: "n", version })).toMatchObject({ outcome: "accepted" });
    expect(await act({ action: "note" }, { note: "n", version })).toMatchObject({ outcome: "conflict" });
  });

  test("is listed as possible exactly when the gateway allows it", async () => {
    await waiting();
    expect((await worker.caseOf(orderId)).possibleActions).toEqual(expect.arrayContaining(["accept", "cancel"]));

    beforeNext();
    await notified("misconnection", {}, (body) => withFlags(body, { Accept: "N", Cancel: "N", ReSchedule: "Y" }));
    await worker.work(orderId);
    const { possibleActions } = await worker.caseOf(orderId);
    expect(possibleActions).not.toContain("accept");
    expect(possibleActions).not.toContain("cancel");
    expect(await act({ action: "accept" })).toMatchObject({ code: "desk.flag_not_set" });
  });
});
