import { z } from "zod";
import { isVisible } from "../../cases/visible-sources.ts";
import { problem, routes, success } from "../../http/route.ts";
import { describeStopper } from "../../kernel/automation-words.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type Automation, automationStop } from "../automation-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route, sourcesLimited } from "./api-surface.ts";
import { resumeAutomationBody, stopAutomationBody } from "./automation-requests.ts";
import type { Identity } from "./identity.ts";
import { policyTag } from "./policy-routes.ts";

const automationMembers = {
  stopped: z.boolean().meta({ description: "Whether all sources together are stopped." }),
  stop: automationStop.nullable().meta({ description: "The stop of all sources together, by a person." }),
  stops: z.array(automationStop).meta({
    description:
      "All stops in force, that of all sources together first, then those of the sources that the caller sees.",
  }),
};

export const automationState = z.strictObject(automationMembers).meta({ id: "AutomationState" });

export const automationResumed = z
  .strictObject({
    ...automationMembers,
    casesDue: z.int().min(0).meta({ description: "Cases that waited only because of the stop and are decided again." }),
  })
  .meta({ id: "AutomationResumed" });

const noSource = problem("There is no such source.", "automation.source_not_found");

type Needs = {
  readonly automation: Automation;
  readonly logger: Logger;
};

export const automationRoutes = routes(policyTag.name, {
  readAutomation: route("GET /automation", requiredRoles.readAutomation, {
    summary: "Whether automation is stopped, of which sources, since when, by whom and why",
    responses: { 200: success("The switches.", automationState) },
    async handle({ caller }, { automation }: Needs) {
      return { body: await present(automation, caller) };
    },
  }),
  stopAutomation: route("POST /automation/stop", requiredRoles.changeAutomation, {
    summary:
      "Stops the accepts and cancels that policies decide, of one source or of all together, which takes somebody who sees all; those that agents decide are still sent",
    body: stopAutomationBody,
    responses: {
      200: success("The stops in force; one that was in force already stays as it is.", automationState),
      404: noSource,
    },
    async handle({ body: { source = null, note }, caller }, { automation, logger }: Needs) {
      const refused = refuseSource(source, caller, automation.sources);
      if (refused !== null) return refused;
      const { actor, tokenId } = caller;
      const stop = await automation.stop({ actor, tokenId, source, note });
      logger.warn({ stopId: stop.id, source: source ?? undefined }, "automation.stopped");
      return { status: 200, body: await present(automation, caller) };
    },
  }),
  resumeAutomation: route("POST /automation/resume", requiredRoles.changeAutomation, {
    summary: "Ends the stop of one source, or that of all together, which takes somebody who sees all",
    body: resumeAutomationBody,
    responses: {
      200: success(
        "That stop is over, also if there was none; others of the source may be in force.",
        automationResumed,
      ),
      404: noSource,
      409: problem("Another stop is in force than the one that was to be ended.", "automation.stopped_again"),
    },
    async handle({ body: { source = null, stopId }, caller }, { automation, logger }: Needs) {
      // A source that is no longer configured can still be stopped.
      const stopped = (await automation.readStops()).flatMap((stop) => stop.source ?? []);
      const refused = refuseSource(source, caller, [...automation.sources, ...stopped]);
      if (refused !== null) return refused;
      const { actor, tokenId } = caller;
      const resumed = await automation.resume({
        actor,
        tokenId,
        source,
        ...(stopId === undefined ? {} : { stopId }),
      });
      if (resumed.outcome === "conflict") {
        const { stoppedAt, stoppedBy, note } = resumed.current;
        return {
          status: 409,
          code: "automation.stopped_again",
          title: "Automation was stopped again",
          detail: `${describeStopper(stoppedBy)} stopped automation again at ${stoppedAt.toISOString()} (${note}). Check the reason, then resume.`,
          extensions: { current: resumed.current },
        };
      }
      const { ended, casesDue } = resumed;
      for (const stop of ended) {
        logger.warn({ stopId: stop.id, source: source ?? undefined, casesDue }, "automation.resumed");
      }
      return { status: 200, body: { ...(await present(automation, caller)), casesDue } };
    },
  }),
});

async function present(automation: Automation, { sources }: Identity) {
  const stops = (await automation.readStops()).filter(({ source }) => source === null || isVisible(source, sources));
  const stop = stops.find(({ source }) => source === null) ?? null;
  return { stopped: stop !== null, stop, stops };
}

/** All sources together take somebody who sees all of them. A source that one does not see is none. */
function refuseSource(source: string | null, { sources }: Identity, known: readonly string[]) {
  if (source === null) return sources === null ? null : sourcesLimited(sources);
  if (known.includes(source) && isVisible(source, sources)) return null;
  return {
    status: 404,
    code: "automation.source_not_found",
    title: "No such source",
    detail: `There is no source '${source.slice(0, 64)}'.`,
  } as const;
}
