import { type Response, Router } from "express";
import type { z } from "zod";
import { caseActions } from "../../cases/case-actions.ts";
import type { BulkCommand } from "../../cases/case-command.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import { type BulkActions, type BulkSelection, bulkCasesMax } from "../ports.ts";
import { bulkActionBody, toBulkCommand } from "./action-requests.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor, writeNotFound } from "./exchange.ts";
import { type Identity, identityOf } from "./identity.ts";
import { parseLongJsonBody, readBody } from "./json-body.ts";
import { bulkActionListQuery, emptyQuery } from "./requests.ts";
import { checkRole, requireRole } from "./require-role.ts";

type BulkBody = z.output<typeof bulkActionBody>;

/** `/bulk-actions`: one action on many cases, tried out first, and found again by whoever looks later. */
export function createBulkRoutes({ bulk, logger }: { bulk: BulkActions; logger: Logger }): Router {
  const router = Router();
  const mayAct = requireRole(requiredRoles.actOnManyCases);

  router.get("/bulk-actions", requireRole(requiredRoles.readBulkActions), async (request, response) => {
    const query = readQuery(request, response, bulkActionListQuery);
    if (query === null) return;
    const after = query.cursor === undefined ? null : readCursor("bulk-actions", query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const { items, next } = await bulk.list({ state: query.state ?? null, after, limit: query.limit });
    response.json({ items, nextCursor: next === null ? null : writeCursor("bulk-actions", next) });
  });

  router.post("/bulk-actions", mayAct, parseLongJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, bulkActionBody);
    if (body === null || !checkRole(request, response, caseActions[body.command.action].role)) return;
    const identity = identityOf(request);
    const command = toBulkCommand(body.command, identity.username);
    if (body.dryRun) await tryOut(response, body, command, identity);
    else await start(response, body, command, identity);
  });
  router.all("/bulk-actions", refuseMethod("GET, HEAD, POST"));

  router.get("/bulk-actions/:id", requireRole(requiredRoles.readBulkActions), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const id = request.params.id;
    const found = idPattern.test(id) ? await bulk.read(id) : null;
    if (found === null) writeNotFound(response, "bulk action", id);
    else response.json(found);
  });
  router.all("/bulk-actions/:id", refuseMethod("GET, HEAD"));

  router.post("/bulk-actions/:id/stop", mayAct, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const id = request.params.id;
    const { actor } = identityOf(request);
    const stopped = idPattern.test(id) ? await bulk.stop(id, actor) : null;
    if (stopped === null) {
      writeNotFound(response, "bulk action", id);
      return;
    }
    if (!stopped) {
      writeProblem(response, {
        status: 409,
        code: "api.bulk_action_over",
        title: "The bulk action is over",
        detail: `The bulk action ${id} has been stopped or has finished before. Its rows say what was done.`,
      });
      return;
    }
    logger.info({ bulkActionId: id, actor }, "bulk_action.stopped");
    response.json({ id, state: "stopped" });
  });
  router.all("/bulk-actions/:id/stop", refuseMethod("POST"));

  async function tryOut(response: Response, body: BulkBody, command: BulkCommand, { actor }: Identity): Promise<void> {
    const selection = selectionOf(body);
    if (selection === null) {
      refuse(response, "api.bulk_without_cases", "Say which cases are meant, by either 'caseIds' or 'cohort'.");
      return;
    }
    const items = await bulk.preview(command, selection, actor);
    if (items === null) {
      refuse(
        response,
        "api.bulk_too_many",
        `One action takes at most ${bulkCasesMax} cases. Choose some of them by id.`,
      );
      return;
    }
    response.json({ items, count: items.length });
  }

  async function start(response: Response, body: BulkBody, command: BulkCommand, { actor }: Identity): Promise<void> {
    const versions = new Map(Object.entries(body.versions ?? {}).map(([id, version]) => [id.toLowerCase(), version]));
    const ids = body.caseIds ?? [...versions.keys()];
    const cases = ids.flatMap((caseId) => {
      const version = versions.get(caseId);
      return version === undefined ? [] : [{ caseId, version }];
    });
    if (cases.length === 0 || cases.length < ids.length) {
      const text = "Every case needs its version in 'versions', as a dry run tells it. Try it out first.";
      refuse(response, "api.bulk_without_versions", text);
      return;
    }
    if (command.action === "cancel" && command.confirm !== String(cases.length)) {
      const text = `A cancel cannot be taken back, so 'confirm' must be the number of cases, as text: "${cases.length}".`;
      refuse(response, "desk.confirmation_missing", text);
      return;
    }
    const id = await bulk.start(command, cases, actor);
    logger.info({ bulkActionId: id, action: command.action, cases: cases.length, actor }, "bulk_action.started");
    response.status(202).json({ id });
  }

  return router;
}

function selectionOf({ caseIds, cohort }: BulkBody): BulkSelection | null {
  if (caseIds !== undefined) return cohort === undefined ? { caseIds } : null;
  return cohort ?? null;
}

function refuse(response: Response, code: string, detail: string): void {
  writeProblem(response, { status: 422, code, title: "This cannot be done for many cases", detail });
}
