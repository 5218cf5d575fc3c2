import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withDelayTaken,
  withDeparture,
  withFlags,
} from "../../builders/sample-notification.ts";
import { aroundSaving } from "../../harness/around-saving.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import {
  createMovableClock,
  createScriptedGateway,
  result,
  ScriptedFailure,
  type ScriptedGateway,
  settled,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** What comes at the worst moment: nothing may get lost, go round for ever, or wait where nobody looks. */

const hourMs = 3_600_000;

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
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeEach(() => {
  orderNumber += 1;
  orderId = `ENDURE${orderNumber}`;
  reference = `REF${orderNumber}`;
});

async function notified(sample: SampleName, prepare: (body: OrderViewBody) => OrderViewBody = (body) => body) {
  const body = prepare(sampleNotification(sample, { orderId, reference }));
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  return body;
}

/** Takes the first status after an effect for what it is. */
const readsOnce = { timing: { ...defaultTiming, settleReadsMs: [] } };

const act = async (
  action: "accept" | "cancel" | "close" | "recheck" | "confirm-effect" | "refute-effect",
  by: WorkerUnderTest = worker,
) =>
  by.worker.act({
    caseId: (await by.caseOf(orderId)).id,
    action,
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
    ...(action === "cancel" ? { confirm: orderId } : {}),
  });

async function secondsUntilDue(): Promise<number | null> {
  const { rows } = await db.ownerDatabase.pool.query<{ seconds: string | null }>(
    "select extract(epoch from due_at - now()) as seconds from skedchange.cases where order_id = $1 order by opened_at desc",
    [orderId],
  );
  const seconds = rows[0]?.seconds;
  return seconds === null || seconds === undefined ? null : Number(seconds);
}

