import type { Reason, RefundCheck } from "./decision.ts";

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

export interface EffectOutcome {
  readonly state: "succeeded" | "failed" | "unknown";
  readonly results: readonly EffectResult[] | null;
  readonly error: Failure | null;
  /** The gateway's answer, as it came; null when none did. */
  readonly answer: Uint8Array | null;
}

/** Of an effect of which the gateway has said nothing that can be read. */
export function withoutAnswer(state: "failed" | "unknown", code: string, message: string): EffectOutcome {
  return { state, results: null, error: { code, message }, answer: null };
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

/** What went wrong with a try, for the case page. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The error code of an effect of which no byte left: the same decision may be carried out later. */
export const notSent = "desk.not_sent";

/** The error code of an effect that the gateway turned away for now: the same decision may be carried out later. */
export const refusedForNow = "desk.refused_for_now";

/**
 * The error code of an effect for which the gateway did not take our credentials, so that it did nothing: the same decision
 * may be carried out once they are right.
 */
export const credentialsRefused = "desk.credentials_refused";
