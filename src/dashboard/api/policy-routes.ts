import type { z } from "zod";
import { isVisible, type VisibleSources } from "../../cases/visible-sources.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, type ResponseDescription, routes, success } from "../../http/route.ts";
import { assertNever } from "../../kernel/app-error.ts";
import { backtestLine, type PolicyBacktests } from "../backtest-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import {
  decisionReevaluation,
  type Policies,
  type PolicyMistake,
  policyCheck,
  policyVersionDetail,
  sourcePolicies,
} from "../policy-ports.ts";
import { invalidBody, noSuch, route } from "./api-surface.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import {
  activatePolicyBody,
  addPolicyBody,
  backtestPolicyBody,
  checkPolicyBody,
  policyTermsQuery,
  shadowDifferencesQuery,
} from "./policy-requests.ts";
import { policyAdded, policyOverview, policyTermList, shadowDifferences } from "./policy-responses.ts";
import { streamBacktest } from "./stream-backtest.ts";

export const policyTag = {
  name: "Policies",
  description: "The rules that decide, what others would have decided, and the switch that stops their effects.",
};

type Needs = {
  readonly policies: Policies;
};

type BacktestNeeds = {
  readonly backtests: PolicyBacktests;
};

const noPolicy: ResponseDescription = {
  description: "There is no such policy, or no such source.",
  codes: ["policy.not_found"],
  missing: noSuchVersion,
};

function noSuchSource(source: string): Problem {
  return {
    status: 404,
    code: "policy.not_found",
    title: "No such source",
    detail: `There is no source ${source.slice(0, 64)}.`,
  };
}

async function hasSource(policies: Policies, source: string, visible: VisibleSources): Promise<boolean> {
  return (await policies.listSources(visible)).some((each) => each.source === source);
}

function invalidPolicy(problems: readonly PolicyMistake[]): Problem {
  return {
    status: 422,
    code: "policy.invalid",
    title: "The policy has mistakes",
    detail: problems.map(({ text }) => text).join("\n"),
    extensions: { problems },
  };
}

function noSuchVersion(version: string): Problem {
  return {
    status: 404,
    code: "policy.not_found",
    title: "No such policy",
    detail: `There is no policy version ${version.slice(0, 64)}. Add it first.`,
  };
}

/**
 * Returns the text of the policy that is to be tried, stored or not, or the problem with it. A stored version can be tried
 * even if a check of new policies would refuse it by now.
 */
async function textToBacktest(
  policies: Policies,
  { version, text = "" }: z.output<typeof backtestPolicyBody>,
  sources: VisibleSources,
): Promise<string | Problem> {
  const stored = version === undefined ? null : await policies.readVersion(version, sources);
  if (version !== undefined && stored === null) return noSuchVersion(version);
  if (stored !== null && stored.content !== null) return stored.text;
  const tried = stored?.text ?? text;
  const { policy, findings } = policies.check(tried);
  if (policy !== null) return tried;
  return invalidPolicy(findings.map(({ message, ...place }) => ({ ...place, text: message })));
}

