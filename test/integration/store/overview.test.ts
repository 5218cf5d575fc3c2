import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { figuresOf, readOverview } from "../../../src/dashboard/overview.ts";
import type { OverviewRange } from "../../../src/dashboard/overview-ports.ts";
import { known } from "../../../src/kernel/fact.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { createOverviewQueries, partsOf, sumsQuery } from "../../../src/store/overview/overview-queries.ts";
import { addOverviewHours } from "../../../src/store/overview/overview-sums.ts";
import {
  anItinerary,
  insertCase,
  insertCaseEvent,
  insertDecision,
  insertEffect,
  insertNotification,
} from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await sql`delete from skedchange.overview_sums`.execute(db.database.connection);
  await sql`delete from skedchange.overview_progress`.execute(db.ownerDatabase.connection);
});

const at = (time: string) => new Date(`2027-03-${time}Z`);
const everySource = { visible: null, source: null };

/** Each test has a source of its own, so that none counts what another one has put in. */
async function read(source: string, from: Date, to: Date, zone = "UTC") {
  const range = { from, to, visible: null, source };
  return figuresOf(await createOverviewQueries(db.database).readSums(range), range, zone);
}

async function sumUpTo(now: Date): Promise<void> {
  while (await addOverviewHours(db.database, { now: () => now }));
}

interface History {
  readonly source: string;
  readonly notifiedAt: Date;
  readonly decisions: readonly (Parameters<typeof insertDecision>[2] & { readonly decidedAt: Date })[];
  readonly openedAt?: Date;
}

/** A case with one notification and these decisions about one proposal; returns the case and the last decision. */
async function insertHistory({ source, notifiedAt, decisions, openedAt = notifiedAt }: History) {
  const caseId = await insertCase(db.ownerDatabase, { source, openedAt, state: "awaiting-agent" });
  await insertNotification(db.ownerDatabase, { source, receivedAt: notifiedAt, cases: [caseId] });
  let decisionId = "";
  for (const decision of decisions) decisionId = await insertDecision(db.ownerDatabase, caseId, decision);
  return { caseId, decisionId };
}

async function endEffect(
  of: { readonly caseId: string; readonly decisionId: string },
  effect: {
    readonly action: "accept" | "cancel";
    readonly state: "succeeded" | "failed" | "unknown";
    readonly at: Date;
    readonly expected?: { readonly amount: string; readonly currency: string };
    readonly answered?: string;
  },
): Promise<void> {
  const results = effect.answered === undefined ? null : [{ refundAmount: effect.answered }];
  const id = await insertEffect(db.ownerDatabase, of.caseId, of.decisionId, {
    action: effect.action,
    state: "sent",
    plannedAt: effect.at,
  });
  await sql`
    update skedchange.effects set expected_refund = ${effect.expected === undefined ? null : JSON.stringify(effect.expected)}::jsonb,
      results = ${results === null ? null : JSON.stringify(results)}::jsonb, state = ${effect.state},
      finished_at = ${effect.state === "unknown" ? null : effect.at}
    where id = ${id}`.execute(db.ownerDatabase.connection);
}

