import { type ApiDescription, type ApiParts, pathParameter } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { caseActionBody } from "./action-requests.ts";
import {
  actionAnswer,
  callList,
  caseChangeEvent,
  caseDetail,
  caseList,
  notificationDetail,
  notificationList,
  reconciliationAnswer,
  replayAnswer,
} from "./answers.ts";
import {
  describeBodyProblems,
  describeChangeProblems,
  describeListProblems,
  describeReadProblems,
  idSchema,
  apiSecurity as security,
} from "./api-answers.ts";
import { auditTag, describeAuditPaths } from "./audit-openapi.ts";
import { describeAutomationPaths } from "./automation-openapi.ts";
import { describeCountPaths } from "./count-openapi.ts";
import { describeLanePaths } from "./lane-openapi.ts";
import { describeOrderPaths, orderTag } from "./order-openapi.ts";
import { describePeoplePaths, peopleTag } from "./people-openapi.ts";
import { describePolicyPaths, policyTag } from "./policy-openapi.ts";
import { caseListQuery, notificationListQuery } from "./requests.ts";
import { describeWorkPaths, workTag } from "./work-openapi.ts";

const casesTag = "Cases";
const notificationsTag = "Notifications";

/** Describes `/api/v1` from the schemas that read requests and that the tests hold answers to. */
export function describeApi(parts: ApiParts): ApiDescription {
  return {
    tags: [
      {
        name: casesTag,
        description:
          "The open work on orders. An unknown path of the API is answered with 404 `api.no_such_route`, another method with 405 `api.method_not_allowed`.",
      },
      { name: workTag, description: "What is left to do when cases are done, and actions on many cases." },
      { name: notificationsTag, description: "What was received." },
      { name: orderTag, description: "What was sold, as the agency states it." },
      {
        name: policyTag,
        description: "The rules that decide, what others would have decided, and the switch that stops their effects.",
      },
      { name: peopleTag, description: "Sessions, users and personal tokens." },
      { name: auditTag, description: "Who did what, in a chain of hashes." },
    ],
    paths: {
      ...describeCasePaths(parts),
      ...describeLanePaths(parts, casesTag),
      ...describeCountPaths(parts, casesTag),
      ...describeWorkPaths(parts),
      ...describeNotificationPaths(parts),
      ...describeOrderPaths(parts),
      ...describePolicyPaths(parts),
      ...describeAutomationPaths(parts, policyTag),
      ...describePeoplePaths(parts),
      ...describeAuditPaths(parts),
    },
    securitySchemes: {
      apiToken: { type: "http", scheme: "bearer", description: "API_TOKEN, or a personal API token." },
      session: {
        type: "apiKey",
        in: "cookie",
        name: "skedchange_session",
        description:
          "Set by POST /api/v1/session; behind HTTPS its name begins with `__Host-`. What changes something must then carry the header Origin of the dashboard.",
      },
    },
  };
}

const storedBody = {
  description: "The stored bytes, as an attachment of the type that they were declared as.",
  content: { "application/json": { schema: {} } },
};

const id = pathParameter("id", idSchema);