describe("a change that arrives while an effect is under way", () => {
  test("is worked on once the effect has ended", async () => {
    const body = await notified("minor-delay");
    const next = withDeparture(body, "10:10:00");
    gateway.responses.push(async () => {
      gateway.status = next;
      await worker.notify(next);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });

    await worker.work(orderId);

    const cases = await worker.casesOf(orderId);
    expect(cases.map((found) => found.state)).toEqual(["awaiting-agent", "done"]);
    expect(cases[0]?.facts?.departureLaterMinutes).toEqual({ known: true, value: 180 });
  });

  test("is worked on even when the process died after the effect had ended", async () => {
    const body = await notified("minor-delay");
    const next = withDeparture(body, "10:10:00");
    const { store } = worker.context;
    const dying = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(store, "effect-outcome", async (save) => {
        await save();
        throw Object.assign(new Error("died"), { code: "desk.lease_lost" });
      }),
    });
    gateway.responses.push(async () => {
      gateway.status = next;
      await worker.notify(next);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await dying.worker.workOn({ source: "default", orderId });

    await worker.work(orderId);

    expect((await worker.casesOf(orderId)).map((found) => found.state)).toEqual(["awaiting-agent", "done"]);
  });

  test("is worked on also when it came by replaying a body that was quarantined", async () => {
    const body = await notified("minor-delay");
    const next = withDeparture(body, "10:10:00");
    gateway.responses.push(async () => {
      gateway.status = next;
      await db.ownerDatabase.pool.query(
        `with woken as (update skedchange.cases set wake = wake + 1, due_at = now() where order_id = $1 returning id)
        insert into skedchange.case_events (case_id, at, kind, actor) select id, now(), 'notification.replayed', 'person:ana'
        from woken`,
        [orderId],
      );
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });

    await worker.work(orderId);

    expect((await worker.casesOf(orderId)).map((found) => found.state)).toEqual(["awaiting-agent", "done"]);
  });

  test("is decided about although the status contradicts the result of the effect", async () => {
    const body = await notified("minor-delay");
    worker = createWorkerUnderTest(db.database, gateway, readsOnce);
    const next = withDeparture(body, "10:10:00");
    gateway.responses.push(async () => {
      const afterwards = gateway.statusReads + 1;
      gateway.status = () => (gateway.statusReads <= afterwards ? settled(body, "Rejected") : next);
      await worker.notify(next);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });

    await worker.work(orderId);

    const asked = await worker.caseOf(orderId);
    expect(asked.state).toBe("awaiting-agent");
    expect(asked.decisions.map((decision) => decision.reasons[0]?.code)).toContain("status-contradicts-result");
    expect(asked.facts?.departureLaterMinutes).toEqual({ known: true, value: 180 });
  });

  test("is looked at again after the lag when the status does not show it yet", async () => {
    const body = await notified("minor-delay");
    gateway.responses.push(async () => {
      await worker.notify(withDeparture(body, "10:10:00"));
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await worker.work(orderId);
    const waiting = await secondsUntilDue();
    const clock = createMovableClock();
    clock.aheadMs = defaultTiming.statusLagMs + 1_000;
    const later = createWorkerUnderTest(db.database, gateway, { clock });
    gateway.status = withDeparture(body, "10:10:00");
    await later.makeDue(orderId);
    await later.work(orderId);

    expect(waiting).toBeGreaterThan(defaultTiming.statusLagMs / 1000 - 60);
    expect((await worker.casesOf(orderId)).map((found) => found.state)).toEqual(["awaiting-agent", "done"]);
  });
});

describe("an order without a reference for the flag that is Y", () => {
  test("goes to a person, because an action would have nothing to run for", async () => {
    const body = await notified("minor-delay");
    const status = structuredClone(body);
    delete status.OrderViewRS.Order[0]?.["GdsBookingReference"];
    gateway.status = status;

    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", dueAt: null });
    expect(gateway.journal).toEqual([]);
    expect((await worker.caseOf(orderId)).decisions.length).toBeLessThanOrEqual(2);
  });
});

describe("a status that is older than its notification", () => {
  /** In a lower cabin, at the same times. */
  function lowered(body: OrderViewBody): OrderViewBody {
    const [detail] = body.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment[0]!.SegmentDetails;
    Object.assign(detail as object, { Code: { Cabin: "W" } });
    return body;
  }

  test("is waited for, and what it then shows is decided on", async () => {
    const body = await notified("minor-delay");
    gateway.status = withDeparture(body, "07:25:00");

    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "snoozed", decision: { rule: "check:not-shown-yet" } });
    expect(gateway.journal).toEqual([]);

    gateway.status = body;
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(gateway.journal).toMatchObject([{ action: "accept" }]);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("is not accepted in the cabin that it shows while the notification states a lower one", async () => {
    await notified("minor-delay", lowered);
    gateway.status = sampleNotification("minor-delay", { orderId, reference });

    for (let run = 0; run < 3; run++) {
      await worker.work(orderId);
      await worker.makeDue(orderId);
    }

    expect(gateway.journal).toEqual([]);
  });
});

describe("a gateway that returns another proposal each time", () => {
  test("ends with a person", async () => {
    const body = await notified("minor-delay");
    let reads = 0;
    // Each is old by the time that it is decided on, so none is carried out without another look.
    gateway.statusesTakeMs = Array.from({ length: 10 }, () => 2_000);
    gateway.status = () => {
      reads += 1;
      if (reads === 1) return body;
      return withDeparture(body, reads % 2 === 0 ? "07:20:00" : "07:25:00");
    };

    for (let run = 0; run < 3; run++) {
      await worker.work(orderId);
      await worker.makeDue(orderId);
    }

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", dueAt: null });
  });
});

describe("an unknown effect", () => {
  const lost = async (): Promise<never> => {
    throw new ScriptedFailure("unknown", "gateway.timeout");
  };

  test("whose status the gateway refuses is a person's, who can settle it", async () => {
    await notified("minor-delay");
    gateway.responses.push(lost);
    await worker.work(orderId);
    gateway.statusFailure = new ScriptedFailure("responded", "gateway.refused");

    await worker.makeDue(orderId);
    await worker.work(orderId);

    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", reviewQueue: "agent", effects: [{ state: "unknown" }] });
    expect(waiting.decision?.reasons[0]?.code).toBe("effect-outcome-unknown");
    expect(await act("confirm-effect")).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("whose status cannot be read for long needs an agent, while attempts go on", async () => {
    await notified("minor-delay");
    gateway.responses.push(lost);
    await worker.work(orderId);
    gateway.statusFailure = new ScriptedFailure("unknown", "gateway.timeout");
    const impatient = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, escalateAfterMs: 0 } });

    for (let run = 0; run < 3; run++) {
      await impatient.makeDue(orderId);
      await impatient.work(orderId);
      expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "unknown" }] });
    }

    const waiting = await worker.caseOf(orderId);
    expect(waiting.decision?.reasons[0]?.code).toBe("effect-outcome-unknown");
    expect(waiting.dueAt).not.toBeNull();
    expect(waiting.decisions).toHaveLength(2);
  });

  test("of a cancel is not confirmed by a PnrStatus alone, when the flags are missing", async () => {
    const body = await notified("cancelled");
    await worker.work(orderId);
    gateway.responses.push(lost);
    await act("cancel");
    await worker.work(orderId);
    const blank = withFlags(body, {});
    for (const order of blank.OrderViewRS.Order) order["PnrStatus"] = "CANCELLED";
    gateway.status = blank;

    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(await worker.caseOf(orderId)).toMatchObject({ effects: [{ state: "unknown" }] });
  });
});

