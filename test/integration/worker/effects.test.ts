import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import type { NewTask } from "../../../src/cases/case-update.ts";
import type { EffectResult } from "../../../src/cases/effect.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withBlankStatus,
  withDelayTaken,
  withDeparture,
} from "../../builders/sample-notification.ts";

import { aroundSaving } from "../../harness/around-saving.ts";
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
import { policyFrom } from "../../unit/policy/policies.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let reference: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
/** What gateways do in one test must not stop automation in the next. */
beforeEach(() => forgetOutcomes(db.database));
beforeEach(() => {
  orderNumber += 1;
  orderId = `EFFECT${orderNumber}`;
  reference = `REF${orderNumber}`;
});

async function notified(sample: SampleName, prepare: (body: OrderViewBody) => OrderViewBody = (body) => body) {
  const body = prepare(sampleNotification(sample, { orderId, reference }));
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  return body;
}

async function act(command: CaseCommand) {
  const { id } = await worker.caseOf(orderId);
  return await worker.worker.act({
    ...command,
    caseId: id,
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
  });
}

async function look(): Promise<void> {
  await worker.makeDue(orderId);
  await worker.work(orderId);
}

async function tasks(): Promise<readonly (Pick<NewTask, "kind"> & { readonly codes: readonly string[] })[]> {
  const { rows } = await db.ownerDatabase.pool.query<NewTask>(
    "select kind, reasons from skedchange.tasks where order_id = $1 order by kind",
    [orderId],
  );
  return rows.map(({ kind, reasons }) => ({ kind, codes: reasons.map(({ code }) => code) }));
}

async function events(): Promise<readonly string[]> {
  return (await worker.caseOf(orderId)).timeline.map(({ kind }) => kind);
}

describe("an accept that the gateway turns away for now", () => {
  const refuse = async (): Promise<never> => {
    throw new ScriptedFailure("responded", "gateway.http_status", true);
  };

  test("is carried to it again later, as another effect of the same decision", async () => {
    await notified("minor-delay");
    gateway.responses.push(refuse, refuse);

    await worker.work(orderId);
    const first = await worker.caseOf(orderId);
    await look();
    await look();

    expect(first).toMatchObject({ state: "checking", failures: 1, effects: [{ state: "failed" }] });
    expect(first.dueAt).not.toBeNull();
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({ state: "done", failures: 0 });
    expect(done.effects.map(({ state }) => state)).toEqual(["succeeded", "failed", "failed"]);
    expect(done.decisions).toHaveLength(1);
  });

  test("is a person's after five times", async () => {
    await notified("minor-delay");
    gateway.responses.push(...Array.from({ length: 10 }, () => refuse));

    await worker.work(orderId);
    for (let time = 2; time <= 4; time++) await look();
    expect((await worker.caseOf(orderId)).state).toBe("checking");
    await look();
    await look();

    expect(gateway.journal).toHaveLength(5);
    const asked = await worker.caseOf(orderId);
    expect(asked).toMatchObject({ state: "awaiting-agent", dueAt: null });
    expect(asked.decision?.reasons[0]?.code).toBe("gateway-refused");
    expect(asked.decision?.reasons[0]?.text).toContain("5 times");
  });
});

describe("an effect for which the gateway does not take our credentials", () => {
  const refuse = async (): Promise<never> => {
    throw new ScriptedFailure("responded", "gateway.unauthorized");
  };

  test("waits and is sent again under the same decision, as an accept", async () => {
    await notified("minor-delay");
    gateway.responses.push(...Array.from({ length: 6 }, () => refuse));

    await worker.work(orderId);
    const first = await worker.caseOf(orderId);
    for (let time = 2; time <= 7; time++) await look();

    expect(first).toMatchObject({
      state: "checking",
      failures: 1,
      effects: [{ state: "failed", error: { code: "desk.credentials_refused" } }],
    });
    expect(first.dueAt).not.toBeNull();
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({ state: "done", failures: 0 });
    expect(done.decisions).toHaveLength(1);
    expect(gateway.journal).toHaveLength(7);
  });

  test.each([
    ["goes on waiting before an hour is over", 59, "checking"],
    ["is a person's after an hour", 60, "awaiting-agent"],
  ])("%s", async (_, minutes, state) => {
    await notified("minor-delay");
    gateway.responses.push(refuse, refuse);
    await worker.work(orderId);

    gateway.clock.aheadMs = minutes * 60_000;
    await look();

    const waiting = await worker.caseOf(orderId);
    expect(waiting.state).toBe(state);
    expect(waiting.decision?.reasons[0]?.code).toBe(state === "checking" ? "small-retiming" : "credentials-refused");
    expect(gateway.journal).toHaveLength(2);
  });
});

