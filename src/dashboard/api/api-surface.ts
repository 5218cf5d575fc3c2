import type { Request, Response } from "express";
import type { DescribedRoute, DescribedSurface } from "../../http/describe-routes.ts";
import type { Surface } from "../../http/mount-routes.ts";
import { type Problem, writeProblem } from "../../http/problem-document.ts";
import { problem, type ResponseDescription, type Responses, routesFor, success } from "../../http/route.ts";
import type { BodyDeletion } from "../body-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { isRoleAtLeast, type UserRole } from "../people/role.ts";
import { type Identity, identityOf } from "./identity.ts";
import { bodyOf, jsonBody, refuseBody } from "./json-body.ts";
import { refuseQuery } from "./requests.ts";

/** `anyone` needs no sign-in. */
export type ApiRole = Needed | "anyone";

/** The least role, and whether it takes a user who sees all sources. */
export type Needed = UserRole | { readonly role: UserRole; readonly everySource: true };

/** For what concerns the whole installation. */
export function ofEverySource(role: UserRole): Needed {
  return { role, everySource: true };
}

export const route = routesFor<Needed, Identity>();

export const openRoute = routesFor<"anyone", null>();

const reading = { bodyParser: jsonBody, bodyOf, refuseQuery, refuseBody };

/** For routes mounted behind `authenticate`. */
export const apiSurface: Surface<Needed, Identity> = { ...reading, authorize: checkRole, callerOf: identityOf };

/** For routes mounted before `authenticate`. */
export const openSurface: Surface<"anyone", null> = { ...reading, authorize: () => true, callerOf: () => null };

function checkRole(request: Request, response: Response, needed: Needed): boolean {
  const caller = identityOf(request);
  const role = roleOf(needed);
  if (!isRoleAtLeast(caller.role, role)) {
    writeProblem(response, roleTooLow(caller, role));
    return false;
  }
  if (role === needed || caller.sources === null) return true;
  writeProblem(response, sourcesLimited(caller.sources));
  return false;
}

export function sourcesLimited(sources: readonly string[]) {
  const shown =
    sources.length === 0
      ? "You see no source yet."
      : `You see only the ${sources.length === 1 ? "source" : "sources"} ${sources.join(", ")}.`;
  return {
    status: 403,
    code: "people.sources_limited",
    title: "This concerns all sources",
    detail: `${shown} Ask somebody who sees all of them, or an admin.`,
  } as const satisfies Problem;
}

export function roleOf(needed: Needed): UserRole {
  return typeof needed === "string" ? needed : needed.role;
}

export function roleTooLow({ role }: Identity, needed: UserRole): Problem {
  return {
    status: 403,
    code: "people.role_too_low",
    title: "Your role does not allow this",
    detail: `This takes the role '${needed}'; yours is '${role}'. Ask ${needed === "admin" ? "an admin" : "somebody who has it, or an admin"}.`,
    extensions: { neededRole: needed, role },
  };
}

/** The 404 of a route whose last parameter names nothing. */
export function noSuch(
  what: "case" | "notification" | "order" | "call" | "task" | "bulk action" | "decision" | "view",
): ResponseDescription {
  const stored = what === "call" ? " of which a response is stored" : "";
  const code = `api.${what.replace(" ", "_")}_not_found`;
  return {
    description: what === "call" ? "There is no such call, or no response to it." : `There is no such ${what}.`,
    codes: [code],
    missing: (id) => ({
      code,
      title: `No such ${what}`,
      detail: `There is no ${what} with the id '${id.slice(0, 64)}'${stored}.`,
    }),
  };
}

/** The 404 of a route about people, in words of its own. */
export function noSuchOf(
  what: "user" | "token" | "session" | "second factor",
  description: string,
  detailOf: (id: string) => string,
): ResponseDescription {
  const code = `people.${what.replace(" ", "_")}_not_found`;
  const title = `No such ${what}`;
  return { description, codes: [code], missing: (id) => ({ code, title, detail: detailOf(id.slice(0, 64)) }) };
}

