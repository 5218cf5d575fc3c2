import type { CaseActionOutcome, ContactAnswer, ContactChannel } from "./case-command.ts";
import type { ContactKind, DecisionAction, EffectAction } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";
import type { EffectSnapshot } from "./order-context.ts";

/** What the decision in force was made on. */
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

/** What one person has asked for and another must agree to. */
export interface AskedApproval {
  readonly id: string;
  readonly action: EffectAction;
  readonly proposalDigest: string;
  readonly askedBy: string;
  readonly note: string | null;
}

/** All that the rules for a person's action read, as it is while the order and the case are locked. */
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
    /** The clock that counts for the case, and until when it must be decided whatever the agency's own target says. */
    readonly dueByRule: string | null;
    readonly firmDueBy: Date | null;
    readonly failures: number;
    /** How long the decision in force may still be stopped, milliseconds by the database's clock; null when it cannot. */
    readonly undoLeftMs: number | null;
  };
  /** The decision in force; null when nothing was decided yet. */
  readonly decision: (DecisionBasis & { readonly action: DecisionAction }) | null;
  /** The effect of the order that may have happened or may still happen. */
  readonly liveEffect: Pick<EffectSnapshot, "id" | "action" | "state" | "decisionId"> | null;
  /** Effects of the order that succeeded. */
  readonly succeeded: readonly SucceededEffect[];
  readonly askedApproval: AskedApproval | null;
  /** Whether this case or a later one of the order is open. */
  readonly orderHasOpenCase: boolean;
  /** Whether the person to whom the case is to be given can sign in and act on cases. */
  readonly assigneeMayAct: boolean;
}

export interface SucceededEffect extends Pick<EffectSnapshot, "caseId" | "action" | "proposalDigest"> {
  readonly finishedAt: Date;
  /** How long ago that was, milliseconds by the database's clock. */
  readonly finishedAgoMs: number;
}

/** What holds for every action, whatever the case. */
export interface ActionTerms {
  readonly at: Date;
  readonly newId: () => string;
  /** Orders worth more are cancelled only when two people want it, decimal text; null: one is always enough. */
  readonly secondPersonAbove: string | null;
  /** How long a status may still show a change as open after it was answered, milliseconds. */
  readonly statusLagMs: number;
}

/** What an action comes to. A refusal may change something as well, such as an approval that no longer holds. */
export interface ActionStep {
  readonly outcome: Exclude<CaseActionOutcome, { readonly outcome: "not-found" }>;
  /** Null: nothing is saved. */
  readonly change: ActionChange | null;
}

/** What is saved for an action, in one transaction and in this order. What is left out stays as it is. */
export interface ActionChange {
  /** The next case of the order, resting on the same notifications. */
  readonly nextCase?: { readonly id: string };
  readonly askedApproval?: Pick<AskedApproval, "id" | "action" | "proposalDigest">;
  readonly endedApproval?: { readonly id: string; readonly state: "given" | "refused" | "void" };
  readonly contact?: NewContact;
  readonly settledEffect?: SettledEffect;
  readonly events?: readonly ActionEvent[];
  /** Is in force from now on. */
  readonly decision?: { readonly id: string; readonly made: NewDecision };
  readonly move?: ActionMove;
  /** A worker that has read what was known before must not decide or send anything on it. */
  readonly takesFromWorker?: true;
}

/** Fields of a case that people set, each in the column of the same name in snake case. What is left out stays. */
export interface ActionFields {
  readonly reviewQueue?: string | null;
  readonly assignee?: string | null;
}

/** How the case goes on. Each move counts as a version. A case that is over has no clocks any more. */
export interface ActionMove {
  readonly state: CaseState;
  /** The state that the case passes, since no move leads to `state` directly. */
  readonly via?: CaseState;
  readonly sets?: ActionFields;
  /**
   * `now` has a worker look at once. Any other time, or null for never, is kept only if the case is not due already: what
   * has just woken it, such as a notification that no worker has read yet, the person could not know of.
   */
  readonly due?: "now" | { readonly inMs: number } | null;
  readonly clears?: readonly ("failures" | "last-error" | "undo-window" | "due-by")[];
}

export interface NewContact {
  readonly id: string;
  readonly kind: ContactKind;
  readonly channel: ContactChannel;
  readonly answer: ContactAnswer | null;
  readonly happenedAt: Date;
}

/** An effect whose outcome a person has found out. */
export interface SettledEffect {
  readonly id: string;
  readonly state: "succeeded" | "failed";
  /** The decision whose proposed flights are the accepted ones now; null when nothing was accepted. */
  readonly acceptedBy: string | null;
}

/** A line of the timeline. */
export interface ActionEvent {
  readonly caseId: string;
  readonly kind: string;
  readonly detail: object;
}