describe("the refund of a cancel", () => {
  /** 1134.38 USD were paid, and nothing is flown. */
  async function cancelled(changes: Partial<EffectResult>): Promise<void> {
    await notified("cancelled", (body) => {
      const [order] = body.OrderViewRS.Order;
      Object.assign(order ?? {}, { TotalPrice: { BookingCurrencyPrice: 1134.38 }, BookingCurrencyCode: "USD" });
      return body;
    });
    await worker.work(orderId);
    gateway.responses.push(async () => [
      { ...result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS"), ...changes },
    ]);
    expect(await act({ action: "cancel", confirm: orderId })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("done");
  }

  async function refund() {
    const { rows } = await db.ownerDatabase.pool.query(
      "select expected_refund, refund_check from skedchange.effects where order_id = $1",
      [orderId],
    );
    return rows[0];
  }

  test("that is lower leaves a task and a line in the timeline, and the case is done", async () => {
    await cancelled({ refundAmount: "1000.00" });

    expect(await refund()).toEqual({
      expected_refund: { amount: "1134.38", currency: "USD", basis: "unused-price" },
      refund_check: "lower",
    });
    expect(await tasks()).toEqual([{ kind: "check-refund", codes: ["refund-lower"] }]);
    expect(await events()).toEqual(expect.arrayContaining(["refund.lower", "task.opened", "case.done"]));
  });

  test("leaves a task when only a person saw that the cancel was carried out", async () => {
    await notified("cancelled");
    await worker.work(orderId);
    gateway.responses.push(async () => {
      throw new ScriptedFailure("unknown", "gateway.timeout");
    });
    await act({ action: "cancel", confirm: orderId });
    await worker.work(orderId);
    for (const _wait of defaultTiming.settleReadsMs) await look();
    expect((await worker.caseOf(orderId)).state).toBe("awaiting-agent");

    await act({ action: "confirm-effect" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(await tasks()).toEqual([{ kind: "check-refund", codes: ["not-shown-afterwards", "refund-not-stated"] }]);
  });
});

describe("an accept of which only a person knows what became", () => {
  async function unknown(): Promise<void> {
    const body = await notified("minor-delay");
    gateway.responses.push(async () => {
      throw new ScriptedFailure("unknown", "gateway.timeout");
    });
    await worker.work(orderId);
    gateway.status = withBlankStatus(body);
    for (const _wait of defaultTiming.settleReadsMs) await look();
    gateway.status = body;
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:effect", settled: null },
    });
  }

  test("is shown as marked by that person, with what contradicts it, once it was confirmed", async () => {
    await unknown();

    await act({ action: "confirm-effect" });
    await worker.work(orderId);

    const settled = { action: "accept", carriedOut: true, by: "person:ana", token: null, at: expect.any(Date) };
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "done",
      decision: { rule: "check:effect", settled },
      effects: [{ state: "succeeded", settled }],
    });
    expect(await tasks()).toEqual([
      { kind: "check-ticket", codes: ["not-shown-afterwards", "documents-show-other-flights"] },
    ]);
  });

  test("is an agent's to decide again once it was refuted, and the question counts as answered", async () => {
    await unknown();

    await act({ action: "refute-effect" });
    await worker.work(orderId);

    const settled = { action: "accept", carriedOut: false, by: "person:ana" };
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:effect", settled },
      effects: [{ state: "failed", settled }],
    });
    expect(await tasks()).toEqual([]);
  });
});

