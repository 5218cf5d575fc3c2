import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startJobs } from "../../../src/app/jobs.ts";
import { createShutdown } from "../../../src/app/shutdown.ts";
import { clockJobs } from "../../../src/app/worker-clocks.ts";
import { overduePriority } from "../../../src/cases/priority.ts";
import { defaultTiming } from "../../../src/cases/timing.ts";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createClockStore } from "../../../src/store/cases/clocks.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { markOverdueCases } from "../../../src/worker/overdue.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { sampleNotification, withDeparture } from "../../builders/sample-notification.ts";
import { momentIn, upcoming } from "../../builders/upcoming.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { createScriptedGateway, type ScriptedGateway, settled } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
  orderId = `CLOCK${orderNumber}`;
});

interface Clocks {
  readonly due_by: Date | null;
  readonly due_by_rule: string | null;
  readonly firm_due_by: Date | null;
  readonly overdue_at: Date | null;
  readonly priority: number;
  readonly version: number;
  /** How often a worker has found nothing new. */
  readonly looks: number;
  readonly flight_dates: readonly string[];
}

async function clocksOf(order: string): Promise<Clocks> {
  const { rows } = await db.database.pool.query<Clocks>(
    `select due_by, due_by_rule, firm_due_by, overdue_at, priority, version, flight_dates, (
       select count(*)::int from skedchange.case_events e where e.case_id = cases.id and e.kind = 'status.unchanged'
     ) as looks from skedchange.cases
     where order_id = $1 order by opened_at desc`,
    [order],
  );
  return rows[0]!;
}

/** A clock that the case had runs out at this moment, as when time had passed. */
async function setDueBy(order: string, fromNow: string): Promise<void> {
  await db.ownerDatabase.pool.query(
    "update skedchange.cases set due_by = now() + $2::interval, due_by_rule = 'response-target' where order_id = $1",
    [order, fromNow],
  );
}

/** The case of the order was opened, and its change first seen, so much earlier. */
async function letTimePass(interval: string): Promise<void> {
  await db.ownerDatabase.pool.query(
    `update skedchange.cases set opened_at = opened_at - interval '${interval}' where order_id = '${orderId}';
     alter table skedchange.decisions disable trigger user;
     update skedchange.decisions set decided_at = decided_at - interval '${interval}'
     where case_id = (select id from skedchange.cases where order_id = '${orderId}');
     alter table skedchange.decisions enable trigger user;`,
  );
}

async function overdueEventsOf(order: string): Promise<readonly { actor: string; detail: { rule: string } }[]> {
  const { rows } = await db.database.pool.query(
    `select e.actor, e.detail from skedchange.case_events e join skedchange.cases c on c.id = e.case_id
     where c.order_id = $1 and e.kind = 'case.overdue'`,
    [order],
  );
  return rows;
}

const store = () => createClockStore(db.database, systemClock);

async function markOverdue(): Promise<readonly string[]> {
  return (await store().markOverdue(100)).map((marked) => marked.orderId);
}

const flightDate = upcoming("2027-03-14");
const twoWeeksBefore = momentIn("Europe/Lisbon", upcoming("2027-02-28T07:10"));

/** LIS-FRA leaves at 05:30 and not at 07:10, which EU law takes for a cancellation. */
function broughtForward() {
  const body = sampleNotification("minor-delay", { orderId, reference: `REF${orderNumber}` });
  return withDeparture(body, "05:30");
}

/** An order with that change, which is with a person. */
async function waiting(targets = defaultTiming.responseTargets): Promise<{
  worker: WorkerUnderTest;
  gateway: ScriptedGateway;
}> {
  const body = broughtForward();
  const gateway = createScriptedGateway(body);
  const timing = { ...defaultTiming, responseTargets: targets, statusLagMs: 0 };
  const worker = createWorkerUnderTest(db.database, gateway, { timing });
  await worker.notify(body);
  await worker.work(orderId);
  return { worker, gateway };
}