describe("a finished case that is notified again", () => {
  test("opens a case for a person when the gateway refuses its status, instead of asking for ever", async () => {
    const body = await notified("minor-delay");
    await worker.work(orderId);
    gateway.statusFailure = new ScriptedFailure("responded", "gateway.refused");

    await worker.notify(body);
    await worker.makeDue(orderId);
    await worker.work(orderId);

    const cases = await worker.casesOf(orderId);
    expect(cases.map((found) => found.state)).toEqual(["awaiting-agent", "done"]);
    expect(cases.map((found) => found.dueAt)).toEqual([null, null]);
  });
});

describe("a process whose clock is not the database's", () => {
  test.each([hourMs, -hourMs])("(by %i ms) waits as long as it means to", async (aheadMs) => {
    await notified("minor-delay");
    const clock = createMovableClock();
    clock.aheadMs = aheadMs;
    const skewed = createWorkerUnderTest(db.database, gateway, { clock });
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");
    await skewed.worker.workOn({ source: "default", orderId });

    expect(await secondsUntilDue()).toBeGreaterThan(-60);
    expect(await secondsUntilDue()).toBeLessThan(2);
  });

  test("an hour ahead of it carries out a person's action at once", async () => {
    await notified("flight-number-only");
    const clock = createMovableClock();
    clock.aheadMs = hourMs;
    const skewed = createWorkerUnderTest(db.database, gateway, { clock });
    await skewed.work(orderId);
    await act("accept", skewed);

    expect(await secondsUntilDue()).toBeLessThanOrEqual(0);
  });

  test("an hour behind it does not decide again and again to wait", async () => {
    const body = sampleNotification("minor-delay", { orderId, reference });
    gateway = createScriptedGateway(body);
    const clock = createMovableClock();
    clock.aheadMs = -hourMs;
    const skewed = createWorkerUnderTest(db.database, gateway, { clock });
    await skewed.notify(body);
    await skewed.work(orderId);
    await skewed.notify({ ...body, again: null });
    await skewed.work(orderId);

    expect((await skewed.caseOf(orderId)).state).toBe("snoozed");
    expect((await skewed.caseOf(orderId)).decisions).toHaveLength(1);
  });
});