describe("a cancel that succeeded", () => {
  const cancelling = policyFrom(`version: 1
name: cancelling
settings: { orderValue: { EUR: 5000, USD: 5000 } }
rules:
  - name: withdrawn
    when: cancelled && !partiallyCancelled && ticketed && departedFlightCount == 0
    do: cancel
    reason: withdrawn
`);

  /** By the rules, because nothing is left to fly. */
  async function cancelledByPolicy(statusLagMs = defaultTiming.statusLagMs): Promise<OrderViewBody> {
    const body = sampleNotification("cancelled", { orderId, reference });
    const [order] = body.OrderViewRS.Order;
    Object.assign(order ?? {}, { TotalPrice: { BookingCurrencyPrice: 1134.38 }, BookingCurrencyCode: "USD" });
    gateway = createScriptedGateway(body);
    worker = createWorkerUnderTest(db.database, gateway, {
      policyOf: () => cancelling,
      timing: { ...defaultTiming, statusLagMs },
    });
    await worker.notify(body);
    await worker.work(orderId);
    expect(gateway.journal.map(({ action }) => action)).toEqual(["cancel"]);
    return body;
  }

  test("is waited for when another notification contains the change while the status still shows it as open", async () => {
    const body = await cancelledByPolicy();

    await worker.notify({ ...body, again: null });
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({
      state: "snoozed",
      decision: { action: "wait", rule: "check:already-cancelled" },
    });
  });
});

