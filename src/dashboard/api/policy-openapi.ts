import { type ApiParts, pathParameter } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import {
  describeBodyProblems,
  describeListProblems,
  describeReadProblems,
  idSchema,
  apiSecurity as security,
} from "./api-answers.ts";
import {
  decisionReplay,
  policyAdded,
  policyOverview,
  policyTermList,
  policyVersionDetail,
  shadowDifferences,
  sourcePolicies,
} from "./policy-answers.ts";
import { activatePolicyBody, addPolicyBody, policyTermsQuery, shadowDifferencesQuery } from "./policy-requests.ts";

/** The tag of policies and of replaying decisions. */
export const policyTag = "Policies";

/** The paths of policies and of replaying decisions. */
export function describePolicyPaths(parts: ApiParts): Json {
  const { answer, body, parametersOf, problem } = parts;
  const tags = [policyTag];
  const noPolicy = problem("There is no such policy, or no such source.", ["policy.not_found"]);
  const activatePolicy = {
    operationId: "activatePolicy",
    tags,
    summary: "Gives a version a role for a source: active, or shadow. Needs the role supervisor",
    security,
    requestBody: body(activatePolicyBody),
    responses: {
      200: answer("It has the role from now on.", sourcePolicies),
      ...describeBodyProblems(parts),
      404: noPolicy,
      409: problem("Somebody else was faster, or a file decides.", [
        "policy.changed_meanwhile",
        "policy.set_by_file",
        "policy.none",
        "policy.invalid",
      ]),
    },
  };
  return {
    "/api/v1/policies": {
      get: {
        operationId: "listPolicies",
        tags,
        summary: "What decides for each source, and the newest 200 versions that are kept",
        security,
        responses: { 200: answer("Policies.", policyOverview), ...describeReadProblems(parts) },
      },
      post: {
        operationId: "addPolicy",
        tags,
        summary: "Checks a policy and keeps it as a version; activates nothing. Needs the role supervisor",
        security,
        requestBody: body(addPolicyBody),
        responses: {
          201: answer("Kept; the same policy again is the same version.", policyAdded),
          ...describeBodyProblems(parts, ["api.body_invalid", "policy.invalid"]),
        },
      },
    },
    "/api/v1/policies/activations": { post: activatePolicy },
    "/api/v1/policies/appointments": {
      post: {
        ...activatePolicy,
        operationId: "appointPolicy",
        deprecated: true,
        summary: "The name of `/policies/activations` before version 0.2.0; version 0.3.0 drops it",
      },
    },
    "/api/v1/policies/terms": {
      get: {
        operationId: "listPolicyTerms",
        tags,
        summary: "Which versions had a role for a source, newest first: who, when and why",
        security,
        parameters: parametersOf(policyTermsQuery),
        responses: { 200: answer("The newest 200.", policyTermList), ...describeReadProblems(parts) },
      },
    },
    "/api/v1/policies/shadow-differences": {
      get: {
        operationId: "listShadowDifferences",
        tags,
        summary: "Decisions that the shadow version of a source would have made otherwise, newest first",
        security,
        parameters: parametersOf(shadowDifferencesQuery),
        responses: { 200: answer("One page.", shadowDifferences), ...describeListProblems(parts) },
      },
    },
    "/api/v1/policies/versions/{version}": {
      get: {
        operationId: "readPolicy",
        tags,
        summary: "One version with its text",
        security,
        parameters: [pathParameter("version")],
        responses: { 200: answer("The version.", policyVersionDetail), 404: noPolicy, ...describeReadProblems(parts) },
      },
    },
    "/api/v1/decisions/{id}/replay": {
      get: {
        operationId: "replayDecision",
        tags,
        summary: "Makes a decision again from what was kept with it, and compares",
        security,
        parameters: [pathParameter("id", idSchema)],
        responses: {
          200: answer("What came of it.", decisionReplay),
          404: problem("There is no such decision.", ["api.decision_not_found"]),
          ...describeReadProblems(parts),
        },
      },
    },
  };
}
