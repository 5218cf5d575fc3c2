import { type CaseEffect, type CaseEvent, caseEffect, caseEvent } from "../../cases/case-record.ts";
import { listedFactNames } from "../../cases/listed-facts.ts";
import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { CaseQuery } from "../../dashboard/case-filter-ports.ts";
import {
  type CaseDecision,
  type CaseDetail,
  type CaseItem,
  type CaseNotification,
  type CaseQueries,
  type CaseTotal,
  caseChange,
  caseDecision,
  caseNotification,
  decisionSummary,
  storedCase,
} from "../../dashboard/case-ports.ts";
import type { Page } from "../../dashboard/paging-ports.ts";
import { defaultInconsistencyLimits } from "../../worker/reconciliation-ports.ts";
import { nameOfToken } from "../audit/audit-actor.ts";
import { bodyDeletion } from "../database/body-deletion.ts";
import { columnsOf, datesOf, objectOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { toPage } from "../database/paging.ts";
import { sql } from "../database/sql.ts";
import { type Connection, inSnapshot } from "../database/transaction.ts";
import { isOfVisibleSource } from "../database/visible-rows.ts";
import { createNotificationQueries } from "../notifications/notification-queries.ts";
import { countUnattended } from "../notifications/unattended.ts";
import { caseOrders } from "../search/case-orders.ts";
import { casesMatching, isOverdue } from "../search/cases-matching.ts";
import type { TokensOf } from "../search/name-tokens.ts";
import { createTravellerSearches, noNames, type TravellerSearches } from "../search/traveller-searches.ts";
import { readCaseWork } from "./case-work.ts";
import { type DocumentRow, documentColumns, openDecisionOrParts } from "./decision-documents.ts";
import { dueClock } from "./due-clock.ts";
import { decisionEventOf } from "./effect-snapshot.ts";
import { listInconsistencies } from "./inconsistency-queries.ts";
import { openNotes } from "./notes.ts";
import { refundedAmount } from "./refunded-amount.ts";
import { shownState } from "./states.ts";

/** Per list of a case: a gateway that sends the same change for days must not make the page huge. */
const historyMax = 200;

/** The dashboard's queries. They write nothing but the audit of searches, and decrypt notes. */
export function createCaseQueries(
  database: Database,
  dialect: Dialect,
  searches: TravellerSearches = createTravellerSearches(database),
): CaseQueries {
  /** One snapshot for all statements of a method, so that a case and its history match. */
  const read = <T>(work: (reading: Connection) => Promise<T>): Promise<T> => inSnapshot(database, work);

  return {
    ...createNotificationQueries(database, dialect),
    listCases: (filter) => read((reading) => listCases(reading, noNames, filter)),
    searchCases: (filter) =>
      searches.run(
        filter,
        (tokensOf) =>
          read(async (reading) => {
            await sql`set local statement_timeout = ${sql.lit(searchTimeoutMs)}`.execute(reading);
            const page = await listCases(reading, tokensOf, filter);
            const total = filter.after === null ? await countCases(reading, tokensOf, filter) : null;
            return { ...page, total };
          }),
        ({ total, items }) => total?.count ?? items.length,
      ),
    readCase: async (id, visible) =>
      await openNotes(
        database.encryption,
        await read((reading) => readCase(reading, database.encryption, id, visible)),
      ),
    reconcile: (idsMax) =>
      read(async (reading) => ({
        ...(await countUnattended(reading, idsMax)),
        damage: await listInconsistencies(reading, defaultInconsistencyLimits, idsMax),
      })),
  };
}

// ------------------------------------------------------------------------------------------------- lists of cases

/** Whether event `s` tells what a person said of an effect whose outcome was unknown. */
const isSettlement = sql`s.kind in ('effect.confirmed', 'effect.refuted')`;

/** What event `s` tells of effect `e`. */
const settlement = sql`jsonb_build_object(
  'action', e.action, 'carriedOut', s.kind = 'effect.confirmed', 'by', s.actor, 'token', ${nameOfToken(sql`s.token_id`)}, 'at', s.at
)`;

const settledSince = sql`case when d.question = 'effect-outcome' then (
  select ${settlement} from skedchange.case_events s
  join skedchange.effects e on e.case_id = s.case_id and e.id::text = s.detail ->> 'effectId'
  where s.case_id = c.id and ${isSettlement} and s.id > ${decisionEventOf(sql`d`)}
  order by s.id desc limit 1
) end`;

const tokenOfDecision = nameOfToken(sql`d.token_id`);

const listedFacts = sql`(
  select jsonb_object_agg(key, value) from jsonb_each(d.facts) where key = any(${listedFactNames}::text[])
)`;

/** Of cases `c`, with what `joinedToCases` adds. */
const itemColumns = columnsOf(storedCase, "c", {
  state: shownState,
  dueBy: dueClock("c", isOverdue),
  overdue: isOverdue,
  passengerCount: sql`case when d.facts @> '{"passengerCount": {"known": true}}'
    then (d.facts -> 'passengerCount' ->> 'value')::integer end`,
  value: sql`case when s.value is not null and s.currency is not null
    then jsonb_build_object('amount', s.value::text, 'currency', s.currency) end`,
  decision: sql`case when d.id is not null
    then ${objectOf(decisionSummary, "d", { token: tokenOfDecision, settled: settledSince })} end`,
  change: sql`case when d.facts is not null or d.itineraries ->> 'proposed' is not null then ${objectOf(
    caseChange,
    "d",
    {
      facts: listedFacts,
      booked: sql`d.itineraries -> 'booked'`,
      current: sql`d.itineraries -> 'current'`,
      proposed: sql`d.itineraries -> 'proposed'`,
    },
  )} end`,
});

const joinedToCases = sql`left join skedchange.decisions d on d.id = c.decision_id
  left join skedchange.case_search s on s.case_id = c.id`;

const itemDates = datesOf(storedCase);

interface Positioned {
  readonly position: string;
  readonly sort_priority: number | null;
}

/** The ids are chosen first, so that the rest is read and computed for one page only. */
async function listCases(reading: Connection, tokensOf: TokensOf, query: CaseQuery): Promise<Page<CaseItem>> {
  const { limit, order = "newest" } = query;
  const { position, priority, isAfter, sorting } = caseOrders[order];
  const matching = casesMatching(tokensOf, query, query.order);
  const { rows } = await sql<CaseItem & Positioned>`
    ${matching.ctes} page as materialized (
      select c.id from ${matching.from}
      where ${matching.where} and ${isAfter(query.after)}
      order by ${sorting} limit ${limit + 1}
    )
    select ${itemColumns}, ${position} as position, ${priority} as sort_priority
    from page join skedchange.cases c on c.id = page.id ${joinedToCases}
    order by ${sorting}
  `.execute(reading);
  return toPage(rows, limit, ({ position: _, sort_priority: __, ...item }) => itemDates(item));
}

async function countCases(reading: Connection, tokensOf: TokensOf, query: CaseQuery): Promise<CaseTotal> {
  const matching = casesMatching(tokensOf, query, query.order);
  const { rows } = await sql<{ readonly count: number }>`
    ${matching.ctes} counted as (select from ${matching.from} where ${matching.where} limit ${countedMax + 1})
    select count(*) as count from counted
  `.execute(reading);
  const { count } = rows[0]!;
  return { count: Math.min(count, countedMax), isCapped: count > countedMax };
}

/** Nobody counts further, and it would take longer than the page. */
const countedMax = 10_000;

/** A search of a huge part of all cases ends after this time. */
const searchTimeoutMs = 5_000;

// ------------------------------------------------------------------------------------------------------- one case

async function readCase(
  reading: Connection,
  encryption: Encryption,
  id: string,
  visible: VisibleSources,
): Promise<CaseDetail | null> {
  const { rows } = await sql<CaseItem & { readonly ofOrder: Pick<CaseDetail["itineraries"], "booked" | "accepted"> }>`
    select ${itemColumns},
      jsonb_build_object('booked', o.booked_itinerary, 'accepted', o.accepted_itinerary) as "ofOrder"
    from skedchange.cases c ${joinedToCases}
    join skedchange.orders o on o.source = c.source and o.order_id = c.order_id
    where c.id = ${id}::uuid and ${isOfVisibleSource(sql`c.source`, visible)}
  `.execute(reading);
  const row = rows[0];
  if (row === undefined) return null;

  const { ofOrder, ...item } = itemDates(row);
  const decisions = await readDecisions(reading, encryption, item);
  const inForce = decisions.find((decision) => decision.id === item.decision?.id) ?? null;
  const flags = inForce?.flags ?? null;
  const effects = await readEffects(reading, id);
  return {
    ...item,
    ...(await readCaseWork(reading, item, { flags, effects })),
    flags,
    facts: inForce?.facts ?? null,
    // Before the first decision, the order itself may already have the booked flights.
    itineraries: inForce?.itineraries ?? { ...ofOrder, proposed: null },
    notifications: await readNotifications(reading, id),
    decisions,
    effects,
    timeline: await readTimeline(reading, id),
  };
}

const decisionColumns = columnsOf(caseDecision, "d", { token: tokenOfDecision });

/** The decision in force is among them, however old it is. */
async function readDecisions(
  reading: Connection,
  encryption: Encryption,
  { id, decision }: CaseItem,
): Promise<readonly CaseDecision[]> {
  const { rows } = await sql<CaseDecision & DocumentRow>`
    select ${decisionColumns}, ${documentColumns}
    from skedchange.decisions d
    where d.case_id = ${id}::uuid
    order by (d.id = ${decision?.id ?? null}::uuid) is true desc, d.decided_at desc, d.id desc
    limit ${historyMax}
  `.execute(reading);
  const decisions = await Promise.all(rows.map((row) => openDecisionOrParts(encryption, row)));
  return decisions
    .map(({ inputs: _, ...shown }) => shown)
    .sort((a, b) => b.decidedAt.getTime() - a.decidedAt.getTime());
}

const effectColumns = columnsOf(caseEffect, "e", {
  settled: sql`(
    select ${settlement} from skedchange.case_events s
    where s.case_id = e.case_id and ${isSettlement} and s.detail ->> 'effectId' = e.id::text
    order by s.id desc limit 1
  )`,
  refund: sql`case when e.action = 'cancel' then jsonb_build_object(
    'expected', e.expected_refund, 'answered', ${refundedAmount}, 'check', e.refund_check
  ) end`,
});

const effectDates = datesOf(caseEffect);

async function readEffects(reading: Connection, caseId: string): Promise<readonly CaseEffect[]> {
  const { rows } = await sql<CaseEffect>`
    select ${effectColumns}
    from skedchange.effects e
    where e.case_id = ${caseId}::uuid
    order by e.planned_at desc, e.id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.map(effectDates);
}

const notificationColumns = columnsOf(caseNotification, "n", {
  receipts: sql`g.receipts`,
  digest: sql`encode(n.digest, 'hex')`,
  bodyDeleted: bodyDeletion("body", "n."),
});

const notificationDates = datesOf(caseNotification);

async function readNotifications(reading: Connection, caseId: string): Promise<readonly CaseNotification[]> {
  const { rows } = await sql<CaseNotification>`
    select ${notificationColumns}
    from skedchange.case_notifications j
    join skedchange.notifications n on n.received_at = j.notification_received_at and n.id = j.notification_id
    join skedchange.notification_digests g on g.source = n.source and g.digest = n.digest
    where j.case_id = ${caseId}::uuid
    order by n.received_at desc, n.id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.map(notificationDates);
}

async function readTimeline(reading: Connection, caseId: string): Promise<readonly CaseEvent[]> {
  const { rows } = await sql<CaseEvent>`
    select ${columnsOf(caseEvent, "h", { token: nameOfToken(sql`h.token_id`) })}
    from skedchange.case_events h
    where h.case_id = ${caseId}::uuid
    order by h.id desc
    limit ${historyMax}
  `.execute(reading);
  return rows.toReversed();
}