describe("a case that waits for a person", () => {
  test("is due when EU law requires the traveller to be informed, if that comes first", async () => {
    await waiting();

    expect(await clocksOf(orderId)).toMatchObject({
      due_by: twoWeeksBefore,
      due_by_rule: "traveller-told-14-days",
      overdue_at: null,
    });
  });

  test("is due by the agency's own target when that comes first, and looking again does not move it", async () => {
    const { worker } = await waiting([{ priority: 0, hours: 8 }]);
    const first = await clocksOf(orderId);
    const { rows } = await db.database.pool.query(
      "select decided_at from skedchange.decisions order by decided_at desc",
    );
    expect(first.due_by_rule).toBe("response-target");
    expect(Math.abs((first.due_by?.getTime() ?? 0) - rows[0].decided_at.getTime() - 8 * 3_600_000)).toBeLessThan(
      60_000,
    );

    async function recheck(): ReturnType<typeof clocksOf> {
      await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);
      await worker.work(orderId);
      return clocksOf(orderId);
    }
    // The change was seen a moment before it was on record: from the second look on, the record counts.
    const second = await recheck();
    const third = await recheck();

    expect(third.looks).toBeGreaterThan(second.looks);
    expect(third).toMatchObject({ due_by: second.due_by, due_by_rule: "response-target" });
  });

  test("is due by the next clock once the traveller is informed", async () => {
    const { worker } = await waiting();
    const found = await worker.caseOf(orderId);
    await db.database.pool.query(
      `insert into skedchange.traveller_contacts (
         id, case_id, source, order_id, proposal_digest, kind, channel, happened_at, recorded_at, recorded_by
       ) values ($1, $2, 'default', $3, $4, 'informed', 'email', now(), now(), 'person:alice')`,
      [randomUUID(), found.id, orderId, found.proposalDigest],
    );
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);

    await worker.work(orderId);

    expect(await clocksOf(orderId)).toMatchObject({
      due_by: new Date(momentIn("Europe/Lisbon", `${flightDate}T05:30`).getTime() - 48 * 3_600_000),
      due_by_rule: "departure-48h",
    });
  });

  test("is due by the law's own time once the traveller asks for the refund", async () => {
    const { worker } = await waiting();
    const { id } = await worker.caseOf(orderId);
    const happenedAt = new Date();
    const answered = { action: "traveller-answered", answer: "wants-refund", channel: "email", happenedAt } as const;
    await worker.worker.act({
      ...answered,
      caseId: id,
      note: null,
      version: null,
      visible: null,
      actor: "person:alice",
    });

    await worker.makeDue(orderId);
    await worker.work(orderId);

    const day = 86_400_000;
    expect(await clocksOf(orderId)).toMatchObject({
      due_by: new Date(Math.floor(happenedAt.getTime() / day) * day + 8 * day),
      due_by_rule: "eu-refund",
    });
  });

  test("is due by the agency's own target from when it was opened, though an earlier case was about the same", async () => {
    const { worker } = await waiting([{ priority: 0, hours: 8 }]);
    const { id } = await worker.caseOf(orderId);
    const person = { caseId: id, note: null, version: null, visible: null, actor: "person:alice" };
    await worker.worker.act({ action: "close", ...person });
    await letTimePass("10 days");
    await worker.worker.act({ action: "reopen", ...person });
    await worker.work(orderId);
    const first = await clocksOf(orderId);

    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1 and id <> $2", [
      orderId,
      id,
    ]);
    await worker.work(orderId);

    const second = await clocksOf(orderId);
    expect(second.looks).toBeGreaterThan(first.looks);
    expect(second).toMatchObject({ due_by: first.due_by, due_by_rule: "response-target" });
    const hoursLeft = ((second.due_by?.getTime() ?? 0) - Date.now()) / 3_600_000;
    expect(hoursLeft).toBeGreaterThan(7.9);
  });

  test("is as urgent as its change and names the flights that it shares with others", async () => {
    await waiting();

    const { priority, flight_dates } = await clocksOf(orderId);

    expect(priority).toBe(4);
    expect(flight_dates).toEqual([`LH1167/${flightDate}`]);
  });
});

