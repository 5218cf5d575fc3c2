import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseAction, CaseCommand } from "../../../src/cases/case-command.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import {
  type OrderViewBody,
  sampleNotification,
  withDelayTaken,
  withDeparture,
  withFlags,
} from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import {
  createScriptedGateway,
  result,
  ScriptedFailure,
  type ScriptedGateway,
  settled,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { policyOf } from "../../unit/policy/policies.ts";

/*
 * What people have decided, and what they were asked, holds whatever the gateway shows in between: no rule decides in their
 * place, and no second try sends what they stopped.
 */

let db: TestDatabase;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));

let orderId: string;
let reference: string;
let body: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;
let copies: number;

type Changes = Parameters<typeof createWorkerUnderTest>[2];

const flags = { Accept: "Y", Cancel: "Y", ReSchedule: "N" };
const withoutFlags = (view: OrderViewBody) => withFlags(view, { Accept: "N", Cancel: "N", ReSchedule: "Y" });
const accepting = policyOf({ when: "true", do: "accept" });

beforeEach(() => {
  orderNumber += 1;
  orderId = `FOR${orderNumber}`;
  reference = `REF${orderNumber}`;
  body = withFlags(sampleNotification("minor-delay", { orderId, reference }), flags);
  gateway = createScriptedGateway(body);
  copies = 0;
});

/** The change is notified, and worked on as far as that goes. */
async function notified(changes: Changes = {}): Promise<void> {
  worker = createWorkerUnderTest(db.database, gateway, changes);
  await worker.notify(body);
  await worker.work(orderId);
}

/** The same change in other bytes, which a gateway may send at any time. */
async function notifiedAgain(view: OrderViewBody = body): Promise<void> {
  copies += 1;
  await worker.notify({ ...view, [`copy${copies}`]: null });
  await worker.work(orderId);
}

async function recheck(): Promise<void> {
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

async function act(command: CaseCommand, extra: Partial<Pick<CaseAction, "actor" | "caseId" | "version">> = {}) {
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

const sent = () => gateway.journal.map(({ action }) => action);
const reasons = async () => (await worker.caseOf(orderId)).decision?.reasons.map(({ code }) => code);
const refusedRead = () => new ScriptedFailure("responded", "gateway.http_status");
const away = () => new ScriptedFailure("before-sending", "gateway.unreachable");

/** A case that waits for a person although a rule would accept: they stopped it. */
async function stopped(changes: Changes = {}): Promise<void> {
  await notified({ timing: { ...defaultTiming, undoWindowMs: 600_000 }, ...changes });
  expect(await act({ action: "stop" })).toMatchObject({ outcome: "accepted" });
}

/** A case that waits for a person, as every one does under this policy. */
async function waiting(changes: Changes = {}): Promise<void> {
  const reviewing = policyOf({ when: "true", do: "review" });
  await notified({ policyOf: () => reviewing, ...changes });
  expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
}

describe("what a person has stopped", () => {
  test("is not sent after the gateway refuses the status", async () => {
    await stopped();

    gateway.statusFailure = refusedRead();
    await notifiedAgain();
    const unreadable = await worker.caseOf(orderId);
    gateway.statusFailure = null;
    await notifiedAgain();

    expect(unreadable).toMatchObject({ state: "awaiting-agent", decision: { decidedBy: "person:ana" } });
    expect(unreadable.lastError).not.toBeNull();
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { decidedBy: "person:ana" },
    });
    expect(sent()).toEqual([]);
  });

  test("is not sent after a status that did not offer it, nor after one that did not show the order", async () => {
    await stopped({ timing: { ...defaultTiming, undoWindowMs: 600_000 } });

    gateway.status = withoutFlags(body);
    await notifiedAgain();
    gateway.status = sampleNotification("minor-delay", { orderId: "ELSE", reference });
    await notifiedAgain();
    gateway.status = body;
    await notifiedAgain();

    const found = await worker.caseOf(orderId);
    expect(found).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:person-decided" } });
    expect(found.undoUntil).toBeNull();
    expect(sent()).toEqual([]);
  });

  test("is decided by the rules again once another change is proposed", async () => {
    await stopped();
    gateway.status = withDeparture(body, "07:25:00");
    await notifiedAgain(gateway.status);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accept-pending", decision: { action: "accept" } });
  });

  test("is asked about again when the case was closed and the change is notified once more, unless it is reopened", async () => {
    await stopped();
    await act({ action: "close" });
    await notifiedAgain();
    const [again] = await worker.casesOf(orderId);
    expect(again).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:person-decided" } });

    await act({ action: "close" });
    await act({ action: "reopen" }, { caseId: again!.id });
    await worker.work(orderId);
    expect(sent()).toEqual([]);
  });

  test("is decided by the rules in the case by which a person reopens it", async () => {
    await stopped();
    await act({ action: "close" });
    await act({ action: "reopen" });
    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accept-pending", decision: { action: "accept" } });
  });
});

