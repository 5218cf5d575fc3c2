import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { move } from "../../../src/cases/step.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { insertEffect } from "../../builders/case-rows.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withBlankStatus,
  withDelayTaken,
  withDeparture,
} from "../../builders/sample-notification.ts";
import { momentIn, upcoming } from "../../builders/upcoming.ts";
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

let db: TestDatabase;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));

/** A fresh order with a pending change, notified and shown by the gateway's status. */
let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeEach(() => {
  orderNumber += 1;
  orderId = `ORDER${orderNumber}`;
});

async function notified(sample: SampleName, prepare: (body: OrderViewBody) => OrderViewBody = (body) => body) {
  const body = prepare(sampleNotification(sample, { orderId, reference: `REF${orderNumber}` }));
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  return body;
}

describe("a change within the limits", () => {
  test("is accepted once, for its booking reference, and the case is done", async () => {
    await notified("minor-delay");

    await worker.work(orderId);

    expect(gateway.journal).toEqual([
      { action: "accept", query: { orderId, gdsBookingReferences: [`REF${orderNumber}`] } },
    ]);
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({ state: "done", dueAt: null, reviewQueue: null, failures: 0 });
    expect(done.decision).toMatchObject({ action: "accept", decidedBy: "policy" });
    expect(done.effects).toMatchObject([{ state: "succeeded", action: "accept", proposalDigest: done.proposalDigest }]);
    expect(done.departureAt).toEqual(momentIn("Europe/Lisbon", upcoming("2027-03-14T07:10")));
    expect(done.headline).toContain("LH1167");
  });

  test.each([
    ["sent on the status that it was decided on, and looked at once more afterwards", 0, ["decide", "after-effect"]],
    [
      "looked at again before it is sent when the status that it was decided on took two seconds",
      2_000,
      ["decide", "before-effect", "after-effect"],
    ],
  ])("is %s", async (_, tookMs, purposes) => {
    await notified("minor-delay");
    gateway.statusesTakeMs = [tookMs];

    await worker.work(orderId);

    const { rows } = await db.ownerDatabase.pool.query(
      `select v.purpose from skedchange.status_views v join skedchange.cases c on c.id = v.case_id
       where c.order_id = $1 order by v.read_at, v.id`,
      [orderId],
    );
    expect(rows.map((row) => row.purpose)).toEqual(purposes);
  });

  test("keeps everything needed to make the decision again", async () => {
    await notified("minor-delay");

    await worker.work(orderId);

    const [decision] = (await worker.caseOf(orderId)).decisions;
    expect(decision?.facts?.departureLaterMinutes).toEqual({ known: true, value: 20 });
    expect(decision?.flags?.accept).toEqual({ known: true, value: "Y" });
    expect(decision?.itineraries?.booked?.segments[0]?.departure.time).toBe("07:10");
    expect(decision?.itineraries?.proposed?.segments[0]?.departure.time).toBe("07:30");
    expect(decision?.evaluatedAt).toBeInstanceOf(Date);
    expect(decision?.versions).toMatchObject({ airports: "test", policy: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("is not accepted a second time when its notification is received again, however stale the status is", async () => {
    const body = await notified("minor-delay");
    await worker.work(orderId);

    expect(await worker.notify(body)).toBe(2);
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.casesOf(orderId)).toHaveLength(1);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("waits when another notification contains it again while the status still shows it as open", async () => {
    const body = await notified("minor-delay");
    await worker.work(orderId);

    await worker.notify({ ...body, again: null });
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    const again = await worker.caseOf(orderId);
    expect(again).toMatchObject({ state: "snoozed", decision: { action: "wait", rule: "check:already-accepted" } });
    expect(again.dueAt).not.toBeNull();
  });

  test("goes to a person when it is still shown as open long after it was accepted", async () => {
    const body = await notified("minor-delay");
    await worker.work(orderId);
    const late = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, statusLagMs: 0 } });

    await late.notify({ ...body, again: null });
    await late.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    const again = await late.caseOf(orderId);
    expect(again.state).toBe("awaiting-agent");
    expect(again.decision?.reasons[0]?.code).toBe("accepted-but-still-open");
  });
});

describe("a change beyond the limits", () => {
  test("is accepted when a person says so", async () => {
    await notified("flight-number-only");
    await worker.work(orderId);
    const { id, version } = await worker.caseOf(orderId);

    const outcome = await worker.worker.act({
      caseId: id,
      action: "accept",
      note: "called the airline",
      version,
      visible: null,
      actor: "person:ana",
    });
    await worker.work(orderId);

    expect(outcome).toMatchObject({ outcome: "accepted", state: "checking" });
    const done = await worker.caseOf(orderId);
    expect(done.state).toBe("done");
    expect(done.decision).toMatchObject({ action: "accept", decidedBy: "person:ana" });
    expect(done.decisions[0]?.note).toBe("called the airline");
    expect(done.decisions[1]).toMatchObject({ action: "review", supersededBy: done.decisions[0]?.id });
    expect(gateway.journal).toHaveLength(1);
  });

  test("is cancelled when a person says so, and its refund is kept as written", async () => {
    await notified("cancelled");
    await worker.work(orderId);
    gateway.responses.push(async () => [
      {
        ...result({ orderId, gdsBookingReferences: [`REF${orderNumber}`] }, "SUCCESS"),
        refundAmount: "412.50",
        refundText: "Full refund",
        refundPaxWiseFare: [{ ticketNumber: "0982100000001", amount: "412.50" }],
      },
    ]);

    await worker.worker.act({
      caseId: (await worker.caseOf(orderId)).id,
      action: "cancel",
      confirm: orderId,
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    });
    await worker.work(orderId);

    expect(gateway.journal.map((call) => call.action)).toEqual(["cancel"]);
    const done = await worker.caseOf(orderId);
    expect(done.state).toBe("done");
    expect(done.effects[0]?.results).toMatchObject([{ status: "SUCCESS", refundAmount: "412.50" }]);
  });

  test("keeps the same decision when nothing has changed since", async () => {
    const body = await notified("flight-number-only");
    await worker.work(orderId);
    await worker.notify({ ...body, again: null });

    await worker.work(orderId);

    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe("awaiting-agent");
    expect(waiting.decisions).toHaveLength(1);
    expect(waiting.notifications).toHaveLength(2);
  });

  test("is decided again when the airline proposes something else", async () => {
    const body = await notified("minor-delay", (sample) => withDeparture(sample, "09:10:00"));
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");

    gateway.status = withDeparture(body, "07:20:00");
    await worker.notify(gateway.status);
    await worker.work(orderId);

    const done = await worker.caseOf(orderId);
    expect(done.state).toBe("done");
    expect(done.decisions).toHaveLength(2);
    expect(await worker.casesOf(orderId)).toHaveLength(1);
  });
});

describe("a trip of which every flight has left", () => {
  test("leaves the queue with a decision that says so, and is not opened again by the same notice", async () => {
    const body = await notified("minor-delay");
    const yearsAhead = { now: () => new Date(Date.now() + 1_000 * 86_400_000) };
    const late = createWorkerUnderTest(db.database, gateway, { clock: yearsAhead });

    await late.work(orderId);

    const closed = await late.caseOf(orderId);
    expect(closed).toMatchObject({ state: "closed", reviewQueue: null, dueAt: null, effects: [] });
    expect(closed.decision).toMatchObject({ action: "none", rule: "departed", reasons: [{ code: "departed" }] });
    expect(closed.closedAt).not.toBeNull();
    await late.notify(body);
    await late.work(orderId);
    expect(await late.casesOf(orderId)).toHaveLength(1);
    await late.notify({ ...body, again: null });
    await late.work(orderId);
    expect((await late.casesOf(orderId)).map(({ state }) => state)).toEqual(["closed", "closed"]);
    expect(gateway.journal).toEqual([]);
  });
});

describe("two people who act at once", () => {
  test("are carried out once, and the other is refused", async () => {
    await notified("flight-number-only");
    await worker.work(orderId);
    const { id, version } = await worker.caseOf(orderId);

    const outcomes = await Promise.all(
      ["person:ana", "person:rui"].map((actor) =>
        worker.worker.act({ caseId: id, action: "accept", note: null, version, visible: null, actor }),
      ),
    );
    await worker.work(orderId);

    expect(outcomes.map((outcome) => outcome.outcome).sort()).toEqual(["accepted", "conflict"]);
    expect(gateway.journal).toHaveLength(1);
  });

  test("learn the newest version when the one they saw is old", async () => {
    await notified("flight-number-only");
    await worker.work(orderId);
    const { id, version } = await worker.caseOf(orderId);

    const outcome = await worker.worker.act({
      caseId: id,
      action: "close",
      note: null,
      version: version - 1,
      visible: null,
      actor: "person:ana",
    });

    expect(outcome).toMatchObject({ outcome: "conflict", version, state: "awaiting-agent" });
  });
});

describe("an effect belongs to its proposal", () => {
  test("so nothing is sent when the proposal changes between the decision and the sending", async () => {
    const body = await notified("minor-delay");
    gateway.statusesTakeMs = [2_000];
    const views = [body, withDeparture(body, "10:10:00")];
    gateway.status = () => (views.length > 1 ? (views.shift() as OrderViewBody) : (views[0] as OrderViewBody));

    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe("awaiting-agent");
    expect(waiting.decisions.map((decision) => decision.action)).toEqual(["review", "accept"]);
  });

  test("and a person's click on an old proposal is never carried out on a new one", async () => {
    const body = await notified("minor-delay", (sample) => withDeparture(sample, "09:10:00"));
    await worker.work(orderId);
    const { id } = await worker.caseOf(orderId);
    await worker.worker.act({
      caseId: id,
      action: "cancel",
      confirm: orderId,
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    });

    gateway.status = withDeparture(body, "07:20:00");
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe("awaiting-agent");
    expect(waiting.decision?.reasons[0]?.code).toBe("proposal-changed");
  });
});

describe("an effect whose outcome is unknown", () => {
  const lost = async (): Promise<never> => {
    throw new ScriptedFailure("unknown", "gateway.timeout");
  };

  test("is confirmed by a status that shows it, and never sent again", async () => {
    const body = await notified("minor-delay");
    gateway.responses.push(async () => {
      gateway.status = settled(withDelayTaken(body), "Accepted");
      return lost();
    });

    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accepting", effects: [{ state: "unknown" }] });
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
  });

  test("blocks every other effect of the order until a person has settled it", async () => {
    const body = await notified("minor-delay");
    gateway.status = withBlankStatus(body);
    gateway.responses.push(lost);
    await worker.work(orderId);
    for (let read = 0; read < defaultTiming.settleReadsMs.length; read++) {
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }
    const { id } = await worker.caseOf(orderId);
    const act = (action: "accept" | "refute-effect") =>
      worker.worker.act({ caseId: id, action, note: null, version: null, visible: null, actor: "person:ana" });

    expect(await act("accept")).toMatchObject({ outcome: "refused", code: "desk.effect_unsettled" });
    expect(await act("refute-effect")).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);
    expect(gateway.journal).toHaveLength(1);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
    expect(await act("accept")).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(2);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });
});

describe("a process that dies", () => {
  /** The state it leaves behind: a lease that has run out and an effect at the step where it died. */
  async function leaveBehind(state: "planned" | "sent"): Promise<void> {
    const { store } = worker.context;
    await store.takeDueOrders(100, 1);
    const taken = await store.take({ source: "default", orderId }, "dead process", 60_000);
    const context = await taken?.context;
    if (taken == null || context?.decision == null) throw new Error("nothing was decided");
    const { case: work, decision } = context;
    if (state === "planned") {
      // As processes left it that noted the plan before the sending.
      await insertEffect(db.ownerDatabase, work.id, decision.id, { state });
      await db.ownerDatabase.pool.query("update skedchange.cases set state = 'accepting' where id = $1", [work.id]);
    } else {
      const attempt = {
        effectId: null,
        action: "accept",
        gdsBookingReferences: work.gdsBookingReferences,
        proposalDigest: decision.proposalDigest ?? "",
        expectedRefund: null,
      } as const;
      await store.save(taken.lease, work, [
        { kind: "effect-sent", id: newId(systemClock), attempt, hourlyLimit: null },
      ]);
    }
    await db.ownerDatabase.pool.query(
      "update skedchange.orders set leased_until = now() - interval '1 s' where order_id = $1",
      [orderId],
    );
  }

  async function decidedToAccept(): Promise<void> {
    await notified("flight-number-only");
    await worker.work(orderId);
    const { id } = await worker.caseOf(orderId);
    await worker.worker.act({
      caseId: id,
      action: "accept",
      note: null,
      version: null,
      visible: null,
      actor: "person:ana",
    });
  }

  test("before anything was sent leaves a decision that the next one carries out", async () => {
    await decidedToAccept();
    await leaveBehind("planned");

    // The first look drops what was planned, the next one sends.
    await worker.work(orderId);
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    const done = await worker.caseOf(orderId);
    expect(done.state).toBe("done");
    expect(done.effects.map((effect) => effect.state)).toEqual(["succeeded", "failed"]);
  });

  test("after the sending was noted leaves an unknown outcome that nobody repeats blindly", async () => {
    await decidedToAccept();
    await leaveBehind("sent");
    gateway.status = withBlankStatus(gateway.status as OrderViewBody);

    await worker.work(orderId);
    for (let read = 0; read < defaultTiming.settleReadsMs.length; read++) {
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }

    expect(gateway.journal).toHaveLength(0);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
  });

  test("and wakes up again can no longer write", async () => {
    await notified("minor-delay");
    const { store } = worker.context;
    const old = await store.take({ source: "default", orderId }, "old", 60_000);
    const context = await old?.context;
    if (old == null || context == null) throw new Error("nothing was due");
    await db.ownerDatabase.pool.query("update skedchange.orders set leased_until = now() where order_id = $1", [
      orderId,
    ]);
    const next = await store.take({ source: "default", orderId }, "next", 60_000);
    expect(next?.lease.fence).toBe(old.lease.fence + 1);

    const change = move(context, { state: "closed", reviewQueue: null, dueAt: null }, { kind: "x.y", detail: {} });

    await expect(store.save(old.lease, context.case, [change])).rejects.toMatchObject({ code: "desk.lease_lost" });
    expect((await worker.caseOf(orderId)).state).toBe("checking");
  });
});

describe("the gateway's response to an effect", () => {
  test("FAILED is shown with its reason, and nothing is tried again by itself", async () => {
    await notified("minor-delay");
    gateway.responses.push(async () => [
      result({ orderId, gdsBookingReferences: [`REF${orderNumber}`] }, "FAILED", "segment not confirmed"),
    ]);

    await worker.work(orderId);
    await worker.notify({
      ...sampleNotification("minor-delay", { orderId, reference: `REF${orderNumber}` }),
      again: true,
    });
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", effects: [{ state: "failed" }] });
    expect(waiting.decision?.reasons[0]).toMatchObject({ code: "gateway-refused" });
    expect(waiting.decision?.reasons[0]?.text).toContain("segment not confirmed");
  });
});

describe("a gateway that cannot be read", () => {
  test("is asked again later, with growing waits, until the case is decided", async () => {
    await notified("minor-delay");
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");

    await worker.work(orderId);
    const first = await worker.caseOf(orderId);
    await worker.makeDue(orderId);
    await worker.work(orderId);
    const second = await worker.caseOf(orderId);
    gateway.statusFailure = null;
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(first).toMatchObject({ state: "checking", failures: 1, lastError: { code: "gateway.unreachable" } });
    expect(second.failures).toBe(2);
    expect((second.dueAt?.getTime() ?? 0) - second.updatedAt.getTime()).toBeGreaterThan(
      (first.dueAt?.getTime() ?? 0) - first.updatedAt.getTime(),
    );
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", failures: 0, lastError: null });
  });

  test("because it refuses is a person's case at once", async () => {
    await notified("minor-delay");
    gateway.statusFailure = new ScriptedFailure("responded", "gateway.refused");

    await worker.work(orderId);

    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", dueAt: null });
    expect(waiting.decision?.reasons[0]?.code).toBe("status-refused");
  });
});

describe("an order", () => {
  test("that was settled elsewhere is closed without an effect", async () => {
    const body = await notified("minor-delay");
    gateway.status = settled(withDelayTaken(body), "Accepted");

    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "resolved-elsewhere", dueAt: null });
  });

  test("that drifts is measured against what was booked, not against what was accepted last", async () => {
    const body = await notified("minor-delay");
    await worker.work(orderId);
    const next = structuredClone(withDelayTaken(body));
    next.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment = [
      {
        SegmentKey: "Segment1",
        SegmentDetails: [
          {
            Departure: { Date: upcoming("2027-03-14"), Time: "07:50:00" },
            FlightDetail: { FlightDuration: { Value: "3 H 10 M" } },
          },
        ],
      },
    ];
    gateway.status = next;

    await worker.notify(next);
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe("awaiting-agent");
    expect(waiting.facts?.departureLaterMinutes).toEqual({ known: true, value: 40 });
    expect(waiting.facts?.sinceAcceptedDepartureLaterMinutes).toEqual({ known: true, value: 20 });
  });
});

