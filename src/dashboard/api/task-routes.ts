import { Router } from "express";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { Tasks } from "../ports.ts";
import { closeTaskBody, noteOf } from "./action-requests.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { readQuery, refuseMethod, writeBadCursor, writeNotFound } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { emptyQuery, taskListQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/tasks` and `/tasks/:id/close`: work that is left when cases are done. */
export function createTaskRoutes({ tasks }: { tasks: Tasks }): Router {
  const router = Router();

  router.get("/tasks", requireRole(requiredRoles.readTasks), async (request, response) => {
    const query = readQuery(request, response, taskListQuery);
    if (query === null) return;
    const list = query.state === "open" ? "tasks-due" : "tasks";
    const after = query.cursor === undefined ? null : readCursor(list, query.cursor);
    if (query.cursor !== undefined && after === null) {
      writeBadCursor(response);
      return;
    }
    const page = await tasks.list({
      state: query.state ?? null,
      kind: query.kind ?? null,
      after,
      limit: query.limit,
    });
    response.json({ items: page.items, nextCursor: page.next === null ? null : writeCursor(list, page.next) });
  });
  router.all("/tasks", refuseMethod("GET, HEAD"));

  router.post("/tasks/:id/close", requireRole(requiredRoles.closeTasks), parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, closeTaskBody);
    if (body === null) return;
    const id = request.params.id;
    const by = { actor: identityOf(request).actor, note: noteOf(body.note) };
    const closed = idPattern.test(id) ? await tasks.close(id, by) : null;
    if (closed === null) {
      writeNotFound(response, "task", id);
      return;
    }
    if (!closed) {
      writeProblem(response, {
        status: 409,
        code: "api.task_closed",
        title: "The task is closed already",
        detail: `Somebody has closed the task ${id} before. There is nothing left to do.`,
      });
      return;
    }
    response.json({ id, state: "closed" });
  });
  router.all("/tasks/:id/close", refuseMethod("POST"));

  return router;
}
