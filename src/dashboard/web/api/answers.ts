import type { ItineraryDifference } from "../../../itinerary/difference.ts";
import type { FactName } from "../../../itinerary/fact-catalogue.ts";
import type { SeverityName } from "../../../itinerary/severity.ts";
import type { ChangedFlight } from "../../changed-flights.ts";
import type { UserRole } from "../../people/role.ts";
import type {
  CaseActionName,
  CaseCall,
  CaseDetail,
  CaseItem,
  NotificationItem,
  PolicyRole,
  PolicyVersionItem,
  ShadowDifference,
  SourcePolicies,
} from "../../ports.ts";

/** What a value is after it went through JSON: instants are ISO 8601 texts. */
export type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T;

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

export interface PolicyOverview {
  readonly sources: readonly Json<SourcePolicies>[];
  /** Newest first. */
  readonly versions: readonly Json<PolicyVersionItem>[];
}

export interface AppointmentRequest {
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

export interface ActionRequest {
  readonly action: CaseActionName;
  readonly note?: string;
  readonly version: number;
}

export interface ActionAnswer {
  readonly caseId: string;
  readonly state: string;
  readonly decisionId: string | null;
}

export interface ReplayAnswer {
  readonly state: string;
  readonly cases: readonly { readonly id: string; readonly orderId: string }[];
}
