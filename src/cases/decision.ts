import { z } from "zod";

export const reason = z.strictObject({ code: z.string(), text: z.string() });
export type Reason = Readonly<z.output<typeof reason>>;

/** The effects of a decision at the gateway. They can't be undone. */
export const effectActions = ["accept", "cancel"] as const;
export type EffectAction = (typeof effectActions)[number];

export function isEffectAction(action: string): action is EffectAction {
  return effectActions.some((name) => name === action);
}

export const decisionActions = [...effectActions, "review", "ask-traveller", "wait", "none"] as const;
export type DecisionAction = (typeof decisionActions)[number];

export function isByPerson({ decidedBy }: { readonly decidedBy: string }): boolean {
  return decidedBy.startsWith("person:");
}

/** What a person is asked if no rule may decide. A review by a rule has no question: the rule's name says it. */
export const questions = [
  /** What became of an effect, or what to do after one that did not succeed. */
  "effect-outcome",
  "unreadable-status",
  "unreachable-gateway",
  "failed-processing",
  /** A person's decision cannot be carried out because of the proposal, the status or the traveller. */
  "proposal-changed",
  "status-says-more",
  "traveller-answered",
  /** A person has decided about this proposal, or was asked to. */
  "person-decided",
  /** Rules want an effect while automation is stopped. They decide again when it resumes. */
  "automation-stopped",
] as const;
export type Question = (typeof questions)[number];

/** No rule decides about the same proposal after these, unless an effect succeeds or the traveller answers. */
export const reservedQuestions = [
  "effect-outcome",
  "proposal-changed",
  "status-says-more",
  "traveller-answered",
  "person-decided",
] as const satisfies readonly Question[];

/** The reviews that no row of `checks.ts` finds. A decision stores theirs as its rule, as it does a check's id. */
export const furtherReviews = [
  { rule: "check:reference", when: "the order has no booking reference, so its status cannot be read" },
  { rule: "check:status", when: "the gateway refuses to give the status, or the status does not show the order" },
  { rule: "check:gateway", when: "the gateway has not responded for too long" },
  { rule: "check:processing", when: "our own work on the order failed again and again" },
  { rule: "check:effect", when: "an effect failed, or its outcome is unknown" },
  { rule: "check:proposal-changed", when: "the proposal or its flags changed after a person decided" },
  { rule: "check:status-says-more", when: "after a person decided, the status shows something that speaks against it" },
  { rule: "check:traveller-answered", when: "the traveller answered after a person decided" },
  { rule: "check:proposal-unsettled", when: "each status shows another proposal" },
  { rule: "check:person-decided", when: "a person decided about this proposal before, or was asked to" },
] as const;
export type FurtherReview = (typeof furtherReviews)[number]["rule"];

export const refundChecks = ["as-expected", "higher", "lower", "unknown"] as const;
export type RefundCheck = (typeof refundChecks)[number];

export const taskKinds = ["check-ticket", "check-refund", "check-services", "inform-traveller"] as const;
export type TaskKind = (typeof taskKinds)[number];

export const contactKinds = ["informed", "asked", "answered"] as const;
export type ContactKind = (typeof contactKinds)[number];
