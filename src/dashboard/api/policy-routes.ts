import { type Response, Router } from "express";
import { assertNever } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { ActivationOutcome, Policies, PolicyActivation } from "../ports.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { activatePolicyBody, addPolicyBody, policyTermsQuery, shadowDifferencesQuery } from "./policy-requests.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** The second path is the name before version 0.2.0; version 0.3.0 drops it. */
const ACTIVATIONS = ["/policies/activations", "/policies/appointments"];

/** `/policies`: the versions that are kept, which of them decides where, and what the shadow ones would have done. */
export function createPolicyRoutes({ policies }: { readonly policies: Policies }): Router {
  const router = Router();
  const read = requireRole(requiredRoles.readPolicies);
  const change = requireRole(requiredRoles.changePolicies);

  router.get("/policies", read, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    response.json({ sources: await policies.listSources(), versions: await policies.listVersions() });
  });
  router.post("/policies", change, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, addPolicyBody);
    if (body === null) return;
    const { text, note = null } = body;
    const added = await policies.addVersion({ text, note, actor: identityOf(request).actor });
    if (added.ok) {
      const { version, name, warnings } = added;
      response.status(201).json({ version, name, warnings });
      return;
    }
    writeProblem(response, {
      status: 422,
      code: "policy.invalid",
      title: "The policy has mistakes",
      detail: added.problems.map((problem) => problem.text).join("\n"),
      extensions: { problems: added.problems },
    });
  });
  router.all("/policies", refuseMethod("GET, HEAD, POST"));

  router.post(ACTIVATIONS, change, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, activatePolicyBody);
    if (body === null) return;
    const { replaces, ...wanted } = body;
    const activation = {
      ...wanted,
      ...(replaces === undefined ? {} : { replaces }),
      actor: identityOf(request).actor,
    };
    await writeActivation(response, policies, activation, await policies.activate(activation));
  });
  router.all(ACTIVATIONS, refuseMethod("POST"));

  router.get("/policies/terms", read, async (request, response) => {
    const query = readQuery(request, response, policyTermsQuery);
    if (query !== null) response.json({ items: await policies.listTerms(query.source) });
  });
  router.all("/policies/terms", refuseMethod("GET, HEAD"));

  router.get("/policies/shadow-differences", read, async (request, response) => {
    const query = readQuery(request, response, shadowDifferencesQuery);
    if (query === null) return;
    const after = query.cursor === undefined ? null : readCursor("shadow-differences", query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const page = await policies.listDifferences(query.source, { after, limit: query.limit });
    response.json({
      items: page.items,
      nextCursor: page.next === null ? null : writeCursor("shadow-differences", page.next),
    });
  });
  router.all("/policies/shadow-differences", refuseMethod("GET, HEAD"));

  router.get("/policies/versions/:version", read, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { version } = request.params;
    const found = /^[0-9a-f]{64}$/.test(version) ? await policies.readVersion(version) : null;
    if (found === null) writeNotFound(response, `There is no policy version '${version.slice(0, 64)}'.`);
    else response.json(found);
  });
  router.all("/policies/versions/:version", refuseMethod("GET, HEAD"));

  router.get("/decisions/:id/replay", read, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id } = request.params;
    const replay = idPattern.test(id) ? await policies.replay(id) : null;
    if (replay !== null) {
      response.json(replay);
      return;
    }
    writeProblem(response, {
      status: 404,
      code: "api.decision_not_found",
      title: "No such decision",
      detail: `There is no decision with the id '${id.slice(0, 64)}'.`,
    });
  });
  router.all("/decisions/:id/replay", refuseMethod("GET, HEAD"));

  return router;
}

async function writeActivation(
  response: Response,
  policies: Policies,
  { source }: PolicyActivation,
  outcome: ActivationOutcome,
): Promise<void> {
  switch (outcome.outcome) {
    case "activated": {
      const sources = await policies.listSources();
      response.json(sources.find((each) => each.source === source));
      return;
    }
    case "not-found":
      writeNotFound(response, outcome.message);
      return;
    case "conflict":
      writeProblem(response, {
        status: 409,
        code: "policy.changed_meanwhile",
        title: "Somebody else was faster",
        detail: `Another version has this role for source ${source} by now: ${outcome.current ?? "none"}. Look at it, then try again.`,
        extensions: { current: outcome.current },
      });
      return;
    case "refused":
      writeProblem(response, {
        status: 409,
        code: outcome.code,
        title: "The policy cannot be changed like this",
        detail: outcome.message,
      });
      return;
    default:
      assertNever(outcome);
  }
}

function writeNotFound(response: Response, detail: string): void {
  writeProblem(response, { status: 404, code: "policy.not_found", title: "No such policy", detail });
}
