import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { Json } from "../../../http/route.ts";
import type { ApiTypes } from "../../api/routes.ts";
import type { BacktestLine as StoredLine } from "../../backtest-ports.ts";
import type { ActionCommand, GivenParameters } from "../case/case-actions.ts";

type ResponseOf<Name extends keyof ApiTypes> = ApiTypes[Name]["response"];

export type CaseRow = ResponseOf<"GET /cases">["items"][number];
export type CaseView = ResponseOf<"GET /cases/{id}">;
export type DueBy = NonNullable<CaseRow["dueBy"]>;
export type BodyDeletion = NonNullable<GatewayCall["bodyDeleted"]>;
export type GatewayCall = ResponseOf<"GET /cases/{id}/calls">["items"][number];
export type Travellers = ResponseOf<"GET /cases/{id}/travellers">;
export type OverviewFigures = ResponseOf<"GET /overview">;
export type TaskRow = ResponseOf<"GET /tasks">["items"][number];
export type BlockedOrder = ResponseOf<"GET /blocked-orders">["items"][number];
export type NotificationRow = ResponseOf<"GET /notifications">["items"][number];
export type AutomationState = ResponseOf<"GET /automation">;
export type SourceMembers = ResponseOf<"GET /members/{source}">;
export type MemberItem = SourceMembers["items"][number];
export type MarkPreview = Extract<ResponseOf<"POST /members/{source}/marks">, { readonly waiting: number }>;
export type PolicyOverview = ResponseOf<"GET /policies">;
export type PolicyVersion = ResponseOf<"GET /policies/versions/{version}">;
export type PolicyRule = NonNullable<PolicyVersion["content"]>["rules"][number];
export type PolicyCheck = ResponseOf<"POST /policies/check">;
export type PolicyFinding = PolicyCheck["findings"][number];
export type BacktestLine = Json<StoredLine>;
export type PolicyBacktest = Extract<BacktestLine, { readonly state: "done" }>["backtest"];
export type Session = ResponseOf<"GET /session">;
export type SessionOfUser = ResponseOf<"GET /sessions">["items"][number];
export type UserRow = ResponseOf<"GET /users">["items"][number];
export type SettingRow = ResponseOf<"GET /settings">["items"][number];
export type HealthRow = ResponseOf<"GET /health">["items"][number];
export type AuditRow = ResponseOf<"GET /audit">["items"][number];
export type NoticeRow = ResponseOf<"GET /notice-rules">["items"][number];
export type TokenRow = ResponseOf<"GET /tokens">["items"][number];
export type BulkPreview = Extract<ResponseOf<"POST /bulk-actions">, { readonly items: unknown }>;
export type ListedBulkAction = ResponseOf<"GET /bulk-actions">["items"][number];
export type BulkActionView = ResponseOf<"GET /bulk-actions/{id}">;
/** As stored: a note that was not given is null. */
export type BulkCommandView = GivenParameters & { readonly action: CaseActionName; readonly note: string | null };
export type BulkActionRow = BulkActionView["rows"][number];

export interface List<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export type ActionRequest = ActionCommand & { readonly version: number };

export type CaseSelection = Omit<ApiTypes["POST /cases/search"]["body"], "order" | "cursor" | "limit">;

/** Has one of `caseIds`, `cohort`, which are all open cases whose change touches one flight, and `filter`. */
export interface BulkRequest {
  readonly command: ActionCommand;
  readonly caseIds?: string[];
  /** All open cases that the list shows, on pages that were not loaded, too. */
  readonly filter?: CaseSelection;
  readonly cohort?: { readonly flight: string; readonly date: string };
}
