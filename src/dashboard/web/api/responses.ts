import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { ApiTypes } from "../../api/routes.ts";
import type { ActionCommand, GivenParameters } from "../words/case-actions.ts";

type ResponseOf<Name extends keyof ApiTypes> = ApiTypes[Name]["response"];

export type CaseRow = ResponseOf<"GET /cases">["items"][number];
export type CaseView = ResponseOf<"GET /cases/{id}">;
export type DueBy = NonNullable<CaseRow["dueBy"]>;
export type GatewayCall = ResponseOf<"GET /cases/{id}/calls">["items"][number];
/** Work that is left when a case is done. */
export type TaskRow = ResponseOf<"GET /tasks">["items"][number];
/** An order on which no work gets done, and why. */
export type BlockedOrder = ResponseOf<"GET /blocked-orders">["items"][number];
export type NotificationRow = ResponseOf<"GET /notifications">["items"][number];
export type AutomationState = ResponseOf<"GET /automation">;
export type PolicyOverview = ResponseOf<"GET /policies">;
export type Session = ResponseOf<"GET /session">;
export type SessionOfUser = ResponseOf<"GET /sessions">["items"][number];
export type TokenRow = ResponseOf<"GET /tokens">["items"][number];
export type BulkPreview = Extract<ResponseOf<"POST /bulk-actions">, { readonly items: unknown }>;
export type ListedBulkAction = ResponseOf<"GET /bulk-actions">["items"][number];
export type BulkActionView = ResponseOf<"GET /bulk-actions/{id}">;
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