describe("handing out what is due", () => {
  test("never exceeds the limit, counting what is handed out already", async () => {
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");
    await db.ownerDatabase.pool.query("update skedchange.orders set dispatched_until = null");
    worker = createWorkerUnderTest(db.database, createScriptedGateway(sampleNotification("minor-delay")));
    for (const suffix of ["a", "b", "c"]) {
      await worker.notify(sampleNotification("minor-delay", { orderId: `${orderId}${suffix}` }));
    }

    const first = await worker.worker.takeDue(2);
    const second = await worker.worker.takeDue(2);
    const third = await worker.worker.takeDue(10);

    expect(first).toHaveLength(2);
    expect(second).toHaveLength(0);
    expect(third).toHaveLength(1);
  });

  test("gives an order to one of many feeders only", async () => {
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = null");
    await db.ownerDatabase.pool.query("update skedchange.orders set dispatched_until = null");
    worker = createWorkerUnderTest(db.database, createScriptedGateway(sampleNotification("minor-delay")));
    for (let index = 0; index < 20; index++) {
      await worker.notify(sampleNotification("minor-delay", { orderId: `${orderId}-${index}` }));
    }

    const taken = (await Promise.all(Array.from({ length: 5 }, () => worker.worker.takeDue(100)))).flat();

    expect(taken.map((key) => key.orderId).sort()).toEqual([...new Set(taken.map((key) => key.orderId))].sort());
    expect(taken).toHaveLength(20);
  });

  test("is what PostgreSQL says: an order that is not due is left alone, whatever the queue holds", async () => {
    await notified("flight-number-only");
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");
    const statusReads = gateway.statusReads;

    for (const forged of [orderId, "NEVER-HEARD-OF"]) {
      expect(await worker.worker.workOn({ source: "default", orderId: forged })).toBe("not-due");
    }
    expect(gateway.statusReads).toBe(statusReads);
  });
});
