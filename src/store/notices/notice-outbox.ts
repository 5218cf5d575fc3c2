import { describeUnknownOutcome, howToSettle } from "../../cases/outcome-words.ts";
import { type DecidedFlights, printedDeparture } from "../../cases/printed-departure.ts";
import { codeOf, messageOf } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import {
  type AnnouncedStop,
  type ClaimedNotice,
  type Digest,
  listedCasesMax,
  type NoticeOutbox,
  type NoticeProblem,
  type PlanBounds,
  type WaitingCase,
} from "../../notices/ports.ts";
import { finishedStates, personStates, waitingStates } from "../cases/states.ts";
import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inPipelinedTransaction, inTransaction } from "../database/transaction.ts";
import { milliseconds } from "../deliveries/deliveries.ts";
import { openRule, type RuleRow, ruleColumns } from "./notice-rules.ts";

/**
 * Planned by the state of the cases, not by events: a case that waits and is not announced is found by the next look,
 * whatever died before. The transactions that change cases do nothing for it.
 */
export function createNoticeOutbox(database: Database, clock: Clock): NoticeOutbox {
  const { connection, encryption } = database;
  return {
    async plan(bounds) {
      const { rows } = await sql`
        select from skedchange.notice_rules where paused_at is null limit 1`.execute(connection);
      if (rows.length === 0) return;
      await inTransaction(database, (trx) => plan(trx, clock, bounds));
    },

    async claim(limit, leaseMs) {
      const { rows } = await sql<ClaimRow>`
        update skedchange.notices n
        set attempts = attempts + 1, fence = fence + 1, leased_until = now() + ${milliseconds(leaseMs)}
        from skedchange.notice_rules r
        where r.id = n.rule_id and n.id in (
          select n.id from skedchange.notices n join skedchange.notice_rules r on r.id = n.rule_id
          where n.state in ${pendingStates} and n.due_at <= ${clock.now()} and ${isFree} and r.paused_at is null
          order by n.due_at limit ${limit} for update of n skip locked)
        returning n.id as "noticeId", n.stop_id as "stopId", n.revision, n.failures, n.fence, ${ruleColumns}`.execute(
        connection,
      );
      const claimed = await Promise.all(
        rows.map(async (row): Promise<ClaimedNotice | null> => {
          const { noticeId: id, revision, failures, fence } = row;
          const rule = await openRule(encryption, row).catch(async (error: unknown) => {
            // Others must not wait for a rule whose key is missing. Its lease ends, and it is tried again.
            if (isUnreadableBody(error)) return await recordUnreadable(row.id, error);
            throw error;
          });
          if (rule === null) return null;
          const announced =
            row.stopId === null
              ? await readWaiting(connection, row, clock.now())
              : await readStop(connection, row.stopId);
          return { id, revision, failures, fence, rule, ...announced };
        }),
      );
      return claimed.filter((notice) => notice !== null);
    },

    recordSent: (notice, problem) =>
      inPipelinedTransaction(database, async (trx) => {
        const now = clock.now();
        await Promise.all([
          finish(trx, notice, "sent", now),
          sql`
            update skedchange.notice_rules
            set last_sent_at = ${now}, last_error = ${json(problem)}::jsonb,
              failing_since = case when ${problem === null} then null else coalesce(failing_since, ${now}) end
            where id = ${notice.rule.id}`.execute(trx),
        ]);
      }),

    recordFailure: ({ id, fence, rule }, problem, retryAt) =>
      inPipelinedTransaction(database, async (trx) => {
        await Promise.all([
          sql`
            update skedchange.notices set failures = failures + 1, due_at = ${retryAt}, leased_until = null
            where id = ${id} and fence = ${fence} and state in ${pendingStates}`.execute(trx),
          sql`
            update skedchange.notice_rules
            set last_error = ${json(problem)}::jsonb, failing_since = coalesce(failing_since, ${clock.now()})
            where id = ${rule.id}`.execute(trx),
        ]);
      }),

    recordObsolete: (notice) => finish(connection, notice, "obsolete", clock.now()),

    async readRule(ruleId) {
      const { rows } = await sql<RuleRow>`
        select ${ruleColumns} from skedchange.notice_rules r where r.id = ${ruleId}`.execute(connection);
      return rows[0] === undefined ? null : await openRule(encryption, rows[0]);
    },

    async countFailing() {
      const { rows } = await sql<{ channel: string; count: number }>`
        select channel, count(*) filter (where failing_since is not null and paused_at is null) as count
        from skedchange.notice_rules group by channel`.execute(connection);
      return new Map(rows.map(({ channel, count }) => [channel, count]));
    },

    async deleteFinished(before, batch) {
      const { rows } = await sql`
        delete from skedchange.notices where id in (
          select id from skedchange.notices n where n.state in ('sent', 'obsolete') and n.finished_at < ${before}
            -- It keeps a stop that is still in force from being announced again.
            and not exists (
              select from skedchange.automation_stops s where s.id = n.stop_id and s.resumed_at is null)
          order by finished_at limit ${batch} for update skip locked)
        returning id`.execute(connection);
      return rows.length;
    },
  };

  async function recordUnreadable(ruleId: string, error: unknown): Promise<null> {
    const message = `${messageOf(error)} Or give the notice the URL of its webhook again.`;
    await sql`
      update skedchange.notice_rules
      set last_error = ${json({ code: codeOf(error), message })}::jsonb,
        failing_since = coalesce(failing_since, ${clock.now()})
      where id = ${ruleId}`.execute(connection);
    return null;
  }
}

