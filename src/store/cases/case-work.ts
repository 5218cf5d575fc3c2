import {
  type CaseApproval,
  type CaseContact,
  type CaseEffect,
  caseApproval,
  caseContact,
} from "../../cases/case-record.ts";
import { liveEffectStates, storedStateOf } from "../../cases/lifecycle.ts";
import { isBeingRechecked, lacksReference, latestSnooze, possibleActions } from "../../cases/possible-actions.ts";
import { defaultStatusLagMs } from "../../cases/timing.ts";
import type { CaseDetail, CaseItem } from "../../dashboard/case-ports.ts";
import type { CaseTask } from "../../dashboard/task-ports.ts";
import { columnsOf } from "../database/columns-of.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import { finishedStates } from "./states.ts";
import { taskColumns, taskDates, tasksWithCases } from "./tasks.ts";

const shownMax = 200;

export async function readCaseWork(
  reading: Connection,
  item: Pick<
    CaseItem,
    "id" | "source" | "orderId" | "state" | "proposalDigest" | "departureAt" | "undoUntil" | "failures" | "decision"
  >,
  seen: { readonly flags: CaseDetail["flags"]; readonly effects: readonly CaseEffect[] },
): Promise<
  Pick<CaseDetail, "approval" | "snoozableUntil" | "travellerContacts" | "tasks" | "reopenedFrom" | "possibleActions">
> {
  const standing = await readStanding(reading, item);
  const approval = await readApproval(reading, item.id);
  const state = storedStateOf(item.state);
  return {
    approval,
    snoozableUntil: latestSnooze({ now: standing.now, departureAt: item.departureAt, dueBy: standing.firm_due_by }),
    travellerContacts: await readContacts(reading, item),
    tasks: await readTasks(reading, item.id),
    reopenedFrom: standing.reopened_from,
    possibleActions: possibleActions({
      state,
      flags: seen.flags,
      proposalDigest: item.proposalDigest,
      effects: seen.effects,
      isApprovalPending: approval !== null,
      undoUntil: item.undoUntil,
      isJustCarriedOut: standing.is_just_carried_out,
      isPostponed: item.failures > 0 && (item.decision?.action === "accept" || item.decision?.action === "cancel"),
      orderHasOpenCase: standing.order_has_open_case,
      isBeingRechecked: isBeingRechecked(
        state,
        item.decision?.action ?? null,
        seen.effects.filter(({ state }) => liveEffectStates.some((live) => live === state)),
      ),
      lacksReference: lacksReference(item.decision?.rule),
      now: standing.now,
    }),
  };
}

async function readStanding(
  reading: Connection,
  { id, source, orderId, proposalDigest }: Pick<CaseItem, "id" | "source" | "orderId" | "proposalDigest">,
) {
  const { rows } = await sql<{
    reopened_from: string | null;
    order_has_open_case: boolean;
    is_just_carried_out: boolean;
    firm_due_by: Date | null;
    now: Date;
  }>`
    select c.reopened_from, c.firm_due_by, now() as now, exists (
      select from (
        select e.proposal_digest, e.finished_at from skedchange.effects e
        where e.source = ${source} and e.order_id = ${orderId} and e.state = 'succeeded'
        order by e.finished_at desc limit 1
      ) last
      where last.proposal_digest = ${proposalDigest}
        and last.finished_at > now() - make_interval(secs => ${defaultStatusLagMs / 1_000}::double precision)
    ) as is_just_carried_out, exists (
      select from skedchange.cases o
      where o.source = ${source} and o.order_id = ${orderId} and o.state not in ${finishedStates}
    ) as order_has_open_case
    from skedchange.cases c where c.id = ${id}::uuid
  `.execute(reading);
  return rows[0]!;
}

async function readApproval(reading: Connection, caseId: string): Promise<CaseApproval | null> {
  const { rows } = await sql<CaseApproval>`
    select ${columnsOf(caseApproval, "a")}
    from skedchange.approvals a where a.case_id = ${caseId}::uuid and a.state = 'asked'
  `.execute(reading);
  return rows[0] ?? null;
}

async function readContacts(
  reading: Connection,
  { source, orderId }: Pick<CaseItem, "source" | "orderId">,
): Promise<CaseContact[]> {
  const { rows } = await sql<CaseContact>`
    select ${columnsOf(caseContact, "t")}
    from skedchange.traveller_contacts t
    where t.source = ${source} and t.order_id = ${orderId}
    order by t.happened_at desc, t.id desc
    limit ${shownMax}
  `.execute(reading);
  return rows.toReversed();
}

async function readTasks(reading: Connection, caseId: string): Promise<readonly CaseTask[]> {
  const { rows } = await sql<CaseTask>`
    select ${taskColumns} from ${tasksWithCases} where t.case_id = ${caseId}::uuid order by t.opened_at, t.id
  `.execute(reading);
  return rows.map(taskDates);
}
