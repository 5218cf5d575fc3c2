/** Every action that a person can take on a case. The desk says what each does; a test compares the two. */
export const caseActionNames = [
  "accept",
  "cancel",
  "close",
  "recheck",
  "confirm-effect",
  "refute-effect",
  "approve",
  "refuse-approval",
  "snooze",
  "assign",
  "note",
  "reschedule",
  "resolved-elsewhere",
  "reopen",
  "stop",
  "traveller-informed",
  "traveller-asked",
  "traveller-answered",
] as const;
export type CaseActionName = (typeof caseActionNames)[number];

export const contactChannelNames = ["email", "phone", "sms", "chat", "in-person", "letter", "other"] as const;
export const contactAnswerNames = ["accepts", "refuses", "wants-refund", "wants-rerouting", "undecided"] as const;
export const closeReasonNames = [
  "duplicate",
  "no-longer-travelling",
  "handled-by-phone",
  "agency-error",
  "other",
] as const;

type ContactChannel = (typeof contactChannelNames)[number];

/** An action with all that it takes. */
export type CaseCommand =
  | { readonly action: "accept" | "recheck" | "note" | "reschedule" | "resolved-elsewhere" | "stop" }
  | { readonly action: "reopen" | "confirm-effect" | "refute-effect" }
  /** `confirm` is the OrderID, typed; for many cases their number. */
  | { readonly action: "cancel"; readonly confirm?: string }
  | { readonly action: "approve" | "refuse-approval"; readonly approvalId: string }
  | { readonly action: "close"; readonly reasonCode?: (typeof closeReasonNames)[number] }
  | { readonly action: "snooze"; readonly until: Date }
  /** A user name; null gives the case back. */
  | { readonly action: "assign"; readonly assignee: string | null }
  | {
      readonly action: "traveller-informed" | "traveller-asked";
      readonly channel: ContactChannel;
      readonly happenedAt: Date;
    }
  | {
      readonly action: "traveller-answered";
      readonly channel: ContactChannel;
      readonly happenedAt: Date;
      readonly answer: (typeof contactAnswerNames)[number];
    };

/** A person's action on one case. */
export type CaseAction = CaseCommand & {
  readonly caseId: string;
  readonly note: string | null;
  /** The version of the case that the person saw; null takes whatever is there. */
  readonly version: number | null;
  /** `person:` and who. */
  readonly actor: string;
};

export type CaseActionOutcome =
  | {
      readonly outcome: "accepted";
      /** The case that goes on: after `reopen`, the new one. */
      readonly caseId: string;
      readonly state: string;
      readonly decisionId: string | null;
      /** Set when nothing happens before a second person agrees. */
      readonly approvalId?: string;
    }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "conflict"; readonly state: string; readonly version: number; readonly message: string }
  | { readonly outcome: "refused"; readonly code: string; readonly message: string };

/** Carries a person's action out, in one transaction. */
export type ActOnCase = (action: CaseAction) => Promise<CaseActionOutcome>;

/** Actions on one case only: an approval, an outcome that somebody has looked up, opening it again. */
type SingleActionName = "approve" | "refuse-approval" | "reopen" | "confirm-effect" | "refute-effect";

/** One action, to be taken on many cases. */
export type BulkCommand = Exclude<CaseCommand, { readonly action: SingleActionName }> & {
  readonly note: string | null;
};

/** What an action would come to for one case. */
export interface BulkPreviewItem {
  readonly caseId: string;
  readonly orderId: string;
  readonly version: number;
  readonly possible: boolean;
  /** Why not, or what happens besides; null when there is nothing to say. */
  readonly code: string | null;
  readonly message: string | null;
}

/** Cases that were chosen, or the open ones whose change touches one flight. */
export type BulkSelection =
  | { readonly caseIds: readonly string[] }
  /** `flight` as `LH1167`; `date` as yyyy-mm-dd, the local date on which it was to leave. */
  | { readonly flight: string; readonly date: string };

export interface BulkActionRow {
  readonly caseId: string;
  readonly orderId: string | null;
  readonly version: number;
  /** Null as long as its turn has not come. */
  readonly outcome: "accepted" | "not-found" | "conflict" | "refused" | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly doneAt: Date | null;
}

export const bulkActionStateNames = ["running", "stopped", "finished"] as const;
export type BulkActionState = (typeof bulkActionStateNames)[number];

/** One action on many cases, as lists show it: how far it has come, without the cases. */
export interface BulkActionItem {
  readonly id: string;
  /** As it was given. */
  readonly command: Readonly<Record<string, unknown>>;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly state: BulkActionState;
  readonly finishedAt: Date | null;
  readonly counts: Readonly<Record<"total" | "waiting" | "accepted" | "notFound" | "conflict" | "refused", number>>;
}

/** The same with what became of each case. */
export interface BulkAction extends BulkActionItem {
  /** In the order in which they are worked off. */
  readonly rows: readonly BulkActionRow[];
}

/** Cases that one bulk action may have. */
export const bulkCasesMax = 1_000;

export const taskKindNames = ["check-ticket", "check-refund", "check-services"] as const;
export const taskStateNames = ["open", "closed"] as const;

/** Work that is left when a case is done. */
export interface CaseTask {
  readonly id: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly source: string;
  readonly kind: string;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
  readonly openedAt: Date;
  /** By when somebody must have done it, and which clock says so; null when none ran. A closed one is never overdue. */
  readonly dueBy: { readonly at: Date; readonly rule: string; readonly overdue: boolean } | null;
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
  readonly note: string | null;
}

/** Something that one person asked for and another must agree to. */
export interface CaseApproval {
  readonly id: string;
  readonly action: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly note: string | null;
}

/** What a traveller was told or said, as a person recorded it. */
export interface CaseContact {
  readonly id: string;
  readonly caseId: string;
  readonly kind: "informed" | "asked" | "answered";
  readonly channel: (typeof contactChannelNames)[number];
  readonly answer: (typeof contactAnswerNames)[number] | null;
  readonly happenedAt: Date;
  readonly recordedAt: Date;
  readonly recordedBy: string;
  readonly note: string | null;
  /** The proposal that it was about; null when there was none yet. */
  readonly proposalDigest: string | null;
}

/** What a refund should have come to, and what the gateway answered. Amounts are decimal text. */
export interface EffectRefund {
  readonly expected: { readonly amount: string; readonly currency: string; readonly basis: string } | null;
  /** Over all references; null when none was named. Its currency is not stated. */
  readonly answered: string | null;
  readonly check: "as-expected" | "higher" | "lower" | "unknown" | null;
}
