import { Router } from "express";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { Automation, AutomationStop } from "../automation-ports.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { resumeAutomationBody, stopAutomationBody } from "./automation-requests.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/automation`: the one switch for all automatic effects. */
export function createAutomationRoutes({
  automation,
  logger,
}: {
  readonly automation: Automation;
  readonly logger: Logger;
}): Router {
  const router = Router();
  const change = requireRole(requiredRoles.changeAutomation);

  router.get("/automation", requireRole(requiredRoles.readAutomation), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    response.json(present(await automation.readStop()));
  });
  router.all("/automation", refuseMethod("GET, HEAD"));

  router.post("/automation/stop", change, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, stopAutomationBody);
    if (body === null) return;
    const stop = await automation.stop({ actor: identityOf(request).actor, note: body.note });
    logger.warn({ stopId: stop.id }, "automation.stopped");
    response.json(present(stop));
  });
  router.all("/automation/stop", refuseMethod("POST"));

  router.post("/automation/resume", change, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, resumeAutomationBody);
    if (body === null) return;
    const { stopId } = body;
    const { actor } = identityOf(request);
    const resumed = await automation.resume({ actor, ...(stopId === undefined ? {} : { stopId }) });
    if (resumed.outcome === "conflict") {
      const { stoppedAt, stoppedBy, note } = resumed.current;
      writeProblem(response, {
        status: 409,
        code: "automation.stopped_again",
        title: "Automatic effects were stopped again",
        detail: `${stoppedBy.replace(/^person:/, "")} stopped automatic effects again at ${stoppedAt.toISOString()} (${note}). Look at why, then resume.`,
        extensions: { current: resumed.current },
      });
      return;
    }
    const { stop, casesDue } = resumed;
    if (stop !== null) logger.warn({ stopId: stop.id, casesDue }, "automation.resumed");
    response.json({ ...present(null), casesDue });
  });
  router.all("/automation/resume", refuseMethod("POST"));

  return router;
}

function present(stop: AutomationStop | null) {
  return { stopped: stop !== null, stop };
}
