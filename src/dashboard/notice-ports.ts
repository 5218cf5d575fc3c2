import type { AppError } from "../kernel/app-error.ts";
import type { CaughtNotice } from "../notices/demo-inbox.ts";
import type { NoticeRuleStore, SendTestNotice } from "../notices/ports.ts";

/** Messages that tell people that cases wait. */
export interface Notices {
  readonly rules: NoticeRuleStore;
  readonly sendTest: SendTestNotice;
  /** What demo mode caught, newest first; null outside demo mode. */
  readonly demoInbox: (() => readonly CaughtNotice[]) | null;
  /** Why nothing may be sent to a URL; null if it may. */
  readonly refuseUrl: (url: URL) => AppError | null;
}
