import type { CaseAction, CaseActionOutcome, ContactAnswer } from "../cases/case-command.ts";
import type { DecisionAction, EffectAction, Question, Reason, RefundCheck, TaskKind } from "../cases/decision.ts";
import type { CaseState, EffectState } from "../cases/lifecycle.ts";
import type { TicketDocuments } from "../contract/operations/air-doc-retreive.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { EarlierProposal } from "../itinerary/sequence-facts.ts";
import { AppError } from "../kernel/app-error.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { OrderContext } from "../policy/policy.ts";

export * from "./bulk-ports.ts";

/** One lane of work. */
export interface OrderKey {
  readonly source: string;
  readonly orderId: string;
}

/**
 * The right to work on one order, for a while. Every write that moves the work along names it and is refused with
 * `desk.lease_lost` once a later lease exists or the time is over.
 */
export interface Lease extends OrderKey {
  readonly fence: number;
}

/** What a `CaseStore` rejects with when a lease no longer holds: another worker has the order, and this one must stop. */
export function leaseLost(key: OrderKey): AppError {
  return new AppError(
    "desk.lease_lost",
    `The lease on order ${key.orderId} of source ${key.source} is lost; another worker goes on with it.`,
  );
}

/** How long a status may still show a change as open after it was answered: stored statuses lag behind. Milliseconds. */
export const defaultStatusLagMs = 15 * 60_000;

/** Where a case waits for somebody, or for a time that a person has set. */
export type WaitingState = Extract<CaseState, "awaiting-agent" | "awaiting-traveller" | "snoozed">;

