import { problem, routes, success } from "../../http/route.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { People } from "../people/people.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { isRoleAtLeast } from "../people/role.ts";
import { done, invalidBody, noSuchOf, roleTooLow, route } from "./api-surface.ts";
import { addTokenBody, tokenListQuery } from "./people-requests.ts";
import { tokenAdded, tokenList } from "./people-responses.ts";
import { peopleTag, sessionNeeded } from "./session-routes.ts";

type Needs = {
  readonly people: Pick<People, "listTokens" | "addToken" | "revokeToken">;
  readonly logger: Logger;
};

export const tokenRoutes = routes(peopleTag.name, {
  listTokens: route("GET /tokens", requiredRoles.ownTokens, {
    summary: "Personal API tokens, newest first",
    query: tokenListQuery,
    responses: { 200: success("At most 200.", tokenList) },
    async handle({ query, caller }, { people }: Needs) {
      if (query.of === "everybody") {
        const needed = requiredRoles.tokensOfOthers;
        if (!isRoleAtLeast(caller.role, needed)) return roleTooLow(caller, needed);
        return { body: { items: await people.listTokens(null) } };
      }
      // API_TOKEN is no user and has no tokens.
      return { body: { items: caller.userId === null ? [] : await people.listTokens(caller.userId) } };
    },
  }),
  addToken: route("POST /tokens", requiredRoles.ownTokens, {
    summary: "Creates a personal API token, which is shown once. Needs a session, not a token",
    body: addTokenBody,
    responses: {
      201: success("Made.", tokenAdded),
      403: problem(
        "This takes a signed-in person, on a page of the dashboard.",
        "people.session_needed",
        "people.role_too_low",
        "people.token_read_only",
        "people.password_change_needed",
        "people.second_factor_needed",
        "people.bad_origin",
      ),
      409: problem("There are too many tokens.", "people.too_many_tokens"),
      422: invalidBody("people.token_role_too_high"),
    },
    async handle({ body, caller: { userId, role, via } }, { people, logger }: Needs) {
      // A leaked token could otherwise extend itself for ever.
      if (userId === null || via !== "session") {
        return sessionNeeded("A token cannot create another one. Sign in and create it there.");
      }
      const outcome = await people.addToken(
        { userId, role },
        {
          name: body.name,
          role: body.role ?? null,
          readOnly: body.readOnly === true,
          lifeDays: body.expiresInDays ?? null,
        },
      );
      switch (outcome.outcome) {
        case "added":
          logger.info({ userId, apiTokenId: outcome.token.id, role: outcome.token.role }, "people.token_added");
          return { body: { item: outcome.token, token: outcome.secret } };
        case "role-too-high":
          return {
            status: 422,
            code: "people.token_role_too_high",
            title: "A token may not do more than its owner",
            detail: `Your role is '${role}'; choose that one or a lower one.`,
          };
        case "too-many-tokens":
          return {
            status: 409,
            code: "people.too_many_tokens",
            title: "You have too many tokens",
            detail: "Revoke one that is no longer needed.",
          };
        default:
          return assertNever(outcome);
      }
    },
  }),
  revokeToken: route("DELETE /tokens/{id}", requiredRoles.ownTokens, {
    summary: "Revokes a personal API token: one's own, or as an admin anybody's",
    responses: {
      204: done,
      404: noSuchOf("token", "There is no such token.", (id) => `You have no token with the id '${id}'.`),
    },
    async handle({ params: { id }, caller }, { people, logger }: Needs) {
      const { userId, role } = caller;
      const anybodys = isRoleAtLeast(role, requiredRoles.tokensOfOthers);
      // A token of another user is a 404 too, so that nobody learns which ids exist.
      const revoked = (anybodys || userId !== null) && (await people.revokeToken(id, anybodys ? null : userId, caller));
      if (!revoked) return null;
      logger.info({ apiTokenId: id, by: userId }, "people.token_revoked");
      return {};
    },
  }),
});
