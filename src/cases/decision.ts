import { z } from "zod";

/** A stable code and the sentence that people read. */
export const reason = z.strictObject({ code: z.string(), text: z.string() });
export type Reason = Readonly<z.output<typeof reason>>;

/** What is done at the gateway for a decision, and cannot be taken back. */
export const effectActions = ["accept", "cancel"] as const;
export type EffectAction = (typeof effectActions)[number];

export function isEffectAction(action: string): action is EffectAction {
  return effectActions.some((name) => name === action);
}

/** What the rules or a person want done about a proposal. */
export const decisionActions = [...effectActions, "review", "ask-traveller", "wait", "none"] as const;
export type DecisionAction = (typeof decisionActions)[number];

export function isByPerson({ decidedBy }: { readonly decidedBy: string }): boolean {
  return decidedBy.startsWith("person:");
}

/**
 * What a person is asked when no rule may decide, or may decide any more. For a review that a rule asks for, its name is the
 * question.
 */
export const questions = [
  /** What became of an effect, or what to do after one that did not go well. */
  "effect-outcome",
  /** The status is refused, or does not show the order. */
  "unreadable-status",
  "unreachable-gateway",
  "failed-processing",
  /** What a person decided cannot be carried out as it was: because of the proposal, the status or the traveller. */
  "proposal-changed",
  "status-says-more",
  "traveller-answered",
  /** A person has decided about this very proposal, or was asked to. */
  "person-decided",
  /** Rules want something done at the gateway while automatic effects are stopped. When they are resumed, rules decide again. */
  "automation-stopped",
] as const;
export type Question = (typeof questions)[number];

/** These stay with people: no rule decides about the same proposal afterwards, unless an effect succeeds or the traveller answers. */
export const reservedQuestions = [
  "effect-outcome",
  "proposal-changed",
  "status-says-more",
  "traveller-answered",
  "person-decided",
] as const satisfies readonly Question[];

/** How the refund that the gateway named compares with what was expected. */
export const refundChecks = ["as-expected", "higher", "lower", "unknown"] as const;
export type RefundCheck = (typeof refundChecks)[number];

/** Work that is left when a case is done. */
export const taskKinds = ["check-ticket", "check-refund", "check-services"] as const;
export type TaskKind = (typeof taskKinds)[number];

/** What a person records of the traveller. */
export const contactKinds = ["informed", "asked", "answered"] as const;
export type ContactKind = (typeof contactKinds)[number];
