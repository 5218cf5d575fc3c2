import { Router } from "express";
import { assertNever } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { People } from "../people/people.ts";
import { isRoleAtLeast } from "../people/role.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { addTokenBody, tokenListQuery } from "./people-requests.ts";
import { emptyQuery } from "./requests.ts";
import { checkRole, requireRole } from "./require-role.ts";

/** `/tokens` and `/tokens/:id`: the tokens of people's programs. */
export function createTokenRoutes(options: {
  readonly people: Pick<People, "listTokens" | "addToken" | "revokeToken">;
  readonly logger: Logger;
}): Router {
  const { people, logger } = options;
  const router = Router();
  const owner = requireRole(requiredRoles.ownTokens);

  router.get("/tokens", owner, async (request, response) => {
    const query = readQuery(request, response, tokenListQuery);
    if (query === null) return;
    if (query.of === "everybody") {
      if (!checkRole(request, response, requiredRoles.tokensOfOthers)) return;
      response.json({ items: await people.listTokens(null) });
      return;
    }
    const { userId } = identityOf(request);
    // API_TOKEN is nobody, so it has none of its own.
    response.json({ items: userId === null ? [] : await people.listTokens(userId) });
  });

  router.post("/tokens", owner, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, addTokenBody);
    if (body === null) return;
    const { userId, role, via } = identityOf(request);
    // A token that leaked could otherwise make itself last for ever.
    if (userId === null || via !== "session") {
      writeProblem(response, {
        status: 403,
        code: "people.session_needed",
        title: "This takes a signed-in person",
        detail: "A token cannot make another one. Sign in, and make it for yourself.",
      });
      return;
    }
    const outcome = await people.addToken(
      { userId, role },
      { name: body.name, role: body.role ?? null, lifeDays: body.expiresInDays ?? null },
    );
    switch (outcome.outcome) {
      case "added":
        logger.info({ userId, apiTokenId: outcome.token.id, role: outcome.token.role }, "people.token_added");
        response.status(201).json({ item: outcome.token, token: outcome.secret });
        return;
      case "role-too-high":
        writeProblem(response, {
          status: 422,
          code: "people.token_role_too_high",
          title: "A token may not do more than its owner",
          detail: `Your role is '${role}'; choose that one or a lesser one.`,
        });
        return;
      case "too-many-tokens":
        writeProblem(response, {
          status: 409,
          code: "people.too_many_tokens",
          title: "You have too many tokens",
          detail: "Revoke one that is not needed any more.",
        });
        return;
      default:
        assertNever(outcome);
    }
  });
  router.all("/tokens", refuseMethod("GET, HEAD, POST"));

  router.delete("/tokens/:id", owner, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const id = request.params.id;
    const { userId, role, actor } = identityOf(request);
    const anybodys = isRoleAtLeast(role, requiredRoles.tokensOfOthers);
    // Those of others are as if they were not there: which ids exist is nobody's business.
    const revoked =
      idPattern.test(id) &&
      (anybodys || userId !== null) &&
      (await people.revokeToken(id, anybodys ? null : userId, actor));
    if (!revoked) {
      writeProblem(response, {
        status: 404,
        code: "people.token_not_found",
        title: "No such token",
        detail: `You have no token with the id '${id.slice(0, 64)}'.`,
      });
      return;
    }
    logger.info({ apiTokenId: id, by: userId }, "people.token_revoked");
    response.status(204).end();
  });
  router.all("/tokens/:id", refuseMethod("DELETE"));

  return router;
}
