import type { z } from "zod";
import type { CaseConditions } from "../ports.ts";
import type { Identity } from "./identity.ts";
import { caseListQuery } from "./requests.ts";

/** The filters of the list of cases, for whatever else takes the cases that match. */
export const caseFilters = caseListQuery.omit({ order: true, cursor: true, limit: true });

export function conditionsOf(
  filters: z.output<typeof caseFilters>,
  { actor }: Pick<Identity, "actor">,
): CaseConditions {
  return {
    orderId: filters.orderId ?? null,
    states: filters.state ?? [],
    source: filters.source ?? null,
    queue: filters.queue ?? null,
    assignee: filters.assignee === undefined ? null : { actor: assigneeOf(filters.assignee, actor) },
    overdue: filters.overdue === true,
    flight: filters.flight ?? null,
    flightDate: filters.flightDate ?? null,
    words: filters.q ?? [],
  };
}

function assigneeOf(asked: string, self: string): string | null {
  if (asked === "none") return null;
  return asked === "me" ? self : `person:${asked.toLowerCase()}`;
}
