import type { BulkCommand } from "../cases/case-command.ts";
import type { Reason } from "../cases/decision.ts";
import type { Settlement } from "../cases/outcome-words.ts";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { NotifiedOrder } from "../contract/notified-orders.ts";
import type { ItineraryDifference } from "../itinerary/difference.ts";
import type { ChangeFacts, FactName } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { JourneyTimes } from "../itinerary/journey-times.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Severity } from "../itinerary/severity.ts";
import type { Actor } from "../kernel/actor.ts";
import type { BacktestReport } from "../policy/backtest.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { PolicyRule } from "../policy/policy.ts";
import type {
  BulkAction,
  BulkActionItem,
  BulkActionState,
  BulkPreviewItem,
  CaseApproval,
  CaseContact,
  CaseTask,
  EffectRefund,
} from "./case-commands.ts";
import type { CaseColumns } from "./case-ports.ts";

export * from "./case-commands.ts";

/** The position of an item in a list, newest first by default. Rows that are added meanwhile do not move it. */
export interface PagePosition {
  /** ISO 8601 in UTC with microseconds, as in PostgreSQL: milliseconds would skip rows. */
  readonly at: string;
  readonly id: string;
  /** Only in lists that are sorted by priority second. */
  readonly priority?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The position after which the next page begins; null on the last page. */
  readonly next: PagePosition | null;
}

/** Which cases. A member that is missing or null asks for nothing. */
export interface CaseSelection {
  readonly visible: VisibleSources;
  readonly orderId: string | null;
  /** Empty means every state. */
  readonly states: readonly string[];
  readonly source: string | null;
  readonly queue?: string | null | undefined;
  /** `person:` and the user name; a null actor means unassigned. */
  readonly assignee?: { readonly actor: string | null } | null | undefined;
  /** Only cases past their deadline. */
  readonly overdue?: boolean | undefined;
  /** A booked flight that the change touches, such as `LH1167`. */
  readonly flight?: string | null | undefined;
  /** The booked local date of departure of such a flight, yyyy-mm-dd. */
  readonly flightDate?: string | null | undefined;
  /** Of cases decided by this version: older ones have none of these until they are decided again. */
  readonly severities?: readonly string[] | undefined;
  readonly airline?: string | null | undefined;
  readonly airport?: string | null | undefined;
  /** `FRA-JFK`. */
  readonly route?: string | null | undefined;
  readonly rule?: string | null | undefined;
  readonly reason?: string | null | undefined;
  /** The path of what nobody reads. */
  readonly member?: string | null | undefined;
  readonly openedFrom?: string | null | undefined;
  readonly openedBefore?: string | null | undefined;
  readonly departsFrom?: string | null | undefined;
  readonly departsBefore?: string | null | undefined;
  /** The price of the order. Amounts in another currency, and those that are not known, are left out. */
  readonly value?:
    | { readonly currency: string; readonly min?: string | undefined; readonly max?: string | undefined }
    | null
    | undefined;
  /** Each must be part of the OrderID or of a booking reference, or be a flight, an airline, an airport or a route. */
  readonly words?: readonly string[] | undefined;
  /**
   * Who looks for travellers: each word may also begin a name, or be a ticket number. Takes the role that may read stored
   * bodies, and goes into the audit. Null: nobody does.
   */
  readonly namesSoughtBy?: Actor | null | undefined;
}

export interface CaseFilter extends CaseSelection {
  /** All but `newest`, the default, list unfinished cases only. */
  readonly order?: CaseOrder;
  readonly after: PagePosition | null;
  readonly limit: number;
}

export interface CaseTotal {
  readonly count: number;
  /** Whether there are more: counting ends at 10,000. */
  readonly isCapped: boolean;
}

export const notificationStateNames = ["accepted", "quarantined", "released"] as const;
/** A discarded notification is quarantined, but on a list of its own. */
export const listedNotificationStates = [...notificationStateNames, "discarded"] as const;

/** Among `severities`, selects cases whose severity is not known. */
export const unknownSeverity = "unknown";

