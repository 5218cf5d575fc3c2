import { type ApiParts, pathParameter } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { bulkActionBody, closeTaskBody } from "./action-requests.ts";
import { bulkAction, bulkActionList, bulkPreview, bulkStarted, bulkStopped, taskClosed, taskList } from "./answers.ts";
import {
  describeBodyProblems,
  describeChangeProblems,
  describeListProblems,
  describeReadProblems,
  idSchema,
  apiSecurity as security,
} from "./api-answers.ts";
import { bulkActionListQuery, taskListQuery } from "./requests.ts";

export const workTag = "Work of people";

/** Describes `/tasks` and `/bulk-actions`. */
export function describeWorkPaths(parts: ApiParts): Json {
  const { answer, body, parametersOf, problem } = parts;
  const tags = [workTag];
  const id = pathParameter("id", idSchema);
  const noTask = problem("There is no such task.", ["api.task_not_found"]);
  const noBulkAction = problem("There is no such bulk action.", ["api.bulk_action_not_found"]);
  return {
    "/api/v1/tasks": {
      get: {
        operationId: "listTasks",
        tags,
        summary: "Work that is left when cases are done: with state=open what is due first, else newest first",
        security,
        parameters: parametersOf(taskListQuery),
        responses: { 200: answer("One page.", taskList), ...describeListProblems(parts) },
      },
    },
    "/api/v1/tasks/{id}/close": {
      post: {
        operationId: "closeTask",
        tags,
        summary: "Says that a task is done. Needs the role agent",
        security,
        parameters: [id],
        requestBody: body(closeTaskBody),
        responses: {
          200: answer("It is closed.", taskClosed),
          ...describeBodyProblems(parts),
          404: noTask,
          409: problem("Somebody has closed it before.", ["api.task_closed"]),
        },
      },
    },
    "/api/v1/bulk-actions": {
      get: {
        operationId: "listBulkActions",
        tags,
        summary: "Actions on many cases and how far each has come, newest first",
        security,
        parameters: parametersOf(bulkActionListQuery),
        responses: { 200: answer("One page.", bulkActionList), ...describeListProblems(parts) },
      },
      post: {
        operationId: "actOnManyCases",
        tags,
        summary: "One action on many cases, tried out first. Needs the role supervisor",
        security,
        requestBody: body(bulkActionBody),
        responses: {
          200: answer("What would become of each case; nothing was changed.", bulkPreview),
          202: answer("Taken on; workers act on case after case.", bulkStarted),
          ...describeBodyProblems(parts, [
            "api.body_invalid",
            "api.bulk_without_cases",
            "api.bulk_too_many",
            "api.bulk_without_versions",
            "desk.confirmation_missing",
          ]),
        },
      },
    },
    "/api/v1/bulk-actions/{id}": {
      get: {
        operationId: "readBulkAction",
        tags,
        summary: "How far a bulk action has come, case by case",
        security,
        parameters: [id],
        responses: { 200: answer("The bulk action.", bulkAction), ...describeReadProblems(parts), 404: noBulkAction },
      },
    },
    "/api/v1/bulk-actions/{id}/stop": {
      post: {
        operationId: "stopBulkAction",
        tags,
        summary: "Leaves the cases alone whose turn has not come. Needs the role supervisor",
        security,
        parameters: [id],
        responses: {
          200: answer("It is stopped. What is done stays done.", bulkStopped),
          ...describeChangeProblems(parts),
          404: noBulkAction,
          409: problem("It is over.", ["api.bulk_action_over"]),
        },
      },
    },
  };
}