describe("a case that a person puts off", () => {
  const snooze = async (worker: WorkerUnderTest, until: Date) => {
    const { id } = await worker.caseOf(orderId);
    const who = { caseId: id, note: null, version: null, visible: null, actor: "person:alice" };
    return await worker.worker.act({ ...who, action: "snooze", until });
  };
  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

  test("meets the agency's own target, which counts anew from when the case comes back", async () => {
    const { worker } = await waiting([{ priority: 0, hours: 8 }]);

    expect(await snooze(worker, inDays(2))).toMatchObject({ outcome: "accepted" });
    expect(await clocksOf(orderId)).toMatchObject({ due_by: null, due_by_rule: null });

    await letTimePass("9 hours");
    await db.ownerDatabase.pool.query(
      `update skedchange.case_events set detail = detail || jsonb_build_object('until', now() - interval '1 hour')
       where kind = 'case.snoozed' and case_id = (select id from skedchange.cases where order_id = $1)`,
      [orderId],
    );
    await worker.makeDue(orderId);
    await worker.work(orderId);
    const { due_by, due_by_rule } = await clocksOf(orderId);
    expect(due_by_rule).toBe("response-target");
    expect(Math.abs((due_by?.getTime() ?? 0) - Date.now() - 7 * 3_600_000)).toBeLessThan(60_000);
  });

  test("cannot rest beyond a clock of the law, though the agency's own target comes before", async () => {
    const { worker } = await waiting([{ priority: 0, hours: 8 }]);
    expect(await clocksOf(orderId)).toMatchObject({ firm_due_by: twoWeeksBefore });
    // Nobody may put a case off for more than 30 days, so that moment has to come nearer.
    const law = inDays(20);
    await db.ownerDatabase.pool.query("update skedchange.cases set firm_due_by = $2 where order_id = $1", [
      orderId,
      law,
    ]);

    expect(await snooze(worker, new Date(law.getTime() + 60_000))).toMatchObject({
      outcome: "refused",
      code: "desk.snooze_past_due",
    });
    expect(await snooze(worker, new Date(law.getTime() - 60_000))).toMatchObject({ outcome: "accepted" });
  });
});

describe("a case that is finished", () => {
  test("has no time to be decided by any more", async () => {
    const { worker, gateway } = await waiting();
    gateway.status = settled(broughtForward(), "Accepted");
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);

    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).state).toBe("resolved-elsewhere");
    expect(await clocksOf(orderId)).toMatchObject({ due_by: null, due_by_rule: null });
  });
});