/** `due`: by the time by which it must be decided, so what is overdue first, then by priority. `deadline` is the same. */
export const caseOrderNames = ["newest", "due", "departure", "deadline"] as const;
export type CaseOrder = (typeof caseOrderNames)[number];

export interface DecisionSummary {
  readonly id: string;
  readonly action: string;
  readonly rule: string;
  readonly reasons: readonly Reason[];
  readonly decidedBy: string;
  /** The name of the API token with which a person decided. */
  readonly token: string | null;
  readonly decidedAt: Date;
  /** What a person has said since, if it asks whether an effect was carried out; else null. */
  readonly settled: Settlement<Date> | null;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly at?: string;
}

export interface CaseItem extends CaseColumns {
  readonly dueBy: CaseDueBy | null;
  readonly overdue: boolean;
  /** Infants included; null if it is not known. */
  readonly passengerCount: number | null;
  /** The price of the order, as decimal text; null if it is not known. */
  readonly value: { readonly amount: string; readonly currency: string } | null;
  readonly decision: DecisionSummary | null;
  /** The input of the decision in force; null if there is none or it had no flights to compare. */
  readonly change: CaseChange | null;
}

/** The earliest clock of a case. */
export interface CaseDueBy {
  readonly at: Date;
  /** The name of the clock. */
  readonly rule: string;
  readonly overdue: boolean;
}

/** What lists need to rank a change and to name its flights. */
export interface CaseChange {
  readonly facts: Partial<Pick<ChangeFacts, TriageFactName>> | null;
  readonly booked: Itinerary | null;
  /** The current flights in the status. Missing in decisions of earlier versions. */
  readonly current: Itinerary | null;
  readonly proposed: Itinerary | null;
  /** When the status was read. Flights that had arrived by then were flown. */
  readonly evaluatedAt: Date | null;
}

/** The facts on which the severity depends. */
export const triageFactNames = [
  "changedFlightCount",
  "minutesToDeparture",
  "flightNumberOnly",
  "backToOriginal",
  "improvement",
  "cancelled",
  "partiallyCancelled",
  "connectionBroken",
  "connectionTight",
  "selfTransferShorter",
  "returnCoherent",
  "connectingAirportsChanged",
  "connectionTooLong",
  "replaced",
  "airportChanged",
  "connectionsAdded",
  "stopsAdded",
  "flightsReordered",
  "marriageBroken",
  "cabinDowngraded",
  "removedFlightCount",
  "addedFlightCount",
  "rbdChanged",
  "brandChanged",
  "dateChanged",
  "overnightAdded",
  "dataSuspect",
  "departureEarlierMinutes",
  "departureLaterMinutes",
  "arrivalEarlierMinutes",
  "arrivalLaterMinutes",
  "sinceAcceptedDepartureEarlierMinutes",
  "sinceAcceptedDepartureLaterMinutes",
  "sinceAcceptedArrivalLaterMinutes",
  "flightNumberChanged",
  "marketingCarrierChanged",
  "operatingCarrierChanged",
  "terminalChanged",
  "aircraftChanged",
] as const satisfies readonly FactName[];
type TriageFactName = (typeof triageFactNames)[number];

/** Functions of the domain, which the composition root injects. */
export interface ChangeReader {
  /** @param facts Some may be missing in decisions of earlier versions. */
  severityOf(facts: Partial<ChangeFacts>): Severity;
  differenceBetween(
    booked: Itinerary,
    proposed: Itinerary,
    view: { readonly current?: Itinerary | undefined; readonly now?: Date | undefined },
  ): ItineraryDifference;
  journeyTimes(
    difference: ItineraryDifference,
    proposed: Itinerary,
    facts: Partial<ChangeFacts>,
  ): readonly JourneyTimes[];
}

/** `accepted` are the flights accepted last. Null where no flights are known. */
export interface CaseItineraries {
  readonly booked: Itinerary | null;
  readonly accepted: Itinerary | null;
  /** The current flights in the status. Missing in decisions of earlier versions. */
  readonly current?: Itinerary;
  readonly proposed: Itinerary | null;
}

