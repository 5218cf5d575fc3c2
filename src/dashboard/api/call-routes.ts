import { routes, success } from "../../http/route.ts";
import { sendStoredBody } from "../../http/send-stored-body.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { StoredBodies } from "../body-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { bodyGone, noSuch, refuseDeletedBody, route, storedBytes } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { callList } from "./responses.ts";

type Needs = {
  readonly bodies: StoredBodies;
  readonly logger: Logger;
};

export const callRoutes = routes(casesTag.name, {
  listCalls: route("GET /cases/{id}/calls", requiredRoles.readCases, {
    summary: "Calls to the gateway for one case",
    responses: { 200: success("The calls.", callList), 404: noSuch("case") },
    async handle({ params, caller }, { bodies }: Needs) {
      const items = await bodies.listCalls(params.id, caller.sources);
      return items === null ? null : { body: { items } };
    },
  }),
  readCallBody: route("GET /cases/{id}/calls/{callId}/body", requiredRoles.readBodies, {
    summary: "The gateway's response to one call, byte for byte",
    responses: { 200: storedBytes, 404: noSuch("call"), 410: bodyGone },
    async handle({ params: { id, callId }, caller: { actor, sources } }, { bodies, logger }: Needs) {
      const body = await bodies.readCallBody(id, callId, sources);
      if (body === null) return null;
      if ("deleted" in body) return refuseDeletedBody(body.deleted);
      // Reads of travellers' data are logged.
      logger.info({ actor, caseId: id, callId, bodyBytes: body.bytes.length }, "call.body_read");
      return sendStoredBody(body, `call-${callId}.json`);
    },
  }),
});