describe("in a range of time", () => {
  test("a range has what happened at its beginning and not what happened at its end", async () => {
    const source = "bounds";
    for (const time of ["01T09:59:59.999", "01T10:00:00", "01T11:59:59.999", "01T12:00:00"]) {
      await insertNotification(db.ownerDatabase, { source, receivedAt: at(time) });
    }

    expect((await read(source, at("01T10:00:00"), at("01T12:00:00"))).notifications).toBe(2);
    await sumUpTo(at("02T12:00:00"));
    expect((await read(source, at("01T10:00:00"), at("01T12:00:00"))).notifications).toBe(2);
    expect((await read(source, at("01T09:59:59.999"), at("01T12:00:00.001"))).notifications).toBe(4);
  });

  test("somebody who sees some sources gets the sums of these, of what is added up and of the rest", async () => {
    for (const source of ["seen", "hidden"]) {
      await insertNotification(db.ownerDatabase, { source, receivedAt: at("02T08:00:00") });
      await insertNotification(db.ownerDatabase, { source, receivedAt: at("02T10:00:00") });
    }
    await sumUpTo(at("02T09:30:00"));
    const range = { from: at("02T00:00:00"), to: at("03T00:00:00"), visible: ["seen"] };
    const seen = async (own: Parameters<typeof sumsQuery>[0]) =>
      figuresOf(await createOverviewQueries(db.database).readSums(own), own, "UTC").notifications;

    expect(await seen({ ...range, source: null })).toBe(2);
    expect(await seen({ ...range, source: "hidden" })).toBe(0);
  });

  test("a proposal counts once, by its first decision: accepted by the policy, or reviewed and then decided by people", async () => {
    const source = "rate";
    const notifiedAt = at("03T08:00:00");
    await insertHistory({ source, notifiedAt, decisions: [{ action: "accept", decidedAt: at("03T08:00:05") }] });
    await insertHistory({ source, notifiedAt, decisions: [{ action: "cancel", decidedAt: at("03T08:00:05") }] });
    await insertHistory({
      source,
      notifiedAt,
      decisions: [
        { action: "review", rule: "retiming-beyond-limits", decidedAt: at("03T08:00:05") },
        // The status was read again, and the same rule asked again.
        { action: "review", rule: "retiming-beyond-limits", decidedAt: at("03T09:00:00") },
        { action: "accept", decidedBy: "person:ann", decidedAt: at("03T10:00:00") },
      ],
    });
    await insertHistory({
      source,
      notifiedAt,
      decisions: [
        { action: "review", rule: "retiming-beyond-limits", decidedAt: at("03T08:00:05") },
        { action: "none", decidedBy: "person:bob", decidedAt: at("03T08:30:00") },
      ],
    });

    const figures = await read(source, at("03T00:00:00"), at("04T00:00:00"));

    expect(figures.proposals).toEqual({
      decided: 4,
      accepted: 1,
      cancelled: 1,
      asked: 0,
      waited: 0,
      reviewed: 2,
      closed: 0,
    });
    expect(figures.decisions).toEqual({ policy: 5, people: 2 });
    expect(figures.rules).toEqual([
      { rule: "retiming-beyond-limits", reviews: 2, accepted: 1, cancelled: 0, closed: 1 },
    ]);
    expect(figures.airlines).toEqual([{ airline: "LH", ...figures.proposals }]);
  });

  test("an airline is that of the first booked flight, and unknown without one", async () => {
    const source = "airlines";
    const booked = anItinerary("10:00");
    const ofAirline = (airline: string) => ({
      ...booked,
      segments: booked.segments.map((segment) => ({ ...segment, marketingCarrier: airline })),
    });
    const decidedAt = at("05T08:00:01");
    const decisionOf = (airline: string) => ({
      action: "accept" as const,
      decidedAt,
      itineraries: { booked: ofAirline(airline), accepted: booked, proposed: booked },
    });
    for (const airline of ["BA", "BA", "AF"]) {
      await insertHistory({ source, notifiedAt: at("05T08:00:00"), decisions: [decisionOf(airline)] });
    }
    const nothing = { segments: [], journeys: [] };
    const decisions = [
      { action: "review" as const, decidedAt, itineraries: { booked: nothing, accepted: nothing, proposed: nothing } },
    ];
    await insertHistory({ source, notifiedAt: at("05T08:00:00"), decisions });

    const { airlines } = await read(source, at("05T00:00:00"), at("06T00:00:00"));

    expect(airlines.map(({ airline, decided, accepted }) => [airline, decided, accepted])).toEqual([
      ["BA", 2, 2],
      [null, 1, 0],
      ["AF", 1, 1],
    ]);
  });

  test("the time to the decision runs from the newest notification before the first decision about the proposal", async () => {
    const source = "times";
    for (const seconds of [1, 2, 4, 8, 16]) {
      const decidedAt = new Date(at("07T08:00:00").getTime() + seconds * 1_000);
      const { caseId } = await insertHistory({
        source,
        notifiedAt: at("07T07:00:00"),
        decisions: [{ action: "accept", decidedAt }],
      });
      await insertNotification(db.ownerDatabase, { source, receivedAt: at("07T08:00:00"), cases: [caseId] });
      await insertNotification(db.ownerDatabase, { source, receivedAt: at("07T09:00:00"), cases: [caseId] });
    }
    await insertHistory({
      source,
      notifiedAt: at("07T08:00:00"),
      decisions: [
        { action: "review", decidedAt: at("07T08:00:01") },
        { action: "accept", decidedBy: "person:ann", decidedAt: at("07T10:00:00") },
        // Once more after a failure: the time of the first decision counts.
        { action: "accept", decidedBy: "person:ann", decidedAt: at("07T18:00:00") },
      ],
    });

    const { policy, people } = (await read(source, at("07T00:00:00"), at("08T00:00:00"))).timeToDecision;

    expect(policy.count).toBe(5);
    expect(within(policy.medianSeconds, 4, 0.1)).toBe(true);
    expect(within(policy.p90Seconds, 16, 0.1)).toBe(true);
    expect(people.count).toBe(1);
    expect(within(people.medianSeconds, 7_200, 0.1)).toBe(true);
  });

  test("effects, deadlines and refunds count when they happen, and refunds are added up to the last decimal", async () => {
    const source = "effects";
    const decisions = [{ action: "cancel" as const, decidedAt: at("09T08:00:01") }];
    const history = { source, notifiedAt: at("09T08:00:00"), decisions };
    const inEuro = (amount: string) => ({ amount, currency: "EUR" });
    const cancelled = { action: "cancel", state: "succeeded", at: at("09T09:00:00") } as const;
    await endEffect(await insertHistory(history), { ...cancelled, expected: inEuro("100.10"), answered: "100.10" });
    await endEffect(await insertHistory(history), { ...cancelled, expected: inEuro("0.20"), answered: "0.1" });
    await endEffect(await insertHistory(history), { ...cancelled, expected: { amount: "15000", currency: "JPY" } });
    await endEffect(await insertHistory(history), { ...cancelled, answered: "7" });
    await endEffect(await insertHistory(history), { action: "accept", state: "succeeded", at: at("09T09:00:00") });
    await endEffect(await insertHistory(history), { action: "accept", state: "failed", at: at("09T09:00:00") });
    await endEffect(await insertHistory(history), { action: "accept", state: "failed", at: at("10T00:00:00") });
    const late = await insertHistory(history);
    await insertCaseEvent(db.ownerDatabase, late.caseId, { kind: "case.overdue", at: at("09T10:00:00") });
    await insertCaseEvent(db.ownerDatabase, late.caseId, { kind: "case.noted", at: at("09T10:00:00") });

    const figures = await read(source, at("09T00:00:00"), at("10T00:00:00"));

    expect(figures.effects).toEqual({ accepts: 1, cancels: 4, failed: 1 });
    expect(figures.deadlinesMissed).toBe(1);
    expect(figures.refunds).toEqual([
      { currency: "EUR", cancels: 2, expected: "100.30", answered: "100.20", stated: 2 },
      { currency: null, cancels: 1, expected: "0", answered: "7", stated: 1 },
      { currency: "JPY", cancels: 1, expected: "15000", answered: "0", stated: 0 },
    ]);
  });

  test("days begin at midnight of the given zone, also where a day has 23 hours", async () => {
    const source = "zones";
    // On 28 March 2027 clocks in Berlin go from 2:00 to 3:00, so that the day is from 27 23:00 to 28 22:00 UTC.
    for (const time of ["27T22:59:00", "27T23:01:00", "28T21:59:00", "28T22:01:00"]) {
      await insertHistory({ source, notifiedAt: at(time), decisions: [{ action: "accept", decidedAt: at(time) }] });
    }
    const from = at("26T00:00:00");
    const to = at("30T00:00:00");
    await sumUpTo(at("29T12:00:00"));

    const perDay = async (zone: string) =>
      (await read(source, from, to, zone)).overTime.map(({ at: day, decided }) => [day, decided]);

    expect(await perDay("Europe/Berlin")).toEqual([
      ["2027-03-26", 0],
      ["2027-03-27", 1],
      ["2027-03-28", 2],
      ["2027-03-29", 1],
      ["2027-03-30", 0],
    ]);
    expect(await perDay("UTC")).toEqual([
      ["2027-03-26", 0],
      ["2027-03-27", 2],
      ["2027-03-28", 2],
      ["2027-03-29", 0],
    ]);
  });

  test("up to two days are shown by the hour", async () => {
    const { step, overTime } = await read("nothing", at("01T10:30:00"), at("03T10:30:00"));

    expect(step).toBe("hour");
    expect(overTime).toHaveLength(49);
    expect(overTime[0]).toMatchObject({ at: "2027-03-01T10:00:00.000Z", decided: 0 });
  });
});

