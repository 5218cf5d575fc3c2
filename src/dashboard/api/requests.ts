import { z } from "zod";
import { taskKinds } from "../../cases/decision.ts";
import type { Problem } from "../../http/problem-document.ts";
import { type RequestProblem, toPointer } from "../../http/request-problems.ts";
import { bulkActionStateNames } from "../bulk-ports.ts";
import { searchText } from "../case-filter-ports.ts";
import { listedNotificationStates } from "../notification-ports.ts";
import { name, pageLimitDefault, pageLimitMax, pageMembers } from "../request-fields.ts";
import { taskStateNames } from "../task-ports.ts";

export const notificationListQuery = z.strictObject({
  state: z
    .enum(listedNotificationStates, { error: `must be one of ${listedNotificationStates.join(", ")}` })
    .optional()
    .meta({ description: "One state. `quarantined` leaves out those that were discarded." }),
  source: name.optional().meta({ description: "The source, exactly." }),
  code: name.optional().meta({ description: "The code of the problem, exactly." }),
  ...pageMembers,
});

const taskFilters = {
  state: z
    .enum(taskStateNames, { error: `must be one of ${taskStateNames.join(", ")}` })
    .optional()
    .meta({ description: "`open` or `closed`; both when not given." }),
  kind: z
    .enum(taskKinds, { error: `must be one of ${taskKinds.join(", ")}` })
    .optional()
    .meta({ description: "One kind." }),
  assignee: name.optional().meta({ description: "A user name, `me` for your own, or `none` for those of nobody." }),
  cursor: pageMembers.cursor,
};

export const taskListQuery = z.strictObject({ ...taskFilters, ...pageMembers });

export const taskSearchBody = z.strictObject({
  ...taskFilters,
  text: searchText,
  limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
});

export const bulkActionListQuery = z.strictObject({
  state: z
    .enum(bulkActionStateNames, { error: `must be one of ${bulkActionStateNames.join(", ")}` })
    .optional()
    .meta({ description: "One state; every state when not given." }),
  ...pageMembers,
});

export function refuseQuery(error: z.ZodError, schema: z.ZodObject): Problem {
  const problems = describeIssues(error, Object.keys(schema.shape), false);
  return {
    status: 400,
    code: "api.query_invalid",
    title: "The query cannot be read",
    detail: problems.map(({ path, message }) => `'${path}' ${message}`).join("; "),
    extensions: { problems },
  };
}

/** Names what is allowed. */
export function describeIssues(error: z.ZodError, allowed: readonly string[], asPointer: boolean): RequestProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      const allowedNames = allowed.length === 0 ? "none is allowed here" : `allowed are ${allowed.join(", ")}`;
      const parent = toPointer(issue.path);
      return issue.keys.map((key) => ({
        path: asPointer ? toPointer([...issue.path, key]) : key,
        message: parent === "" ? `is unknown; ${allowedNames}` : "is unknown",
      }));
    }
    return [{ path: asPointer ? toPointer(issue.path) : issue.path.map(String).join("."), message: issue.message }];
  });
}
