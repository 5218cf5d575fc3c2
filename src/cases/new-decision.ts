import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { PolicyInputs } from "../policy/policy.ts";
import type { DecisionAction, Question, Reason } from "./decision.ts";
import type { DecisionDocument } from "./decision-document.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { Learning } from "./learning.ts";
import type { OpenProposal } from "./open-change.ts";

export interface NewDecision extends DecisionDocument {
  readonly action: DecisionAction;
  readonly decidedBy: string;
  readonly reviewQueue: string | null;
  /** The check or the policy rule that decided. */
  readonly rule: string;
  /** What a person is asked; null if the rule says it or nobody is asked. */
  readonly question: Question | null;
  readonly reasons: readonly Reason[];
  readonly note: string | null;
  readonly proposalDigest: string | null;
  readonly flags: Proposal["flags"] | null;
  /** What the case is found by, besides; not stored with the decision. See `unmarkedValues`. */
  readonly unmarkedValues?: readonly string[];
  readonly statusViewId: string | null;
  readonly evaluatedAt: Date | null;
  /** 0 (most urgent) to 9; null if not ranked. */
  readonly priority: number | null;
  /** Null if no rules were evaluated, as for a person's decision. */
  readonly inputs: DecisionInputs | null;
  /** What the shadow policy would have decided; null if there is none or it was not evaluated. */
  readonly shadow: NewShadowDecision | null;
}

/** Everything besides the policy that a decision is based on. Plain JSON except dates, for reevaluation. */
export interface DecisionSubject extends PolicyInputs {
  readonly legal: LegalAssessment;
  readonly proposal: OpenProposal & Pick<Proposal, "digest" | "showsChange" | "suspicions">;
  /** What the newest notification proposed; null if it is unreadable. */
  readonly notified: Itinerary | null;
  /** Whether the newest notification announces a change that no earlier status has shown. */
  readonly notifiedUnseen: boolean;
  readonly notifiedAt: Date | null;
  readonly awaited: Itinerary | null;
  readonly lastSuccess:
    | (Pick<EffectSnapshot, "action" | "proposalDigest" | "finishedAt"> & {
        /** The flights that it was decided about, if it may have caused the accepted ones that are shown; else null. */
        readonly decidedFlights: Itinerary | null;
      })
    | null;
  /** The airline's earliest limit with what happens then, for the person who decides; null if none is stated. */
  readonly airlineDeadline: Reason | null;
  readonly caseOpenedAt: Date;
  /** How long a status may still show an answered change as open, in milliseconds. */
  readonly statusLagMs: number;
  /** Why no rule may decide: a person decided about this proposal or could not be followed. Null if rules may. */
  readonly manualReviewReason: Reason | null;
  /** Since when automation is stopped; null if it is not. */
  readonly automationStoppedAt: Date | null;
  /** How far the source has learned; missing if it does not. */
  readonly learning?: Learning;
}

export type DecisionInputs = Omit<DecisionSubject, "facts" | "legal" | "now" | "proposal"> & {
  readonly proposal: Omit<DecisionSubject["proposal"], "digest" | "flags" | "proposed" | "pnrStatus">;
};

export interface NewShadowDecision extends Pick<NewDecision, "action" | "reviewQueue" | "rule"> {
  readonly version: string;
  readonly reason: string;
  /** Whether the action or the queue differs from the active policy's decision. */
  readonly differs: boolean;
}
