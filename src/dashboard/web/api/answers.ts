import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { ApiTypes } from "../../api/routes.ts";
import type { ActionCommand, GivenParameters } from "../words/case-actions.ts";

type Answer<Name extends keyof ApiTypes> = ApiTypes[Name]["answer"];

export type CaseRow = Answer<"GET /cases">["items"][number];
export type CaseView = Answer<"GET /cases/{id}">;
export type DueBy = NonNullable<CaseRow["dueBy"]>;
export type GatewayCall = Answer<"GET /cases/{id}/calls">["items"][number];
/** Work that is left when a case is done. */
export type TaskRow = Answer<"GET /tasks">["items"][number];
/** An order on which no work gets done, and why. */
export type BlockedOrder = Answer<"GET /blocked-orders">["items"][number];
export type NotificationRow = Answer<"GET /notifications">["items"][number];
export type AutomationState = Answer<"GET /automation">;
export type PolicyOverview = Answer<"GET /policies">;
export type Session = Answer<"GET /session">;
export type BulkPreview = Extract<Answer<"POST /bulk-actions">, { readonly items: unknown }>;
export type ListedBulkAction = Answer<"GET /bulk-actions">["items"][number];
export type BulkActionView = Answer<"GET /bulk-actions/{id}">;
/** The command of a bulk action as it was stored: a note that was not given is null. */
export type BulkCommandView = GivenParameters & { readonly action: CaseActionName; readonly note: string | null };
export type BulkActionRow = BulkActionView["rows"][number];

export interface List<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export type ActionRequest = ActionCommand & { readonly version: number };

/** One action on many cases: those that were chosen, or all whose change touches one flight. */
export interface BulkRequest {
  readonly command: ActionCommand;
  readonly caseIds?: string[];
  readonly cohort?: { readonly flight: string; readonly date: string };
}