describe("what a person has decided and nobody could send yet", () => {
  test("is asked about again after a long outage, and no rule decides instead", async () => {
    await stopped({
      policyOf: () => accepting,
      timing: { ...defaultTiming, escalateAfterMs: 0, undoWindowMs: 600_000 },
    });
    await act({ action: "cancel", confirm: orderId });
    gateway.statusFailure = away();
    await worker.work(orderId);
    await recheck();
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:gateway" },
    });

    gateway.statusFailure = null;
    gateway.status = withDeparture(body, "07:25:00");
    await notifiedAgain(gateway.status);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", decision: { decidedBy: "policy" } });
    expect(await reasons()).toContain("person-decided");
    expect(sent()).toEqual([]);
  });

  test("is asked about again when the traveller refuses meanwhile", async () => {
    await waiting();
    gateway.statusFailure = away();
    await act({ action: "accept" });
    await worker.work(orderId);

    const answered = { action: "traveller-answered", channel: "phone", answer: "refuses" } as const;
    await act({ ...answered, happenedAt: new Date(Date.now() - 60_000) });
    gateway.statusFailure = null;
    await recheck();

    expect(sent()).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent" });
    expect(await reasons()).toContain("traveller-answered");
  });

  test("can be stopped by a person who looked before the gateway was tried once more", async () => {
    await waiting();
    await act({ action: "accept" });
    gateway.statusFailure = away();
    await worker.work(orderId);
    const { version } = await worker.caseOf(orderId);
    await recheck();
    expect((await worker.caseOf(orderId)).version).not.toBe(version);

    expect(await act({ action: "stop" }, { version })).toMatchObject({ outcome: "accepted", state: "awaiting-agent" });
    gateway.statusFailure = null;
    await recheck();

    expect(sent()).toEqual([]);
  });

  test("can still be stopped while the gateway cannot be read, and not while it can", async () => {
    await waiting();
    await act({ action: "accept" });
    expect(await act({ action: "stop" })).toMatchObject({ outcome: "conflict" });
    expect((await worker.caseOf(orderId)).possibleActions).not.toContain("stop");

    gateway.statusFailure = away();
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).possibleActions).toContain("stop");
    expect(await act({ action: "stop" })).toMatchObject({ outcome: "accepted", state: "awaiting-agent" });
    gateway.statusFailure = null;
    await notifiedAgain();

    expect(sent()).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { decidedBy: "person:ana" },
    });
  });
});

describe("what a person has decided about one proposal, while the airline makes others", () => {
  const second = () => withDeparture(body, "07:25:00");
  const third = () => withDeparture(body, "07:35:00");

  test("and that was never sent: is theirs to decide for each of them", async () => {
    await stopped({ policyOf: () => accepting });
    await act({ action: "cancel", confirm: orderId });
    gateway.status = second();
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ decision: { rule: "check:proposal-changed" } });

    gateway.status = third();
    await notifiedAgain(third());

    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:person-decided" },
    });
    expect(sent()).toEqual([]);
  });

  test("holds when the traveller has answered about another one only", async () => {
    await stopped({ policyOf: () => accepting });
    gateway.status = second();
    await notifiedAgain(second());
    const answered = { action: "traveller-answered", channel: "phone", answer: "refuses" } as const;
    await act({ ...answered, happenedAt: new Date(Date.now() - 60_000) });
    await worker.work(orderId);

    gateway.status = body;
    await notifiedAgain();

    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:person-decided" },
    });
  });
});