describe("a process that was paused right before sending", () => {
  test("sends nothing when it wakes up after its lease", () => sendsNothingAfter(defaultTiming.leaseMs + 1));

  test("sends nothing when the status that it decided on is no longer fresh", () => sendsNothingAfter(2_000));

  test("sends nothing when it wakes up after the rest of its lease", async () => {
    await sendsNothingAfter(1_000, async () => {
      const soon = "update skedchange.orders set leased_until = now() + interval '900 ms' where order_id = $1";
      await db.ownerDatabase.pool.query(soon, [orderId]);
    });
  });

  async function sendsNothingAfter(pausedMs: number, before = async () => {}): Promise<void> {
    await notified("minor-delay");
    const clock = createMovableClock();
    const store = createCaseStore(db.database, clock, dialect);
    const paused = createWorkerUnderTest(db.database, gateway, {
      clock,
      store: aroundSaving(store, "effect-sent", async (save) => {
        await before();
        const saved = await save();
        clock.aheadMs += pausedMs;
        return saved;
      }),
    });

    await paused.worker.workOn({ source: "default", orderId });

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({
      effects: [{ state: "failed", error: { code: "desk.not_sent" } }],
    });
    await worker.makeDue(orderId);
    await worker.work(orderId);
    expect(gateway.journal).toHaveLength(1);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  }
});

describe("a process that is not notified of a commit", () => {
  test("goes on from what was kept, once the database responds again", async () => {
    await notified("minor-delay");
    const deaf = createWorkerUnderTest(db.database, gateway, {
      store: aroundSaving(worker.context.store, "effect-sent", async (save) => {
        await save();
        throw Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
      }),
    });

    await deaf.worker.workOn({ source: "default", orderId });

    expect(gateway.journal).toEqual([]);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accepting", effects: [{ state: "sent" }] });
    await worker.makeDue(orderId);
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).effects).toMatchObject([{ state: "unknown" }]);
    expect(gateway.journal).toEqual([]);
  });
});

describe("an effect that succeeded once for a proposal", () => {
  test("is not sent a second time on the same case, even when a person asks", async () => {
    const body = await notified("minor-delay");
    worker = createWorkerUnderTest(db.database, gateway, readsOnce);
    gateway.responses.push(async () => {
      const contradicting = structuredClone(body);
      for (const order of contradicting.OrderViewRS.Order) order["ScheduleChangeStatus"] = "Rejected";
      gateway.status = contradicting;
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");

    expect(await act("accept")).toMatchObject({ outcome: "refused", code: "desk.already_carried_out" });
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(await act("close")).toMatchObject({ outcome: "accepted" });
  });
});

describe("an order that Skedchange fails on", () => {
  test("ends with a person, even when its notification cannot be read for the handover", async () => {
    await notified("minor-delay");
    const { store } = worker.context;
    const poison = (context: OrderContext | null) =>
      context &&
      Object.defineProperty({ ...context }, "notification", {
        get: () => {
          throw new Error("poison");
        },
      });
    const poisoned = createWorkerUnderTest(db.database, gateway, {
      store: {
        ...store,
        take: async (...call) => {
          const taken = await store.take(...call);
          return taken && { ...taken, context: taken.context.then(poison) };
        },
        load: async (...call) => poison(await store.load(...call)),
      },
    });

    for (let run = 0; run < 10; run++) {
      await worker.makeDue(orderId);
      await poisoned.worker.workOn({ source: "default", orderId }).catch(() => {});
    }

    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", dueAt: null });
    expect(waiting.decision?.reasons[0]?.code).toBe("processing-failed");
  });
});

describe("a stored notification that cannot be opened", () => {
  test("needs an agent after some attempts", async () => {
    await notified("minor-delay");
    await db.ownerDatabase.pool.query(
      `update skedchange.notifications n set body = 'x' from skedchange.case_notifications j
       join skedchange.cases c on c.id = j.case_id where j.notification_id = n.id and c.order_id = $1`,
      [orderId],
    );

    await worker.work(orderId);
    expect(await worker.caseOf(orderId)).toMatchObject({ failures: 1, lastError: { code: "store.body_changed" } });
    for (let run = 0; run < 8; run++) {
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }

    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", dueAt: null });
    expect(waiting.decision?.reasons[0]?.code).toBe("processing-failed");
  });
});

describe("an airline that goes to and fro", () => {
  test("has each of its changes decided", async () => {
    const there = await notified("minor-delay");
    await worker.work(orderId);
    const back = structuredClone(withDelayTaken(there));
    back.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment = [
      {
        SegmentKey: "Segment1",
        SegmentDetails: [{ Departure: { Time: "07:10:00" }, FlightDetail: { FlightDuration: { Value: "3 H 10 M" } } }],
      },
    ];
    for (const body of [back, there, back, there]) {
      gateway.status = body;
      await worker.notify(body);
      await worker.makeDue(orderId);
      await worker.work(orderId);
      if ((await worker.caseOf(orderId)).state === "awaiting-agent") {
        await act("accept");
        await worker.work(orderId);
      }
    }

    const cases = await worker.casesOf(orderId);
    expect(cases.map((found) => found.state)).toEqual(["done", "done", "done", "done", "done"]);
    expect(gateway.journal).toHaveLength(5);
  });
});

describe("a case that waits for a person", () => {
  test("stays theirs when it is looked at again and the gateway is away", async () => {
    const body = await notified("flight-number-only");
    await worker.work(orderId);
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");

    await worker.notify({ ...body, again: null });
    await worker.work(orderId);

    const waiting = await worker.caseOf(orderId);
    expect(waiting).toMatchObject({ state: "awaiting-agent", reviewQueue: "agent", failures: 1 });
    expect(waiting.dueAt).not.toBeNull();
    expect(await act("close")).toMatchObject({ outcome: "accepted" });
  });
});

describe("a status that does not show the change yet", () => {
  const beforeTheChange = (body: OrderViewBody): OrderViewBody => {
    const status = withFlags(body, { Accept: "N", Cancel: "N", ReSchedule: "N" });
    status.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment = [];
    for (const order of status.OrderViewRS.Order) {
      Object.assign(order, { PnrStatus: "CONFIRMED", ScheduleChangeIndicator: false, ScheduleChangeStatus: "" });
      order["ScheduleChange"] = (order["ScheduleChange"] as object[]).filter((entry) => "AmendmentsActions" in entry);
    }
    return status;
  };

  test("closes nothing, and the change is decided once it shows", async () => {
    const body = await notified("minor-delay");
    gateway.status = beforeTheChange(body);
    await worker.work(orderId);
    const waiting = await worker.caseOf(orderId);
    gateway.status = body;
    await worker.makeDue(orderId);
    await worker.work(orderId);

    expect(waiting).toMatchObject({ state: "snoozed", decision: { rule: "check:not-shown-yet" } });
    expect((await worker.caseOf(orderId)).state).toBe("done");
  });

  test("closes the case when it still shows none after the lag", async () => {
    const body = await notified("minor-delay");
    gateway.status = beforeTheChange(body);
    const late = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, statusLagMs: 0 } });

    await late.work(orderId);

    expect(await late.caseOf(orderId)).toMatchObject({ state: "resolved-elsewhere", dueAt: null });
  });
});

