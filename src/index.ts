/**
 * What programs of your own may import: the client of the booking gateway, and the policy engine.
 *
 * @see docs/client.md
 * @see docs/policy.md
 */

export { readPolicyFile } from "./app/policy-file.ts";
export { type DecideOptions, decideOrder as decide, type OrderDecision } from "./cases/decide-order.ts";
export * from "./client/index.ts";
export type { ChangeFacts } from "./itinerary/fact-catalogue.ts";
export type { LegalAssessment } from "./policy/legal/assessment.ts";
export { formatPolicyProblem, type LoadPolicyResult, loadPolicy } from "./policy/load-policy.ts";
export type { Policy, PolicyProblem } from "./policy/policy.ts";