export interface CaseNotification {
  readonly id: string;
  readonly receivedAt: Date;
  readonly receipts: number;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly state: string;
  readonly bodyDeleted: BodyDeletion | null;
}

export interface CaseDecision extends Omit<DecisionSummary, "settled"> {
  readonly reviewQueue: string | null;
  readonly note: string | null;
  /** 0 (most urgent) to 9. */
  readonly priority: number | null;
  /** Null if the law was not evaluated. */
  readonly legal: LegalAssessment | null;
  readonly proposalDigest: string | null;
  readonly flags: Proposal["flags"] | null;
  readonly facts: ChangeFacts | null;
  readonly itineraries: CaseItineraries | null;
  readonly trace: unknown;
  readonly evaluatedAt: Date | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly supersededAt: Date | null;
  readonly supersededBy: string | null;
}

export interface CaseEffect {
  readonly id: string;
  readonly decisionId: string;
  readonly action: string;
  readonly gdsBookingReferences: readonly string[];
  readonly proposalDigest: string;
  readonly state: string;
  readonly plannedAt: Date;
  readonly sentAt: Date | null;
  readonly finishedAt: Date | null;
  /** Number of status reads to settle an unknown outcome. */
  readonly settleReads: number;
  /** One per booking reference. */
  readonly results: readonly unknown[] | null;
  readonly error: Failure | null;
  /** What a person has said of its unknown outcome; null if nobody has. */
  readonly settled: Settlement<Date> | null;
  /** Only for a cancel. */
  readonly refund: EffectRefund | null;
}

