import { type ApiParts, pathParameter } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import {
  describeBodyProblems,
  describeChangeProblems,
  describeReadProblems,
  idSchema,
  apiSecurity as security,
} from "./api-answers.ts";
import {
  sessionAnswer,
  signedInAnswer,
  tokenAdded,
  tokenList,
  userAdded,
  userAnswer,
  userList,
} from "./people-answers.ts";
import { addTokenBody, addUserBody, editUserBody, signInBody, tokenListQuery } from "./people-requests.ts";

/** The tag of sessions, users and tokens. */
export const peopleTag = "People";

/** The paths of sessions, users and tokens. */
export function describePeoplePaths(parts: ApiParts): Json {
  const { answer, body, parametersOf, problem } = parts;
  const tags = [peopleTag];
  const parameters = [pathParameter("id", idSchema)];
  const passwordCodes = ["api.body_invalid", "people.password_refused"];
  const noUser = problem("There is no such user.", ["people.user_not_found"]);
  const done = { description: "Done." };
  const signInProblems = {
    ...describeBodyProblems(parts),
    401: problem("The user name or the password is wrong, or the user is disabled.", ["people.sign_in_failed"]),
    403: problem("The request comes from a page of another site.", ["people.bad_origin"]),
    429: problem("It failed too often with this user name or from this address; try again after Retry-After.", [
      "people.sign_in_locked",
    ]),
  };
  return {
    "/api/v1/session": {
      post: {
        operationId: "signIn",
        tags,
        summary: "Signs in; the answer sets the cookie of the session",
        security: [],
        requestBody: body(signInBody),
        responses: { 200: answer("Signed in.", signedInAnswer), ...signInProblems },
      },
      get: {
        operationId: "readSession",
        tags,
        summary: "Who is asking",
        security,
        responses: {
          200: answer("Who is signed in, or bears the token.", sessionAnswer),
          ...describeReadProblems(parts),
        },
      },
      delete: {
        operationId: "signOut",
        tags,
        summary: "Signs out: the session ends",
        security,
        responses: { 204: done, ...describeChangeProblems(parts) },
      },
    },
    "/api/v1/users": {
      get: {
        operationId: "listUsers",
        tags,
        summary: "All users, by user name. Needs the role admin",
        security,
        responses: { 200: answer("The users.", userList), ...describeReadProblems(parts) },
      },
      post: {
        operationId: "addUser",
        tags,
        summary: "Adds a user. Needs the role admin",
        security,
        requestBody: body(addUserBody),
        responses: {
          201: answer("Added.", userAdded),
          ...describeBodyProblems(parts, passwordCodes),
          409: problem("The user name is taken, or there are too many users.", [
            "people.username_taken",
            "people.too_many_users",
          ]),
        },
      },
    },
    "/api/v1/users/{id}": {
      patch: {
        operationId: "changeUser",
        tags,
        summary: "Changes a user. Needs the role admin",
        security,
        parameters,
        requestBody: body(editUserBody),
        responses: {
          200: answer("Changed.", userAnswer),
          ...describeBodyProblems(parts, passwordCodes),
          404: noUser,
          409: problem("Admins cannot disable themselves or lower their own role.", ["people.own_account"]),
        },
      },
    },
    "/api/v1/tokens": {
      get: {
        operationId: "listTokens",
        tags,
        summary: "Personal API tokens, newest first",
        security,
        parameters: parametersOf(tokenListQuery),
        responses: { 200: answer("At most 200.", tokenList), ...describeReadProblems(parts) },
      },
      post: {
        operationId: "addToken",
        tags,
        summary: "Makes a personal API token, which is answered once. Takes a session, not a token",
        security,
        requestBody: body(addTokenBody),
        responses: {
          201: answer("Made.", tokenAdded),
          ...describeBodyProblems(parts, ["api.body_invalid", "people.token_role_too_high"]),
          403: problem("This takes a signed-in person, on a page of the dashboard.", [
            "people.session_needed",
            "people.role_too_low",
            "people.bad_origin",
          ]),
          409: problem("There are too many tokens.", ["people.too_many_tokens"]),
        },
      },
    },
    "/api/v1/tokens/{id}": {
      delete: {
        operationId: "revokeToken",
        tags,
        summary: "Revokes a personal API token: one's own, or as an admin anybody's",
        security,
        parameters,
        responses: {
          204: done,
          ...describeChangeProblems(parts),
          404: problem("There is no such token.", ["people.token_not_found"]),
        },
      },
    },
  };
}
