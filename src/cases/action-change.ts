import type { CaseActionOutcome } from "./case-command.ts";
import type { CaseContact } from "./case-record.ts";
import type { DecisionAction, TaskKind } from "./decision.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";

export type DecisionBasis = Pick<
  NewDecision,
  | "rule"
  | "question"
  | "proposalDigest"
  | "flags"
  | "facts"
  | "itineraries"
  | "statusViewId"
  | "evaluatedAt"
  | "versions"
  | "legal"
>;

export interface PendingApproval extends Pick<EffectSnapshot, "id" | "action" | "proposalDigest"> {
  readonly askedBy: string;
  readonly note: string | null;
}

export interface ActionContext {
  readonly case: {
    readonly id: string;
    readonly source: string;
    readonly orderId: string;
    readonly state: CaseState;
    readonly version: number;
    readonly reviewQueue: string | null;
    readonly proposalDigest: string | null;
    readonly departureAt: Date | null;
    /** The clock that counts for the case, and its earliest clock other than the agency SLA. */
    readonly dueByRule: string | null;
    readonly firmDueBy: Date | null;
    /** Whether the clock that counts has run out, by the database's clock. */
    readonly isOverdue: boolean;
    readonly failures: number;
    /** When a worker looks at it next; null if only a person or a notification moves it. */
    readonly dueAt: Date | null;
    /** Milliseconds left to stop the decision, by the database's clock; null if it can't be stopped. */
    readonly undoLeftMs: number | null;
  };
  readonly decision: (DecisionBasis & { readonly action: DecisionAction }) | null;
  readonly liveEffect: Pick<EffectSnapshot, "id" | "action" | "state" | "decisionId"> | null;
  readonly succeeded: readonly SucceededEffect[];
  readonly pendingApproval: PendingApproval | null;
  readonly orderHasOpenCase: boolean;
  readonly assigneeMayAct: boolean;
  /** Whether the one who asked for the pending approval has added or changed the account of the one who approves. */
  readonly isApproverSetUpByAsker: boolean;
}

export interface SucceededEffect extends Pick<EffectSnapshot, "caseId" | "action" | "proposalDigest"> {
  readonly finishedAt: Date;
  readonly finishedAgoMs: number;
}

export interface ActionTerms {
  readonly at: Date;
  readonly newId: () => string;
  /** Cancelling an order worth more needs a second person. Decimal text; null means never. */
  readonly secondPersonAbove: string | null;
  /** How long a status may still show an answered change as open, in milliseconds. */
  readonly statusLagMs: number;
}

export interface ActionStep {
  readonly outcome: Exclude<CaseActionOutcome, { readonly outcome: "not-found" }>;
  readonly change: ActionChange | null;
}

/** What is saved for an action, in one transaction and in this order. Missing members stay unchanged. */
export interface ActionChange {
  readonly nextCase?: { readonly id: string };
  readonly pendingApproval?: Pick<PendingApproval, "id" | "action" | "proposalDigest">;
  readonly endedApproval?: { readonly id: string; readonly state: "given" | "refused" | "void" };
  readonly contact?: NewContact;
  /** The open tasks of this kind are done: of the case, and of the cases of its order before it. */
  readonly closesTasks?: TaskKind;
  readonly settledEffect?: SettledEffect;
  /** Booking references of the order, in place of those known. */
  readonly references?: readonly string[];
  readonly events?: readonly ActionEvent[];
  readonly decision?: { readonly id: string; readonly made: NewDecision };
  readonly move?: ActionMove;
  /** A worker that loaded the case earlier must not decide or send anything. */
  readonly preemptsWorker?: true;
}

/** Fields that people set, each in the column of the same name in snake case. Missing ones stay unchanged. */
export interface ActionFields {
  readonly reviewQueue?: string | null;
  readonly assignee?: string | null;
}

/** Where the case goes. Each move increments the version. A finished case has no clocks. */
export interface ActionMove {
  readonly state: CaseState;
  /** An intermediate state, set if no move leads to `state` directly. */
  readonly via?: CaseState;
  readonly sets?: ActionFields;
  /**
   * `now` makes the case due. Another time, or null for never, is ignored if the case is due already: the person could
   * not know what made it due.
   */
  readonly due?: "now" | { readonly inMs: number } | null;
  readonly clears?: readonly ("failures" | "last-error" | "undo-window" | "due-by")[];
}

export type NewContact = Pick<CaseContact, "id" | "kind" | "channel" | "answer" | "happenedAt">;

export interface SettledEffect {
  readonly id: string;
  readonly state: "succeeded" | "failed";
  /** The decision whose proposed flights are now the accepted ones; null if nothing was accepted. */
  readonly acceptedBy: string | null;
}

export interface ActionEvent {
  readonly caseId: string;
  readonly kind: string;
  readonly detail: object;
}
