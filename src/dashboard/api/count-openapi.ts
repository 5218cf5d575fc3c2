import { z } from "zod";
import type { ApiParts } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { describeReadProblems, apiSecurity as security } from "./api-answers.ts";

const count = z.int().min(0);

/** Answer of `GET /api/v1/counts`. */
export const workCounts = z
  .strictObject({
    needPerson: count.meta({ description: "Cases that wait for a person." }),
    mine: count.meta({ description: "Open cases that the person who asks has taken." }),
    overdue: count.meta({ description: "Open cases that should have been decided by now." }),
    openTasks: count,
    overdueTasks: count.meta({ description: "Open tasks that should have been done by now." }),
    blockedOrders: count.meta({ description: "Orders on which no work gets done." }),
    quarantined: count.meta({ description: "Notifications in quarantine." }),
  })
  .meta({ id: "WorkCounts" });

/** The path of the counts. */
export function describeCountPaths(parts: ApiParts, tag: string): Json {
  return {
    "/api/v1/counts": {
      get: {
        operationId: "countWork",
        tags: [tag],
        summary: "How much waits for people",
        security,
        responses: { 200: parts.answer("The counts.", workCounts), ...describeReadProblems(parts) },
      },
    },
  };
}
