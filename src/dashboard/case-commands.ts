import type {
  BulkCommand,
  CaseAction,
  CaseActionOutcome,
  ContactAnswer,
  ContactChannel,
} from "../cases/case-command.ts";
import type { ContactKind, Reason, RefundCheck } from "../cases/decision.ts";

/** Carries a person's action out, in one transaction. */
export type ActOnCase = (action: CaseAction) => Promise<CaseActionOutcome>;

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
  readonly command: BulkCommand;
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

export const taskStateNames = ["open", "closed"] as const;

/** Work that is left when a case is done. */
export interface CaseTask {
  readonly id: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly source: string;
  readonly kind: string;
  readonly reasons: readonly Reason[];
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
  readonly kind: ContactKind;
  readonly channel: ContactChannel;
  readonly answer: ContactAnswer | null;
  readonly happenedAt: Date;
  readonly recordedAt: Date;
  readonly recordedBy: string;
  readonly note: string | null;
  /** The proposal that it was about; null when there was none yet. */
  readonly proposalDigest: string | null;
}

/** What a refund should have come to, and what the gateway's response states. Amounts are decimal text. */
export interface EffectRefund {
  readonly expected: { readonly amount: string; readonly currency: string; readonly basis: string } | null;
  /** Over all references; null when none was named. Its currency is not stated. */
  readonly answered: string | null;
  readonly check: RefundCheck | null;
}
