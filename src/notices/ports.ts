import type { Secret } from "../kernel/secret.ts";

/** Which cases are announced where and when. */
export interface NoticeRule extends NoticeFilter {
  readonly id: string;
  readonly name: string;
  readonly when: NoticeTiming;
  /** IANA name. Times in messages and of digests are local times there. */
  readonly timeZone: string;
  readonly destination: Destination;
}

export interface NoticeFilter {
  /** Null: all. A case that waits for a traveller is in no queue. */
  readonly queues: readonly string[] | null;
  readonly sources: readonly string[] | null;
  /** The rule tells of cases that are at least so urgent; 0 is the most urgent. */
  readonly priorityMax: number;
}

export type NoticeTiming =
  | { readonly type: "at-once" }
  /** Once for each case and deadline. */
  | { readonly type: "before-deadline"; readonly minutes: number }
  | Digest;

/** Everything that waits, at fixed times. */
export interface Digest {
  readonly type: "digest";
  /** `08:00`. */
  readonly times: readonly string[];
  /** 1 is Monday, 7 is Sunday. */
  readonly weekdays: readonly number[];
}

export type Destination =
  | { readonly type: "email"; readonly addresses: readonly string[] }
  /** Whoever has the URL can post. */
  | { readonly type: "slack" | "teams"; readonly webhookUrl: Secret };

export type NoticeChannel = Destination["type"];

export interface NoticeProblem {
  readonly code: string;
  readonly message: string;
}

/** Sends a message that names no case. Returns null if there is no such rule. */
export type SendTestNotice = (ruleId: string) => Promise<{ readonly problem: NoticeProblem | null } | null>;

// -------------------------------------------------------------------------------------------------------- sending

export interface WaitingCase {
  readonly id: string;
  readonly orderId: string;
  readonly queue: string | null;
  readonly headline: string | null;
  /** What a person must find out first, in sentences; null if the change is all that is to be decided. */
  readonly question: string | null;
  /** Such as `LH1167/2026-11-30`. */
  readonly flights: readonly string[];
  readonly departureAt: Date | null;
  /** The same by the clock of the airport, `yyyy-mm-ddThh:mm`; null if it is not known. */
  readonly departure: { readonly airport: string; readonly local: string } | null;
  readonly dueBy: Date | null;
}

/** A stop of automation that is in force. */
export interface AnnouncedStop {
  /** Null: all sources together. */
  readonly source: string | null;
  readonly stoppedAt: Date;
  /** `person:` and the user name; `worker` if Skedchange stopped it itself. */
  readonly stoppedBy: string;
  readonly note: string;
}

/** A message that this process may send until its lease ends. */
export interface ClaimedNotice {
  readonly id: string;
  readonly revision: number;
  readonly failures: number;
  readonly fence: number;
  readonly rule: NoticeRule;
  /** What it announces instead of cases; null if it announces cases. */
  readonly stop: AnnouncedStop | null;
  /** The most urgent ones that still wait, at most `listedCasesMax`. */
  readonly cases: readonly WaitingCase[];
  /** All that still wait; 0 if there are none, or the stop is no longer in force. */
  readonly total: number;
  /** How many of all that wait are overdue, listed or not. */
  readonly overdue: number;
  /** The first deadline of all that wait which is still ahead; null if there is none. */
  readonly nextDueBy: Date | null;
}

export const listedCasesMax = 20;

export interface PlanBounds {
  /** For so long a message waits for further cases. */
  readonly gatherMs: number;
  /** Between two messages of a rule. */
  readonly quietMs: number;
  readonly nextDigestAt: (digest: Digest, timeZone: string, after: Date) => Date;
}

export interface NoticeOutbox {
  /**
   * Plans a message for each waiting case that a rule has not announced, for each stop of automation that a rule at once
   * has not, and the digests that are due.
   */
  plan(bounds: PlanBounds): Promise<void>;
  /** Leases due messages. One that cannot be sent before its lease ends is sent again. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedNotice[]>;
  /** @param problem of an address that was refused while others were not */
  recordSent(notice: ClaimedNotice, problem: NoticeProblem | null): Promise<void>;
  recordFailure(notice: ClaimedNotice, problem: NoticeProblem, retryAt: Date): Promise<void>;
  /** Nothing that it announces waits any more. */
  recordObsolete(notice: ClaimedNotice): Promise<void>;
  readRule(ruleId: string): Promise<NoticeRule | null>;
  /** Rules whose last message did not arrive, by channel. */
  countFailing(): Promise<ReadonlyMap<string, number>>;
  /** Returns how many finished messages were deleted. */
  deleteFinished(before: Date, batch: number): Promise<number>;
}