export interface CaseSnapshot {
  readonly id: string;
  readonly state: CaseState;
  readonly gdsBookingReferences: readonly string[];
  /** The wake-up count that this work has seen: a later one makes the case due again when the work ends. */
  readonly wake: number;
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

/** All that is known about an order when the work on it begins. */
export interface Work {
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
  readonly heardSince: "nothing" | "told" | "answered";
  /** Whether the agency has stated the booked flights after that. */
  readonly isRestated: boolean;
  /** Until when a person has put the case off; null when nobody has, or something else has happened since. */
  readonly snoozedUntil: Date | null;
  /** The body of the newest notification of this case, as it came; null when there is none. */
  readonly notificationBody: Uint8Array | null;
}

export type StatusPurpose = "decide" | "before-effect" | "after-effect" | "settle-unknown";

/** What the gateway answered to AirReservationStatus. */
export interface StatusReading {
  readonly view: OrderView;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

/** A decision to be kept, with everything needed to make it again. */
export interface NewDecision {
  readonly action: DecisionAction;
  readonly decidedBy: string;
  readonly reviewQueue: string | null;
  readonly rule: string;
  readonly question: Question | null;
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
export interface DecisionSubject {
  readonly source: string;
  readonly order: OrderContext;
  readonly facts: ChangeFacts;
  readonly legal: LegalAssessment;
  readonly now: Date;
  readonly proposal: Pick<
    Proposal,
    | "digest"
    | "flags"
    | "referencesAllowing"
    | "pnrStatus"
    | "scheduleChangeStatus"
    | "scheduleChangeIndicator"
    | "current"
    | "proposed"
    | "withdrawnSegmentKeys"
    | "showsChange"
    | "suspicions"
  >;
  /** What the newest notification proposed; null when it cannot be read. */
  readonly notified: Itinerary | null;
  /**
   * Whether the newest notification tells of a change that no earlier status has shown. Decisions that were kept before this
   * was do not have it.
   */
  readonly notifiedUnseen?: boolean;
  /** When a notification came last; null when none did. Decisions that were kept before this was do not have it. */
  readonly notifiedAt?: Date | null;
  /** What the decision in force was about; null when there was none. */
  readonly awaited: Itinerary | null;
  /** The effect of this order that succeeded last. */
  readonly lastSuccess:
    | (Pick<EffectSnapshot, "action" | "proposalDigest" | "finishedAt"> & {
        /**
         * The flights that it was decided about, when others that are shown as accepted may be its work; null when they
         * cannot. Decisions that were kept before this was do not have it.
         */
        readonly decidedFlights?: Itinerary | null;
      })
    | null;
  readonly caseOpenedAt: Date;
  /** How long a status may still show a change that was accepted already, milliseconds. */
  readonly statusLagMs: number;
  /**
   * Why no rule may decide: what a person decided could not be carried out, or is about this very proposal. Null when rules
   * may.
   */
  readonly overruled: Reason | null;
}

/** What a decision read besides what has a place of its own in it. */
export type DecisionInputs = Omit<DecisionSubject, "facts" | "legal" | "now" | "proposal"> & {
  /** Without what stands in the decision itself or in its facts. */
  readonly proposal: Omit<DecisionSubject["proposal"], "digest" | "flags" | "proposed" | "pnrStatus">;
};

/** The opinion of a policy that decides nothing. */
export interface NewShadowDecision {
  readonly version: string;
  readonly action: DecisionAction;
  readonly reviewQueue: string | null;
  readonly rule: string;
  /** Code of the first reason. */
  readonly reason: string;
  /** Another action or another queue than the decision beside it. */
  readonly differs: boolean;
}

/** How a case stands after a step of work. */
export interface CaseMove {
  readonly state: CaseState;
  readonly reviewQueue: string | null;
  /** When to look again; null: only a person or a notification moves it. */
  readonly dueAt: Date | null;
  readonly priority?: number;
  readonly headline?: string;
  readonly departureAt?: Date | null;
  readonly gdsBookingReferences?: readonly string[];
  /** Until when a person may stop the decision; absent: as it is. A new decision begins without. */
  readonly undoUntil?: Date;
  /** By when somebody must have decided, the rule that says so, and the same without the agency's own target; null: no clock runs. Left out, it stays as it is. */
  readonly dueBy?: { readonly at: Date; readonly rule: string; readonly firmAt: Date | null } | null;
  /** Flights that the change touches, as `LH1167/2027-03-14`: orders that share one are a cohort. */
  readonly flightDates?: readonly string[];
}

/** Work that is left when a case is done. */
export interface NewTask {
  readonly kind: TaskKind;
  readonly reasons: readonly Reason[];
  /** By when somebody must have done it; null: no clock runs. */
  readonly dueBy: TaskDueBy | null;
}

/** The clock that counts for a task. */
export interface TaskDueBy {
  readonly at: Date;
  /** `departure-24h`, `departure`, `agency-refund`, or the name of a legal clock. */
  readonly rule: string;
}

/** What went wrong with a try, for the case page. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The result of an effect for one booking reference or several. */
export interface EffectResult {
  readonly gdsBookingReferences: readonly string[];
  readonly status: string;
  readonly errorMessage: string;
  /** Decimal text, as the gateway wrote it. Its currency is not stated. */
  readonly refundAmount: string | null;
  readonly refundText: string | null;
  readonly refundPaxWiseFare: readonly { readonly ticketNumber: string; readonly amount: string | null }[];
}

/** What a refund should come to. */
export interface ExpectedRefund {
  /** Decimal text. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  /** `unused-price`: all that was paid, since nothing is flown. `not-paid`: nothing was. */
  readonly basis: "unused-price" | "not-paid";
}

/** How the refund that the gateway named compares, and why somebody should look at it; no reason: nobody need. */
export interface RefundVerdict {
  readonly check: RefundCheck;
  readonly alarm: Reason | null;
}

/** What follows from the refund of a cancel: how it compares, and the task for who should look into it, if anybody should. */
export interface RefundFollowUp {
  readonly check: RefundCheck;
  readonly task: NewTask | null;
}

export interface EffectOutcome {
  readonly state: "succeeded" | "failed" | "unknown";
  readonly results: readonly EffectResult[] | null;
  readonly error: Failure | null;
  /** The gateway's answer, as it came; null when none did. */
  readonly answer: Uint8Array | null;
}

/** What follows from an outcome, committed with it. */
export interface EffectEnding {
  readonly move: CaseMove;
  /** The flights that are now the accepted ones, when an accept succeeded. */
  readonly accepted: Itinerary | null;
  /** The decision that asks a person, when the effect did not go well. */
  readonly followUp: NewDecision | null;
  /** Null unless a cancel succeeded. */
  readonly refund: RefundFollowUp | null;
}

/**
 * Where cases live. Each method is one transaction. Methods that take a `Lease` reject with `desk.lease_lost` when it no
 * longer holds, having changed nothing.
 */
export interface CaseStore {
  /**
   * Orders that are due, urgent ones first and fair between sources, marked as dispatched for `dispatchMs` so that they
   * are not handed out again meanwhile. Together with what is dispatched already, never more than `limit`.
   *
   * @param perSourceMax of one source no more than so many, those that workers have already included; null: no bound.
   */
  takeDueOrders(limit: number, dispatchMs: number, perSourceMax?: number | null): Promise<readonly OrderKey[]>;

