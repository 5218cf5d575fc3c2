import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../../kernel/back-off.ts";
import { storeErrors } from "./error-codes.ts";

const conflictAttemptsMax = 5;
const conflictBackOff: BackOffPolicy = { baseMs: 10, capMs: 200, jitter: 0.5 };

/** Retries after conflicts with other transactions, which are rare, because locks are taken in order. */
export async function withConflictRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error);
      const isConflict = code === "40001" || code === "40P01";
      if (!isConflict || attempt === conflictAttemptsMax) throw error;
      await sleep(backOffMs(conflictBackOff, attempt, Math.random()));
    }
  }
}

/** Whether the role lacks a right that the statement needs. */
export function isLackingRight(error: unknown): boolean {
  return codeOf(error) === "42501";
}

/** @param statement with which an administrator gives the owner the right */
export function lacksRights(what: string, statement: string, cause: unknown): AppError {
  return new AppError(
    storeErrors.ownerLacksRights,
    `The owner role of the database may not ${what}: ${messageOf(cause)}. ` +
      `Let an administrator run \`${statement}\`, then start again; or set DATABASE_OWNER_URL to a role that owns the database and has CREATEROLE.`,
    { cause },
  );
}

/** Whether a table or its schema does not exist. */
export function isUndefinedRelation(error: unknown): boolean {
  const code = codeOf(error);
  return code === "42P01" || code === "3F000";
}

/** Whether the database has said that it committed nothing. Without its answer, as when a connection breaks, that is unknown. */
export function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** Whether retries can't help: data exception, integrity violation, limit exceeded. A full disk, say, may pass. */
export function isRefusal(error: unknown): boolean {
  return /^(?:22|23|54)[0-9A-Z]{3}$/.test(codeOf(error));
}
