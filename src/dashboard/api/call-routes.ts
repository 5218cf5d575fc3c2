import { Router } from "express";
import { idPattern } from "../../kernel/ids.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { StoredBodies } from "../ports.ts";
import { readQuery, refuseMethod, writeNotFound } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";
import { sendStoredBody } from "./send-body.ts";

/** `/cases/:id/calls` and `/cases/:id/calls/:callId/body`: what the gateway was asked and answered. */
export function createCallRoutes(options: { bodies: StoredBodies; logger: Logger }): Router {
  const { bodies, logger } = options;
  const router = Router();

  router.get("/cases/:id/calls", requireRole(requiredRoles.readCases), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id } = request.params;
    const items = idPattern.test(id) ? await bodies.listCalls(id) : null;
    if (items === null) writeNotFound(response, "case", id);
    else response.json({ items });
  });
  router.all("/cases/:id/calls", refuseMethod("GET, HEAD"));

  router.get("/cases/:id/calls/:callId/body", requireRole(requiredRoles.readBodies), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const { id, callId } = request.params;
    const body = idPattern.test(id) && idPattern.test(callId) ? await bodies.readCallBody(id, callId) : null;
    if (body === null) {
      writeNotFound(response, "call", callId);
      return;
    }
    // Travellers' data: who looked at what must be possible to find out later.
    logger.info(
      { actor: identityOf(request).actor, caseId: id, callId, bodyBytes: body.bytes.length },
      "call.body_read",
    );
    sendStoredBody(response, body, `call-${callId}.json`);
  });
  router.all("/cases/:id/calls/:callId/body", refuseMethod("GET, HEAD"));

  return router;
}
