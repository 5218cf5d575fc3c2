// Generated from the migrations by `npm run generate`. Do not edit.
import type { ColumnType, GeneratedAlways } from "kysely";

/** A column that the database fills in when it is not given. */
type Defaulted<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>;

/** Read as the parsed value; written as JSON text, so that it is never mistaken for an array of PostgreSQL. */
type Json = ColumnType<unknown, string, string>;

type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A row of `skedchange.api_tokens`. */
interface SkedchangeApiTokens {
  id: string;
  token_digest: Buffer;
  user_id: string;
  name: string;
  role: "viewer" | "agent" | "supervisor" | "admin";
  created_at: Timestamp;
  expires_at: Timestamp;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

/** A row of `skedchange.approvals`. */
interface SkedchangeApprovals {
  id: string;
  case_id: string;
  action: "accept" | "cancel";
  proposal_digest: string;
  asked_by: string;
  asked_at: Timestamp;
  note: string | null;
  state: Defaulted<"asked" | "given" | "refused" | "void">;
  answered_by: string | null;
  answered_at: Timestamp | null;
}

/** A row of `skedchange.audit_chain`. */
interface SkedchangeAuditChain {
  seq: number;
  entry_id: number;
  hash: Buffer;
}

/** A row of `skedchange.audit_entries`. */
interface SkedchangeAuditEntries {
  id: GeneratedAlways<number>;
  at: Timestamp;
  recorded_at: Defaulted<Timestamp>;
  kind: string;
  actor: string;
  source: string | null;
  order_id: string | null;
  case_id: string | null;
  case_event_id: number | null;
  refs: Json;
  detail_digest: Buffer | null;
}

/** A row of `skedchange.audit_unsealed`. */
interface SkedchangeAuditUnsealed {
  entry_id: number;
}

/** A row of `skedchange.automation_stops`. */
interface SkedchangeAutomationStops {
  id: string;
  stopped_at: Timestamp;
  stopped_by: string;
  note: string;
  resumed_at: Timestamp | null;
  resumed_by: string | null;
}

/** A row of `skedchange.bulk_action_cases`. */
interface SkedchangeBulkActionCases {
  bulk_action_id: string;
  place: number;
  case_id: string;
  version: number;
  outcome: "accepted" | "not-found" | "conflict" | "refused" | null;
  code: string | null;
  message: string | null;
  done_at: Timestamp | null;
}

/** A row of `skedchange.bulk_actions`. */
interface SkedchangeBulkActions {
  id: string;
  command: Json;
  asked_by: string;
  asked_at: Timestamp;
  state: Defaulted<"running" | "stopped" | "finished">;
  finished_at: Timestamp | null;
}

/** A row of `skedchange.case_events`. */
interface SkedchangeCaseEvents {
  id: GeneratedAlways<number>;
  case_id: string;
  at: Timestamp;
  kind: string;
  actor: string;
  detail: Defaulted<Json>;
}

/** A row of `skedchange.case_notifications`. */
interface SkedchangeCaseNotifications {
  case_id: string;
  notification_id: string;
  notification_received_at: Timestamp;
  joined_at: Timestamp;
}

/** A row of `skedchange.case_transitions`. */
interface SkedchangeCaseTransitions {
  from_state: string;
  to_state: string;
}

/** A row of `skedchange.cases`. */
interface SkedchangeCases {
  id: string;
  source: string;
  order_id: string;
  gds_booking_references: Defaulted<string[]>;
  state: string;
  version: Defaulted<number>;
  due_at: Timestamp | null;
  wake: Defaulted<number>;
  priority: Defaulted<number>;
  failures: Defaulted<number>;
  last_error: Json | null;
  review_queue: string | null;
  proposal_digest: string | null;
  decision_id: string | null;
  headline: string | null;
  departure_at: Timestamp | null;
  opened_at: Timestamp;
  updated_at: Timestamp;
  closed_at: Timestamp | null;
  assignee: string | null;
  due_by: Timestamp | null;
  due_by_rule: string | null;
  firm_due_by: Timestamp | null;
  overdue_at: Timestamp | null;
  undo_until: Timestamp | null;
  reopened_from: string | null;
  flight_dates: Defaulted<string[]>;
  yielding_wake: number | null;
}

/** A row of `skedchange.client_assertions`. */
interface SkedchangeClientAssertions {
  client_id: string;
  jti_digest: Buffer;
  expires_at: Timestamp;
}

/** A row of `skedchange.decisions`. */
interface SkedchangeDecisions {
  id: string;
  case_id: string;
  decided_at: Timestamp;
  decided_by: string;
  action: "accept" | "cancel" | "review" | "ask-traveller" | "wait" | "none";
  review_queue: string | null;
  rule: string;
  reasons: Json;
  note: string | null;
  proposal_digest: string | null;
  flags: Json | null;
  facts: Json | null;
  itineraries: Json | null;
  trace: Json | null;
  status_view_id: string | null;
  evaluated_at: Timestamp | null;
  versions: Json;
  superseded_at: Timestamp | null;
  superseded_by: string | null;
  inputs: Json | null;
  legal: Json | null;
  priority: number | null;
  question:
    | "effect-outcome"
    | "unreadable-status"
    | "unreachable-gateway"
    | "failed-processing"
    | "proposal-changed"
    | "status-says-more"
    | "traveller-answered"
    | "person-decided"
    | "automation-stopped"
    | null;
}

/** A row of `skedchange.document_views`. */
interface SkedchangeDocumentViews {
  id: string;
  case_id: string;
  read_at: Timestamp;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
}

/** A row of `skedchange.effect_transitions`. */
interface SkedchangeEffectTransitions {
  from_state: string;
  to_state: string;
}

/** A row of `skedchange.effects`. */
interface SkedchangeEffects {
  id: string;
  case_id: string;
  decision_id: string;
  source: string;
  order_id: string;
  action: "accept" | "cancel";
  gds_booking_references: string[];
  proposal_digest: string;
  state: string;
  lease_fence: number;
  planned_at: Timestamp;
  sent_at: Timestamp | null;
  finished_at: Timestamp | null;
  settle_reads: Defaulted<number>;
  results: Json | null;
  error: Json | null;
  answer: Buffer | null;
  answer_encoding: string | null;
  answer_bytes: number | null;
  key_id: string | null;
  sends: Defaulted<number>;
  unchanged_reads: Defaulted<number>;
  expected_refund: Json | null;
  refund_check: "as-expected" | "higher" | "lower" | "unknown" | null;
}

/** A row of `skedchange.event_attempts`. */
interface SkedchangeEventAttempts {
  id: string;
  delivery_id: string;
  number: number;
  started_at: Timestamp;
  lease_fence: number;
  outcome: "delivered" | "refused" | "failed" | null;
  http_status: number | null;
  error_code: string | null;
  answer_excerpt: string | null;
  duration_ms: number | null;
  error_message: string | null;
  timings: Json | null;
}

/** A row of `skedchange.event_bodies`. */
interface SkedchangeEventBodies {
  id: string;
  order_id: string;
  publish_key: string;
  digest: Buffer;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
  created_at: Timestamp;
  event_type: string;
  source: string;
  case_id: string;
  recipient_ids: string[];
  position: GeneratedAlways<number>;
  routed_at: Timestamp | null;
}

/** A row of `skedchange.event_deliveries`. */
interface SkedchangeEventDeliveries {
  id: string;
  position: GeneratedAlways<number>;
  body_id: string;
  recipient_id: string;
  order_id: string;
  state: Defaulted<"pending" | "delivered" | "dead" | "superseded">;
  due_at: Timestamp;
  attempts: Defaulted<number>;
  failures: Defaulted<number>;
  first_tried_at: Timestamp | null;
  dead_reason: Json | null;
  replay_of: string | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  superseded_by: string | null;
}

/** A row of `skedchange.event_lanes`. */
interface SkedchangeEventLanes {
  recipient_id: string;
  order_id: string;
  due_at: Timestamp | null;
  lease_fence: Defaulted<number>;
  leased_until: Timestamp | null;
  leased_by: string | null;
  dispatched_until: Timestamp | null;
  is_retry: Defaulted<boolean>;
}

/** A row of `skedchange.event_recipients`. */
interface SkedchangeEventRecipients {
  id: string;
  name: string;
  url: string;
  auth_type: "none" | "basic" | "bearer" | "oauth";
  credential: Buffer | null;
  credential_encoding: string | null;
  key_id: string | null;
  state: Defaulted<"active" | "paused" | "disabled" | "removed">;
  state_reason: Json | null;
  state_changed_at: Timestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  ordering: Defaulted<"latest" | "every">;
  acknowledgement: Defaulted<"required" | "any-success">;
  signing_secrets: Buffer | null;
  signing_secrets_encoding: string | null;
  signing_secrets_key_id: string | null;
  signing_secret_count: Defaulted<number>;
  deadline_ms: number | null;
  lanes_max: number | null;
  failed_in_row: Defaulted<number>;
  failing_since: Timestamp | null;
  held_until: Timestamp | null;
  held_because: "throttled" | "failing" | null;
  agency_id: string | null;
  rate_per_second: number | null;
  paced_until: Timestamp | null;
  client_certificate: Buffer | null;
  client_certificate_encoding: string | null;
  client_certificate_key_id: string | null;
  client_certificate_expires_at: Timestamp | null;
  ramp_lanes: number | null;
  failing_notices: Defaulted<number>;
  event_types: string[] | null;
  sources: string[] | null;
}

/** A row of `skedchange.event_replays`. */
interface SkedchangeEventReplays {
  id: string;
  filter: Json;
  force: boolean;
  state: Defaulted<"running" | "finished" | "cancelled">;
  up_to_position: number;
  position: Defaulted<number>;
  total: number;
  replayed: Defaulted<number>;
  skipped: Defaulted<number>;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

/** A row of `skedchange.notification_digests`. */
interface SkedchangeNotificationDigests {
  source: string;
  digest: Buffer;
  notification_id: string;
  received_at: Timestamp;
  receipts: Defaulted<number>;
  last_receipt_at: Timestamp;
}

/** A row of `skedchange.notifications`. */
interface SkedchangeNotifications {
  id: string;
  source: string;
  received_at: Timestamp;
  digest: Buffer;
  content_type: string | null;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
  state: "accepted" | "quarantined" | "released";
  problem: Json | null;
}

/** A row of `skedchange.order_imports`. */
interface SkedchangeOrderImports {
  id: GeneratedAlways<number>;
  source: string;
  order_id: string;
  imported_at: Timestamp;
  imported_by: string;
  booked: Json;
  replaced: Json | null;
  replaced_from: string | null;
  was_decided_on: boolean;
}

/** A row of `skedchange.order_status_views`. */
interface SkedchangeOrderStatusViews {
  id: string;
  source: string;
  order_id: string;
  read_at: Timestamp;
  proposal_digest: string;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
}

/** A row of `skedchange.orders`. */
interface SkedchangeOrders {
  source: string;
  order_id: string;
  lease_fence: Defaulted<number>;
  leased_until: Timestamp | null;
  leased_by: string | null;
  dispatched_until: Timestamp | null;
  booked_itinerary: Json | null;
  booked_from: string | null;
  accepted_itinerary: Json | null;
  leased_at: Timestamp | null;
  gds_booking_references: Defaulted<string[]>;
  imported_at: Timestamp | null;
  imported_by: string | null;
  next_poll_at: Timestamp | null;
  polled_at: Timestamp | null;
  poll_failures: Defaulted<number>;
  poll_digest: string | null;
  poll_ended: "travelled" | "no-reference" | "refused" | null;
}

/** A row of `skedchange.policy_terms`. */
interface SkedchangePolicyTerms {
  id: string;
  source: string;
  role: "active" | "shadow";
  version: string;
  began_at: Timestamp;
  began_by: string;
  note: string | null;
  ended_at: Timestamp | null;
  ended_by: string | null;
}

/** A row of `skedchange.policy_versions`. */
interface SkedchangePolicyVersions {
  version: string;
  name: string;
  text: string;
  created_at: Timestamp;
  created_by: string;
  note: string | null;
}

/** A row of `skedchange.poll_pace`. */
interface SkedchangePollPace {
  source: string;
  next_at: Timestamp;
}

/** A row of `skedchange.schema_migrations`. */
interface SkedchangeSchemaMigrations {
  version: number;
  name: string;
  checksum: string;
  applied_at: Defaulted<Timestamp>;
}

/** A row of `skedchange.sessions`. */
interface SkedchangeSessions {
  id: string;
  token_digest: Buffer;
  user_id: string;
  created_at: Timestamp;
  last_used_at: Timestamp;
  ends_at: Timestamp;
}

/** A row of `skedchange.shadow_decisions`. */
interface SkedchangeShadowDecisions {
  decision_id: string;
  source: string;
  version: string;
  decided_at: Timestamp;
  action: string;
  review_queue: string | null;
  rule: string;
  reason: string;
  differs: boolean;
}

/** A row of `skedchange.sign_in_failures`. */
interface SkedchangeSignInFailures {
  subject_digest: Buffer;
  failures: number;
  counted_at: Timestamp;
  locked_until: Timestamp | null;
}

/** A row of `skedchange.signing_keys`. */
interface SkedchangeSigningKeys {
  kid: string;
  algorithm: string;
  public_jwk: Json;
  private_key: Buffer | null;
  private_key_encoding: string;
  key_id: string | null;
  created_at: Timestamp;
  retired_at: Timestamp | null;
  published_until: Timestamp | null;
}

/** A row of `skedchange.status_views`. */
interface SkedchangeStatusViews {
  id: string;
  case_id: string;
  purpose: "decide" | "before-effect" | "after-effect" | "settle-unknown";
  read_at: Timestamp;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
}

/** A row of `skedchange.tasks`. */
interface SkedchangeTasks {
  id: string;
  case_id: string;
  source: string;
  order_id: string;
  kind: "check-ticket" | "check-refund" | "check-services";
  reasons: Json;
  opened_at: Timestamp;
  closed_at: Timestamp | null;
  closed_by: string | null;
  note: string | null;
  due_by: Timestamp | null;
  due_by_rule: string | null;
  overdue_at: Timestamp | null;
}

/** A row of `skedchange.traveller_contacts`. */
interface SkedchangeTravellerContacts {
  id: string;
  case_id: string;
  source: string;
  order_id: string;
  proposal_digest: string | null;
  kind: "informed" | "asked" | "answered";
  channel: "email" | "phone" | "sms" | "chat" | "in-person" | "letter" | "other";
  answer: "accepts" | "refuses" | "wants-refund" | "wants-rerouting" | "undecided" | null;
  happened_at: Timestamp;
  recorded_at: Timestamp;
  recorded_by: string;
  note: string | null;
}

/** A row of `skedchange.users`. */
interface SkedchangeUsers {
  id: string;
  username: string;
  display_name: string;
  role: "viewer" | "agent" | "supervisor" | "admin";
  password_hash: string;
  is_demo: Defaulted<boolean>;
  disabled_at: Timestamp | null;
  last_sign_in_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A row of `gateway.attempts`. */
interface GatewayAttempts {
  id: string;
  delivery_id: string;
  number: number;
  started_at: Timestamp;
  lease_fence: number;
  outcome: "delivered" | "refused" | "failed" | null;
  http_status: number | null;
  error_code: string | null;
  answer_excerpt: string | null;
  duration_ms: number | null;
  error_message: string | null;
  timings: Json | null;
}

/** A row of `gateway.changes`. */
interface GatewayChanges {
  id: string;
  order_id: string;
  kind:
    | "retime"
    | "duration"
    | "renumber"
    | "carrier"
    | "airport"
    | "terminal"
    | "aircraft"
    | "stops"
    | "fare"
    | "downgrade"
    | "replace"
    | "cancel"
    | "restore"
    | "combined"
    | "loaded";
  segments: Json;
  gds_booking_references: string[];
  announcement: "announced" | "no-recipient" | "not-announced";
  deliveries: number;
  caused_at: Timestamp;
}

/** A row of `gateway.deliveries`. */
interface GatewayDeliveries {
  id: string;
  position: GeneratedAlways<number>;
  ocn_id: string;
  recipient_id: string;
  order_id: string;
  state: Defaulted<"pending" | "delivered" | "dead" | "superseded">;
  due_at: Timestamp;
  attempts: Defaulted<number>;
  failures: Defaulted<number>;
  first_tried_at: Timestamp | null;
  dead_reason: Json | null;
  replay_of: string | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  superseded_by: string | null;
}

/** A row of `gateway.journal`. */
interface GatewayJournal {
  id: GeneratedAlways<number>;
  operation: string;
  order_id: string | null;
  gds_booking_references: string[];
  result: "SUCCESS" | "FAILED" | "MIXED" | "ERROR";
  error_code: string | null;
  change_id: string | null;
  order_version: number | null;
  at: Timestamp;
}

/** A row of `gateway.lanes`. */
interface GatewayLanes {
  recipient_id: string;
  order_id: string;
  due_at: Timestamp | null;
  lease_fence: Defaulted<number>;
  leased_until: Timestamp | null;
  leased_by: string | null;
  dispatched_until: Timestamp | null;
  is_retry: Defaulted<boolean>;
}

/** A row of `gateway.ocn_bodies`. */
interface GatewayOcnBodies {
  id: string;
  change_id: string;
  order_id: string;
  airline: string;
  publish_key: string;
  digest: Buffer;
  body: Buffer;
  body_encoding: string;
  body_bytes: number;
  key_id: string | null;
  created_at: Timestamp;
}

/** A row of `gateway.order_flights`. */
interface GatewayOrderFlights {
  order_id: string;
  segment_key: string;
  carrier: string;
  flight_number: string;
  departure_date: string;
}

/** A row of `gateway.order_references`. */
interface GatewayOrderReferences {
  order_id: string;
  gds_booking_reference: string;
  position: number;
  pnr_status: "" | "CONFIRMED" | "PENDING" | "MODIFIED" | "CANCELLED" | "SCHEDULE CHANGED" | "FAILED";
  schedule_change_indicator: boolean;
  schedule_change_status: "" | "Initiated" | "Accepted" | "Rejected" | "Partially-Accepted";
  flags: Json | null;
}

/** A row of `gateway.orders`. */
interface GatewayOrders {
  order_id: string;
  owner: string;
  content: Json;
  open_change_id: string | null;
  pending_segments: Json | null;
  version: Defaulted<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A row of `gateway.recipients`. */
interface GatewayRecipients {
  id: string;
  name: string;
  url: string;
  auth_type: "basic" | "bearer" | "oauth";
  credential: Buffer | null;
  credential_encoding: string | null;
  key_id: string | null;
  state: Defaulted<"active" | "paused" | "disabled" | "removed">;
  state_reason: Json | null;
  state_changed_at: Timestamp;
  created_at: Timestamp;
  updated_at: Timestamp;
  ordering: Defaulted<"latest" | "every">;
  airlines: string[] | null;
  acknowledgement: Defaulted<"required" | "any-success">;
  signing_secrets: Buffer | null;
  signing_secrets_encoding: string | null;
  signing_secrets_key_id: string | null;
  signing_secret_count: Defaulted<number>;
  deadline_ms: number | null;
  lanes_max: number | null;
  failed_in_row: Defaulted<number>;
  failing_since: Timestamp | null;
  held_until: Timestamp | null;
  held_because: "throttled" | "failing" | null;
  agency_id: string | null;
  rate_per_second: number | null;
  paced_until: Timestamp | null;
  client_certificate: Buffer | null;
  client_certificate_encoding: string | null;
  client_certificate_key_id: string | null;
  client_certificate_expires_at: Timestamp | null;
  ramp_lanes: number | null;
  failing_notices: Defaulted<number>;
}

/** A row of `gateway.reference_transitions`. */
interface GatewayReferenceTransitions {
  from_state: string;
  to_state: string;
}

/** A row of `gateway.refunds`. */
interface GatewayRefunds {
  order_id: string;
  ticket_number: string;
  gds_booking_reference: string;
  change_id: string;
  amount: string;
  currency: string;
  refunded_at: Timestamp;
}

/** A row of `gateway.replays`. */
interface GatewayReplays {
  id: string;
  filter: Json;
  force: boolean;
  state: Defaulted<"running" | "finished" | "cancelled">;
  up_to_position: number;
  position: Defaulted<number>;
  total: number;
  replayed: Defaulted<number>;
  skipped: Defaulted<number>;
  created_at: Timestamp;
  finished_at: Timestamp | null;
}

/** A row of `gateway.settlements`. */
interface GatewaySettlements {
  change_id: string;
  gds_booking_reference: string;
  outcome: "accepted" | "rejected" | "cancelled";
  settled_at: Timestamp;
}

/** A row of `gateway.shopping_responses`. */
interface GatewayShoppingResponses {
  shopping_response_id: string;
  request: Json;
  offers: Json;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** A row of `gateway.switched_off_services`. */
interface GatewaySwitchedOffServices {
  operation: string;
}

/** A row of `gateway.tickets`. */
interface GatewayTickets {
  order_id: string;
  ticket_number: string;
  position: number;
  document_type: string;
  passenger_id: string | null;
  gds_booking_reference: string | null;
  state: "open" | "used" | "void" | "refunded";
  flown_segment_keys: string[];
}

/** Every table, under its name with its schema. */
export interface Tables {
  "skedchange.api_tokens": SkedchangeApiTokens;
  "skedchange.approvals": SkedchangeApprovals;
  "skedchange.audit_chain": SkedchangeAuditChain;
  "skedchange.audit_entries": SkedchangeAuditEntries;
  "skedchange.audit_unsealed": SkedchangeAuditUnsealed;
  "skedchange.automation_stops": SkedchangeAutomationStops;
  "skedchange.bulk_action_cases": SkedchangeBulkActionCases;
  "skedchange.bulk_actions": SkedchangeBulkActions;
  "skedchange.case_events": SkedchangeCaseEvents;
  "skedchange.case_notifications": SkedchangeCaseNotifications;
  "skedchange.case_transitions": SkedchangeCaseTransitions;
  "skedchange.cases": SkedchangeCases;
  "skedchange.client_assertions": SkedchangeClientAssertions;
  "skedchange.decisions": SkedchangeDecisions;
  "skedchange.document_views": SkedchangeDocumentViews;
  "skedchange.effect_transitions": SkedchangeEffectTransitions;
  "skedchange.effects": SkedchangeEffects;
  "skedchange.event_attempts": SkedchangeEventAttempts;
  "skedchange.event_bodies": SkedchangeEventBodies;
  "skedchange.event_deliveries": SkedchangeEventDeliveries;
  "skedchange.event_lanes": SkedchangeEventLanes;
  "skedchange.event_recipients": SkedchangeEventRecipients;
  "skedchange.event_replays": SkedchangeEventReplays;
  "skedchange.notification_digests": SkedchangeNotificationDigests;
  "skedchange.notifications": SkedchangeNotifications;
  "skedchange.order_imports": SkedchangeOrderImports;
  "skedchange.order_status_views": SkedchangeOrderStatusViews;
  "skedchange.orders": SkedchangeOrders;
  "skedchange.policy_terms": SkedchangePolicyTerms;
  "skedchange.policy_versions": SkedchangePolicyVersions;
  "skedchange.poll_pace": SkedchangePollPace;
  "skedchange.schema_migrations": SkedchangeSchemaMigrations;
  "skedchange.sessions": SkedchangeSessions;
  "skedchange.shadow_decisions": SkedchangeShadowDecisions;
  "skedchange.sign_in_failures": SkedchangeSignInFailures;
  "skedchange.signing_keys": SkedchangeSigningKeys;
  "skedchange.status_views": SkedchangeStatusViews;
  "skedchange.tasks": SkedchangeTasks;
  "skedchange.traveller_contacts": SkedchangeTravellerContacts;
  "skedchange.users": SkedchangeUsers;
  "gateway.attempts": GatewayAttempts;
  "gateway.changes": GatewayChanges;
  "gateway.deliveries": GatewayDeliveries;
  "gateway.journal": GatewayJournal;
  "gateway.lanes": GatewayLanes;
  "gateway.ocn_bodies": GatewayOcnBodies;
  "gateway.order_flights": GatewayOrderFlights;
  "gateway.order_references": GatewayOrderReferences;
  "gateway.orders": GatewayOrders;
  "gateway.recipients": GatewayRecipients;
  "gateway.reference_transitions": GatewayReferenceTransitions;
  "gateway.refunds": GatewayRefunds;
  "gateway.replays": GatewayReplays;
  "gateway.settlements": GatewaySettlements;
  "gateway.shopping_responses": GatewayShoppingResponses;
  "gateway.switched_off_services": GatewaySwitchedOffServices;
  "gateway.tickets": GatewayTickets;
}