export interface CaseEvent {
  readonly id: number;
  readonly at: Date;
  /** noun.verb */
  readonly kind: string;
  readonly actor: string;
  /** The name of the API token with which the actor acted. */
  readonly token: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Each list holds at most its newest 200 entries. */
export interface CaseDetail extends CaseItem {
  /** Flags, facts and flights are the input of the decision in force. */
  readonly flags: Proposal["flags"] | null;
  readonly facts: ChangeFacts | null;
  readonly itineraries: CaseItineraries;
  readonly approval: CaseApproval | null;
  /** The latest time until which it can be snoozed. */
  readonly snoozableUntil: Date;
  /** Of all cases of the order; oldest first. */
  readonly travellerContacts: readonly CaseContact[];
  /** Oldest first. */
  readonly tasks: readonly CaseTask[];
  /** The finished case that a person reopened. */
  readonly reopenedFrom: string | null;
  /** What the state of the case allows, whatever the role. */
  readonly possibleActions: readonly string[];
  /** Newest first. */
  readonly notifications: readonly CaseNotification[];
  /** Newest first. */
  readonly decisions: readonly CaseDecision[];
  /** Newest first. */
  readonly effects: readonly CaseEffect[];
  /** Oldest first. */
  readonly timeline: readonly CaseEvent[];
}

export interface NotificationFilter {
  readonly visible: VisibleSources;
  readonly state: (typeof listedNotificationStates)[number] | null;
  readonly source: string | null;
  /** Of the problem. */
  readonly code?: string | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** The first 10 ids, and how many there are. */
export interface NamedOrders {
  readonly ids: readonly string[];
  readonly count: number;
}

export interface NotificationItem {
  readonly id: string;
  readonly source: string;
  readonly receivedAt: Date;
  readonly receipts: number;
  readonly lastReceiptAt: Date;
  readonly state: string;
  /** Why it is quarantined: `path` is a JSON Pointer into the body. */
  readonly problem: { readonly code: string; readonly path: string; readonly message: string } | null;
  /** That an unusable body names, as far as it can be read. */
  readonly orders: NamedOrders;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly bodyBytes: number;
  readonly bodyDeleted: BodyDeletion | null;
  readonly contentType: string | null;
  /** When (ISO 8601) and by whom it was taken off the list of the quarantine, and why. */
  readonly discarded: { readonly at: string; readonly by: string; readonly note: string | null } | null;
}

export interface NotificationDetail extends NotificationItem {
  readonly cases: readonly {
    readonly id: string;
    readonly orderId: string;
    readonly state: string;
    readonly joinedAt: Date;
  }[];
}

/** Finds acknowledged notifications that are neither decided nor visibly waiting. There are none unless there is a bug. */
export interface Reconciliation {
  /** The number of accepted and released notifications. */
  readonly examined: number;
  /** Those of them whose cases are about to be opened or made due. */
  readonly pending: number;
  /** Without a case, or pending for more than 10 s. */
  readonly withoutCase: UnattendedNotifications;
  /** With a case that is neither finished, nor waiting for a person or the traveller, nor due at any time. */
  readonly withoutProgress: UnattendedNotifications;
  readonly damage: readonly StoredInconsistency[];
}

/** A state that no transaction leaves behind: from a bug, a restored backup or a manual edit. */
export interface StoredInconsistency {
  readonly kind: string;
  /** `repair`: the reconciliation repairs it. */
  readonly needs: "repair" | "person";
  readonly text: string;
  readonly source: string;
  readonly orderId: string | null;
  readonly caseId: string | null;
  readonly effectId: string | null;
  readonly notificationId: string | null;
  readonly since: Date | null;
}

export interface UnattendedNotifications {
  readonly count: number;
  /** Oldest first; not all of them. */
  readonly notificationIds: readonly string[];
}

/** A gateway call for a case. */
export interface CaseCall {
  readonly id: string;
  readonly operation: "AirReservationStatus" | "AirOrderInvoluntaryAccept" | "AirOrderInvoluntaryCancel";
  readonly at: Date;
  /** Why the status was read. Null for an effect. */
  readonly purpose: string | null;
  /** Action and state of the effect. Null for a status. */
  readonly action: string | null;
  readonly state: string | null;
  /** Null if there was no response. */
  readonly bodyBytes: number | null;
  readonly bodyDeleted: BodyDeletion | null;
}

export const bodyDeletionReasons = ["retention", "erasure"] as const;

/** When a body was deleted, and why. */
export interface BodyDeletion {
  readonly at: Date;
  readonly by: (typeof bodyDeletionReasons)[number];
}

/** The bytes as received. They hold travellers' data. */
export interface StoredBody {
  readonly bytes: Buffer;
  /** As declared by the sender. */
  readonly contentType: string | null;
}

export interface DeletedBody {
  readonly deleted: BodyDeletion;
}

/** Each method is one read-only transaction. */
export interface StoredBodies {
  /** The newest 200, newest first; null if there is no such case. */
  listCalls(caseId: string, visible: VisibleSources): Promise<readonly CaseCall[] | null>;
  /** Null if the case has no such call or no response came. */
  readCallBody(caseId: string, callId: string, visible: VisibleSources): Promise<StoredBody | DeletedBody | null>;
  readNotificationBody(notificationId: string, visible: VisibleSources): Promise<StoredBody | DeletedBody | null>;
  /** What states who travels: the newest status, then the newest notification. Null if there is no such case. */
  readOrderBodies(caseId: string, visible: VisibleSources): Promise<OrderBodies | null>;
}

export interface OrderBodies {
  readonly orderId: string;
  readonly bodies: readonly ((StoredBody | DeletedBody) & {
    readonly kind: "status" | "notification";
    readonly id: string;
    /** When it was read or received. */
    readonly at: Date;
  })[];
}

export interface NotificationRelease {
  readonly notificationId: string;
  readonly orders: readonly NotifiedOrder[];
  readonly by: Actor;
}

export type ReleaseOutcome =
  | { readonly outcome: "released"; readonly cases: readonly { readonly id: string; readonly orderId: string }[] }
  /** Released meanwhile, by somebody or because the same bytes were received again. */
  | { readonly outcome: "not-quarantined" }
  /** The database cannot store a value of the body. */
  | { readonly outcome: "refused" };

export interface QuarantinedCode {
  readonly code: string;
  readonly count: number;
}

export interface Quarantine {
  /** What is quarantined and not discarded, the most first. */
  countByCode(visible: VisibleSources): Promise<readonly QuarantinedCode[]>;
  /** One transaction. @returns the ids of those that were in quarantine and are discarded now */
  discard(ids: readonly string[], by: Caller & { readonly note: string }): Promise<readonly string[]>;
  /** Of any state; the body is null if it was deleted. */
  readNotification(
    id: string,
    visible: VisibleSources,
  ): Promise<{ readonly state: string; readonly body: Buffer | null } | null>;
  /** One transaction. Opens the cases of its orders or makes them due, as for a new notification. */
  release(release: NotificationRelease): Promise<ReleaseOutcome>;
}

export interface BulkActionFilter {
  readonly by: Caller;
  /** Null means every state. */
  readonly state: BulkActionState | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** Who does something or asks about it, and what they see. */
export interface Caller extends Actor {
  readonly visible: VisibleSources;
}

/** The given cases; or the open ones that match, or whose change touches one flight. */
export type BulkSelection =
  | { readonly caseIds: readonly string[] }
  | { readonly matching: CaseSelection }
  /** `flight` such as `LH1167`; `date` is its booked local date of departure, yyyy-mm-dd. */
  | { readonly flight: string; readonly date: string };

/** Each method is one transaction. */
export interface BulkActions {
  /** Tries the action on each case and rolls it back. Null if there are more cases than one bulk action may have. */
  preview(command: BulkCommand, selection: BulkSelection, by: Caller): Promise<readonly BulkPreviewItem[] | null>;
  /** Stores the action for the workers and returns its id. */
  start(
    command: BulkCommand,
    cases: readonly { readonly caseId: string; readonly version: number }[],
    by: Actor,
  ): Promise<string>;
  /** Newest first. Only those that the caller has asked for or whose cases they all see, here and below. */
  list(filter: BulkActionFilter): Promise<Page<BulkActionItem>>;
  read(id: string, by: Caller): Promise<BulkAction | null>;
  /** Does not undo anything. @returns whether it was still running; null if there is no such bulk action. */
  stop(id: string, by: Caller): Promise<boolean | null>;
}

export interface TaskFilter {
  readonly visible: VisibleSources;
  /** Null means both. */
  readonly state: "open" | "closed" | null;
  readonly kind: string | null;
  /** Null: of everybody. With null inside: of nobody. */
  readonly assignee: { readonly actor: string | null } | null;
  /** Of the cases, as in a `CaseSelection`. */
  readonly words: readonly string[];
  readonly namesSoughtBy: Actor | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

export interface Tasks {
  /** Open tasks by their deadline, those without one last; otherwise newest first. */
  list(filter: TaskFilter): Promise<Page<CaseTask>>;
  /** In one transaction. A task that was closed before stays as it is. */
  close(ids: readonly string[], by: Caller & { readonly note: string | null }): Promise<TasksChanged>;
  /** In one transaction. Closed tasks keep their assignee. Who does it must see the sources of all of them. */
  assign(
    ids: readonly string[],
    by: Caller & { readonly assignee: string | null },
  ): Promise<TasksChanged | "assignee-refused">;
}

/** The ids that exist and are visible: those that were changed, and those that were closed before. */
export interface TasksChanged {
  readonly changed: readonly string[];
  readonly closedBefore: readonly string[];
}

/**
 * Each method is one transaction, which only reads and only adds to the audit that somebody searched for travellers. It
 * rejects with a retryable error while the database is down.
 */
export interface CaseQueries {
  /** By default the latest opened first. */
  listCases(filter: CaseFilter): Promise<Page<CaseItem>>;
  /** A page and how many there are; null after the first page. */
  searchCases(filter: CaseFilter): Promise<Page<CaseItem> & { readonly total: CaseTotal | null }>;
  readCase(id: string, visible: VisibleSources): Promise<CaseDetail | null>;
  /** The latest received first, by the first receipt. */
  listNotifications(filter: NotificationFilter): Promise<Page<NotificationItem>>;
  readNotification(id: string, visible: VisibleSources): Promise<NotificationDetail | null>;
  /** @param idsMax Limits the ids of each kind, not the counts. */
  reconcile(idsMax: number): Promise<Reconciliation>;
}

/** It is never changed or deleted. */
export interface PolicyVersionItem {
  /** SHA-256 (hex) of the content, without comments and layout. */
  readonly version: string;
  readonly name: string;
  readonly createdAt: Date;
  /** `shipped`, `file`, or `person:` and the user name. */
  readonly createdBy: string;
  readonly note: string | null;
}

export interface PolicyVersionDetail extends PolicyVersionItem {
  /** The file, with its comments. */
  readonly text: string;
}

export interface PolicyVersionView extends PolicyVersionDetail {
  /** Null if this program no longer understands the text. */
  readonly content: PolicyContent | null;
  /** When it had a role for a visible source, newest first. */
  readonly terms: readonly PolicyTerm[];
}

/** What a policy says, for people. */
export interface PolicyContent {
  readonly description: string | null;
  /** `observe` recommends and leaves every case to a person. */
  readonly mode: "act" | "observe";
  readonly rules: readonly PolicyRuleView[];
  readonly laws: readonly { readonly id: string; readonly title: string; readonly isOn: boolean }[];
}

export interface PolicyRuleView extends Omit<PolicyRule, "condition"> {
  /** The names of the facts that its condition reads, also those of thresholds, scope and validity. */
  readonly reads: readonly string[];
}

/** An `active` version decides. The decisions of a `shadow` version are only compared. */
export const policyRoleNames = ["active", "shadow"] as const;
export type PolicyRole = (typeof policyRoleNames)[number];

/** The period in which a version has a role for a source. */
export interface PolicyTerm {
  readonly source: string;
  readonly role: PolicyRole;
  readonly version: string;
  readonly name: string;
  readonly beganAt: Date;
  /** As `createdBy` of a version. */
  readonly beganBy: string;
  readonly note: string | null;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
}

export interface ShadowCount {
  readonly compared: number;
  readonly differing: number;
}

export interface SourcePolicies {
  readonly source: string;
  readonly active: PolicyTerm;
  readonly shadow: (PolicyTerm & ShadowCount) | null;
  /** The file that sets the active version; null if people set it. */
  readonly setByFile: string | null;
}

/** The decision of one version on a change. */
export interface PolicyOpinion {
  readonly action: string;
  readonly reviewQueue: string | null;
  readonly rule: string;
  readonly reason: string | null;
}

/** A decision that the shadow version would have made differently. */
export interface ShadowDifference {
  readonly decisionId: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly decidedAt: Date;
  readonly active: PolicyOpinion;
  readonly shadow: PolicyOpinion;
}

export interface PolicyActivation extends Actor {
  readonly source: string;
  readonly role: PolicyRole;
  /** Null ends the shadow. */
  readonly version: string | null;
  /** The version that the user saw in this role. If it is not given, whatever is there is replaced. */
  readonly replaces?: string | null;
  readonly note: string;
}

export type ActivationOutcome =
  | { readonly outcome: "activated" }
  | { readonly outcome: "not-found"; readonly message: string }
  /** Another version has the role than `replaces`. */
  | { readonly outcome: "conflict"; readonly current: string | null }
  | { readonly outcome: "refused"; readonly code: string; readonly message: string };

export interface PolicyMistake {
  readonly line: number;
  readonly column: number;
  /** The message, with its place. */
  readonly text: string;
}

/** One finding of the check of a policy that is being written. */
export interface PolicyFinding {
  readonly severity: "error" | "warning";
  readonly line: number;
  readonly column: number;
  readonly rule: string | null;
  readonly message: string;
}

export interface PolicyCheck {
  /** Null if it has errors. */
  readonly policy: { readonly name: string; readonly version: string; readonly ruleCount: number } | null;
  /** In the order of the text; the first 100. */
  readonly findings: readonly PolicyFinding[];
}

export type PolicyAddition =
  | { readonly ok: true; readonly version: string; readonly name: string; readonly warnings: readonly PolicyMistake[] }
  | { readonly ok: false; readonly problems: readonly PolicyMistake[] };

export interface Policies {
  /** The newest 200 versions, newest first. Hides those that only ever had a role for sources that are not visible. */
  listVersions(visible: VisibleSources): Promise<readonly PolicyVersionItem[]>;
  /** Null if there is none, or it is hidden as in the list. */
  readVersion(version: string, visible: VisibleSources): Promise<PolicyVersionView | null>;
  /** Checks a text as if it was added. */
  check(text: string): PolicyCheck;
  listSources(visible: VisibleSources): Promise<readonly SourcePolicies[]>;
  /** The newest 200 terms of a source, newest first. */
  listTerms(source: string): Promise<readonly PolicyTerm[]>;
  /** Checks and stores a policy without activating it. Storing it again changes nothing. */
  addVersion(addition: Actor & { readonly text: string; readonly note: string | null }): Promise<PolicyAddition>;
  activate(activation: PolicyActivation): Promise<ActivationOutcome>;
  /** Of the present shadow version; newest first. */
  listDifferences(
    source: string,
    page: { readonly after: PagePosition | null; readonly limit: number },
  ): Promise<Page<ShadowDifference>>;
  /** From the stored input of the decision; null if there is no such decision. */
  reevaluate(decisionId: string, visible: VisibleSources): Promise<DecisionReevaluation | null>;
}

/** The newest notifications of a source: those of some days, or some number of them. */
export type BacktestPeriod = { readonly days: number } | { readonly newest: number };

export interface BacktestRequest {
  readonly source: string;
  /** Without errors. */
  readonly text: string;
  readonly period: BacktestPeriod;
  /** `person:` and the user name. */
  readonly actor: string;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface PolicyBacktests {
  /** One runs at a time in this process, others wait for it. Null if too many wait, or the process is stopping. */
  run(request: BacktestRequest): Promise<PolicyBacktest> | null;
}

/** How a policy would have decided on stored notifications, beside the active one. */
export interface PolicyBacktest
  extends Pick<
    BacktestReport,
    "compared" | "flipped" | "unreadable" | "manual" | "minutesPerReview" | "minutesSaved" | "valueAtStake"
  > {
  readonly source: string;
  readonly candidate: Pick<PolicyVersionItem, "version" | "name">;
  readonly active: Pick<PolicyVersionItem, "version" | "name">;
  readonly since: Date | null;
  readonly until: Date;
  readonly notifications: {
    readonly evaluated: number;
    /** In the same period; their bodies are deleted, so nothing can be decided again. */
    readonly bodiesDeleted: number;
    /** The period has more than a backtest evaluates, so `since` is later than was asked for. */
    readonly isShortened: boolean;
  };
  /** By action and queue, such as `review:agent`; the most frequent first. */
  readonly changes: readonly {
    readonly from: string;
    readonly to: string;
    readonly count: number;
    readonly valueAtStake: BacktestReport["valueAtStake"];
    /** At most 100 of them. */
    readonly examples: readonly BacktestChange[];
  }[];
}

/** What a caller is told while a backtest runs, one line each. */
export type BacktestEvent =
  | { readonly state: "waiting" }
  | { readonly state: "running"; readonly done: number; readonly total: number }
  | { readonly state: "done"; readonly backtest: PolicyBacktest }
  | { readonly state: "failed"; readonly code: string; readonly detail: string };

export interface BacktestChange {
  readonly notificationId: string;
  readonly orderId: string;
  /** The case that the notification joined; null if it joined none. */
  readonly caseId: string | null;
  readonly beforeRule: string;
  readonly afterRule: string;
}

export interface DecisionReevaluation {
  readonly decisionId: string;
  readonly caseId: string;
  /**
   * `other-engine`: another version of the engine made it, so a difference proves nothing. `not-replayable`: its policy is
   * not stored, or it was made by a person or without a status.
   */
  readonly outcome: "same" | "different" | "other-engine" | "not-replayable";
  /** Sentences: what differs, or why it cannot be reevaluated. */
  readonly because: readonly string[];
  readonly stored: PolicyOpinion;
  /** Null if it cannot be reevaluated. */
  readonly replayed: PolicyOpinion | null;
}
