import type { BulkCommand } from "../cases/case-command.ts";
import type { Reason } from "../cases/decision.ts";
import type { NotifiedOrder } from "../contract/notified-orders.ts";
import type { ItineraryDifference } from "../itinerary/difference.ts";
import type { ChangeFacts, FactName } from "../itinerary/fact-catalogue.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import type { Severity } from "../itinerary/severity.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type {
  BulkAction,
  BulkActionItem,
  BulkActionState,
  BulkPreviewItem,
  BulkSelection,
  CaseApproval,
  CaseContact,
  CaseTask,
  EffectRefund,
} from "./case-commands.ts";
import type { CaseColumns } from "./case-ports.ts";

export * from "./case-commands.ts";

/**
 * A place in a list, which is sorted newest first unless it says otherwise. It is a value and no count of rows, so rows
 * that are added meanwhile are neither repeated nor push others out.
 */
export interface PagePosition {
  /** ISO 8601 in UTC with all six digits of PostgreSQL's microseconds: a millisecond more or less would skip rows. */
  readonly at: string;
  readonly id: string;
  /** Only in lists that are sorted by it before anything else. */
  readonly priority?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page begins; null on the last one. */
  readonly next: PagePosition | null;
}

export interface CaseFilter {
  readonly orderId: string | null;
  /** Any of these; empty means every state. */
  readonly states: readonly string[];
  readonly source: string | null;
  /** The queue in which a person finds it. */
  readonly queue?: string | null;
  /** Those that `person:` and who has taken, or that nobody has. */
  readonly assignee?: { readonly actor: string | null } | null;
  /** Only those that should have been decided by now. */
  readonly overdue?: boolean;
  /** A flight that the change touches, such as `LH1167`. */
  readonly flight?: string | null;
  /** The local date on which that flight was to leave, yyyy-mm-dd. */
  readonly flightDate?: string | null;
  /** Each of these words begins the order id or a booking reference, or stands in the headline; case does not matter. */
  readonly words?: readonly string[];
  /** `due`: the most urgent priority first, then what has waited longest. Not given: newest first. */
  readonly order?: CaseOrder;
  readonly after: PagePosition | null;
  readonly limit: number;
}

export const notificationStateNames = ["accepted", "quarantined", "released"] as const;

export const caseOrderNames = ["newest", "due"] as const;
export type CaseOrder = (typeof caseOrderNames)[number];

/** The decision in force, as lists show it. */
export interface DecisionSummary {
  readonly id: string;
  readonly action: string;
  readonly rule: string;
  readonly reasons: readonly Reason[];
  readonly decidedBy: string;
  readonly decidedAt: Date;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly at?: string;
}

export interface CaseItem extends CaseColumns {
  /** By when somebody must have decided; null when no clock runs. */
  readonly dueBy: CaseDueBy | null;
  readonly overdue: boolean;
  readonly decision: DecisionSummary | null;
  /** What the decision in force was made on; null before there is one, and when it had no flights to compare. */
  readonly change: CaseChange | null;
}

/** The earliest of the clocks that run for a case. */
export interface CaseDueBy {
  readonly at: Date;
  /** Which clock it is. */
  readonly rule: string;
  readonly overdue: boolean;
}

/** As much of a decision as lists need to rank a change and to name its flights. */
export interface CaseChange {
  readonly facts: Partial<Pick<ChangeFacts, TriageFactName>> | null;
  readonly booked: Itinerary | null;
  /** What the status listed beside the proposed ones; decisions of earlier versions do not tell. */
  readonly current: Itinerary | null;
  readonly proposed: Itinerary | null;
  /** When the status was looked at: what had arrived by then was flown. */
  readonly evaluatedAt: Date | null;
}

/** The facts that rank a change: all that its severity depends on. */
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
  "operatingCarrierChanged",
  "terminalChanged",
  "aircraftChanged",
] as const satisfies readonly FactName[];
type TriageFactName = (typeof triageFactNames)[number];

/** Reads what a decision has stored of a change: the domain's functions, which the composition root joins in. */
export interface ChangeReader {
  /** @param facts a decision of an earlier version may lack some. */
  severityOf(facts: Partial<ChangeFacts>): Severity;
  differenceBetween(
    booked: Itinerary,
    proposed: Itinerary,
    view: { readonly current?: Itinerary | undefined; readonly now?: Date | undefined },
  ): ItineraryDifference;
}