describe("sums", () => {
  test("are the same as what happened, wherever a range begins and ends and however far the job has come", async () => {
    const source = "sums";
    for (let hour = 0; hour < 80; hour += 1) {
      const notifiedAt = new Date(at("12T00:20:00").getTime() + hour * 3_600_000);
      const decidedAt = new Date(notifiedAt.getTime() + 30_000);
      await insertHistory({
        source,
        notifiedAt,
        decisions: [{ action: hour % 3 === 0 ? "accept" : "review", decidedAt }],
      });
    }
    const ranges = [
      ["12T00:00:00", "16T00:00:00"],
      ["12T05:10:00", "15T05:40:00"],
      ["12T05:10:00", "12T05:40:00"],
      ["12T05:40:00", "12T06:10:00"],
      ["13T00:00:00", "14T00:00:00"],
      ["12T23:59:00", "14T00:01:00"],
    ] as const;
    const all = async () =>
      await Promise.all(ranges.map(async ([from, to]) => await read(source, at(from), at(to), "Asia/Kolkata")));
    const happened = await all();
    expect(happened.map(({ notifications }) => notifications)).toEqual([80, 73, 1, 0, 24, 24]);

    for (const now of ["12T05:30:00", "13T00:15:00", "14T13:00:00", "17T00:00:00"]) {
      await sumUpTo(at(now));
      expect(await all()).toEqual(happened);
    }
  });

  test("are made once by processes that do it at the same time", async () => {
    const source = "beside";
    await insertNotification(db.ownerDatabase, { source, receivedAt: at("18T08:00:00") });
    const clock = { now: () => at("22T12:00:00") };
    const run = async () => {
      while (await addOverviewHours(db.database, clock));
    };

    await Promise.all([run(), run(), run()]);
    await run();

    expect((await read(source, at("18T00:00:00"), at("19T00:00:00"))).notifications).toBe(1);
    expect(await addOverviewHours(db.database, clock)).toBe(false);
  });

  test("of a transaction that is rolled back are made again", async () => {
    const source = "killed";
    await insertNotification(db.ownerDatabase, { source, receivedAt: at("23T08:00:00") });
    await sumUpTo(at("23T07:30:00"));
    const { connection } = db.ownerDatabase;
    await sql`alter table skedchange.overview_progress add constraint stops check (summed_until < '2027-03-23T08:00Z')`.execute(
      connection,
    );
    await expect(sumUpTo(at("23T12:00:00"))).rejects.toThrow("stops");
    await sql`alter table skedchange.overview_progress drop constraint stops`.execute(connection);

    await sumUpTo(at("23T12:00:00"));

    expect((await read(source, at("23T00:00:00"), at("24T00:00:00"))).notifications).toBe(1);
  });

  test("leave the last ten minutes to transactions that are not committed yet", async () => {
    await insertNotification(db.ownerDatabase, { source: "late", receivedAt: at("24T07:00:00") });
    await sumUpTo(at("24T09:09:59"));
    const until = async () =>
      (
        await sql<{ summed_until: Date }>`select summed_until from skedchange.overview_progress`.execute(
          db.database.connection,
        )
      ).rows[0]?.summed_until;

    expect(await until()).toEqual(at("24T08:00:00"));
    await sumUpTo(at("24T09:10:00"));
    expect(await until()).toEqual(at("24T09:00:00"));
  });

  test("a range of 90 days reads whole days, and what happened in its last hours by indexes only", async () => {
    const range = {
      ...everySource,
      from: at("01T10:30:00"),
      to: new Date(at("01T10:30:00").getTime() + 90 * 86_400_000),
    };
    const summedUntil = new Date(range.to.getTime() - 3_600_000 - 30 * 60_000);
    const { days, hours, rest } = partsOf(range, summedUntil);

    expect(days).toEqual([{ from: at("02T00:00:00"), to: new Date("2027-05-30T00:00:00Z") }]);
    expect(hours).toHaveLength(2);
    expect(rest.map(({ from, to }) => (to.getTime() - from.getTime()) / 60_000)).toEqual([30, 90]);

    const plan = await inTransaction(db.ownerDatabase, async (transaction) => {
      // Tables this small are read faster as a whole; this asks whether indexes could serve.
      await sql`set local enable_seqscan = off`.execute(transaction);
      const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${sumsQuery(range, summedUntil)}`.execute(
        transaction,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    expect(plan).not.toMatch(/Seq Scan on/);
    for (const index of ["overview_sums_pkey", "decisions_by_time", "effects_by_end", "case_events_overdue"]) {
      expect(plan).toContain(index);
    }
  });
});

describe("now", () => {
  const now = at("25T12:00:00");
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

  test("open cases are counted by age, severity, queue and what is wrong with them", async () => {
    const source = "now";
    const { ownerDatabase: owner } = db;
    const opened = async (minutes: number, facts: object | null) => {
      const openedAt = ago(minutes);
      const caseId = await insertCase(owner, { source, openedAt, state: "awaiting-agent", reviewQueue: "agent" });
      const decisionId = facts === null ? "" : await insertDecision(owner, caseId, { decidedAt: openedAt, facts });
      return { caseId, decisionId };
    };
    const critical = await opened(59, { cancelled: known(true) });
    await opened(60, { departureLaterMinutes: known(45) });
    await opened(239, null);
    const failed = await opened(240, { cancelled: known(true) });
    await opened(1_440, { cancelled: known(true) });
    await insertCase(owner, { source, openedAt: ago(5), state: "done", closedAt: ago(1) });
    await insertCase(owner, { source: "elsewhere", openedAt: ago(5), state: "awaiting-agent" });
    await endEffect(critical, { action: "accept", state: "unknown", at: ago(5) });
    await sql`update skedchange.decisions set question = 'effect-outcome' where id in (${failed.decisionId}, ${critical.decisionId})`.execute(
      owner.connection,
    );
    await sql`update skedchange.cases set due_by = now() - interval '1 minute' where id = ${failed.caseId}`.execute(
      owner.connection,
    );
    const read = (scope: OverviewRange) => readOverview(createOverviewQueries(db.database), scope, "UTC", now);
    const range = { from: ago(60), to: now, visible: null, source };

    const { now: work } = await read(range);

    expect(work).toEqual({
      open: 5,
      ages: { hour: 1, "four-hours": 2, day: 1, older: 1 },
      severities: [
        { severity: "critical", open: 3, ages: { hour: 1, "four-hours": 0, day: 1, older: 1 } },
        { severity: "none", open: 1, ages: { hour: 0, "four-hours": 1, day: 0, older: 0 } },
        { severity: null, open: 1, ages: { hour: 0, "four-hours": 1, day: 0, older: 0 } },
      ],
      queues: [{ queue: "agent", waiting: 5, overdue: 1 }],
      overdue: 1,
      askTraveller: 0,
      travellerAsked: 0,
      travellersToInform: 0,
      effectsPending: 0,
      effectsFailed: 2,
      effectsUnknown: 1,
      blocked: 1,
    });
    expect((await read({ ...range, visible: ["elsewhere"] })).now.open).toBe(0);
  });
});

function within(value: number | null, expected: number, share: number): boolean {
  return value !== null && Math.abs(value - expected) <= share * expected;
}
