import type { FailureCount } from "../kernel/failure-count.ts";
import { sql } from "./database/sql.ts";
import type { Connection } from "./database/transaction.ts";

/** What is counted under the digest of a subject, such as a user name at a network. */
export type StoredCount = FailureCount & { readonly digest: Buffer; readonly succeededAt: Date | null };

export const selectCounts = sql`
  select subject_digest as digest, failures, counted_at as "countedAt", locked_until as "lockedUntil",
    succeeded_at as "succeededAt"
  from skedchange.sign_in_failures`;

/**
 * Locks the counts until the transaction ends. Creates the rows first, because a missing row can't be locked, in one
 * order, because two transactions would deadlock otherwise.
 */
export async function lockCounts(
  trx: Connection,
  subjects: readonly Buffer[],
  at: Date,
): Promise<readonly StoredCount[]> {
  const digests = subjects.toSorted(Buffer.compare);
  for (const digest of digests) {
    await sql`
      insert into skedchange.sign_in_failures (subject_digest, failures, counted_at) values (${digest}, 0, ${at})
      on conflict on constraint sign_in_failures_pkey do nothing`.execute(trx);
  }
  const { rows } = await sql<StoredCount>`
    ${selectCounts} where subject_digest in (${sql.join(digests)}) order by subject_digest for update`.execute(trx);
  return rows;
}

export async function writeCount(trx: Connection, subject: Buffer, count: FailureCount): Promise<void> {
  await sql`
    update skedchange.sign_in_failures
    set failures = ${count.failures}, counted_at = ${count.countedAt}, locked_until = ${count.lockedUntil}
    where subject_digest = ${subject}`.execute(trx);
}

/** Takes back one attempt: its failure, and the lock that it caused. */
export async function takeBack(trx: Connection, subject: Buffer, { lockedUntil }: FailureCount): Promise<void> {
  await sql`
    update skedchange.sign_in_failures
    set failures = greatest(failures - 1, 0),
      locked_until = case when locked_until = ${lockedUntil}::timestamptz then null else locked_until end
    where subject_digest = ${subject}`.execute(trx);
}
