import type { IncomingMessage, ServerResponse } from "node:http";
import { writeProblem } from "../../kernel/problem-document.ts";
import { isRoleAtLeast, type UserRole } from "../people/role.ts";
import { identityOf } from "./identity.ts";

/**
 * Lets only people with this role, or one that may do more, through. Routes take the role from
 * `people/needed-roles.ts`: `router.get("/cases", requireRole(neededRoles.readCases), …)`. Its type leaves Express free
 * to tell the parameters of the path.
 */
export function requireRole(
  needed: UserRole,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    if (checkRole(request, response, needed)) next();
  };
}

/** Whether the role is enough; when it is not, the problem has been answered. For roles that depend on the body. */
export function checkRole(request: IncomingMessage, response: ServerResponse, needed: UserRole): boolean {
  const { role } = identityOf(request);
  if (isRoleAtLeast(role, needed)) return true;
  writeProblem(response, {
    status: 403,
    code: "people.role_too_low",
    title: "Your role does not allow this",
    detail: `This takes the role '${needed}'; yours is '${role}'. Ask somebody who has it, or an admin.`,
    extensions: { neededRole: needed, role },
  });
  return false;
}
