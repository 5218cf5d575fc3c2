import type { Itinerary } from "../itinerary/itinerary.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { CaseEffect } from "./case-record.ts";
import type { RefundCheck } from "./decision.ts";
import type { ExpectedRefund } from "./effect.ts";

/** An effect of an order as a run loads it. */
export interface EffectSnapshot
  extends Pick<
    CaseEffect,
    | "id"
    | "decisionId"
    | "action"
    | "gdsBookingReferences"
    | "proposalDigest"
    | "state"
    | "sentAt"
    | "finishedAt"
    | "settleReads"
  > {
  readonly caseId: string;
  /** How many of its settling reads showed the same proposal, still open. */
  readonly unchangedReads: number;
  /** How often it was sent: 0 to 2. */
  readonly sends: number;
  /** Milliseconds by the database's clock; null if it was not sent. */
  readonly sentAgoMs: number | null;
  readonly proposed: Itinerary | null;
  readonly acceptedBefore: Itinerary | null;
  /** Seats and services at risk by its decision, as in the fact of this name. */
  readonly ancillariesAtRisk: readonly string[];
  readonly expectedRefund: ExpectedRefund | null;
  /** Null if no refund was compared: it was no cancel, or had no response. */
  readonly refundCheck: RefundCheck | null;
  /** The legal results of its decision; null if the law was not evaluated. */
  readonly legal: Pick<LegalAssessment, "verdicts"> | null;
  /** The case in which a person was asked about other flights that it accepted; null if nobody was. */
  readonly otherFlightsAskedIn: string | null;
  /** Whether a notification has reached its case since the status of its decision was read. */
  readonly notifiedSince: boolean;
  /** Whether a later status contradicted it. That status may have been stale. */
  readonly contradicted: boolean;
  /** Whether only a person has said that it was carried out. */
  readonly confirmedByPerson: boolean;
}
