import { type Response, Router } from "express";
import { caseActions } from "../../cases/case-actions.ts";
import type { CaseActionOutcome } from "../../cases/case-command.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { ActOnCase, CaseQueries, ChangeReader } from "../ports.ts";
import { type CaseActionBody, caseActionBodyOf, caseActionHead, noteOf, toCommand } from "./action-requests.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor, writeNotFound } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { presentCase, presentCaseDetail } from "./present-case.ts";
import { caseListQuery, emptyQuery } from "./requests.ts";
import { checkRole, requireRole } from "./require-role.ts";

/** `/cases`, `/cases/:id`, `/cases/:id/actions` and `/reconciliation`. */
export function createCaseRoutes(options: {
  queries: CaseQueries;
  changes: ChangeReader;
  act: ActOnCase;
  clock: Clock;
}): Router {
  const { queries, changes, act, clock } = options;
  const router = Router();

  router.get("/cases", requireRole(requiredRoles.readCases), async (request, response) => {
    const query = readQuery(request, response, caseListQuery);
    if (query === null) return;
    const list = query.order === "due" ? "cases-due" : "cases";
    const after = query.cursor === undefined ? null : readCursor(list, query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const page = await queries.listCases({
      orderId: query.orderId ?? null,
      states: query.state ?? [],
      source: query.source ?? null,
      queue: query.queue ?? null,
      assignee: query.assignee === undefined ? null : { actor: assigneeOf(query.assignee, identityOf(request).actor) },
      overdue: query.overdue === true,
      flight: query.flight ?? null,
      flightDate: query.flightDate ?? null,
      words: query.q ?? [],
      order: query.order,
      after,
      limit: query.limit,
    });
    response.json({
      items: page.items.map((item) => presentCase(item, changes)),
      nextCursor: page.next === null ? null : writeCursor(list, page.next),
    });
  });
  router.all("/cases", refuseMethod("GET, HEAD"));

  router.get("/cases/:id", requireRole(requiredRoles.readCases), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const id = request.params.id;
    const found = idPattern.test(id) ? await queries.readCase(id) : null;
    if (found === null) writeNotFound(response, "case", id);
    else response.json(presentCaseDetail(found, changes));
  });
  router.all("/cases/:id", refuseMethod("GET, HEAD"));

  router.post("/cases/:id/actions", parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const head = readBody(request, response, caseActionHead, notAnAction);
    if (head === null || !checkRole(request, response, caseActions[head.action].role)) return;
    const body = readBody(request, response, caseActionBodyOf(head.action), notAnAction) as CaseActionBody | null;
    if (body === null) return;
    const { actor, username } = identityOf(request);
    const caseId = request.params.id;
    const outcome: CaseActionOutcome = idPattern.test(caseId)
      ? await act({
          ...toCommand(body, username),
          caseId,
          note: noteOf(body.note),
          version: body.version ?? null,
          actor,
        })
      : { outcome: "not-found" };
    writeOutcome(response, caseId, outcome);
  });
  router.all("/cases/:id/actions", refuseMethod("POST"));

  router.get("/reconciliation", requireRole(requiredRoles.readReconciliation), async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const found = await queries.reconcile(unattendedIdsMax);
    response.json({
      ok: found.withoutCase.count === 0 && found.withoutProgress.count === 0,
      checkedAt: clock.now(),
      ...found,
    });
  });
  router.all("/reconciliation", refuseMethod("GET, HEAD"));

  return router;
}

const notAnAction = { code: "api.action_invalid", title: "This is not an action" };

/** As cases name them; null for nobody. */
function assigneeOf(asked: string, self: string): string | null {
  if (asked === "none") return null;
  return asked === "me" ? self : `person:${asked.toLowerCase()}`;
}

/** Enough to see what they have in common. */
const unattendedIdsMax = 100;

function writeOutcome(response: Response, caseId: string, outcome: CaseActionOutcome): void {
  switch (outcome.outcome) {
    case "accepted":
      response.status(202).json({
        caseId: outcome.caseId,
        state: outcome.state,
        decisionId: outcome.decisionId,
        ...(outcome.approvalId === undefined ? {} : { approval: { id: outcome.approvalId, state: "asked" } }),
      });
      return;
    case "not-found":
      writeNotFound(response, "case", caseId);
      return;
    case "conflict":
      writeProblem(response, {
        status: 409,
        code: "api.case_moved",
        title: "The case is not what it was",
        detail: outcome.message,
        extensions: { state: outcome.state, version: outcome.version },
      });
      return;
    case "refused":
      writeProblem(response, {
        status: 422,
        code: outcome.code,
        title: "This action is not possible",
        detail: outcome.message,
      });
      return;
    default:
      assertNever(outcome);
  }
}
