/**
 * What programs of your own may import: the client of the booking gateway, and the policy engine.
 *
 * @see docs/client.md
 * @see docs/policy.md
 */

export { applyPolicy as decide, type PolicyDecision } from "./cases/apply-policy.ts";
export * from "./client/index.ts";
export type { LegalAssessment } from "./policy/legal/assessment.ts";
export { formatPolicyProblem, type LoadPolicyResult, loadPolicy } from "./policy/load-policy.ts";
export type { OrderInputs, Policy, PolicyInputs, PolicyProblem } from "./policy/policy.ts";
