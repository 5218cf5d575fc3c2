import { z } from "zod";
import type { ApiParts } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { describeBodyProblems, describeReadProblems, apiSecurity as security } from "./api-answers.ts";
import { resumeAutomationBody, stopAutomationBody } from "./automation-requests.ts";

const automationMembers = {
  stopped: z.boolean(),
  stop: z
    .strictObject({
      id: z.guid().meta({ description: "UUID." }),
      stoppedAt: z.iso.datetime().meta({ description: "Instant in UTC, ISO 8601." }),
      stoppedBy: z.string().meta({ description: "`person:` and who." }),
      note: z.string().meta({ description: "Why." }),
    })
    .nullable()
    .meta({ description: "The stop in force." }),
};

/** Answer of `GET /api/v1/automation` and of stopping. */
export const automationState = z.strictObject(automationMembers).meta({ id: "AutomationState" });

/** Answer of `POST /api/v1/automation/resume`. */
export const automationResumed = z
  .strictObject({
    ...automationMembers,
    casesDue: z
      .int()
      .min(0)
      .meta({ description: "Cases that waited only because of the stop and are decided anew by the rules." }),
  })
  .meta({ id: "AutomationResumed" });

/** The paths of the switch for all automatic effects. */
export function describeAutomationPaths(parts: ApiParts, tag: string): Json {
  const { answer, body, problem } = parts;
  const tags = [tag];
  return {
    "/api/v1/automation": {
      get: {
        operationId: "readAutomation",
        tags,
        summary: "Whether automatic effects are stopped, since when, by whom and why",
        security,
        responses: { 200: answer("The switch.", automationState), ...describeReadProblems(parts) },
      },
    },
    "/api/v1/automation/stop": {
      post: {
        operationId: "stopAutomation",
        tags,
        summary:
          "Stops every accept and cancel that rules decide, of all sources; what people decide is still carried out. Needs the role supervisor",
        security,
        requestBody: body(stopAutomationBody),
        responses: {
          200: answer("The stop in force; one that was in force already stays as it is.", automationState),
          ...describeBodyProblems(parts),
        },
      },
    },
    "/api/v1/automation/resume": {
      post: {
        operationId: "resumeAutomation",
        tags,
        summary: "Ends the stop. Needs the role supervisor",
        security,
        requestBody: body(resumeAutomationBody),
        responses: {
          200: answer("Automatic effects are sent, also when they were not stopped.", automationResumed),
          ...describeBodyProblems(parts),
          409: problem("Another stop is in force than the one that was to be ended.", ["automation.stopped_again"]),
        },
      },
    },
  };
}
