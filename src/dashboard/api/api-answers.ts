import type { ApiParts } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";

/** A request to `/api/v1` carries a token, or the cookie of a session. */
export const apiSecurity = [{ apiToken: [] }, { session: [] }];

/** The id of what a path names. */
export const idSchema = { type: "string", format: "uuid" };

/** What every route of the API may answer instead of what was asked for. */
export function describeReadProblems({ problem }: ApiParts): Json {
  return {
    400: problem("The query or the path cannot be read.", ["api.query_invalid", "api.bad_request"]),
    401: problem("Nobody is signed in, and there is no valid token.", [
      "api.token_missing",
      "api.token_invalid",
      "people.session_ended",
    ]),
    403: problem("The role is too low.", ["people.role_too_low"]),
    500: problem("A bug; the log has the details.", ["api.unexpected"]),
    503: problem("The database cannot be reached; try again after Retry-After.", ["api.unavailable"]),
  };
}

/** The same for the pages of a list. */
export function describeListProblems(parts: ApiParts): Json {
  const codes = ["api.query_invalid", "api.cursor_invalid", "api.bad_request"];
  return { ...describeReadProblems(parts), 400: parts.problem("The query or its cursor cannot be read.", codes) };
}

/** The same for what changes something. */
export function describeChangeProblems(parts: ApiParts): Json {
  const refused = "The role is too low, or a request with a cookie does not come from the dashboard.";
  return {
    ...describeReadProblems(parts),
    403: parts.problem(refused, ["people.role_too_low", "people.bad_origin"]),
  };
}

/**
 * The same for what takes a body.
 *
 * @param invalid codes of a body that is JSON and not what the route takes.
 */
export function describeBodyProblems(parts: ApiParts, invalid: readonly string[] = ["api.body_invalid"]): Json {
  const { problem } = parts;
  return {
    ...describeChangeProblems(parts),
    400: problem("The query, the path or the JSON cannot be read.", [
      "api.query_invalid",
      "api.not_json",
      "api.bad_request",
    ]),
    413: problem("The body is longer than 64 KiB.", ["api.body_too_large"]),
    415: problem("The body is not declared as JSON, or compressed in an unknown way.", [
      "api.not_json_type",
      "api.unsupported_encoding",
    ]),
    422: problem("The body is not what this takes; `problems` says where.", invalid),
  };
}
