import type { z } from "zod";
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

type Json = Readonly<Record<string, unknown>>;

/** How `describeApi` writes the parts of an operation. */
export interface OpenApiParts {
  readonly security: readonly Json[];
  readonly schemaOf: (schema: z.ZodType, io?: "input" | "output") => Json;
  readonly answer: (description: string, schema: z.ZodType) => Json;
  readonly problem: (description: string) => Json;
  readonly parametersOf: (query: z.ZodObject) => readonly Json[];
  /** The parameter `id` of the path. */
  readonly id: Json;
}

/** The paths of sessions, users and tokens. */
export function describePeoplePaths({ security, schemaOf, answer, problem, parametersOf, id }: OpenApiParts): Json {
  const body = (schema: z.ZodType): Json => ({
    required: true,
    content: { "application/json": { schema: schemaOf(schema, "input") } },
  });
  const ownProblems = {
    400: problem("The query cannot be read."),
    401: problem("Nobody is signed in, and there is no valid token."),
    403: problem("The role is too low, or a request with a cookie does not come from the dashboard."),
    503: problem("The database cannot be reached; try again after Retry-After."),
  };
  const bodyProblems = {
    413: problem("The body is longer than 64 KiB."),
    415: problem("The body is not declared as JSON."),
    422: problem("The body is not what this takes, or the password is not good enough."),
  };
  const done = { description: "Done." };
  return {
    "/api/v1/session": {
      post: {
        operationId: "signIn",
        summary: "Signs in; the answer sets the cookie of the session",
        security: [],
        requestBody: body(signInBody),
        responses: {
          200: answer("Signed in.", signedInAnswer),
          ...ownProblems,
          401: problem("The user name or the password is wrong, or the user is disabled."),
          ...bodyProblems,
          429: problem("It failed too often with this user name or from this address; try again after Retry-After."),
        },
      },
      get: {
        operationId: "readSession",
        summary: "Who is asking",
        security,
        responses: { 200: answer("Who is signed in, or bears the token.", sessionAnswer), ...ownProblems },
      },
      delete: {
        operationId: "signOut",
        summary: "Signs out: the session ends",
        security,
        responses: { 204: done, ...ownProblems },
      },
    },
    "/api/v1/users": {
      get: {
        operationId: "listUsers",
        summary: "All users, by user name. Needs the role admin",
        security,
        responses: { 200: answer("The users.", userList), ...ownProblems },
      },
      post: {
        operationId: "addUser",
        summary: "Adds a user. Needs the role admin",
        security,
        requestBody: body(addUserBody),
        responses: {
          201: answer("Added.", userAdded),
          ...ownProblems,
          409: problem("The user name is taken, or there are too many users."),
          ...bodyProblems,
        },
      },
    },
    "/api/v1/users/{id}": {
      patch: {
        operationId: "changeUser",
        summary: "Changes a user. Needs the role admin",
        security,
        parameters: [id],
        requestBody: body(editUserBody),
        responses: {
          200: answer("Changed.", userAnswer),
          ...ownProblems,
          404: problem("There is no such user."),
          409: problem("Admins cannot disable themselves or lower their own role."),
          ...bodyProblems,
        },
      },
    },
    "/api/v1/tokens": {
      get: {
        operationId: "listTokens",
        summary: "Personal API tokens, newest first",
        security,
        parameters: parametersOf(tokenListQuery),
        responses: { 200: answer("At most 200.", tokenList), ...ownProblems },
      },
      post: {
        operationId: "addToken",
        summary: "Makes a personal API token, which is answered once. Takes a session, not a token",
        security,
        requestBody: body(addTokenBody),
        responses: {
          201: answer("Made.", tokenAdded),
          ...ownProblems,
          409: problem("There are too many tokens."),
          ...bodyProblems,
        },
      },
    },
    "/api/v1/tokens/{id}": {
      delete: {
        operationId: "revokeToken",
        summary: "Revokes a personal API token: one's own, or as an admin anybody's",
        security,
        parameters: [id],
        responses: { 204: done, ...ownProblems, 404: problem("There is no such token.") },
      },
    },
  };
}
