import { z } from "zod";
import { acknowledgementSchema } from "../../contract/acknowledgement.ts";
import {
  actionAnswer,
  callList,
  caseChangeEvent,
  caseDetail,
  caseList,
  notificationDetail,
  notificationList,
  problemAnswer,
  reconciliationAnswer,
  replayAnswer,
} from "./answers.ts";
import { describePeoplePaths } from "./people-openapi.ts";
import { caseActionBody, caseListQuery, notificationListQuery } from "./requests.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.1 description of the agency side, made from the schemas that read requests and that the tests hold
 * answers to.
 *
 * @param serverUrl the URL under which the agency side is reached; without it paths are relative to this document.
 */
export function describeApi({ serverUrl }: { readonly serverUrl?: string } = {}): Json {
  const components = new Map<string, unknown>();
  const schemaOf = (schema: z.ZodType, io: "input" | "output" = "output"): Json => toSchema(schema, io, components);
  const answer = (description: string, schema: z.ZodType): Json => ({
    description,
    content: { "application/json": { schema: schemaOf(schema) } },
  });
  const problem = (description: string): Json => ({
    description,
    content: { "application/problem+json": { schema: schemaOf(problemAnswer) } },
  });
  const readProblems = { 400: problem("The query cannot be read."), ...tokenProblems(problem) };
  const id = { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } };

  const paths = {
    "/ocn": { post: describePush("The default source.", [], schemaOf, problem) },
    "/ocn/{source}": {
      post: describePush(
        "A named source.",
        [{ name: "source", in: "path", required: true, schema: { type: "string" } }],
        schemaOf,
        problem,
      ),
    },
    ...describePeoplePaths({
      security: apiSecurity,
      schemaOf,
      answer,
      problem,
      parametersOf: (query) => describeParameters(query, schemaOf),
      id,
    }),
    "/api/v1/cases": {
      get: {
        operationId: "listCases",
        summary: "Cases, newest or most urgent first",
        security: apiSecurity,
        parameters: describeParameters(caseListQuery, schemaOf),
        responses: { 200: answer("One page.", caseList), ...readProblems },
      },
    },
    "/api/v1/cases/{id}": {
      get: {
        operationId: "readCase",
        summary: "One case with everything behind it",
        security: apiSecurity,
        parameters: [id],
        responses: { 200: answer("The case.", caseDetail), ...readProblems, 404: problem("There is no such case.") },
      },
    },
    "/api/v1/cases/{id}/calls": {
      get: {
        operationId: "listCalls",
        summary: "What the gateway was asked for one case",
        security: apiSecurity,
        parameters: [id],
        responses: { 200: answer("The calls.", callList), ...readProblems, 404: problem("There is no such case.") },
      },
    },
    "/api/v1/cases/{id}/calls/{callId}/body": {
      get: {
        operationId: "readCallBody",
        summary: "The gateway's answer to one call, byte for byte. Needs the role agent",
        security: apiSecurity,
        parameters: [id, { ...id, name: "callId" }],
        responses: {
          200: storedBody,
          ...readProblems,
          403: problem("The role does not allow it."),
          404: problem("There is no such call, or no answer to it."),
        },
      },
    },
    "/api/v1/cases/{id}/actions": {
      post: {
        operationId: "actOnCase",
        summary: "A person's action on a case",
        security: apiSecurity,
        parameters: [id],
        requestBody: {
          required: true,
          content: { "application/json": { schema: schemaOf(caseActionBody, "input") } },
        },
        responses: {
          202: answer("Taken on; a worker carries it out.", actionAnswer),
          ...readProblems,
          404: problem("There is no such case."),
          409: problem("The case has another version or state by now; nothing was done."),
          413: problem("The body is longer than 64 KiB."),
          415: problem("The body is not declared as JSON."),
          422: problem("The body is no action, or the action is not possible on this case; nothing was done."),
        },
      },
    },
    "/api/v1/notifications": {
      get: {
        operationId: "listNotifications",
        summary: "Notifications, newest first, without their bodies",
        security: apiSecurity,
        parameters: describeParameters(notificationListQuery, schemaOf),
        responses: { 200: answer("One page.", notificationList), ...readProblems },
      },
    },
    "/api/v1/notifications/{id}": {
      get: {
        operationId: "readNotification",
        summary: "One notification and the cases that rest on it",
        security: apiSecurity,
        parameters: [id],
        responses: {
          200: answer("The notification.", notificationDetail),
          ...readProblems,
          404: problem("There is no such notification."),
        },
      },
    },
    "/api/v1/notifications/{id}/body": {
      get: {
        operationId: "readNotificationBody",
        summary: "A notification byte for byte. Needs the role agent",
        security: apiSecurity,
        parameters: [id],
        responses: {
          200: storedBody,
          ...readProblems,
          403: problem("The role does not allow it."),
          404: problem("There is no such notification."),
        },
      },
    },
    "/api/v1/notifications/{id}/replay": {
      post: {
        operationId: "replayNotification",
        summary: "Tries a quarantined notification again. Needs the role supervisor",
        security: apiSecurity,
        parameters: [id],
        responses: {
          202: answer("It is usable now; its cases are worked on.", replayAnswer),
          ...readProblems,
          403: problem("The role does not allow it."),
          404: problem("There is no such notification."),
          409: problem("It is not in quarantine."),
          422: problem("It is still not usable; `path` points to why. It stays in quarantine."),
        },
      },
    },
    "/api/v1/events": {
      get: {
        operationId: "followEvents",
        summary: "Which cases change, as it happens",
        description:
          "Server-sent events. The event `cases` names the cases that changed, at most twice a second; comments in between keep the stream open.",
        security: apiSecurity,
        responses: {
          200: {
            description: "A stream that does not end by itself.",
            content: { "text/event-stream": { schema: schemaOf(caseChangeEvent) } },
          },
          ...readProblems,
        },
      },
    },
    "/api/v1/reconciliation": {
      get: {
        operationId: "reconcile",
        summary: "Proof that every acknowledged notification is decided or waiting",
        security: apiSecurity,
        responses: { 200: answer("What was found.", reconciliationAnswer), ...readProblems },
      },
    },
  };

  return {
    openapi: "3.1.0",
    info: {
      title: "Skedchange",
      version: "1",
      description: "Receives order change notifications, and shows and takes decisions about them.",
    },
    ...(serverUrl === undefined ? {} : { servers: [{ url: serverUrl }] }),
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer", description: "API_TOKEN, or a personal API token." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "skedchange_session",
          description:
            "Set by POST /api/v1/session; behind HTTPS its name begins with `__Host-`. What changes something must then carry the header Origin of the dashboard.",
        },
        sourceBasic: { type: "http", scheme: "basic", description: "The user name and password of the source." },
        sourceBearer: { type: "http", scheme: "bearer", description: "A bearer token of the source." },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const storedBody = {
  description: "The stored bytes, as an attachment of the type that they were declared as.",
  content: { "application/json": { schema: {} } },
};