/** A stop waits in a state of its own: it joins no cases. */
const pendingStates = sql`('pending', 'stop-pending')`;

const isFree = sql`(n.leased_until is null or n.leased_until <= now())`;

/** Whether the rule `r` is about the case `c`. */
const isAbout = sql`(r.queues is null or c.review_queue = any(r.queues))
  and (r.sources is null or c.source = any(r.sources)) and c.priority <= r.priority_max`;

/** In one look; what is left over is planned by the next one. */
const plannedMax = 1_000;

async function plan(trx: Connection, clock: Clock, bounds: PlanBounds): Promise<void> {
  // One process at a time, so that a case is announced by one message.
  const { rows: turn } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('skedchange.plan_notices')) as taken`.execute(trx);
  if (turn[0]?.taken !== true) return;
  await forgetCases(trx);
  await planCases(trx, clock, bounds);
  await planStops(trx, clock);
  await planDigests(trx, clock, bounds);
}

/**
 * A case that waits no more is announced again when it waits again; one that is only being re-read still waits. What was
 * told of a deadline is remembered until the case ends.
 */
async function forgetCases(trx: Connection): Promise<void> {
  await sql`
    delete from skedchange.notice_cases m using skedchange.notice_rules r, skedchange.cases c
    where r.id = m.rule_id and c.id = m.case_id and case
      when m.due_by is not null then c.state in ${finishedStates}
      else c.state <> 'checking' and not (c.state in ${personStates} and ${isAbout}) end`.execute(trx);
}

async function planCases(trx: Connection, clock: Clock, bounds: PlanBounds): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<UnannouncedCase>`
    select r.id as "ruleId", r.last_sent_at as "lastSentAt", c.id as "caseId",
      case when r.timing ->> 'type' = 'before-deadline' then c.due_by end as "dueBy"
    from skedchange.notice_rules r
    join skedchange.cases c on ${isAbout} and c.state not in ${finishedStates} and case r.timing ->> 'type'
      when 'at-once' then c.state in ${personStates}
      when 'before-deadline' then c.state in ${waitingStates}
        and c.due_by <= ${now}::timestamptz + make_interval(mins => (r.timing ->> 'minutes')::integer)
      else false end
    where r.paused_at is null and not exists (
      select from skedchange.notice_cases m
      where m.rule_id = r.id and m.case_id = c.id
        and (r.timing ->> 'type' = 'at-once' or m.due_by is not distinct from c.due_by))
    order by r.id, c.id limit ${plannedMax}`.execute(trx);
  for (const ruleId of new Set(rows.map((row) => row.ruleId))) {
    const cases = rows.filter((row) => row.ruleId === ruleId);
    const noticeId = (await joinPending(trx, ruleId)) ?? (await addNotice(trx, clock, ruleId, dueAt(cases[0]!)));
    await sql`
      insert into skedchange.notice_cases (rule_id, case_id, due_by, notice_id)
      select ${ruleId}::uuid, unnest(${cases.map(({ caseId }) => caseId)}::uuid[]),
        unnest(${cases.map(({ dueBy }) => dueBy)}::timestamptz[]), ${noticeId}::uuid
      on conflict (rule_id, case_id) do update set due_by = excluded.due_by, notice_id = excluded.notice_id`.execute(
      trx,
    );
  }

  function dueAt({ lastSentAt }: UnannouncedCase): Date {
    const quietUntil = lastSentAt === null ? 0 : lastSentAt.getTime() + bounds.quietMs;
    return new Date(Math.max(now.getTime() + bounds.gatherMs, quietUntil));
  }
}

interface UnannouncedCase {
  readonly ruleId: string;
  readonly lastSentAt: Date | null;
  readonly caseId: string;
  readonly dueBy: Date | null;
}

/** Whoever is told at once of what waits is told at once that now everything of the source will. */
async function planStops(trx: Connection, clock: Clock): Promise<void> {
  const now = clock.now();
  await sql`
    insert into skedchange.notices (id, rule_id, stop_id, state, due_at, created_at)
    select gen_random_uuid(), r.id, s.id, 'stop-pending', ${now}, ${now}
    from skedchange.automation_stops s join skedchange.notice_rules r
      on s.source is null or r.sources is null or s.source = any(r.sources)
    where s.resumed_at is null and r.paused_at is null and r.timing ->> 'type' = 'at-once'
    on conflict (stop_id, rule_id) where stop_id is not null do nothing`.execute(trx);
}

/** While a destination is out of order, all that waits gathers in one message. Null if none is open. */
async function joinPending(trx: Connection, ruleId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update skedchange.notices set revision = revision + (attempts > 0)::integer
    where id = (
      select n.id from skedchange.notices n where n.rule_id = ${ruleId} and n.state = 'pending' and ${isFree}
      order by n.created_at limit 1 for update skip locked)
    returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

async function addNotice(trx: Connection, clock: Clock, ruleId: string, dueAt: Date): Promise<string> {
  const id = newId(clock);
  await sql`
    insert into skedchange.notices (id, rule_id, due_at, created_at)
    values (${id}, ${ruleId}, ${dueAt}, ${clock.now()})`.execute(trx);
  return id;
}

/** A digest that has not arrived yet says what waits when it does, so another one would say the same. */
async function planDigests(trx: Connection, clock: Clock, { nextDigestAt }: PlanBounds): Promise<void> {
  const now = clock.now();
  const { rows } = await sql<{ id: string; timing: Digest; timeZone: string; isDue: boolean; isPending: boolean }>`
    select r.id, r.timing, r.time_zone as "timeZone", r.next_digest_at is not null as "isDue",
      exists (select from skedchange.notices n where n.rule_id = r.id and n.state = 'pending') as "isPending"
    from skedchange.notice_rules r
    where r.timing ->> 'type' = 'digest' and r.paused_at is null
      and (r.next_digest_at is null or r.next_digest_at <= ${now})
    for no key update of r`.execute(trx);
  for (const { id, timing, timeZone, isDue, isPending } of rows) {
    if (isDue && !isPending) await addNotice(trx, clock, id, now);
    await sql`
      update skedchange.notice_rules set next_digest_at = ${nextDigestAt(timing, timeZone, now)}
      where id = ${id}`.execute(trx);
  }
}

interface ClaimRow extends RuleRow, Pick<ClaimedNotice, "revision" | "failures" | "fence"> {
  readonly noticeId: string;
  readonly stopId: string | null;
}

type Announced = Pick<ClaimedNotice, "stop" | "cases" | "total" | "overdue" | "nextDueBy">;

/** The cases of a notice that still wait, the most urgent first. */
async function readWaiting(
  reading: Connection,
  { noticeId, id: ruleId, when }: ClaimRow,
  now: Date,
): Promise<Announced> {
  const isOfNotice: Sql =
    when.type === "digest"
      ? sql`exists (select from skedchange.notice_rules r where r.id = ${ruleId} and c.state in ${personStates} and ${isAbout})`
      : sql`c.id in (select m.case_id from skedchange.notice_cases m where m.notice_id = ${noticeId})
          and (c.state in ${waitingStates} or c.state = 'checking')`;
  const { rows } = await sql<WaitingRow>`
    select c.id, c.order_id as "orderId", c.review_queue as queue, c.headline, c.flight_dates as flights,
      c.departure_at as "departureAt", c.due_by as "dueBy", count(*) over () as total,
      count(*) filter (where c.due_by <= ${now}) over () as overdue,
      min(c.due_by) filter (where c.due_by > ${now}) over () as "nextDueBy",
      d.itineraries -> 'booked' as booked, d.itineraries -> 'proposed' as proposed,
      (
        select e.action from skedchange.effects e where e.case_id = c.id and e.state = 'unknown'
      ) as "unknownEffect"
    from skedchange.cases c left join skedchange.decisions d on d.id = c.decision_id
    where c.state not in ${finishedStates} and ${isOfNotice}
    order by c.due_by nulls last, c.priority, c.id
    limit ${listedCasesMax}`.execute(reading);
  const { total, overdue, nextDueBy } = rows[0] ?? noneWaits;
  return { stop: null, total, overdue, nextDueBy, cases: rows.map(toWaitingCase) };
}

/** What the first row, like each other one, says of all cases, also of those that are not listed. */
type OfAllWaiting = Pick<ClaimedNotice, "total" | "overdue" | "nextDueBy">;

const noneWaits: OfAllWaiting = { total: 0, overdue: 0, nextDueBy: null };

interface WaitingRow extends Omit<WaitingCase, "departure" | "question">, DecidedFlights, OfAllWaiting {
  readonly unknownEffect: string | null;
}

function toWaitingCase(row: WaitingRow): WaitingCase {
  const { total, overdue, nextDueBy, unknownEffect, booked, proposed, ...each } = row;
  const question = unknownEffect === null ? null : `${describeUnknownOutcome(unknownEffect)} ${howToSettle}`;
  return { ...each, question, departure: printedDeparture(each.departureAt, { booked, proposed }) };
}

async function readStop(reading: Connection, stopId: string): Promise<Announced> {
  const { rows } = await sql<AnnouncedStop>`
    select s.source, s.stopped_at as "stoppedAt", s.stopped_by as "stoppedBy", s.note
    from skedchange.automation_stops s where s.id = ${stopId} and s.resumed_at is null`.execute(reading);
  return { ...noneWaits, stop: rows[0] ?? null, total: rows.length, cases: [] };
}

async function finish(
  connection: Connection,
  { id, fence }: ClaimedNotice,
  state: "sent" | "obsolete",
  now: Date,
): Promise<void> {
  await sql`
    update skedchange.notices set state = ${state}, finished_at = ${now}, leased_until = null
    where id = ${id} and fence = ${fence} and state in ${pendingStates}`.execute(connection);
}

function json(problem: NoticeProblem | null): string | null {
  return problem === null ? null : JSON.stringify(problem);
}
