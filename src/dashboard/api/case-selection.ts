import type { z } from "zod";
import { type Problem, ProblemError } from "../../http/problem-document.ts";
import type { Actor } from "../../kernel/actor.ts";
import type { CaseFilter, CaseSelection, caseListQuery } from "../case-filter-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { isRoleAtLeast } from "../people/role.ts";
import type { TaskFilter } from "../task-ports.ts";
import type { Identity } from "./identity.ts";

type Caller = Pick<Identity, "sources" | "actor" | "tokenId" | "role">;

/** What a caller may select, of a search or for a bulk action. */
export function selectionOf({ text, assignee, ...others }: CaseFilter, caller: Caller): CaseSelection {
  return {
    ...others,
    visible: caller.sources,
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
  const { state: states, assignee, q: words, currency, valueMin: min, valueMax: max, ...others } = query;
  if (currency === undefined && (min ?? max) !== undefined) throw new ProblemError(amountWithoutCurrency);
  return {
    ...others,
    visible: sources,
    states,
    assignee: assigneeFilter(assignee, actor),
    words,
    value: currency === undefined ? undefined : { currency, min, max },
  };
}

const amountWithoutCurrency: Problem = {
  status: 400,
  code: "api.query_invalid",
  title: "The query cannot be read",
  detail: "'currency' must be given with `valueMin` and `valueMax`: an amount alone compares with nothing",
};

/** Reads the filter of an assignee: a user name, `me`, or `none`. */
export function assigneeFilter(asked: string | undefined, self: string): TaskFilter["assignee"] {
  if (asked === undefined) return null;
  if (asked === "none") return { actor: null };
  return { actor: asked === "me" ? self : `person:${asked.toLowerCase()}` };
}
