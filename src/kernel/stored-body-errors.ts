import { codeOf } from "./app-error.ts";

/** Why stored bytes cannot be read. Trying again does not change it. */
export const storedBodyErrors = {
  /** The process does not know their encoding or key. */
  cannotOpen: "store.cannot_open",
  /** The bytes are not what was written: cut off, changed or overwritten. Or their key's id names another key. */
  changed: "store.body_changed",
  /** The bytes were written for another row or column. */
  misplaced: "store.body_misplaced",
} as const;

export type StoredBodyError = (typeof storedBodyErrors)[keyof typeof storedBodyErrors];

export function isStoredBodyError(code: string): code is StoredBodyError {
  return Object.values(storedBodyErrors).some((known) => known === code);
}

export function isUnreadableBody(error: unknown): boolean {
  return isStoredBodyError(codeOf(error));
}
