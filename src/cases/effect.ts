import type { InvoluntaryResult } from "../contract/involuntary-result.ts";
import type { Reason, RefundCheck } from "./decision.ts";

export interface EffectResult extends Omit<InvoluntaryResult, "orderId" | "status"> {
  readonly status: string;
}

export interface EffectOutcome {
  readonly state: "succeeded" | "failed" | "unknown";
  readonly results: readonly EffectResult[] | null;
  readonly error: Failure | null;
  /** The gateway's response as it came; null if there was none. */
  readonly response: Uint8Array | null;
}

export function withoutResponse(state: "failed" | "unknown", code: string, message: string): EffectOutcome {
  return { state, results: null, error: { code, message }, response: null };
}

export interface ExpectedRefund {
  /** Decimal text. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  /** `unused-price`: all that was paid, since nothing is flown. `not-paid`: nothing was paid. */
  readonly basis: "unused-price" | "not-paid";
}

/** How the stated refund compares, and why somebody must check it; null if nobody must. */
export interface RefundVerdict {
  readonly check: RefundCheck;
  readonly alarm: Reason | null;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** It was carried out for some booking references only. */
export const mixedResults = "desk.mixed_results";

/** No byte was sent: the same decision may be carried out later. */
export const notSent = "desk.not_sent";

/** The gateway refused temporarily: the same decision may be carried out later. */
export const refusedTemporarily = "desk.refused_for_now";

/** The gateway refused our credentials and did nothing: the same decision may be carried out with right ones. */
export const credentialsRefused = "desk.credentials_refused";