describe("a source with a long backlog of urgent cases", () => {
  test("does not keep the other sources waiting", async () => {
    const { pool } = db.ownerDatabase;
    await pool.query("update skedchange.cases set due_at = null");
    await pool.query(
      `insert into skedchange.orders (source, order_id)
       select case when n <= 500 then 'busy' when n <= 505 then 'calm' else 'quiet' end, 'FAIR' || n
       from generate_series(1, 510) n`,
    );
    await pool.query(
      `insert into skedchange.cases (id, source, order_id, state, due_at, priority, opened_at, updated_at)
       select gen_random_uuid(), source, order_id, 'received', now() - interval '1 hour',
         case source when 'busy' then 0 else 9 end, now(), now()
       from skedchange.orders where order_id like 'FAIR%'`,
    );
    const { store } = createWorkerUnderTest(
      db.database,
      createScriptedGateway(sampleNotification("minor-delay")),
    ).context;

    const taken = await store.takeDueOrders(30, 60_000);
    const none = await store.takeDueOrders(30, 60_000);

    const count = (source: string) => taken.filter((key) => key.source === source).length;
    expect([count("busy"), count("calm"), count("quiet")]).toEqual([20, 5, 5]);
    expect(
      taken
        .slice(0, 3)
        .map((key) => key.source)
        .toSorted(),
    ).toEqual(["busy", "calm", "quiet"]);
    expect(none).toEqual([]);
  });
});
