import type { z } from "zod";
import type { Actor } from "../../kernel/actor.ts";
import type { CaseSelection } from "../case-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { isRoleAtLeast } from "../people/role.ts";
import type { TaskFilter } from "../task-ports.ts";
import type { Identity } from "./identity.ts";
import type { CaseSelectionBody, caseListQuery } from "./requests.ts";

type Caller = Pick<Identity, "sources" | "actor" | "tokenId" | "role">;

/** What a caller may select, of a search or for a bulk action. */
export function selectionOf(body: CaseSelectionBody, caller: Caller): CaseSelection {
  const { text = [], states = [], source = null, assignee, ...others } = body;
  return {
    ...others,
    visible: caller.sources,
    orderId: null,
    states,
    source,
    assignee: assigneeFilter(assignee, caller.actor),
    words: text,
    namesSoughtBy: namesSoughtBy(caller),
  };
}

/** Who searches for names; null if their role may not. */
export function namesSoughtBy({ actor, tokenId, role }: Omit<Caller, "sources">): Actor | null {
  return isRoleAtLeast(role, requiredRoles.readBodies) ? { actor, tokenId } : null;
}

/** The same of the query of a list, which never searches for names: they must not stand in an address. */
export function selectionOfQuery(
  query: Omit<z.output<typeof caseListQuery>, "order" | "cursor" | "limit">,
  { sources, actor }: Pick<Caller, "sources" | "actor">,
): CaseSelection {
  const { orderId = null, state: states = [], source = null, assignee, q: words = [], ...others } = query;
  const { currency, valueMin: min, valueMax: max, ...described } = others;
  return {
    ...described,
    visible: sources,
    orderId,
    states,
    source,
    assignee: assigneeFilter(assignee, actor),
    words,
    value: currency === undefined ? null : { currency, min, max },
  };
}

/** Of a user name, `me`, or `none`. */
export function assigneeFilter(asked: string | undefined, self: string): TaskFilter["assignee"] {
  if (asked === undefined) return null;
  if (asked === "none") return { actor: null };
  return { actor: asked === "me" ? self : `person:${asked.toLowerCase()}` };
}