describe("what a person is asked after an effect", () => {
  test("is not answered by a rule that would send what was refused once more", async () => {
    gateway.responses.push(async () => [result({ orderId, gdsBookingReferences: [reference] }, "FAILED", "no")]);
    await notified({ policyOf: () => accepting });
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:effect" } });

    gateway.status = withoutFlags(body);
    await notifiedAgain();
    gateway.status = body;
    await notifiedAgain();

    expect(sent()).toEqual(["accept"]);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:person-decided" },
    });
  });

  test("is not decided by a rule when the proposal differs from the one that the person had decided on", async () => {
    await stopped({ policyOf: () => accepting, timing: { ...defaultTiming, undoWindowMs: 600_000 } });
    await act({ action: "accept" });
    gateway.status = withDeparture(body, "07:25:00");
    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ decision: { rule: "check:proposal-changed" } });

    await act({ action: "traveller-informed", channel: "phone", happenedAt: new Date(Date.now() - 60_000) });
    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", undoUntil: null });
    expect(sent()).toEqual([]);
  });
});

test("a case that waits for the traveller stays so while the gateway is away", async () => {
  await waiting();
  await act({ action: "traveller-asked", channel: "phone", happenedAt: new Date(Date.now() - 60_000) });

  gateway.statusFailure = away();
  await notifiedAgain();

  const found = await worker.caseOf(orderId);
  expect(found.state).toBe("awaiting-traveller");
  expect(found.possibleActions).toContain("close");
});

test("an order that an import gives a booking reference can be asked about, whoever notifies of it without", async () => {
  const [order] = body.OrderViewRS.Order;
  delete order!["GdsBookingReference"];
  await notified({ policyOf: () => accepting });
  expect(gateway.statusReads).toBe(0);

  await db.ownerDatabase.pool.query("update skedchange.orders set gds_booking_references = $2 where order_id = $1", [
    orderId,
    [reference],
  ]);
  gateway.status = withFlags(sampleNotification("minor-delay", { orderId, reference }), flags);
  await notifiedAgain();

  expect(gateway.journal).toMatchObject([{ action: "accept", query: { gdsBookingReferences: [reference] } }]);
});

describe("a notification that the status does not show yet", () => {
  const earlier = () => withDeparture(body, "07:25:00");

  test("is looked for again after an accept, although nothing is open any more", async () => {
    gateway.responses.push(async () => {
      await worker.notify(earlier());
      gateway.status = settled(withDelayTaken(body), "Accepted");
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await notified({ policyOf: () => accepting });
    const done = await worker.caseOf(orderId);
    expect(done.state).toBe("done");
    expect(done.dueAt).not.toBeNull();

    gateway.status = earlier();
    await recheck();
    await worker.work(orderId);

    expect(await worker.casesOf(orderId)).toHaveLength(2);
  });
});

describe("a change that was answered a moment ago", () => {
  test("is not answered once more by a person while the status may be an old one, in whichever case", async () => {
    await notified({ policyOf: () => accepting });
    expect(sent()).toEqual(["accept"]);
    await notifiedAgain();
    expect(await worker.casesOf(orderId)).toHaveLength(2);
    expect((await worker.caseOf(orderId)).possibleActions).not.toContain("accept");

    expect(await act({ action: "accept" })).toMatchObject({ outcome: "refused", code: "desk.already_carried_out" });
    expect(await act({ action: "cancel", confirm: orderId })).toMatchObject({
      outcome: "refused",
      code: "desk.already_carried_out",
    });
    expect(sent()).toEqual(["accept"]);
  });
});

describe("a status that says otherwise than the response", () => {
  /** Accepted by the rules; the first status afterwards says that only a part was. */
  async function partlyAccepted(): Promise<void> {
    gateway.responses.push(async () => {
      const whole = settled(withDelayTaken(body), "Accepted");
      const partly = structuredClone(whole);
      for (const order of partly.OrderViewRS.Order) order["ScheduleChangeStatus"] = "Partially-Accepted";
      let reads = 0;
      gateway.status = () => (reads++ === 0 ? partly : whole);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await notified({ policyOf: () => accepting });
    expect((await worker.caseOf(orderId)).state).toBe("accepting");
  }

  test("for a moment only does not keep an accept from ending", async () => {
    await partlyAccepted();
    await recheck();

    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("is a person's when it cannot be read again", async () => {
    await partlyAccepted();
    gateway.statusFailure = refusedRead();
    await recheck();

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:effect" } });
    expect(await reasons()).toEqual(["status-contradicts-result"]);
  });
});
