import { z } from "zod";

/** A stable code and the sentence that people read. */
export const reason = z.strictObject({ code: z.string(), text: z.string() });
export type Reason = Readonly<z.output<typeof reason>>;

/** What is done at the gateway for a decision, and cannot be taken back. */
export const effectActions = ["accept", "cancel"] as const;
export type EffectAction = (typeof effectActions)[number];

/** What the rules or a person want done about a proposal. */
export const decisionActions = [...effectActions, "review", "ask-traveller", "wait", "none"] as const;
export type DecisionAction = (typeof decisionActions)[number];

/** How the refund that the gateway named compares with what was expected. */
export const refundChecks = ["as-expected", "higher", "lower", "unknown"] as const;
export type RefundCheck = (typeof refundChecks)[number];

/** Work that is left when a case is done. */
export const taskKinds = ["check-ticket", "check-refund", "check-services"] as const;
export type TaskKind = (typeof taskKinds)[number];

/** What a person records of the traveller. */
export const contactKinds = ["informed", "asked", "answered"] as const;
export type ContactKind = (typeof contactKinds)[number];
