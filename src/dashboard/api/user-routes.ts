import { type Response, Router } from "express";
import { assertNever } from "../../kernel/app-error.ts";
import { idPattern } from "../../kernel/ids.ts";
import { writeProblem } from "../../kernel/problem-document.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { requiredRoles } from "../people/needed-roles.ts";
import type { People } from "../people/people.ts";
import { readQuery, refuseMethod } from "./exchange.ts";
import { identityOf } from "./identity.ts";
import { parseJsonBody, readBody } from "./json-body.ts";
import { addUserBody, editUserBody } from "./people-requests.ts";
import { emptyQuery } from "./requests.ts";
import { requireRole } from "./require-role.ts";

/** `/users` and `/users/:id`. */
export function createUserRoutes(options: {
  readonly people: Pick<People, "listUsers" | "addUser" | "editUser">;
  readonly logger: Logger;
}): Router {
  const { people, logger } = options;
  const router = Router();
  const admin = requireRole(requiredRoles.manageUsers);

  router.get("/users", admin, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    response.json({ items: await people.listUsers() });
  });

  router.post("/users", admin, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, addUserBody);
    if (body === null) return;
    const { username, role } = body;
    const outcome = await people.addUser(
      { username, role, displayName: body.displayName ?? null, password: body.password ?? null },
      identityOf(request).actor,
    );
    switch (outcome.outcome) {
      case "added":
        logger.info({ userId: outcome.user.id, role, by: identityOf(request).userId }, "people.user_added");
        response.status(201).json({ user: outcome.user, password: outcome.generatedPassword });
        return;
      case "username-taken":
        writeProblem(response, {
          status: 409,
          code: "people.username_taken",
          title: "The user name is taken",
          detail: `There is a user '${username}' already. Disabled users keep their names: decisions name them.`,
        });
        return;
      case "too-many-users":
        writeProblem(response, {
          status: 409,
          code: "people.too_many_users",
          title: "There are too many users",
          detail: "No more users can be added. Give disabled ones that are not needed to somebody else.",
        });
        return;
      case "password-refused":
        writePasswordRefused(response, outcome.problem);
        return;
      default:
        assertNever(outcome);
    }
  });
  router.all("/users", refuseMethod("GET, HEAD, POST"));

  router.patch("/users/:id", admin, parseJsonBody, async (request, response) => {
    if (readQuery(request, response, emptyQuery) === null) return;
    const body = readBody(request, response, editUserBody);
    if (body === null) return;
    const id = request.params.id.toLowerCase();
    const by = identityOf(request).userId;
    // Whoever locks the last admin out would have to be let in again by somebody with access to the server.
    if (id === by && ((body.role !== undefined && body.role !== "admin") || body.disabled === true)) {
      writeProblem(response, {
        status: 409,
        code: "people.own_account",
        title: "This is your own account",
        detail: "You cannot disable yourself or take the role admin from yourself. Ask another admin.",
      });
      return;
    }
    const { displayName, role, disabled, password } = body;
    const outcome = idPattern.test(id)
      ? await people.editUser(
          id,
          {
            ...(displayName === undefined ? {} : { displayName }),
            ...(role === undefined ? {} : { role }),
            ...(disabled === undefined ? {} : { disabled }),
            ...(password === undefined ? {} : { password }),
          },
          identityOf(request).actor,
        )
      : ({ outcome: "not-found" } as const);
    switch (outcome.outcome) {
      case "changed":
        logger.info({ userId: id, changed: Object.keys(body), by }, "people.user_changed");
        response.json({ user: outcome.user });
        return;
      case "not-found":
        writeProblem(response, {
          status: 404,
          code: "people.user_not_found",
          title: "No such user",
          detail: `There is no user with the id '${id.slice(0, 64)}'.`,
        });
        return;
      case "password-refused":
        writePasswordRefused(response, outcome.problem);
        return;
      default:
        assertNever(outcome);
    }
  });
  router.all("/users/:id", refuseMethod("PATCH"));

  return router;
}

function writePasswordRefused(response: Response, problem: string): void {
  writeProblem(response, {
    status: 422,
    code: "people.password_refused",
    title: "The password is not good enough",
    detail: `The password ${problem}.`,
    extensions: { problems: [{ path: "/password", message: problem }] },
  });
}
