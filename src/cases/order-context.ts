import type { OrderView } from "../contract/order-view.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { EarlierProposal } from "../itinerary/sequence-facts.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { ContactAnswer } from "./case-command.ts";
import type { DecisionAction, EffectAction, Question, RefundCheck } from "./decision.ts";
import type { ExpectedRefund } from "./effect.ts";
import type { CaseState, EffectState } from "./lifecycle.ts";

/** An order within a source. */
export interface OrderKey {
  readonly source: string;
  readonly orderId: string;
}

/** Where a case waits for somebody, or for a time that a person has set. */
export type WaitingState = Extract<CaseState, "awaiting-agent" | "awaiting-traveller" | "snoozed">;

export interface CaseSnapshot {
  readonly id: string;
  readonly state: CaseState;
  /** Whose it is while it waits for a person. */
  readonly reviewQueue: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** The wake-up count that this work has seen: a later one makes the case due again when the work ends. */
  readonly requeueCount: number;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly proposalDigest: string | null;
  readonly openedAt: Date;
  /**
   * When a notification reached it last; null when none has. To a finished case, one whose bytes were known counts as well;
   * to an open one it does not, since a gateway that goes on repeating it must not put anything off.
   */
  readonly notifiedAt: Date | null;
  /** The decision in force when the work began: a write that rests on another one is refused. */
  readonly decisionId: string | null;
  /** How long the decision in force may still be stopped, milliseconds by the database's clock; null when it cannot. */
  readonly undoLeftMs: number | null;
}

export interface DecisionSnapshot {
  readonly id: string;
  readonly action: DecisionAction;
  readonly decidedBy: string;
  /** What a person is asked by it; null when nobody is, or when the rule that decided says what. */
  readonly question: Question | null;
  readonly reviewQueue: string | null;
  readonly proposalDigest: string | null;
  readonly policyVersion: string | null;
  /** False when it was made without a status, on what the notification says. */
  readonly onStatus: boolean;
  /** Null when it was decided before any status could be read. */
  readonly proposed: Itinerary | null;
  /** What was known when it was made; null when no status could be read. Facts that are newer than it are missing. */
  readonly facts: Partial<ChangeFacts> | null;
}

export interface EffectSnapshot {
  readonly id: string;
  readonly caseId: string;
  readonly action: EffectAction;
  readonly state: EffectState;
  readonly proposalDigest: string;
  readonly gdsBookingReferences: readonly string[];
  readonly decisionId: string;
  /** Status reads made to settle it since it was sent last. */
  readonly settleReads: number;
  /** How many of them showed the very proposal that it was sent for, open as before. */
  readonly unchangedReads: number;
  /** How often it was sent: 0 to 2. */
  readonly sends: number;
  readonly sentAt: Date | null;
  /** How long ago that was, milliseconds by the database's clock; null when it was not sent. */
  readonly sentAgoMs: number | null;
  readonly finishedAt: Date | null;
  /** The flights that the decision behind it was about. */
  readonly proposed: Itinerary | null;
  /** The flights that were the accepted ones until then. */
  readonly acceptedBefore: Itinerary | null;
  /** Seats and services that were at risk when the decision behind it was made, as the fact of this name lists them. */
  readonly ancillariesAtRisk: readonly string[];
  readonly expectedRefund: ExpectedRefund | null;
  /** Null when no refund was compared: it was no cancel, or no answer told of it. */
  readonly refundCheck: RefundCheck | null;
  /** What the law said of the change when the decision behind it was made; null when it was not asked. */
  readonly legal: Pick<LegalAssessment, "verdicts"> | null;
  /** The case in which a person was asked about other flights that it brought; null when nobody was. */
  readonly otherFlightsAskedIn: string | null;
  /** Whether a notification has reached its case since the status behind its decision was looked at. */
  readonly notifiedSince: boolean;
  /** Whether a status that was read after it said otherwise, and may have been an old one. */
  readonly contradicted: boolean;
}

/** What a person decided about a proposal, or was asked to decide after an effect or a decision that could not be carried out. */
export interface ReservedDecision {
  readonly proposalDigest: string;
  /** Whether it was an accept or a cancel that the gateway was never asked for, or has put off. */
  readonly isUnsent: boolean;
  /** Whether it only passed on to a person what was one's before; the question after an effect is its own. */
  readonly isQuestion: boolean;
}

/** What a traveller was told or said, as a person recorded it. */
export interface TravellerContact {
  readonly kind: "informed" | "asked" | "answered";
  /** The proposal that it was about; null when there was none yet. */
  readonly proposalDigest: string | null;
  readonly happenedAt: Date;
  /** Null unless they answered. */
  readonly answer: ContactAnswer | null;
}

/** All that is known about one order at one moment. Loaded when a worker takes the order. */
export interface OrderContext extends OrderKey {
  /** The open case, or else the finished one that is due for another look. */
  readonly case: CaseSnapshot;
  /** The decision in force on that case. */
  readonly decision: DecisionSnapshot | null;
  /** Whether an effect was ever planned for that decision; one of which the gateway took nothing does not count. */
  readonly decisionHasEffect: boolean;
  /**
   * What is for people to decide on this order, newest first: their decisions on this case, and those by which they ended
   * an earlier one. Only what no effect that succeeded and no answer of the traveller has overtaken since.
   */
  readonly reserved: readonly ReservedDecision[];
  /** How often the gateway has put an effect of that decision off. */
  readonly refusalsForNow: number;
  /** The effect of this order that may have happened or may still happen. */
  readonly liveEffect: EffectSnapshot | null;
  /** The effect of this order that succeeded last. */
  readonly lastSuccess: EffectSnapshot | null;
  readonly booked: Itinerary | null;
  /** Where the booked flights come from: `import`, `notification` or `status`; null while there are none. */
  readonly bookedFrom: string | null;
  /** What was accepted last; null when nothing was. */
  readonly accepted: Itinerary | null;
  /** The newest of the proposals that were decided about for this order, over all its cases, oldest first. */
  readonly earlierProposals: readonly EarlierProposal[];
  /** The digests of these and all other proposals that were decided about for this order. */
  readonly storedDigests: readonly string[];
  /** What travellers were told and said of this order, over all its cases, oldest first. */
  readonly travellerContacts: readonly TravellerContact[];
  /** What of it came after the decision in force was made. */
  readonly lastContact: "nothing" | "told" | "answered";
  /** Whether the agency has stated the booked flights after that. */
  readonly isRestated: boolean;
  /** Whether a person has taken the case over since the decision in force was made. */
  readonly isTakenOver: boolean;
  /** Until when a person has put the case off; null when nobody has, or something else has happened since. */
  readonly snoozedUntil: Date | null;
  /** Since when automatic effects are stopped; null when they are not. */
  readonly automationStoppedAt: Date | null;
  /**
   * The newest notification of this case; `unreadable` when it can no longer be read; null when there is none. Other orders
   * share it: nobody changes it.
   */
  readonly notification: OrderView | "unreadable" | null;
}