describe("seats and services after an accept", () => {
  /** A seat on the flight that changes. */
  function withSeat(body: OrderViewBody): OrderViewBody {
    const seat = {
      SeatNumber: "12A",
      SegmentNumber: 1,
      Origin: "LIS",
      Destination: "FRA",
      PaxRef: "T1",
      Status: "SUCCESS",
    };
    Object.assign(body.OrderViewRS.Order[0] ?? {}, { PaxSeatInfo: [seat] });
    return body;
  }

  test("leave it beside the task for the ticket, also when a person accepted", async () => {
    await notified("flight-number-only", withSeat);
    gateway.documents = new ScriptedFailure("responded", "gateway.not_offered");
    await worker.work(orderId);

    await act({ action: "accept" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(await tasks()).toMatchObject([
      { kind: "check-services", codes: ["seats-at-risk"] },
      { kind: "check-ticket", codes: ["flights-changed", "documents-not-read"] },
    ]);
  });
});

describe("the tickets after an accept", () => {
  /** What AirDocRetreive returns once the delay is taken. */
  function taken(body: OrderViewBody, changes: Record<string, unknown> = {}): OrderViewBody {
    const view = withDelayTaken(body);
    Object.assign(view.OrderViewRS.Order[0] ?? {}, changes);
    return view;
  }

  async function documentViews(): Promise<number> {
    const { rows } = await db.ownerDatabase.pool.query(
      "select 1 from skedchange.document_views v join skedchange.cases c on c.id = v.case_id where c.order_id = $1",
      [orderId],
    );
    return rows.length;
  }

  test("are read and kept, and leave nothing to do when they fit", async () => {
    const body = await notified("minor-delay");
    gateway.documents = taken(body);

    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(await documentViews()).toBe(1);
    expect(await tasks()).toEqual([]);
  });
});

describe("a status that cannot be read after an accept", () => {
  const away = new ScriptedFailure("before-sending", "gateway.circuit_open", true);

  /** The gateway takes the accept and is away at the next read. */
  async function acceptedUnseen(failure: ScriptedFailure): Promise<OrderViewBody> {
    const body = await notified("minor-delay");
    gateway.responses.push(async () => {
      gateway.statusFailure = failure;
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await worker.work(orderId);
    return body;
  }

  test("is waited for, and shows that the airline had put other flights in the place of those decided about", async () => {
    const body = await acceptedUnseen(away);
    const waiting = await worker.caseOf(orderId);
    gateway.statusFailure = null;
    const taken = withDelayTaken(body);
    taken.OrderViewRS.DataLists.FlightSegmentList.FlightSegment[0]!.Departure.Time = "09:55:00";
    gateway.status = settled(taken, "Accepted");

    await look();

    expect(waiting).toMatchObject({ state: "accepting", failures: 1, effects: [{ state: "succeeded" }] });
    expect(waiting.dueAt).not.toBeNull();
    const asked = await worker.caseOf(orderId);
    expect(asked).toMatchObject({ state: "awaiting-agent" });
    expect(asked.decision?.reasons[0]?.code).toBe("accepted-other-flights");
    expect(gateway.journal).toHaveLength(1);
  });
});

describe("an airline that puts another change in the place of the one decided about, right before the accept", () => {
  /** The accepted flights, as they became in truth. */
  function takenOtherwise(body: OrderViewBody): OrderViewBody {
    const taken = withDelayTaken(body);
    const flight = taken.OrderViewRS.DataLists.FlightSegmentList.FlightSegment[0]!;
    flight.Departure.Time = "09:55:00";
    flight.Arrival.Time = "14:05:00";
    return settled(taken, "Accepted");
  }

  test("is found out by its notification, when the status right after the accept was a stored one", async () => {
    const body = await notified("minor-delay");
    const other = withDeparture(body, "09:55:00");
    gateway.responses.push(async () => {
      await worker.notify(other);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await worker.work(orderId);
    const done = await worker.caseOf(orderId);
    gateway.status = takenOtherwise(body);

    await look();
    await look();

    expect(done.state).toBe("done");
    const asked = await worker.caseOf(orderId);
    expect(asked.id).not.toBe(done.id);
    expect(asked).toMatchObject({ state: "awaiting-agent", decision: { rule: "check:accepted-other-flights" } });
    expect(gateway.journal).toHaveLength(1);
  });

  test("is asked about once, whatever is notified afterwards", async () => {
    const body = await notified("minor-delay");
    gateway.responses.push(async () => {
      gateway.status = takenOtherwise(body);
      return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
    });
    await worker.work(orderId);
    const asked = await worker.caseOf(orderId);
    await act({ action: "close" });

    await worker.notify(body);
    await worker.work(orderId);
    const copied = await worker.caseOf(orderId);
    await worker.notify(withDeparture(body, "09:55:00"));
    await worker.work(orderId);

    expect(asked.decision?.reasons[0]?.code).toBe("accepted-other-flights");
    expect(asked.headline).toMatch(
      /^Other flights are booked than were proposed. Booked now: .*, 09:55 to 14:05. Proposed: /,
    );
    expect(copied).toMatchObject({ id: asked.id, state: "closed" });
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "resolved-elsewhere" });
  });
});

describe("the undo window of an automatic effect", () => {
  const windowMs = 600_000;

  async function decided(sample: SampleName = "minor-delay"): Promise<OrderViewBody> {
    const body = sampleNotification(sample, { orderId, reference });
    gateway = createScriptedGateway(body);
    worker = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, undoWindowMs: windowMs } });
    await worker.notify(body);
    await worker.work(orderId);
    return body;
  }

  async function undoLeftMs(): Promise<number | null> {
    const { rows } = await db.ownerDatabase.pool.query<{ left: number | null }>(
      "select (extract(epoch from undo_until - now()) * 1000)::float8 as left from skedchange.cases where order_id = $1",
      [orderId],
    );
    return rows[0]?.left ?? null;
  }

  async function endWindow(): Promise<void> {
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set undo_until = now(), due_at = now() where order_id = $1",
      [orderId],
    );
  }

  test("holds it back, with the decision and the time to be seen", async () => {
    await decided();

    expect(gateway.journal).toEqual([]);
    const held = await worker.caseOf(orderId);
    expect(held).toMatchObject({ state: "accept-pending", decision: { action: "accept" }, effects: [] });
    const left = (await undoLeftMs()) ?? 0;
    expect(left).toBeGreaterThan(windowMs - 60_000);
    expect(left).toBeLessThanOrEqual(windowMs);
    expect(Math.abs((held.dueAt?.getTime() ?? 0) - Date.now() - left)).toBeLessThan(30_000);
  });

  test("ends with another look at the status, and the effect", async () => {
    await decided();
    const { statusReads } = gateway;

    await endWindow();
    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(gateway.statusReads).toBeGreaterThan(statusReads);
    expect((await worker.caseOf(orderId)).state).toBe("done");
    expect(await undoLeftMs()).toBeNull();
  });

  test("is not shortened by a notification or a person who asks to look again", async () => {
    const body = await decided();
    await worker.notify({ ...body, again: null });
    await worker.work(orderId);
    await act({ action: "recheck" });
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    const held = await worker.caseOf(orderId);
    expect(held).toMatchObject({ state: "accept-pending" });
    expect(held.decisions).toHaveLength(1);
    expect((held.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(windowMs - 60_000);
  });

  test("begins anew for another proposal", async () => {
    const body = await decided();
    await db.ownerDatabase.pool.query(
      "update skedchange.cases set undo_until = now() + interval '1 s' where order_id = $1",
      [orderId],
    );
    gateway.status = withDeparture(body, "07:25:00");

    await worker.notify(gateway.status);
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    expect((await worker.caseOf(orderId)).decisions).toHaveLength(2);
    expect(await undoLeftMs()).toBeGreaterThan(windowMs - 60_000);
  });

  test("is over for good once a person has stopped it, whoever looks again", async () => {
    const body = await decided();

    expect(await act({ action: "stop" })).toMatchObject({ outcome: "accepted", state: "awaiting-agent" });
    await endWindow();
    await worker.work(orderId);
    await worker.notify({ ...body, again: null });
    await worker.work(orderId);

    expect(gateway.journal).toEqual([]);
    const stopped = await worker.caseOf(orderId);
    expect(stopped.state).toBe("awaiting-agent");
    expect(stopped.decision?.reasons[0]?.code).toBe("person-stopped");
  });
});

describe("an effect that cannot be sent", () => {
  test.each([
    ["is tried again", defaultTiming.escalateAfterMs, "checking"],
    ["is a person's once that has lasted too long", 0, "awaiting-agent"],
  ])("%s", async (_name, escalateAfterMs, state) => {
    await notified("minor-delay");
    const unreachable = async (): Promise<never> => {
      throw new ScriptedFailure("before-sending", "gateway.unreachable");
    };
    gateway.responses.push(unreachable, unreachable);
    worker = createWorkerUnderTest(db.database, gateway, { timing: { ...defaultTiming, escalateAfterMs } });

    await worker.work(orderId);
    expect((await worker.caseOf(orderId)).state).toBe("checking");
    await look();

    expect(await worker.caseOf(orderId)).toMatchObject({ state, effects: [{ state: "failed" }, { state: "failed" }] });
  });
});

describe("a response that the database cannot take", () => {
  const away = () => Object.assign(new Error("terminating connection"), { code: "57P01" });

  /** A worker whose database is away for the first tries to keep an outcome. */
  function flaky(failures: number): void {
    const { store } = worker.context;
    let left = failures;
    worker = createWorkerUnderTest(db.database, gateway, {
      timing: { ...defaultTiming, retry: { baseMs: 1, capMs: 2, jitter: 0 } },
      store: aroundSaving(store, "effect-outcome", async (save) => {
        left -= 1;
        if (left >= 0) throw away();
        return await save();
      }),
    });
  }

  test("for a moment is kept when it is back", async () => {
    await notified("minor-delay");
    flaky(3);

    await worker.work(orderId);

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done", effects: [{ state: "succeeded" }] });
    expect(await events()).not.toContain("effect.unknown");
  });

  test("for longer is unknown, and nothing is sent again meanwhile", async () => {
    await notified("minor-delay");
    flaky(5);

    await worker.worker.workOn({ source: "default", orderId });
    await look();

    expect(gateway.journal).toHaveLength(1);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "accepting", effects: [{ state: "unknown" }] });
  });
});

describe("an effect of which nothing is known yet", () => {
  test("keeps what was decided from being lost when its first attempt fails in a later step", async () => {
    const body = await notified("minor-delay");
    let reads = 0;
    gateway.statusesTakeMs = [2_000];
    gateway.status = () => {
      reads += 1;
      if (reads === 2) throw new ScriptedFailure("unknown", "gateway.timeout");
      return body;
    };

    await worker.work(orderId);
    const waiting = await worker.caseOf(orderId);
    await look();

    expect(waiting).toMatchObject({ state: "checking", failures: 1, decision: { action: "accept" } });
    const done = await worker.caseOf(orderId);
    expect(done).toMatchObject({ state: "done", failures: 0 });
    expect(done.decisions).toHaveLength(1);
    expect(gateway.journal).toHaveLength(1);
  });
});
