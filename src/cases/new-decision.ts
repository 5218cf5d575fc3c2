import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { PolicyInputs } from "../policy/policy.ts";
import type { DecisionAction, Question, Reason } from "./decision.ts";
import type { OpenProposal } from "./open-change.ts";
import type { EffectSnapshot } from "./order-context.ts";

/** A decision to be kept, with everything needed to make it again. */
export interface NewDecision {
  readonly action: DecisionAction;
  readonly decidedBy: string;
  readonly reviewQueue: string | null;
  /** The check or the policy rule that decided. */
  readonly rule: string;
  /** What a person is asked; null when it is what the rule says, and when nobody is. */
  readonly question: Question | null;
  /** The first one decided. */
  readonly reasons: readonly Reason[];
  readonly note: string | null;
  readonly proposalDigest: string | null;
  readonly flags: Proposal["flags"] | null;
  readonly facts: ChangeFacts | null;
  readonly itineraries: {
    readonly booked: Itinerary;
    readonly accepted: Itinerary;
    /** What the view listed. Decisions that were kept before this was do not have it. */
    readonly current?: Itinerary;
    readonly proposed: Itinerary;
  } | null;
  readonly trace: unknown;
  readonly statusViewId: string | null;
  readonly evaluatedAt: Date | null;
  readonly versions: Readonly<Record<string, string>>;
  /** What the presets said; null when they were not asked. */
  readonly legal: LegalAssessment | null;
  /** 0 (most urgent) to 9; null when nothing ranked it. */
  readonly priority: number | null;
  /** Null when no rules were asked, as for what a person decides. */
  readonly inputs: DecisionInputs | null;
  /** What the shadow version of the source would have decided; null when there is none, or it was not asked. */
  readonly shadow: NewShadowDecision | null;
}

/** All that a decision rests on besides the policy. Plain JSON but for its dates: kept, so that it can be made again. */
export interface DecisionSubject extends PolicyInputs {
  readonly legal: LegalAssessment;
  readonly proposal: OpenProposal & Pick<Proposal, "digest" | "showsChange" | "suspicions">;
  /** What the newest notification proposed; null when it cannot be read. */
  readonly notified: Itinerary | null;
  /** Whether the newest notification tells of a change that no earlier status has shown. */
  readonly notifiedUnseen: boolean;
  /** When a notification came last; null when none did. */
  readonly notifiedAt: Date | null;
  /** What the decision in force was about; null when there was none. */
  readonly awaited: Itinerary | null;
  /** The effect of this order that succeeded last. */
  readonly lastSuccess:
    | (Pick<EffectSnapshot, "action" | "proposalDigest" | "finishedAt"> & {
        /** The flights that it was decided about, when others that are shown as accepted may be its work; else null. */
        readonly decidedFlights: Itinerary | null;
      })
    | null;
  readonly caseOpenedAt: Date;
  /** How long a status may still show a change that was accepted already, milliseconds. */
  readonly statusLagMs: number;
  /**
   * Why no rule may decide: what a person decided could not be carried out, or is about this very proposal. Null when rules
   * may.
   */
  readonly manualReviewReason: Reason | null;
  /** Since when nothing that rules decide is sent; null when it is. */
  readonly automationStoppedAt: Date | null;
}

/** What a decision read besides what has a place of its own in it. */
export type DecisionInputs = Omit<DecisionSubject, "facts" | "legal" | "now" | "proposal"> & {
  /** Without what stands in the decision itself or in its facts. */
  readonly proposal: Omit<DecisionSubject["proposal"], "digest" | "flags" | "proposed" | "pnrStatus">;
};

/** The opinion of a policy that decides nothing. */
export interface NewShadowDecision extends Pick<NewDecision, "action" | "reviewQueue" | "rule"> {
  readonly version: string;
  /** Code of the first reason. */
  readonly reason: string;
  /** Another action or another queue than the decision beside it. */
  readonly differs: boolean;
}