function describeCasePaths(parts: ApiParts): Json {
  const { answer, body, parametersOf, problem } = parts;
  const tags = [casesTag];
  const noCase = problem("There is no such case.", ["api.case_not_found"]);
  return {
    "/api/v1/cases": {
      get: {
        operationId: "listCases",
        tags,
        summary: "Cases, newest or most urgent first",
        security,
        parameters: parametersOf(caseListQuery),
        responses: { 200: answer("One page.", caseList), ...describeListProblems(parts) },
      },
    },
    "/api/v1/cases/{id}": {
      get: {
        operationId: "readCase",
        tags,
        summary: "One case with everything behind it",
        security,
        parameters: [id],
        responses: { 200: answer("The case.", caseDetail), ...describeReadProblems(parts), 404: noCase },
      },
    },
    "/api/v1/cases/{id}/calls": {
      get: {
        operationId: "listCalls",
        tags,
        summary: "What the gateway was asked for one case",
        security,
        parameters: [id],
        responses: { 200: answer("The calls.", callList), ...describeReadProblems(parts), 404: noCase },
      },
    },
    "/api/v1/cases/{id}/calls/{callId}/body": {
      get: {
        operationId: "readCallBody",
        tags,
        summary: "The gateway's answer to one call, byte for byte. Needs the role agent",
        security,
        parameters: [id, pathParameter("callId", idSchema)],
        responses: {
          200: storedBody,
          ...describeReadProblems(parts),
          404: problem("There is no such call, or no answer to it.", ["api.call_not_found"]),
        },
      },
    },
    "/api/v1/cases/{id}/actions": {
      post: {
        operationId: "actOnCase",
        tags,
        summary: "A person's action on a case",
        security,
        parameters: [id],
        requestBody: body(caseActionBody),
        responses: {
          202: answer("Taken on; a worker carries it out.", actionAnswer),
          ...describeBodyProblems(parts),
          404: noCase,
          409: problem("The case has another version or state by now; nothing was done.", ["api.case_moved"]),
          422: problem(
            "The body is no action (`api.action_invalid`), or the action is not possible on this case: `code` says why. Nothing was done.",
          ),
        },
      },
    },
    "/api/v1/events": {
      get: {
        operationId: "followEvents",
        tags,
        summary: "Which cases change, as it happens",
        description:
          "Server-sent events. The event `cases` names the cases that changed, at most twice a second; comments in between keep the stream open.",
        security,
        responses: {
          200: {
            description: "A stream that does not end by itself.",
            content: { "text/event-stream": { schema: parts.schemaOf(caseChangeEvent) } },
          },
          ...describeReadProblems(parts),
          503: problem("No stream is free, or the database cannot be reached; try again after Retry-After.", [
            "api.no_stream_free",
            "api.unavailable",
          ]),
        },
      },
    },
    "/api/v1/reconciliation": {
      get: {
        operationId: "reconcile",
        tags,
        summary: "Proof that every acknowledged notification is decided or waiting",
        security,
        responses: { 200: answer("What was found.", reconciliationAnswer), ...describeReadProblems(parts) },
      },
    },
  };
}

function describeNotificationPaths(parts: ApiParts): Json {
  const { answer, parametersOf, problem } = parts;
  const tags = [notificationsTag];
  const noNotification = problem("There is no such notification.", ["api.notification_not_found"]);
  return {
    "/api/v1/notifications": {
      get: {
        operationId: "listNotifications",
        tags,
        summary: "Notifications, newest first, without their bodies",
        security,
        parameters: parametersOf(notificationListQuery),
        responses: { 200: answer("One page.", notificationList), ...describeListProblems(parts) },
      },
    },
    "/api/v1/notifications/{id}": {
      get: {
        operationId: "readNotification",
        tags,
        summary: "One notification and the cases that rest on it",
        security,
        parameters: [id],
        responses: {
          200: answer("The notification.", notificationDetail),
          ...describeReadProblems(parts),
          404: noNotification,
        },
      },
    },
    "/api/v1/notifications/{id}/body": {
      get: {
        operationId: "readNotificationBody",
        tags,
        summary: "A notification byte for byte. Needs the role agent",
        security,
        parameters: [id],
        responses: { 200: storedBody, ...describeReadProblems(parts), 404: noNotification },
      },
    },
    "/api/v1/notifications/{id}/replay": {
      post: {
        operationId: "replayNotification",
        tags,
        summary: "Tries a quarantined notification again. Needs the role supervisor",
        security,
        parameters: [id],
        responses: {
          202: answer("It is usable now; its cases are worked on.", replayAnswer),
          ...describeChangeProblems(parts),
          404: noNotification,
          409: problem("It is not in quarantine.", ["api.not_quarantined"]),
          422: problem(
            "It is still not usable; `code` says what is wrong and `path` points to it. It stays in quarantine.",
          ),
        },
      },
    },
  };
}