describe("an overdue case", () => {
  test("is marked once by any number of processes, recorded in its timeline and counted", async () => {
    await waiting();
    await setDueBy(orderId, "-1 second");
    const before = await clocksOf(orderId);
    const metrics = createMetrics();

    await Promise.all(
      Array.from({ length: 6 }, () => markOverdueCases({ clocks: store(), logger: silentLogger, metrics })),
    );
    await markOverdueCases({ clocks: store(), logger: silentLogger, metrics });

    expect(await overdueEventsOf(orderId)).toMatchObject([{ actor: "clock", detail: { rule: "response-target" } }]);
    const after = await clocksOf(orderId);
    expect(after.overdue_at).not.toBeNull();
    expect(after.priority).toBe(overduePriority);
    // What a person decided on a moment ago is still what they saw.
    expect(after.version).toBe(before.version);
    expect(await metrics.registry.getSingleMetricAsString("skedchange_case_clocks_missed_total")).toContain(
      'source="default",rule="response-target"} 1',
    );
    expect((await store().countOverdue()).get("default")).toBe(1);
  });

  test("is found by a process that looks from time to time, and shown in its metrics by source", async () => {
    await insertCase(db.ownerDatabase, { orderId, source: "acme", state: "awaiting-agent" });
    await setDueBy(orderId, "-1 second");
    const metrics = createMetrics();
    const shutdown = createShutdown(silentLogger);
    startJobs(clockJobs({ database: db.database, logger: silentLogger, metrics }), { logger: silentLogger, shutdown });
    try {
      await eventually(async () => expect((await clocksOf(orderId)).overdue_at).not.toBeNull());

      expect(await metrics.registry.getSingleMetricAsString("skedchange_cases_overdue")).toContain(
        'skedchange_cases_overdue{source="acme"} 1',
      );
    } finally {
      await shutdown.run();
    }
  });

  test("comes before cases that are not, in the list of what is due", async () => {
    await insertCase(db.ownerDatabase, { orderId, state: "awaiting-agent", priority: 9, openedAt: new Date() });
    const other = `${orderId}B`;
    await insertCase(db.ownerDatabase, {
      orderId: other,
      state: "awaiting-agent",
      priority: 2,
      openedAt: "2020-01-01",
    });
    const order = async () => {
      const filter = {
        visible: null,
        order: "due" as const,
        after: null,
        limit: 200,
      };
      const { items } = await createCaseQueries(db.database, dialect).listCases(filter);
      return items.map((item) => item.orderId).filter((id) => id === orderId || id === other);
    };
    expect(await order()).toEqual([other, orderId]);
    await setDueBy(orderId, "-1 second");

    await markOverdue();

    expect(await order()).toEqual([orderId, other]);
  });

  test("stays as urgent as it was when that was more", async () => {
    await insertCase(db.ownerDatabase, { orderId, state: "awaiting-agent", priority: 0 });
    await setDueBy(orderId, "-1 second");

    expect(await markOverdue()).toContain(orderId);

    expect((await clocksOf(orderId)).priority).toBe(0);
  });

  test("is so no more when another clock counts, and has its own urgency again", async () => {
    const { worker } = await waiting();
    await setDueBy(orderId, "-1 second");
    await markOverdue();
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);

    await worker.work(orderId);

    expect(await clocksOf(orderId)).toMatchObject({
      due_by_rule: "traveller-told-14-days",
      overdue_at: null,
      priority: 4,
    });
  });

  test("stays so, and urgent, when looking again finds the same clock", async () => {
    const { worker } = await waiting([{ priority: 0, hours: 8 }]);
    await letTimePass("9 hours");
    await setDueBy(orderId, "-1 hour");
    await markOverdue();
    await db.ownerDatabase.pool.query("update skedchange.cases set due_at = now() where order_id = $1", [orderId]);

    await worker.work(orderId);
    await markOverdue();

    const after = await clocksOf(orderId);
    expect(after).toMatchObject({ due_by_rule: "response-target", priority: overduePriority });
    expect(after.overdue_at).not.toBeNull();
    expect(await overdueEventsOf(orderId)).toHaveLength(1);
  });
});

describe("what is not overdue", () => {
  test("is a case whose time has not come", async () => {
    await insertCase(db.ownerDatabase, { orderId, state: "awaiting-agent" });
    await setDueBy(orderId, "1 minute");

    expect(await markOverdue()).not.toContain(orderId);
  });

  test.each(["received", "checking", "snoozed", "accepting", "done", "closed"] as const)(
    "is a case that is %s: it waits for nobody",
    async (state) => {
      await insertCase(db.ownerDatabase, { orderId, state });
      await setDueBy(orderId, "-1 hour");

      expect(await markOverdue()).not.toContain(orderId);
    },
  );

  test("is a case that waits for the traveller, once its time has come: it is an agent's again", async () => {
    await insertCase(db.ownerDatabase, { orderId, state: "awaiting-traveller" });
    await setDueBy(orderId, "-1 second");

    expect(await markOverdue()).toContain(orderId);
    const { rows } = await db.ownerDatabase.pool.query(
      "select state, review_queue from skedchange.cases where order_id = $1",
      [orderId],
    );
    expect(rows).toEqual([{ state: "awaiting-agent", review_queue: "agent" }]);
  });

  test("is left alone while somebody changes its order, and found by the next look", async () => {
    await insertCase(db.ownerDatabase, { orderId, state: "awaiting-agent" });
    await setDueBy(orderId, "-1 second");
    const client = await db.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("select 1 from skedchange.orders where order_id = $1 for update", [orderId]);
      expect(await markOverdue()).not.toContain(orderId);
    } finally {
      await client.query("rollback");
      client.release();
    }

    expect(await markOverdue()).toContain(orderId);
  });
});
