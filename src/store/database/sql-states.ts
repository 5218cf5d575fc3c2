import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { codeOf } from "../../kernel/app-error.ts";
import { type BackOffPolicy, backOffMs } from "../../kernel/back-off.ts";

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

/** Whether the database has said that it committed nothing. Without its answer, as when a connection breaks, that is unknown. */
export function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError;
}

/** Whether retries can't help: data exception, integrity violation, limit exceeded. A full disk, say, may pass. */
export function isRefusal(error: unknown): boolean {
  return /^(?:22|23|54)[0-9A-Z]{3}$/.test(codeOf(error));
}