export const policyRoutes = routes(policyTag.name, {
  listPolicies: route("GET /policies", requiredRoles.readPolicies, {
    summary: "The active and shadow policy of each source, and the newest 200 versions",
    responses: { 200: success("Policies.", policyOverview) },
    async handle({ caller }, { policies }: Needs) {
      return {
        body: {
          sources: await policies.listSources(caller.sources),
          versions: await policies.listVersions(caller.sources),
        },
      };
    },
  }),
  addPolicy: route("POST /policies", requiredRoles.changePolicies, {
    summary: "Checks a policy and stores it as a version, without activating it",
    body: addPolicyBody,
    responses: {
      201: success("Stored. The same policy again is the same version.", policyAdded),
      422: invalidBody("policy.invalid"),
    },
    async handle({ body: { text, note = null }, caller: { actor, tokenId } }, { policies }: Needs) {
      const added = await policies.addVersion({ text, note, actor, tokenId });
      if (added.ok) {
        const { version, name, warnings } = added;
        return { body: { version, name, warnings } };
      }
      return invalidPolicy(added.problems);
    },
  }),
  checkPolicy: route("POST /policies/check", requiredRoles.changePolicies, {
    summary: "Checks a policy without storing it",
    body: checkPolicyBody,
    responses: { 200: success("What is wrong with it, if anything.", policyCheck) },
    handle: ({ body: { text } }, { policies }: Needs) => ({ body: policies.check(text) }),
  }),
  backtestPolicy: route("POST /policies/backtests", requiredRoles.changePolicies, {
    summary: "Evaluates a policy over stored notifications of a source, beside the active one",
    description:
      "Changes nothing. Each notification is decided as if it was the first one of its orders. The response is JSON lines: `waiting` while another backtest runs in this process, `running` about once a second, and at the end `done` or `failed` with a code, such as `policy.backtest_failed`. Closing the connection ends the backtest.",
    body: backtestPolicyBody,
    responses: {
      200: { description: "Lines until it is done.", content: { "application/jsonl": backtestLine } },
      404: noPolicy,
      422: invalidBody("policy.invalid"),
      503: problem(
        "Too many backtests wait in this process, or the database cannot be reached; try again after Retry-After.",
        "policy.backtests_busy",
        "api.unavailable",
      ),
    },
    async handle({ body, caller: { actor, sources }, response }, { policies, backtests }: Needs & BacktestNeeds) {
      const { source, days, newest } = body;
      if (!(await hasSource(policies, source, sources))) return noSuchSource(source);
      const text = await textToBacktest(policies, body, sources);
      if (typeof text !== "string") return text;
      const period = days === undefined ? { newest: newest ?? 1 } : { days };
      const isStreamed = streamBacktest(response, (stream) =>
        backtests.run({ source, text, period, actor, ...stream }),
      );
      if (isStreamed) return () => {};
      return {
        status: 503,
        code: "policy.backtests_busy",
        title: "Too many backtests",
        detail: "Others wait for their turn already. Try again in a minute.",
        headers: { "Retry-After": "60" },
      };
    },
  }),
  activatePolicy: route("POST /policies/activations", requiredRoles.changePolicies, {
    summary: "Gives a version a role for a source: active, or shadow",
    body: activatePolicyBody,
    responses: {
      200: success("It has the role from now on.", sourcePolicies),
      404: noPolicy,
      409: problem(
        "Another version has the role by now, a file sets it, or it is active and cannot be its own shadow.",
        "policy.changed_meanwhile",
        "policy.set_by_file",
        "policy.none",
        "policy.is_active",
        "policy.invalid",
      ),
    },
    async handle({ body, caller: { actor, tokenId, sources } }, { policies }: Needs) {
      const { source, version } = body;
      if (!(await hasSource(policies, source, sources))) return noSuchSource(source);
      if (version !== null && (await policies.readVersion(version, sources)) === null) return noSuchVersion(version);
      const outcome = await policies.activate({ ...body, actor, tokenId });
      switch (outcome.outcome) {
        case "activated":
          return { body: (await policies.listSources(sources)).find((each) => each.source === source)! };
        case "no-such-source":
          return noSuchSource(source);
        case "no-such-version":
          return noSuchVersion(outcome.version);
        case "conflict":
          return {
            status: 409,
            code: "policy.changed_meanwhile",
            title: "The policy has changed",
            detail: `Source ${source} now has another version in this role: ${outcome.current ?? "none"}. Check it, then try again.`,
            extensions: { current: outcome.current },
          };
        case "refused":
          return {
            status: 409,
            code: outcome.code,
            title: "The policy cannot be changed like this",
            detail: outcome.message,
          };
        default:
          return assertNever(outcome);
      }
    },
  }),
  listPolicyTerms: route("GET /policies/terms", requiredRoles.readPolicies, {
    summary: "Which versions had a role for a source, newest first: who, when and why",
    query: policyTermsQuery,
    responses: { 200: success("The newest 200.", policyTermList) },
    async handle({ query: { source }, caller }, { policies }: Needs) {
      return { body: { items: isVisible(source, caller.sources) ? await policies.listTerms(source) : [] } };
    },
  }),
  listShadowDifferences: route("GET /policies/shadow-differences", requiredRoles.readPolicies, {
    summary: "Decisions where the shadow version of a source differs, newest first",
    query: shadowDifferencesQuery,
    responses: { 200: success("One page.", shadowDifferences) },
    async handle({ query: { source, cursor, limit }, caller }, { policies }: Needs) {
      const after = positionAfter("shadow-differences", cursor);
      if (!isVisible(source, caller.sources)) return { body: { items: [], nextCursor: null } };
      return { body: pageFrom("shadow-differences", await policies.listDifferences(source, { after, limit })) };
    },
  }),
  readPolicy: route("GET /policies/versions/{version}", requiredRoles.readPolicies, {
    summary: "One version with its text, its rules, and when it had a role",
    params: { version: { schema: { type: "string" }, isValid: (text) => /^[0-9a-f]{64}$/.test(text) } },
    responses: { 200: success("The version.", policyVersionDetail), 404: noPolicy },
    async handle({ params, caller }, { policies }: Needs) {
      const found = await policies.readVersion(params.version, caller.sources);
      return found === null ? null : { body: found };
    },
  }),
  replayDecision: route("GET /decisions/{id}/replay", requiredRoles.readPolicies, {
    summary: "Reevaluates a decision from its stored inputs, and compares",
    responses: { 200: success("The result.", decisionReevaluation), 404: noSuch("decision") },
    async handle({ params, caller }, { policies }: Needs) {
      const reevaluation = await policies.reevaluate(params.id, caller.sources);
      return reevaluation === null ? null : { body: reevaluation };
    },
  }),
});
