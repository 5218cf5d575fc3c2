import { sql, type Transaction } from "kysely";
import type { CaseSnapshot } from "../../cases/order-context.ts";
import { type Lease, leaseLost } from "../../worker/ports.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { holdLease } from "../orders/leases.ts";

/** Transactions of a worker: each is refused with `desk.lease_lost` when it no longer has the order. */
export interface Steps {
  underLease<T>(lease: Lease, step: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** The same for a step that rests on the decision that was in force when the work began. */
  underDecision<T>(
    lease: Lease,
    work: Pick<CaseSnapshot, "id" | "decisionId">,
    step: (transaction: Transaction<Tables>) => Promise<T>,
  ): Promise<T>;
}

export function createSteps({ kysely }: Database): Steps {
  const underLease: Steps["underLease"] = (lease, step) =>
    kysely.transaction().execute(async (transaction) => {
      await holdLease(transaction, lease);
      return await step(transaction);
    });
  return {
    underLease,
    underDecision: (lease, work, step) =>
      underLease(lease, async (transaction) => {
        await holdDecision(transaction, lease, work);
        return await step(transaction);
      }),
  };
}

/**
 * Makes sure, until the transaction ends, that the decision is the one that the work rests on.
 *
 * @throws `desk.lease_lost` when a person has decided otherwise: as after another lease, the work begins anew.
 */
async function holdDecision(
  transaction: Transaction<Tables>,
  lease: Lease,
  work: Pick<CaseSnapshot, "id" | "decisionId">,
): Promise<void> {
  const { rows } = await sql`
    select 1 from skedchange.cases
    where id = ${work.id} and decision_id is not distinct from ${work.decisionId}
    for update
  `.execute(transaction);
  if (rows.length === 0) throw leaseLost(lease);
}