const apiSecurity = [{ apiToken: [] }, { session: [] }];

function tokenProblems(problem: (description: string) => Json): Json {
  return {
    401: problem("The token is missing or not valid."),
    503: problem("The database cannot be reached; try again after Retry-After."),
  };
}

/** @see interface document, "Events" */
function describePush(
  summary: string,
  parameters: readonly Json[],
  schemaOf: (schema: z.ZodType) => Json,
  problem: (description: string) => Json,
): Json {
  return {
    operationId: parameters.length === 0 ? "push" : "pushToSource",
    summary: `Takes an order change notification. ${summary}`,
    security: [{ sourceBasic: [] }, { sourceBearer: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    requestBody: {
      required: true,
      description: "An order view with at least one Order that has an OrderID, inside OrderViewRS or not.",
      content: { "application/json": { schema: { type: "object" } } },
    },
    responses: {
      200: {
        description: "Committed, or known already.",
        content: { "application/json": { schema: schemaOf(acknowledgementSchema) } },
      },
      400: problem("Not JSON; it was quarantined."),
      401: problem("The credentials are missing or wrong."),
      413: problem("Too large after inflating."),
      415: problem("Neither JSON nor an encoding that is known."),
      422: problem("JSON that is no usable notification; it was quarantined."),
      503: problem("Not stored; send it again after Retry-After."),
    },
  };
}

/** Query parameters from the schema of a query. */
function describeParameters(query: z.ZodObject, schemaOf: (schema: z.ZodType, io: "input") => Json): Json[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema as z.ZodType, "input");
    return { name, in: "query", required: false, ...(description === undefined ? {} : { description }), schema: rest };
  });
}

/** A JSON Schema whose named parts stand in `components`. JSON Schema 2020-12 is what OpenAPI 3.1 uses. */
function toSchema(schema: z.ZodType, io: "input" | "output", components: Map<string, unknown>): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  const { $schema: _dialect, $defs, ...root } = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  for (const [name, definition] of Object.entries($defs ?? {})) components.set(name, definition);
  const name = schema.meta()?.["id"];
  if (typeof name !== "string") return root;
  components.set(name, root);
  return { $ref: `#/components/schemas/${name}` };
}
