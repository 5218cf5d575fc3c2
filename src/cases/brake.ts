import { counted } from "../kernel/counted.ts";
import type { EffectAction } from "./decision.ts";
import { credentialsRefused, type EffectOutcome, notSent, refusedTemporarily } from "./effect.ts";
import { acceptedOtherCode } from "./outcome-words.ts";

/*
 * The brake: it stops the automation of a source whose outcomes contradict what was read, because then the statuses of the
 * source, or the program, can no longer be trusted. People go on deciding, and a supervisor resumes.
 */

/** `person`: somebody stopped it; `outcomes`: the brake did; `hourly-limit`: the limit of the source was reached. */
export const stopCauses = ["person", "outcomes", "hourly-limit"] as const;
export type StopCause = (typeof stopCauses)[number];

/** How an effect that a rule decided has ended. */
export interface AutomaticOutcome {
  readonly orderId: string;
  readonly action: EffectAction;
  /** Null if the effect ended as the status before it let expect. */
  readonly contradiction: Contradiction | null;
}

export type Contradiction =
  | "not-carried-out"
  | "unknown"
  /** The gateway responded with SUCCESS, and the status then showed other flights, or that it was not carried out. */
  | "shown-otherwise";

/** The first reason of a decision that follows an effect which the status then contradicts. */
export const contradictingReasons: readonly string[] = [
  acceptedOtherCode,
  "mixed-results",
  "status-contradicts-result",
];

/** In these the gateway carried out nothing, and a later attempt may succeed. */
export const nothingDoneCodes: readonly string[] = [notSent, refusedTemporarily, credentialsRefused];

/** The process died before it had a response, which says nothing of the gateway. */
export const interrupted = "desk.interrupted";

/** Whether the error of an effect that did not succeed contradicts the status that was read before it. */
export function contradictsStatus(error: EffectOutcome["error"]): boolean {
  return ![...nothingDoneCodes, interrupted].includes(error?.code ?? "");
}

/** So many outcomes are looked at. */
export const brakeWindow = 100;
const inARow = 3;
const inWindow = 5;

/**
 * Returns why automation must stop, or null if it need not.
 * @param outcomes of one source since somebody resumed it after the brake, the newest first, at most `brakeWindow`
 */
export function whyToBrake(outcomes: readonly AutomaticOutcome[]): string | null {
  const contradicting = outcomes.filter(({ contradiction }) => contradiction !== null);
  const newest = outcomes.slice(0, inARow);
  if (newest.length === inARow && newest.every(({ contradiction }) => contradiction !== null)) {
    return describe(`The last ${inARow}`, newest);
  }
  if (contradicting.length < inWindow) return null;
  return describe(`${inWindow} of the last ${outcomes.length}`, contradicting.slice(0, inWindow));
}

function describe(which: string, outcomes: readonly AutomaticOutcome[]): string {
  const orders = outcomes.map(({ orderId, action, contradiction }) => `${orderId} (${words[contradiction!](action)})`);
  return `${which} automatic accepts and cancels of this source ended otherwise than the statuses read before let expect: ${orders.join(", ")}. Check these orders with the gateway, and resume when the cause is gone.`;
}

const words: Readonly<Record<Contradiction, (action: EffectAction) => string>> = {
  "not-carried-out": (action) => `${action} not carried out`,
  unknown: (action) => `outcome of the ${action} unknown`,
  "shown-otherwise": (action) => `the status after the ${action} shows something else`,
};

export function whyLimited(limit: number): string {
  return `${counted(limit, "automatic accept or cancel", "automatic accepts and cancels")} of this source within an hour: that is its limit. Check that so many changes are right, then resume; or raise the limit.`;
}