/** Flights as booked, as accepted last, and as the airline proposes them now; null where none is known. */
export interface CaseItineraries {
  readonly booked: Itinerary | null;
  readonly accepted: Itinerary | null;
  /** What the status listed beside the proposed ones; decisions of earlier versions do not tell. */
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

export interface CaseDecision extends DecisionSummary {
  readonly reviewQueue: string | null;
  readonly note: string | null;
  /** 0 (most urgent) to 9; null when nothing ranked it. */
  readonly priority: number | null;
  /** What the law says of the change; null when it was not asked. */
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
  /** Status reads made to settle an unknown outcome. */
  readonly settleReads: number;
  /** The gateway's results, per reference. */
  readonly results: readonly unknown[] | null;
  readonly error: Failure | null;
  /** Null unless it is a cancel. */
  readonly refund: EffectRefund | null;
}

export interface CaseEvent {
  readonly id: number;
  readonly at: Date;
  /** noun.verb */
  readonly kind: string;
  readonly actor: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Everything about one case that people may see. Of each list the newest 200 entries. */
export interface CaseDetail extends CaseItem {
  /** The flags, facts and flights that the decision in force was made on; null before there is one. */
  readonly flags: Proposal["flags"] | null;
  readonly facts: ChangeFacts | null;
  readonly itineraries: CaseItineraries;
  /** What waits for a second person. */
  readonly approval: CaseApproval | null;
  /** Of the order, over all its cases; oldest first. */
  readonly travellerContacts: readonly CaseContact[];
  /** Oldest first. */
  readonly tasks: readonly CaseTask[];
  /** The finished case that a person opened again. */
  readonly reopenedFrom: string | null;
  /** Actions that the worker would take on now, whoever asks. */
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
  readonly state: string | null;
  readonly source: string | null;
  readonly after: PagePosition | null;
  readonly limit: number;
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
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly bodyBytes: number;
  readonly bodyDeleted: BodyDeletion | null;
  readonly contentType: string | null;
}

export interface NotificationDetail extends NotificationItem {
  readonly cases: readonly {
    readonly id: string;
    readonly orderId: string;
    readonly state: string;
    readonly joinedAt: Date;
  }[];
}

/** Acknowledged notifications that nobody works on and nobody can see: always none, unless there is a bug. */
export interface Reconciliation {
  /** Accepted and released notifications examined. */
  readonly examined: number;
  /** Of them: their cases are about to be opened or woken. */
  readonly pending: number;
  /** They have no case, or have been pending for more than 10 s. */
  readonly withoutCase: UnattendedNotifications;
  /** Their case is neither finished, nor waiting for a person or the traveller, nor due at any time. */
  readonly withoutProgress: UnattendedNotifications;
  /** What else is wrong with what is stored. */
  readonly damage: readonly StoredInconsistency[];
}

/** One thing that no transaction leaves so: after a bug, from a restored backup, by a hand. */
export interface StoredInconsistency {
  readonly kind: string;
  /** Whether a reconciliation mends it by itself. */
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
  /** The first of them, oldest first. */
  readonly notificationIds: readonly string[];
}

/** One call of the gateway for a case of which a response may be stored. */
export interface CaseCall {
  readonly id: string;
  readonly operation: "AirReservationStatus" | "AirOrderInvoluntaryAccept" | "AirOrderInvoluntaryCancel";
  /** When the status was read, or the effect was sent. */
  readonly at: Date;
  /** Why the status was read; null for an effect. */
  readonly purpose: string | null;
  /** Null for a reading of the status. */
  readonly action: string | null;
  /** Of the effect. */
  readonly state: string | null;
  /** Length of the response; null when there was none. */
  readonly bodyBytes: number | null;
  readonly bodyDeleted: BodyDeletion | null;
}

export const bodyDeletionReasons = ["retention", "erasure"] as const;

/** When a body was deleted, and why. */
export interface BodyDeletion {
  readonly at: Date;
  readonly by: (typeof bodyDeletionReasons)[number];
}

/** Bytes exactly as they came. They hold travellers' data. */
export interface StoredBody {
  readonly bytes: Buffer;
  /** As it was declared; null when it was not. */
  readonly contentType: string | null;
}

export interface DeletedBody {
  readonly deleted: BodyDeletion;
}

/** The stored bodies behind a case. Each method is one read-only transaction. */
export interface StoredBodies {
  /** The newest 200 calls, newest first; null when there is no such case. */
  listCalls(caseId: string): Promise<readonly CaseCall[] | null>;
  /** The gateway's response to one call; null when the case has no such call, or no response came. */
  readCallBody(caseId: string, callId: string): Promise<StoredBody | DeletedBody | null>;
  readNotificationBody(notificationId: string): Promise<StoredBody | DeletedBody | null>;
}

export interface NotificationRelease {
  readonly notificationId: string;
  readonly orders: readonly NotifiedOrder[];
  /** `person:` and who. */
  readonly actor: string;
}

export type ReleaseOutcome =
  | { readonly outcome: "released"; readonly cases: readonly { readonly id: string; readonly orderId: string }[] }
  /** Somebody, or the same bytes coming again, was faster. */
  | { readonly outcome: "not-quarantined" }
  /** The database cannot hold what the body names. */
  | { readonly outcome: "refused" };

/** Notifications that could not be used when they came. */
export interface Quarantine {
  /** A notification of any state, with its bytes unless they were deleted; null when there is none. */
  readNotification(id: string): Promise<{ readonly state: string; readonly body: Buffer | null } | null>;
  /** Releases it and opens or wakes the case of each order as for a fresh notification, in one transaction. */
  release(release: NotificationRelease): Promise<ReleaseOutcome>;
}

export interface BulkActionFilter {
  /** Null: every state. */
  readonly state: BulkActionState | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** Actions on many cases. Each method is one transaction, except for a preview, which changes nothing. */
export interface BulkActions {
  /**
   * Tries the action on each case and takes it back again.
   *
   * @returns null when more cases are meant than one action may have.
   */
  preview(command: BulkCommand, selection: BulkSelection, actor: string): Promise<readonly BulkPreviewItem[] | null>;
  /** Keeps the action for the workers. Returns its id. */
  start(
    command: BulkCommand,
    cases: readonly { readonly caseId: string; readonly version: number }[],
    actor: string,
  ): Promise<string>;
  /** Newest first. */
  list(filter: BulkActionFilter): Promise<Page<BulkActionItem>>;
  /** Null when there is none. */
  read(id: string): Promise<BulkAction | null>;
  /** What is done stays done. @returns whether it was still running; null when there is none. */
  stop(id: string, actor: string): Promise<boolean | null>;
}

export interface TaskFilter {
  /** Null: both. */
  readonly state: "open" | "closed" | null;
  readonly kind: string | null;
  readonly after: PagePosition | null;
  readonly limit: number;
}

/** Work that is left when cases are done. */
export interface Tasks {
  /** Open ones by when they are due, those without such a time last; all others newest first. */
  list(filter: TaskFilter): Promise<Page<CaseTask>>;
  /** In one transaction. @returns whether it was still open; null when there is no such task. */
  close(id: string, by: { readonly actor: string; readonly note: string | null }): Promise<boolean | null>;
}

/** What the dashboard reads. Each method is one read-only transaction; all reject with a retryable error when the database is away. */
export interface CaseQueries {
  /** Newest first by when the case was opened, unless the filter says otherwise. */
  listCases(filter: CaseFilter): Promise<Page<CaseItem>>;
  readCase(id: string): Promise<CaseDetail | null>;
  /** Newest first by when it was first received. */
  listNotifications(filter: NotificationFilter): Promise<Page<NotificationItem>>;
  readNotification(id: string): Promise<NotificationDetail | null>;
  /** @param idsMax how many ids to name of each kind; the counts are complete. */
  reconcile(idsMax: number): Promise<Reconciliation>;
}

/** A policy as it was written, kept for good. */
export interface PolicyVersionItem {
  /** SHA-256 (hex) of what it says. */
  readonly version: string;
  readonly name: string;
  readonly createdAt: Date;
  /** `shipped`, `file`, or `person:` and who. */
  readonly createdBy: string;
  readonly note: string | null;
}

export interface PolicyVersionDetail extends PolicyVersionItem {
  /** The file, with its comments. */
  readonly text: string;
}

/** `active`: it decides. `shadow`: it is only tried beside the active one, and nothing follows from what it says. */
export const policyRoleNames = ["active", "shadow"] as const;
export type PolicyRole = (typeof policyRoleNames)[number];

/** The time in which a version has a role for a source. */
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

/** What the shadow version of a source has said beside the active one so far. */
export interface ShadowCount {
  readonly compared: number;
  readonly differing: number;
}

/** What decides for one source. */
export interface SourcePolicies {
  readonly source: string;
  readonly active: PolicyTerm;
  readonly shadow: (PolicyTerm & ShadowCount) | null;
  /** The file that decides which version is active; null when people decide it. */
  readonly setByFile: string | null;
}

/** What one version made of a change. */
export interface PolicyOpinion {
  readonly action: string;
  readonly reviewQueue: string | null;
  readonly rule: string;
  readonly reason: string | null;
}

/** A decision of which the shadow version would have made another one. */
export interface ShadowDifference {
  readonly decisionId: string;
  readonly caseId: string;
  readonly orderId: string;
  readonly decidedAt: Date;
  readonly active: PolicyOpinion;
  readonly shadow: PolicyOpinion;
}

export interface PolicyActivation {
  readonly source: string;
  readonly role: PolicyRole;
  /** Null ends the shadow and puts nothing in its place. */
  readonly version: string | null;
  /** The version that has the role now, as far as the person knows; not given takes whatever is there. */
  readonly replaces?: string | null;
  readonly note: string;
  /** `person:` and who. */
  readonly actor: string;
}

export type ActivationOutcome =
  | { readonly outcome: "activated" }
  | { readonly outcome: "not-found"; readonly message: string }
  /** Somebody else was faster. */
  | { readonly outcome: "conflict"; readonly current: string | null }
  | { readonly outcome: "refused"; readonly code: string; readonly message: string };

export interface PolicyMistake {
  readonly line: number;
  readonly column: number;
  /** The whole line that people read, with its place. */
  readonly text: string;
}

export type PolicyAddition =
  | { readonly ok: true; readonly version: string; readonly name: string; readonly warnings: readonly PolicyMistake[] }
  | { readonly ok: false; readonly problems: readonly PolicyMistake[] };

/** The policies of this installation, and which of them decides where. */
export interface Policies {
  /** The newest 200 versions, newest first. */
  listVersions(): Promise<readonly PolicyVersionItem[]>;
  readVersion(version: string): Promise<PolicyVersionDetail | null>;
  /** In the order of the sources. */
  listSources(): Promise<readonly SourcePolicies[]>;
  /** The newest 200 terms of a source, newest first. */
  listTerms(source: string): Promise<readonly PolicyTerm[]>;
  /** Checks a policy and keeps it; keeping the same one again changes nothing. Activates nothing. */
  addVersion(addition: {
    readonly text: string;
    readonly note: string | null;
    readonly actor: string;
  }): Promise<PolicyAddition>;
  activate(activation: PolicyActivation): Promise<ActivationOutcome>;
  /** Of the shadow that the source has now; newest first. */
  listDifferences(
    source: string,
    page: { readonly after: PagePosition | null; readonly limit: number },
  ): Promise<Page<ShadowDifference>>;
  /** Makes a stored decision again from what is stored with it; null when there is no such decision. */
  reevaluate(decisionId: string): Promise<DecisionReevaluation | null>;
}

/** A stored decision, made again. */
export interface DecisionReevaluation {
  readonly decisionId: string;
  readonly caseId: string;
  /**
   * `other-engine`: another version of the engine made it, so a difference is none. `not-replayable`: made by a person, or
   * without a status to decide on.
   */
  readonly outcome: "same" | "different" | "other-engine" | "not-replayable";
  /** Why it cannot be made again, or what differs, as sentences. */
  readonly because: readonly string[];
  readonly stored: PolicyOpinion;
  /** Null when it cannot be made again. */
  readonly replayed: PolicyOpinion | null;
}

/** Which entries of the audit are wanted; null takes all. */
export interface AuditFilter {
  /** Taken down at this instant or later. */
  readonly since: Date | null;
  /** Taken down before this instant. */
  readonly until: Date | null;
  readonly caseId: string | null;
  readonly orderId: string | null;
  readonly kind: string | null;
  readonly actor: string | null;
}

/** What somebody did, as ids only, with its place in the chain of hashes. */
export interface AuditItem {
  readonly id: number;
  /** When it happened, by whoever did it: ISO 8601 in UTC with six digits of a second. */
  readonly at: string;
  /** When the database took it down; as `at`. */
  readonly recordedAt: string;
  /** noun.verb */
  readonly kind: string;
  readonly actor: string;
  readonly source: string | null;
  readonly orderId: string | null;
  readonly caseId: string | null;
  readonly caseEventId: number | null;
  readonly refs: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of what stays out of the audit. */
  readonly detailDigest: string | null;
  /** The link and its hash (hex); null until it is sealed, a second or so later. */
  readonly seq: number | null;
  readonly hash: string | null;
}

export interface AuditTrail {
  /** Newest first, those with a smaller id than `before`. `next` is the `before` of the next page; null at the end. */
  listEntries(
    filter: AuditFilter,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly items: readonly AuditItem[]; readonly next: number | null }>;
}
