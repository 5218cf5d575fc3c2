import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";

/** How long a session lasts at most. Using it does not lengthen it. */
export const sessionLifeMs = 8 * 60 * 60_000;

/** Sessions at the same time; the oldest gives way. Whoever makes one knows the control token. */
const sessionsMax = 1_000;
const sessionIdBytes = 32;

/** Sessions of the gateway's pages. They are kept in memory: they end with the process, and with the token that made them. */
export interface ControlSessions {
  /** The id of a new session; whoever has it has the rights of the control token. */
  open(): { readonly id: string; readonly expiresAt: Date };
  /** When the session ends; null when there is none with this id, or none any more. */
  find(id: string): Date | null;
  close(id: string): void;
}

/** Keeps digests of the ids only, so that a picture of the memory opens no session, and looking one up tells nothing by its time. */
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
