import { z } from "zod";
import { problem, success } from "../../http/route.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { Automation, AutomationStop } from "../automation-ports.ts";
import { id, instant } from "../case-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { ofEverySource, route } from "./api-surface.ts";
import { resumeAutomationBody, stopAutomationBody } from "./automation-requests.ts";
import { policyTag } from "./policy-routes.ts";

const automationMembers = {
  stopped: z.boolean(),
  stop: z
    .strictObject({
      id: id,
      stoppedAt: instant,
      stoppedBy: z.string().meta({ description: "`person:` and who." }),
      note: z.string().meta({ description: "Why." }),
    })
    .nullable()
    .meta({ description: "The stop in force." }),
};

export const automationState = z.strictObject(automationMembers).meta({ id: "AutomationState" });

export const automationResumed = z
  .strictObject({
    ...automationMembers,
    casesDue: z.int().min(0).meta({ description: "Cases that waited only because of the stop and are decided again." }),
  })
  .meta({ id: "AutomationResumed" });

type Needs = {
  readonly automation: Automation;
  readonly logger: Logger;
};

export const automationRoutes = [
  route({
    method: "get",
    path: "/automation",
    role: requiredRoles.readAutomation,
    operationId: "readAutomation",
    tag: policyTag,
    summary: "Whether automation is stopped, since when, by whom and why",
    responses: { 200: success("The switch.", automationState) },
    async handle(_request, { automation }: Needs) {
      return { body: present(await automation.readStop()) };
    },
  }),
  route({
    method: "post",
    path: "/automation/stop",
    role: ofEverySource(requiredRoles.changeAutomation),
    operationId: "stopAutomation",
    tag: policyTag,
    summary:
      "Stops all accepts and cancels that policies decide, for all sources; those that agents decide are still sent",
    body: stopAutomationBody,
    responses: { 200: success("The stop in force; one that was in force already stays as it is.", automationState) },
    async handle({ body: { note }, caller: { actor, tokenId } }, { automation, logger }: Needs) {
      const stop = await automation.stop({ actor, tokenId, note });
      logger.warn({ stopId: stop.id }, "automation.stopped");
      return { body: present(stop) };
    },
  }),
  route({
    method: "post",
    path: "/automation/resume",
    role: ofEverySource(requiredRoles.changeAutomation),
    operationId: "resumeAutomation",
    tag: policyTag,
    summary: "Ends the stop",
    body: resumeAutomationBody,
    responses: {
      200: success("Automatic effects are sent, also when they were not stopped.", automationResumed),
      409: problem("Another stop is in force than the one that was to be ended.", "automation.stopped_again"),
    },
    async handle({ body: { stopId }, caller: { actor, tokenId } }, { automation, logger }: Needs) {
      const resumed = await automation.resume({ actor, tokenId, ...(stopId === undefined ? {} : { stopId }) });
      if (resumed.outcome === "conflict") {
        const { stoppedAt, stoppedBy, note } = resumed.current;
        return {
          status: 409,
          code: "automation.stopped_again",
          title: "Automation was stopped again",
          detail: `${stoppedBy.replace(/^person:/, "")} stopped automation again at ${stoppedAt.toISOString()} (${note}). Check the reason, then resume.`,
          extensions: { current: resumed.current },
        };
      }
      const { stop, casesDue } = resumed;
      if (stop !== null) logger.warn({ stopId: stop.id, casesDue }, "automation.resumed");
      return { body: { ...present(null), casesDue } };
    },
  }),
] as const;

function present(stop: AutomationStop | null) {
  return { stopped: stop !== null, stop };
}
