import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";

/** Use does not extend it. */
export const sessionLifeMs = 8 * 60 * 60_000;

/** Beyond it the oldest session ends. Only owners of the control token can open one. */
const sessionsMax = 1_000;
const sessionIdBytes = 32;

/** In memory: sessions end with the process, and with the token that opened them. */
export interface ControlSessions {
  /** The session has the rights of the control token. */
  open(): { readonly id: string; readonly expiresAt: Date };
  /** Returns when the session ends; null if there is none. */
  find(id: string): Date | null;
  close(id: string): void;
}

/** Stores only digests of the ids, so that a memory dump opens no session and a lookup reveals nothing by its time. */
export function createControlSessions(clock: Clock): ControlSessions {
  const sessions = new Map<string, Date>();
  const nameOf = (id: string): string => createHash("sha256").update(id, "utf8").digest("base64");
  return {
    open() {
      const now = clock.now();
      for (const [name, expiresAt] of sessions) {
        if (expiresAt <= now || sessions.size >= sessionsMax) sessions.delete(name);
      }
      const id = randomBytes(sessionIdBytes).toString("base64url");
      const expiresAt = new Date(now.getTime() + sessionLifeMs);
      sessions.set(nameOf(id), expiresAt);
      return { id, expiresAt };
    },
    find(id) {
      const expiresAt = sessions.get(nameOf(id));
      return expiresAt === undefined || expiresAt <= clock.now() ? null : expiresAt;
    },
    close(id) {
      sessions.delete(nameOf(id));
    },
  };
}