const apiSecurity = [{ apiToken: [] }, { session: [] }];

export const describedApi: DescribedSurface<ApiRole> = {
  prefix: "/api/v1",
  securityOf: (role) => (role === "anyone" ? [] : apiSecurity),
  noteOf: (needed) => {
    if (needed === "viewer" || needed === "anyone") return "";
    const role = roleOf(needed);
    return `. Needs the role ${role}${role === needed ? "" : ", and all sources"}`;
  },
  commonResponses: (described) => ({ ...commonProblems, ...problemsOf(described) }),
};

export const outgoingEventRoles = {
  read: ofEverySource(requiredRoles.readOutgoingEvents),
  change: ofEverySource(requiredRoles.changeOutgoingEvents),
} as const;

/** The routes of outgoing events have their own problem for a body that cannot be read. */
export const describedEvents: DescribedSurface<Needed> = { ...describedApi, commonResponses: () => changeProblems };

/** Problems of every route. */
const commonProblems: Responses = {
  400: problem("The query or the path cannot be read.", "api.query_invalid", "api.bad_request"),
  401: problem(
    "Nobody is signed in, and there is no valid token.",
    "api.token_missing",
    "api.token_invalid",
    "people.session_ended",
  ),
  403: problem(
    "The role is too low, it takes a user who sees all sources, or the password must be changed or a second factor added first.",
    "people.role_too_low",
    "people.sources_limited",
    "people.password_change_needed",
    "people.second_factor_needed",
  ),
  429: problem(
    "Too many wrong credentials came from this address; try again after Retry-After.",
    "api.too_many_attempts",
  ),
  500: problem("A bug; the log has the details.", "api.unexpected"),
  503: problem("The database cannot be reached; try again after Retry-After.", "api.unavailable"),
};

/** Further problems of routes that change something. */
const changeProblems: Responses = {
  ...commonProblems,
  403: problem(
    "The role is too low, it takes a user who sees all sources, the token is for reading only, the password must be changed first, or a request with a cookie does not come from the dashboard.",
    "people.role_too_low",
    "people.sources_limited",
    "people.token_read_only",
    "people.password_change_needed",
    "people.second_factor_needed",
    "people.bad_origin",
  ),
};

const listProblems: Responses = {
  400: problem("The query or its cursor cannot be read.", "api.query_invalid", "api.cursor_invalid", "api.bad_request"),
};

const bodyProblems: Responses = {
  400: problem(
    "The query, the path or the JSON cannot be read.",
    "api.query_invalid",
    "api.not_json",
    "api.bad_request",
  ),
  413: problem("The body is longer than 64 KiB.", "api.body_too_large"),
  415: problem(
    "The body is not declared as JSON, or compressed in an unknown way.",
    "api.not_json_type",
    "api.unsupported_encoding",
  ),
  422: invalidBody(),
};

function problemsOf({ name, query, body }: DescribedRoute<ApiRole>): Responses {
  if (body !== undefined) return { ...changeProblems, ...bodyProblems };
  if (!name.startsWith("GET ")) return changeProblems;
  return query !== undefined && "cursor" in query.shape ? listProblems : {};
}

export function invalidBody(...codes: readonly string[]): ResponseDescription {
  return problem("The body is not what this takes; `problems` says where.", "api.body_invalid", ...codes);
}

export const storedBytes: ResponseDescription = {
  description: "The stored bytes, as an attachment of the type that they were declared as.",
  content: { "application/json": {} },
};

export const bodyGone: ResponseDescription = problem(
  "The bytes were deleted; `detail` says when and why.",
  "api.body_deleted",
);

export function refuseDeletedBody({ at, by }: BodyDeletion): Problem {
  return {
    status: 410,
    code: "api.body_deleted",
    title: "The body was deleted",
    detail: `The body was deleted by ${by === "retention" ? "retention" : "an erasure"} on ${at.toISOString()}.`,
  };
}

export const done = success("Done.");
