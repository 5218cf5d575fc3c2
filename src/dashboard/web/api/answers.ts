import type { ItineraryDifference } from "../../../itinerary/difference.ts";
import type { FactName } from "../../../itinerary/fact-catalogue.ts";
import type { SeverityName } from "../../../itinerary/severity.ts";
import type { AutomationStop } from "../../automation-ports.ts";
import type { ChangedFlight } from "../../changed-flights.ts";
import type { BlockedLane } from "../../lane-ports.ts";
import type { UserRole } from "../../people/role.ts";
import type {
  BulkAction,
  BulkActionItem,
  BulkPreviewItem,
  CaseCall,
  CaseDetail,
  CaseDueBy,
  CaseItem,
  CaseTask,
  NotificationItem,
  PolicyRole,
  PolicyVersionItem,
  ShadowDifference,
  SourcePolicies,
} from "../../ports.ts";
import type { ActionCommand } from "../words/case-actions.ts";

/** What a value is after it went through JSON: instants are ISO 8601 texts. */
export type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T;

export type DueBy = Json<CaseDueBy>;
/** Work that is left when a case is done. */
export type TaskRow = Json<CaseTask>;
/** An order on which no work gets done, and why. */
export type BlockedOrder = Json<BlockedLane>;

/** What the API computes from a case's change, in place of the change. */
type Presented<Case> = Json<Omit<Case, "change">> & {
  readonly severity: SeverityName | null;
  readonly severityFacts: readonly FactName[];
  readonly route: string | null;
  /** Null when no flights are known. */
  readonly times: readonly ChangedFlight[] | null;
};

export type CaseRow = Presented<CaseItem>;
export type CaseView = Presented<CaseDetail> & {
  /** Null as long as there is nothing to compare. */
  readonly difference: ItineraryDifference | null;
};
export type NotificationRow = Json<NotificationItem>;
export type GatewayCall = Json<CaseCall>;

export type ShadowDifferenceRow = Json<ShadowDifference>;

export interface AutomationState {
  /** The stop in force; null when automatic effects are sent. */
  readonly stop: Json<AutomationStop> | null;
}

export interface PolicyOverview {
  readonly sources: readonly Json<SourcePolicies>[];
  /** Newest first. */
  readonly versions: readonly Json<PolicyVersionItem>[];
}

export interface ActivationRequest {
  readonly source: string;
  readonly role: PolicyRole;
  readonly version: string | null;
  readonly note: string;
  readonly replaces: string | null;
}

export interface List<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole;
}

export interface Session {
  readonly user: User;
  readonly demo: boolean;
}

export type ActionRequest = ActionCommand & { readonly version: number };

export interface ActionAnswer {
  readonly caseId: string;
  readonly state: string;
  readonly decisionId: string | null;
  /** A second person was asked instead. */
  readonly approval?: { readonly id: string; readonly state: string } | null;
}

/** One action on many cases: those that were chosen, or all whose change touches one flight. */
export interface BulkRequest {
  readonly command: ActionCommand;
  readonly caseIds?: readonly string[];
  readonly cohort?: { readonly flight: string; readonly date: string };
}

/** What would become of each case. */
export interface BulkPreview {
  readonly items: readonly Json<BulkPreviewItem>[];
  readonly count: number;
}

/** The command of a bulk action as it was kept: a note that was not given is null. */
export type BulkCommandView = Omit<ActionCommand, "note"> & { readonly note: string | null };
export type ListedBulkAction = Json<Omit<BulkActionItem, "command">> & { readonly command: BulkCommandView };
export type BulkActionView = Json<Omit<BulkAction, "command">> & { readonly command: BulkCommandView };
export type BulkActionRow = BulkActionView["rows"][number];

export interface ReplayAnswer {
  readonly state: string;
  readonly cases: readonly { readonly id: string; readonly orderId: string }[];
}
