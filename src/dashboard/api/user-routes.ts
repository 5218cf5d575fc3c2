import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, routes, success } from "../../http/route.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { People } from "../people/people.ts";
import { requiredRoles } from "../people/required-roles.ts";
import type { UserRole } from "../people/role.ts";
import { invalidBody, noSuchOf, route } from "./api-surface.ts";
import { addUserBody, editUserBody } from "./people-requests.ts";
import { sessionsEnded, userAdded, userList, userResponse } from "./people-responses.ts";
import { passwordRefused, peopleTag, providerAccount } from "./session-routes.ts";

type Needs = {
  readonly people: Pick<People, "listUsers" | "addUser" | "editUser" | "findUser" | "endSessions">;
  /** All that are configured. */
  readonly sourceIds: readonly string[];
  readonly logger: Logger;
  readonly identityProvider?: { readonly issuer: string } | null;
};

const noSuchUser = noSuchOf("user", "There is no such user.", (id) => `There is no user with the id '${id}'.`);

export const userRoutes = routes(peopleTag.name, {
  listUsers: route("GET /users", requiredRoles.manageUsers, {
    summary: "All users, by user name",
    responses: { 200: success("The users.", userList) },
    async handle(_request, { people }: Needs) {
      return { body: { items: await people.listUsers() } };
    },
  }),
  addUser: route("POST /users", requiredRoles.manageUsers, {
    summary: "Adds a user",
    body: addUserBody,
    responses: {
      201: success("Added.", userAdded),
      409: problem(
        "The user name is taken, or there are too many users.",
        "people.username_taken",
        "people.too_many_users",
      ),
      422: invalidBody("people.sources_refused", "people.password_refused"),
    },
    async handle({ body, caller }, { people, sourceIds, logger }: Needs) {
      const { username, role, sources } = body;
      const mistake = mistakeInSources(sources, role, sourceIds);
      if (mistake !== null) return mistake;
      const outcome = await people.addUser(body, caller);
      switch (outcome.outcome) {
        case "added":
          logger.info({ userId: outcome.user.id, role, by: caller.userId }, "people.user_added");
          return { body: { user: outcome.user, password: outcome.generatedPassword } };
        case "username-taken":
          return {
            status: 409,
            code: "people.username_taken",
            title: "The user name is taken",
            detail: `User '${username}' already exists. The names of disabled users stay taken, because decisions refer to them.`,
          };
        case "too-many-users":
          return {
            status: 409,
            code: "people.too_many_users",
            title: "There are too many users",
            detail: "No more users can be added. Reuse a disabled user.",
          };
        case "password-refused":
          return passwordRefused("/password", outcome.problem);
        default:
          return assertNever(outcome);
      }
    },
  }),
  changeUser: route("PATCH /users/{id}", requiredRoles.manageUsers, {
    summary: "Changes a user",
    body: editUserBody,
    responses: {
      200: success("Changed.", userResponse),
      404: noSuchUser,
      409: problem(
        "Admins cannot disable themselves, lower their own role, or set or give up their own password here. An identity provider decides about name, role, password and, with OIDC_SOURCES, the sources of its accounts.",
        "people.own_account",
        "people.provider_account",
        "people.no_identity_provider",
        "people.identity_taken",
      ),
      422: invalidBody("people.sources_refused", "people.password_refused"),
    },
    async handle({ params, body, caller }, { people, sourceIds, logger, identityProvider }: Needs) {
      const id = params.id.toLowerCase();
      const { displayName, role, sources, disabled, password, revokeTokens, subject } = body;
      // Without any admin, only somebody with access to the server could add one.
      if (id === caller.userId && ((role !== undefined && role !== "admin") || disabled === true)) {
        return {
          status: 409,
          code: "people.own_account",
          title: "This is your own account",
          detail: "You cannot disable yourself or lower your own role. Ask another admin.",
        };
      }
      // It would take no current password.
      if (id === caller.userId && (password ?? subject) !== undefined) {
        return {
          status: 409,
          code: "people.own_account",
          title: "This is your own account",
          detail:
            "Change your own password on the page Your account, or with POST /api/v1/session/password. Another admin can link your account.",
        };
      }
      if (sources !== undefined) {
        const mistake = mistakeInSources(sources, role ?? (await people.findUser(id))?.role, sourceIds);
        if (mistake !== null) return mistake;
      }
      const issuer = identityProvider?.issuer;
      if (subject !== undefined && issuer === undefined) {
        return {
          status: 409,
          code: "people.no_identity_provider",
          title: "There is no identity provider",
          detail: "OIDC_ISSUER is not set at this process, so no account can be linked.",
        };
      }
      const outcome = await people.editUser(
        id,
        {
          ...(displayName === undefined ? {} : { displayName }),
          ...(role === undefined ? {} : { role }),
          ...(sources === undefined ? {} : { sources }),
          ...(disabled === undefined ? {} : { disabled }),
          ...(password === undefined ? {} : { password }),
          ...(revokeTokens === undefined ? {} : { revokeTokens }),
          ...(subject === undefined || issuer === undefined ? {} : { identity: { issuer, subject } }),
        },
        caller,
      );
      switch (outcome.outcome) {
        case "changed":
          logger.info({ userId: id, changed: Object.keys(body), by: caller.userId }, "people.user_changed");
          return { body: { user: outcome.user } };
        case "not-found":
          return null;
        case "provider-account":
          return providerAccount(
            "Its name, role and password are those of the identity provider, and so are its sources if OIDC_SOURCES is set. Here it can be disabled and enabled.",
          );
        case "identity-taken":
          return {
            status: 409,
            code: "people.identity_taken",
            title: "The subject has an account already",
            detail: "Another account is linked to this subject of the identity provider.",
          };
        case "password-refused":
          return passwordRefused("/password", outcome.problem);
        default:
          return assertNever(outcome);
      }
    },
  }),
  endSessionsOfUser: route("DELETE /users/{id}/sessions", requiredRoles.manageUsers, {
    summary: "Ends all sessions of a user",
    responses: { 200: success("Ended.", sessionsEnded), 404: noSuchUser },
    async handle({ params, caller }, { people, logger }: Needs) {
      const user = await people.findUser(params.id);
      if (user === null) return null;
      const ended = await people.endSessions({ userId: user.id }, caller);
      logger.info({ userId: user.id, ended, by: caller.userId }, "people.sessions_ended");
      return { body: { ended } };
    },
  }),
});

/** The response to sources that a user cannot be limited to; null if they can. */
function mistakeInSources(
  sources: VisibleSources,
  role: UserRole | undefined,
  known: readonly string[],
): Problem | null {
  if (sources === null) return null;
  const unknown = sources.find((source) => !known.includes(source));
  if (unknown === undefined && role !== "admin") return null;
  const message =
    unknown === undefined
      ? "must be null, because an admin sees all sources"
      : `has '${unknown}', which is no source; there are ${known.join(", ")}`;
  return {
    status: 422,
    code: "people.sources_refused",
    title: "These sources are not possible",
    detail: `'sources' ${message}.`,
    extensions: { problems: [{ path: "/sources", message }] },
  };
}
