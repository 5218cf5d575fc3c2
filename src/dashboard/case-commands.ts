import type { AcceptDanger } from "../cases/accept-dangers.ts";
import type {
  BulkCommand,
  CaseAction,
  CaseActionOutcome,
  ContactAnswer,
  ContactChannel,
} from "../cases/case-command.ts";
import type { ContactKind, Reason, RefundCheck } from "../cases/decision.ts";
import type { CancelRefund } from "../cases/refund-totals.ts";

/** One transaction. */
export type ActOnCase = (action: CaseAction) => Promise<CaseActionOutcome>;

export interface BulkPreviewItem {
  readonly caseId: string;
  readonly orderId: string;
  readonly version: number;
  readonly possible: boolean;
  /** Why it is not possible, or a remark. */
  readonly code: string | null;
  readonly message: string | null;
  /** Of an accept; empty for any other action. */
  readonly dangers: readonly AcceptDanger[];
}

/** `not-sent`: nothing was sent, because the booking was decided on in another way meanwhile. */
export const gatewayOutcomes = ["waiting", "sent", "succeeded", "failed", "unknown", "not-sent"] as const;

/** What came of an accept or a cancel. */
export interface BulkGatewayResult {
  readonly outcome: (typeof gatewayOutcomes)[number];
  /** Why it failed, is unknown or was not sent. */
  readonly message: string | null;
  /** Only of a cancel that succeeded. */
  readonly refund: CancelRefund | null;
}

export interface BulkActionRow {
  readonly caseId: string;
  readonly orderId: string | null;
  readonly version: number;
  /** Null before its turn. */
  readonly outcome: "accepted" | "not-found" | "conflict" | "refused" | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly doneAt: Date | null;
  /** Null if nothing goes to the gateway, or a second person must approve it first. */
  readonly gateway: BulkGatewayResult | null;
}

export const bulkActionStateNames = ["running", "stopped", "finished"] as const;
export type BulkActionState = (typeof bulkActionStateNames)[number];

export interface BulkActionItem {
  readonly id: string;
  readonly command: BulkCommand;
  readonly askedBy: string;
  /** The name of the API token with which it was asked for. */
  readonly token: string | null;
  readonly askedAt: Date;
  readonly state: BulkActionState;
  readonly finishedAt: Date | null;
  readonly counts: Readonly<Record<"total" | "waiting" | "accepted" | "notFound" | "conflict" | "refused", number>>;
}

export interface BulkAction extends BulkActionItem {
  /** In the order of execution. */
  readonly rows: readonly BulkActionRow[];
}

export const bulkCasesMax = 1_000;

export const taskStateNames = ["open", "closed"] as const;

export interface CaseTask {
  readonly id: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly source: string;
  readonly kind: string;
  readonly reasons: readonly Reason[];
  readonly openedAt: Date;
  /** `person:` and who. */
  readonly assignee: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** Booked flights that the change touched, as `LH1167/2027-03-14`; none for cases of earlier versions. */
  readonly flights: readonly string[];
  /** Null without a clock. A closed task is never overdue. */
  readonly dueBy: { readonly at: Date; readonly rule: string; readonly overdue: boolean } | null;
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
  /** The name of the API token with which it was closed. */
  readonly closedToken: string | null;
  readonly note: string | null;
}

export interface CaseApproval {
  readonly id: string;
  readonly action: string;
  readonly askedBy: string;
  readonly askedAt: Date;
  readonly note: string | null;
}

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
  /** The proposal that it was about; null before the first one. */
  readonly proposalDigest: string | null;
}

/** Amounts are decimal text. */
export interface EffectRefund {
  readonly expected: { readonly amount: string; readonly currency: string; readonly basis: string } | null;
  /** The sum over all references, without a currency; null if the gateway named none. */
  readonly answered: string | null;
  readonly check: RefundCheck | null;
}
