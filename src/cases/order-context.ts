import type { OrderView } from "../contract/order-view.ts";
import type { EarlierProposal } from "../itinerary/change-history.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { ContactAnswer } from "./case-command.ts";
import type { SearchedFacts } from "./decision-document.ts";
import type { EffectSnapshot } from "./effect-snapshot.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";

export interface OrderKey {
  readonly source: string;
  readonly orderId: string;
}

export type WaitingState = Extract<CaseState, "awaiting-agent" | "ask-traveller" | "awaiting-traveller" | "snoozed">;

export interface CaseSnapshot {
  readonly id: string;
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** The requeue count when the run began. If it has grown by the end, the case is due again. */
  readonly requeueCount: number;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly proposalDigest: string | null;
  readonly openedAt: Date;
  /**
   * When the last notification came; null if none did. A repeated one counts only for a finished case: it must not
   * delay an open one.
   */
  readonly notifiedAt: Date | null;
  /** The decision in force when the run began. A write based on another one is refused. */
  readonly decisionId: string | null;
  readonly undoLeftMs: number | null;
  /** The clock of the case, if it has run out by the database's clock; else null. */
  readonly clockRanOutAt: Date | null;
  /** The tokens that find the travellers of the newest notification. */
  readonly nameTokens?: readonly string[];
  /**
   * The body of the newest notification, for the store, which compresses what the gateway says of the order against it;
   * null if that repeats too little of it.
   */
  readonly repeatedBody?: { readonly notificationId: string; readonly bytes: Uint8Array } | null;
}

export interface DecisionSnapshot
  extends Pick<NewDecision, "action" | "decidedBy" | "rule" | "question" | "reviewQueue" | "proposalDigest"> {
  readonly id: string;
  readonly policyVersion: string | null;
  /** The version of the marks of members; null before there were any. */
  readonly marksVersion: string | null;
  /** False if it was made on the notification, without a status. */
  readonly onStatus: boolean;
  /** Null if no status could be read. */
  readonly proposed: Itinerary | null;
  /** Some facts of the decision; null if no status could be read. Facts introduced later are missing. */
  readonly facts: SearchedFacts | null;
}

/** A person's decision about a proposal, or an open question to a person after an effect or an obstacle. */
export interface ReservedDecision {
  readonly proposalDigest: string;
  /** Whether it is an accept or a cancel that was never sent, or that the gateway refused temporarily. */
  readonly isUnsent: boolean;
  /** Whether it only passed an earlier decision to a person. The question after an effect does not count. */
  readonly isQuestion: boolean;
}

export interface TravellerContact {
  readonly kind: "informed" | "asked" | "answered";
  /** The proposal that it was about; null if there was none yet. */
  readonly proposalDigest: string | null;
  readonly happenedAt: Date;
  readonly answer: ContactAnswer | null;
}

export interface OrderContext extends OrderKey {
  /** The open case, or else the finished one that is due again. */
  readonly case: CaseSnapshot;
  readonly decision: DecisionSnapshot | null;
  /** Whether an effect was planned for that decision. One that the gateway refused entirely does not count. */
  readonly decisionHasEffect: boolean;
  /**
   * Decisions that belong to people, newest first: theirs on this case, and those that ended an earlier one. Leaves out
   * those before a later successful effect or answer of the traveller.
   */
  readonly reserved: readonly ReservedDecision[];
  /** How often the gateway has refused that decision's effect temporarily. */
  readonly temporaryRefusals: number;
  readonly liveEffect: EffectSnapshot | null;
  readonly lastSuccess: EffectSnapshot | null;
  readonly booked: Itinerary | null;
  /** The origin of the booked flights: `import`, `notification` or `status`; null without any. */
  readonly bookedFrom: string | null;
  readonly accepted: Itinerary | null;
  /** The newest proposals that were decided about, over all cases of this order, oldest first. */
  readonly earlierProposals: readonly EarlierProposal[];
  /** The digests of all proposals that were decided about for this order. */
  readonly storedDigests: readonly string[];
  readonly travellerContacts: readonly TravellerContact[];
  readonly lastContact: "none" | "informed" | "answered";
  /** Whether the agency has stated the booked flights after that. */
  readonly isRestated: boolean;
  /** Whether a person has taken the case over since the decision in force. */
  readonly isTakenOver: boolean;
  /** Until when the case is snoozed; null if it is not, or something else has happened since. */
  readonly snoozedUntil: Date | null;
  readonly automationStoppedAt: Date | null;
  /** `unreadable` if it no longer parses; null if none. Shared with other orders, so nobody may change it. */
  readonly notification: OrderView | "unreadable" | null;
}
