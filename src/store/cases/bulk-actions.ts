import { findAcceptDangers } from "../../cases/accept-dangers.ts";
import {
  type BulkCommand,
  type CaseAction,
  type CaseActionOutcome,
  readStoredCommand,
  refused,
} from "../../cases/case-command.ts";
import type { EffectResult, ExpectedRefund } from "../../cases/effect.ts";
import { statedRefund } from "../../cases/refund-check.ts";
import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { Caller, VisibleSources } from "../../cases/visible-sources.ts";
import {
  type BulkAction,
  type BulkActionFilter,
  type BulkActionItem,
  type BulkActionRow,
  type BulkActions,
  type BulkGatewayResult,
  type BulkPreviewItem,
  type BulkSelection,
  bulkActionItem,
  bulkCasesMax,
} from "../../dashboard/bulk-ports.ts";
import type { Page } from "../../dashboard/paging-ports.ts";
import { codeOf } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { BulkWork } from "../../worker/ports.ts";
import { nameActor, nameOfToken, nameToken } from "../audit/audit-actor.ts";
import { columnsOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { Encryption } from "../database/encryption.ts";
import { after, positionOf, toPage } from "../database/paging.ts";
import { type Sql, sql } from "../database/sql.ts";
import { type Connection, inSnapshot, inTransaction } from "../database/transaction.ts";
import { isOfVisibleSource, visibleSourcesOf } from "../database/visible-rows.ts";
import { casesMatching, type MatchingCases } from "../search/cases-matching.ts";
import type { TokensOf } from "../search/name-tokens.ts";
import { createTravellerSearches, type TravellerSearches } from "../search/traveller-searches.ts";
import { actOnCase } from "./actions/act-on-case.ts";
import { json } from "./case-rows.ts";
import type { CaseStoreOptions } from "./case-store.ts";
import { encryptNote, openNotes } from "./notes.ts";
import { finishedStates } from "./states.ts";

export function createBulkActions(
  database: Database,
  clock: Clock,
  {
    secondPersonAbove = null,
    statusLagMs = defaultStatusLagMs,
    searches = createTravellerSearches(database),
  }: CaseStoreOptions & { readonly searches?: TravellerSearches } = {},
): BulkActions & BulkWork {
  const { connection, encryption } = database;
  const context = () => ({ at: clock.now(), newId: () => newId(clock), secondPersonAbove, statusLagMs });

  return {
    preview: async (command, selection, by) => {
      const cases = await searches.run(
        "matching" in selection ? selection.matching : {},
        (tokensOf) => inSnapshot(database, (reading) => findCases(reading, tokensOf, selection, by)),
        (found) => found.length,
      );
      if (cases.length > bulkCasesMax) return null;
      const items: BulkPreviewItem[] = [];
      for (let first = 0; first < cases.length; first += triedAtOnce) {
        const some = cases.slice(first, first + triedAtOnce).map(async ({ decided, ...found }) => ({
          ...found,
          ...toPreview(await tryOut(database, actionOn(command, found, by), context())),
          dangers: command.action === "accept" ? findAcceptDangers(decided) : [],
        }));
        items.push(...(await Promise.all(some)));
      }
      return items;
    },

    start: async (command, cases, { actor, tokenId }) => {
      const id = newId(clock);
      await inTransaction(database, async (transaction) => {
        await nameToken(transaction, tokenId);
        await sql`
          insert into skedchange.bulk_actions (id, command, asked_by, asked_at)
          values (${id}, ${json({ ...command, note: await encryptNote(encryption, command.note) })}, ${actor}, ${clock.now()})
        `.execute(transaction);
        await sql`
          insert into skedchange.bulk_action_cases (bulk_action_id, place, case_id, version)
          select ${id}::uuid, c.place, c.case_id, c.version
          from unnest(${cases.map(({ caseId }) => caseId)}::uuid[], ${cases.map(({ version }) => version)}::integer[])
            with ordinality as c (case_id, version, place)
        `.execute(transaction);
      });
      return id;
    },

    list: async ({ by, state, after: position, limit }: BulkActionFilter): Promise<Page<BulkActionItem>> => {
      const { rows } = await sql<BulkActionItem & { readonly position: string }>`
        select ${bulkColumns}, ${positionOf(sql`a.asked_at`)} as position, (
          select json_build_object(
            'total', count(*),
            'waiting', count(*) filter (where b.outcome is null),
            'accepted', count(*) filter (where b.outcome = 'accepted'),
            'notFound', count(*) filter (where b.outcome = 'not-found'),
            'conflict', count(*) filter (where b.outcome = 'conflict'),
            'refused', count(*) filter (where b.outcome = 'refused')
          )
          from skedchange.bulk_action_cases b where b.bulk_action_id = a.id
        ) as counts
        from skedchange.bulk_actions a
        where ${after(sql`a.asked_at`, sql`a.id`, position)} and ${isVisibleTo(by)}
          and ${state === null ? sql`true` : sql`a.state = ${state}`}
        order by a.asked_at desc, a.id desc
        limit ${limit + 1}
      `.execute(connection);
      return toPage(await openNotes(encryption, rows), limit, ({ position: _, ...item }) => item);
    },

    read: async (id, by) => {
      const { rows } = await sql<Omit<BulkAction, "counts" | "rows">>`
        select ${bulkColumns} from skedchange.bulk_actions a where a.id = ${id} and ${isVisibleTo(by)}
      `.execute(connection);
      const found = rows[0];
      if (found === undefined) return null;
      const cases = await readRows(connection, id, by);
      const asked = await openNotes(encryption, found);
      return { ...asked, counts: countOutcomes(cases), rows: cases };
    },

    stop: async (id, by) =>
      await inTransaction(database, async (transaction) => {
        await nameActor(transaction, by);
        const stopped = await sql`
          update skedchange.bulk_actions a set state = 'stopped', finished_at = ${clock.now()}
          where a.id = ${id} and ${isVisibleTo(by)} and state = 'running'
        `.execute(transaction);
        if (stopped.rowCount === 1) return true;
        const known = await sql`
          select 1 from skedchange.bulk_actions a where a.id = ${id} and ${isVisibleTo(by)}`.execute(transaction);
        return known.rows.length === 0 ? null : false;
      }),

    workNext: async () => {
      let taken: NextCase | null = null;
      try {
        return await inTransaction(database, async (transaction) => {
          taken = await takeNext(transaction);
          if (taken === null) {
            await finish(transaction, clock.now());
            return null;
          }
          const asker = await readAsker(transaction, taken.asked_by);
          const outcome = asker.mayAct
            ? await actOnCase(transaction, encryption, await toAction(encryption, taken, asker.visible), context())
            : mayNotAct(taken.asked_by);
          await writeOutcome(transaction, taken, toResult(outcome), clock.now());
          return { bulkActionId: taken.bulk_action_id, caseId: taken.case_id, outcome: outcome.outcome };
        });
      } catch (error) {
        const failed = taken as NextCase | null;
        if (failed === null || !isAboutTheCase(error)) throw error;
        // An unexpected error of one case must not stop the others.
        const message = "An error occurred for this case, and nothing was done. Try it on the case itself.";
        await inTransaction(database, async (transaction) => {
          await writeOutcome(transaction, failed, { outcome: "refused", code: codeOf(error), message }, clock.now());
        });
        return { bulkActionId: failed.bulk_action_id, caseId: failed.case_id, outcome: "refused" };
      }
    },
  };
}

async function readRows(
  connection: Database["connection"],
  id: string,
  { visible }: Caller,
): Promise<readonly BulkActionRow[]> {
  const { rows } = await sql<
    Omit<BulkActionRow, "gateway"> & {
      readonly gatewayOutcome: BulkGatewayResult["outcome"] | null;
      readonly gatewayMessage: string | null;
      readonly isRefund: boolean;
      readonly expected: ExpectedRefund | null;
      readonly results: readonly EffectResult[] | null;
    }
  >`
    select b.case_id as "caseId", c.order_id as "orderId", b.version, b.outcome, b.code, b.message,
      b.done_at as "doneAt",
      case
        when d.id is null then null
        when e.state in ('sent', 'succeeded', 'unknown') then e.state
        when e.state = 'planned' or (c.decision_id = d.id and c.state in ('checking', 'accepting', 'cancelling')) then 'waiting'
        when e.state = 'failed' then 'failed'
        else 'not-sent'
      end as "gatewayOutcome",
      case
        when e.state in ('failed', 'unknown') then e.error ->> 'message'
        when e.id is null then later.reasons -> 0 ->> 'text'
      end as "gatewayMessage",
      e.action = 'cancel' and e.state = 'succeeded' as "isRefund", e.expected_refund as expected, e.results
    from skedchange.bulk_action_cases b
    left join skedchange.cases c on c.id = b.case_id and ${isOfVisibleSource(sql`c.source`, visible)}
    left join skedchange.decisions d on d.id = b.decision_id and d.case_id = c.id and d.action in ('accept', 'cancel')
    left join skedchange.decisions later on later.id = d.superseded_by
    left join lateral (
      select * from skedchange.effects tried where tried.decision_id = d.id
      order by tried.planned_at desc, tried.id desc limit 1
    ) e on true
    where b.bulk_action_id = ${id}
    order by b.place
  `.execute(connection);
  return rows.map(({ gatewayOutcome, gatewayMessage, isRefund, expected, results, ...row }) => ({
    ...row,
    gateway:
      gatewayOutcome === null
        ? null
        : {
            outcome: gatewayOutcome,
            message: gatewayMessage,
            refund: isRefund ? { expected, stated: statedRefund(results ?? []) } : null,
          },
  }));
}

/** Whether the caller has asked for it, or sees all of its cases. Nobody can say whose a deleted case was. */
function isVisibleTo({ actor, visible }: Caller): Sql {
  if (visible === null) return sql`true`;
  return sql`(a.asked_by = ${actor} or not exists (
    select from skedchange.bulk_action_cases b left join skedchange.cases c on c.id = b.case_id
    where b.bulk_action_id = a.id and ${isOfVisibleSource(sql`c.source`, visible)} is not true
  ))`;
}

const bulkColumns = columnsOf(bulkActionItem.omit({ counts: true }), "a", { token: nameOfToken(sql`a.token_id`) });

/** Whether a retry would fail again: wrong data or statement (SQLSTATE class) or our bug, not a lost connection. */
function isAboutTheCase(error: unknown): boolean {
  return /^(22|23|42|P0|XX)/.test(codeOf(error)) || error instanceof TypeError || error instanceof RangeError;
}

/** Leaves connections for other work. */
const triedAtOnce = 4;

interface FoundCase {
  readonly caseId: string;
  readonly orderId: string;
  readonly version: number;
  readonly decided: Parameters<typeof findAcceptDangers>[0];
}

/** Reads one case more than the limit, to detect too many. */
async function findCases(
  reading: Connection,
  tokensOf: TokensOf,
  selection: BulkSelection,
  { visible }: Caller,
): Promise<readonly FoundCase[]> {
  const { ctes, from, where } = isSelected(tokensOf, selection);
  const { rows } = await sql<FoundCase>`
    ${ctes} selected as (
      select c.id, c.order_id, c.version, c.priority, c.due_by, c.decision_id from ${from}
      where ${where} and ${isOfVisibleSource(sql`c.source`, visible)}
    )
    select s.id as "caseId", s.order_id as "orderId", s.version, json_build_object(
        'rule', d.rule,
        'facts', json_build_object('connectionBroken', d.facts -> 'connectionBroken',
          'dataSuspect', d.facts -> 'dataSuspect', 'ordersToStop', d.facts -> 'ordersToStop'),
        'isHeld', coalesce(d.legal #>> '{hold,held}' = 'true', false)
      ) as decided
    from selected s left join skedchange.decisions d on d.id = s.decision_id
    order by s.due_by nulls last, s.priority, s.id
    limit ${bulkCasesMax + 1}
  `.execute(reading);
  return rows;
}

/** Who names ids is told that some are finished; who names what they have in common means the open ones. */
function isSelected(tokensOf: TokensOf, selection: BulkSelection): MatchingCases {
  const named = (where: Sql) => ({ ctes: sql`with`, from: sql`skedchange.cases c`, where });
  if ("caseIds" in selection) return named(sql`c.id = any(${[...selection.caseIds]}::uuid[])`);
  const { where, ...others } =
    "matching" in selection
      ? casesMatching(tokensOf, selection.matching)
      : named(sql`c.flight_dates @> array[${`${selection.flight}/${selection.date}`}]::text[]`);
  return { ...others, where: sql`${where} and c.state not in ${finishedStates}` };
}

/** Runs the action and rolls it back, so the dry run uses the same code as the real run. */
async function tryOut(
  database: Database,
  action: CaseAction,
  context: Parameters<typeof actOnCase>[3],
): Promise<CaseActionOutcome> {
  return await inTransaction(database, async (transaction, undo) => {
    undo();
    return await actOnCase(transaction, database.encryption, action, context);
  });
}

/** The user confirmed the number of cases once for all, so each action is confirmed with its own OrderID here. */
function actionOn(
  command: BulkCommand,
  { caseId, orderId, version }: Omit<FoundCase, "decided">,
  by: Caller,
): CaseAction {
  const about = { caseId, version, ...by };
  return command.action === "cancel" ? { ...command, ...about, confirm: orderId } : { ...command, ...about };
}

interface NextCase {
  readonly bulk_action_id: string;
  readonly place: number;
  readonly case_id: string;
  readonly order_id: string;
  readonly version: number;
  readonly command: BulkCommand;
  readonly asked_by: string;
  readonly token_id: string | null;
}

async function takeNext(transaction: Connection): Promise<NextCase | null> {
  const { rows } = await sql<NextCase>`
    select b.bulk_action_id, b.place, b.case_id, coalesce(c.order_id, '') as order_id, b.version, a.command, a.asked_by, a.token_id
    from skedchange.bulk_actions a
    join skedchange.bulk_action_cases b on b.bulk_action_id = a.id
    left join skedchange.cases c on c.id = b.case_id
    where a.state = 'running' and b.outcome is null
    order by a.asked_at, a.id, b.place
    limit 1
    for update of b skip locked
  `.execute(transaction);
  return rows[0] ?? null;
}

/** Reads again what the user may do, who may have been disabled, demoted or limited since the request. */
async function readAsker(
  transaction: Connection,
  actor: string,
): Promise<{ readonly mayAct: boolean; readonly visible: VisibleSources }> {
  const { rows } = await sql<{ mayAct: boolean; visible: VisibleSources }>`
    select u.disabled_at is null and u.role not in ('viewer', 'agent') as "mayAct", ${visibleSourcesOf} as visible
    from skedchange.users u where 'person:' || u.username = ${actor}
  `.execute(transaction);
  // API_TOKEN belongs to no user.
  return rows[0] ?? { mayAct: true, visible: null };
}

function mayNotAct(actor: string): CaseActionOutcome {
  return refused(
    "desk.asker_may_not_act",
    `${actor} asked for it and may not act on many cases any more. Nothing was done; somebody else may ask for it.`,
  );
}

async function toAction(encryption: Encryption, next: NextCase, visible: VisibleSources): Promise<CaseAction> {
  const found = { caseId: next.case_id, orderId: next.order_id, version: next.version };
  const command = readStoredCommand(await openNotes(encryption, next.command));
  return actionOn(command, found, { actor: next.asked_by, tokenId: next.token_id, visible });
}

interface Result {
  readonly outcome: CaseActionOutcome["outcome"];
  readonly decisionId?: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

async function writeOutcome(
  transaction: Connection,
  { bulk_action_id, place }: NextCase,
  { outcome, decisionId = null, code, message }: Result,
  at: Date,
): Promise<void> {
  await sql`
    update skedchange.bulk_action_cases
    set outcome = ${outcome}, decision_id = ${decisionId}, code = ${code}, message = ${message}, done_at = ${at}
    where bulk_action_id = ${bulk_action_id} and place = ${place} and outcome is null
  `.execute(transaction);
  await finish(transaction, at);
}

/** Ends completed actions. Runners on the last two cases miss each other's result; a later call ends the action. */
async function finish(transaction: Connection, at: Date): Promise<void> {
  await sql`
    update skedchange.bulk_actions a set state = 'finished', finished_at = ${at}
    where a.state = 'running' and not exists (
      select from skedchange.bulk_action_cases b where b.bulk_action_id = a.id and b.outcome is null
    )
  `.execute(transaction);
}

function toResult(outcome: CaseActionOutcome): Result {
  switch (outcome.outcome) {
    case "accepted":
      return outcome.approvalId === undefined
        ? { outcome: "accepted", decisionId: outcome.decisionId, code: null, message: null }
        : { outcome: "accepted", code: "desk.second_person_needed", message: "It needs approval by a second person." };
    case "not-found":
      return { outcome: "not-found", code: "api.case_not_found", message: "Case not found." };
    case "conflict":
      return { outcome: "conflict", code: "api.case_moved", message: outcome.message };
    case "refused":
      return outcome;
  }
}

function toPreview(outcome: CaseActionOutcome): Pick<BulkPreviewItem, "possible" | "code" | "message"> {
  const { code, message } = toResult(outcome);
  return { possible: outcome.outcome === "accepted", code, message };
}

function countOutcomes(rows: readonly BulkActionRow[]): BulkAction["counts"] {
  const count = (outcome: BulkActionRow["outcome"]): number => rows.filter((row) => row.outcome === outcome).length;
  return {
    total: rows.length,
    waiting: count(null),
    accepted: count("accepted"),
    notFound: count("not-found"),
    conflict: count("conflict"),
    refused: count("refused"),
  };
}