  /** The lease, or null while another worker holds it or nothing is due for this order. */
  acquireLease(key: OrderKey, holder: string, leaseMs: number): Promise<Lease | null>;
  /** Extends the lease; false when it is lost. */
  renewLease(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Gives the order back; harmless when the lease is lost. */
  releaseLease(lease: Lease): Promise<void>;

  /**
   * What is known about the order, its open case moved to `checking` (one that is accepting or cancelling stays so);
   * null when there is no case to work on. Rejects with `store.cannot_open` when the stored notification cannot be
   * opened, unless it is left out.
   */
  beginWork(lease: Lease, notification?: "without-notification"): Promise<Work | null>;

  saveStatus(lease: Lease, caseId: string, purpose: StatusPurpose, reading: StatusReading): Promise<string>;

  /** Keeps the decision, supersedes the one in force, moves the case. Answers the decision's id. */
  decide(
    lease: Lease,
    work: CaseSnapshot,
    decision: NewDecision,
    move: CaseMove,
    baseline: { readonly booked: Itinerary; readonly from: string } | null,
  ): Promise<string>;

  /**
   * Moves the case without a new decision and writes the event to its timeline. Clears its failures.
   *
   * @param tasks what is left to be done. One of a kind is opened for a case, whatever comes again.
   */
  move(
    lease: Lease,
    work: CaseSnapshot,
    move: CaseMove,
    event: { kind: string; detail: object },
    tasks?: readonly NewTask[],
  ): Promise<void>;

  /** Counts a failed try and says when to try again; the case goes to `state`, where it waits, when one is given. */
  postpone(lease: Lease, work: CaseSnapshot, failure: Failure, dueAt: Date | null, state?: WaitingState): Promise<void>;

  /** A finished case shows new work: opens another case for the order, due at once, resting on the same notifications. */
  openNextCase(lease: Lease, finished: CaseSnapshot): Promise<void>;

  /**
   * Plans an effect for the decision and moves the case to accepting or cancelling; from then on the decision cannot be
   * stopped any more. Null when one that may have happened is still live, or when one has succeeded for the same proposal
   * of the case. Rejects with `desk.lease_lost` when the decision is no longer in force.
   */
  planEffect(
    lease: Lease,
    caseId: string,
    effect: {
      readonly decisionId: string;
      readonly action: EffectAction;
      readonly gdsBookingReferences: readonly string[];
      readonly proposalDigest: string;
      readonly expectedRefund: ExpectedRefund | null;
    },
  ): Promise<string | null>;

  /** Commits that the bytes are about to leave. Nothing may be sent before it resolves. */
  markSent(lease: Lease, effectId: string): Promise<void>;

  /**
   * The same for an unknown accept that is sent once more, under the decision it was planned for. Its settling begins
   * anew. The database refuses a third sending, and a second one of a cancel.
   */
  markSentAgain(lease: Lease, work: CaseSnapshot, effectId: string): Promise<void>;

  /**
   * Keeps what came of an effect and moves the case. The outcome is evidence, so it is kept even when the lease is lost;
   * it changes nothing when the effect has been settled meanwhile, nor does a failure of the first sending once there was
   * a second one: what the gateway said is then only noted. Safe to call again when it is not known whether it worked.
   */
  finishEffect(
    lease: Lease,
    work: CaseSnapshot,
    effectId: string,
    outcome: EffectOutcome,
    ending: EffectEnding,
  ): Promise<void>;

  /**
   * Counts a status read that did not settle an unknown effect, moves the case, and asks a person when it is time.
   *
   * @param shown whether it showed the very proposal that the effect was sent for, open as before.
   */
  countSettleRead(
    lease: Lease,
    work: CaseSnapshot,
    effectId: string,
    shown: "unchanged" | "otherwise",
    move: CaseMove,
    followUp: NewDecision | null,
  ): Promise<void>;

  /** Keeps what AirDocRetreive answered after an accept, as evidence. */
  saveDocuments(
    lease: Lease,
    caseId: string,
    documents: { readonly body: Uint8Array; readonly readAt: Date },
  ): Promise<void>;

  /** A person's action on a case, decided on the state it has when the transaction runs. */
  act(action: CaseAction): Promise<CaseActionOutcome>;
}

/** The gateway operations that the desk calls for one source. Errors are `GatewayFailure`s. */
export interface Gateway {
  airReservationStatus(query: GatewayQuery): Promise<GatewayAnswer<OrderView>>;
  airDocRetreive(query: GatewayQuery): Promise<GatewayAnswer<TicketDocuments>>;
  airOrderInvoluntaryAccept(query: GatewayQuery): Promise<GatewayAnswer<readonly GatewayResult[]>>;
  airOrderInvoluntaryCancel(query: GatewayQuery): Promise<GatewayAnswer<readonly GatewayResult[]>>;
}

/** What an operation answered: normalised, as bytes, and when. */
export interface GatewayAnswer<Answer> {
  readonly answer: Answer;
  readonly body: Uint8Array;
  readonly readAt: Date;
}

export interface GatewayQuery {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

export interface GatewayResult extends EffectResult {
  readonly orderId: string | null;
}

/** What the desk needs to know of a failed gateway call: the phase decides the reaction. */
export interface GatewayFailure {
  readonly code: string;
  readonly message: string;
  /** `before-sending`: no byte left. `answered`: the gateway refused. `unknown`: it may have been carried out. */
  readonly phase: "before-sending" | "unknown" | "answered";
  readonly retryable: boolean;
  /** How long the gateway asks to be left alone; null when it does not ask. */
  readonly retryAfterMs: number | null;
  /** The gateway's own words, for the people who decide and not for logs; null when it said nothing. */
  readonly gatewayText: string | null;
}
