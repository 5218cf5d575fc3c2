import { randomBytes, randomUUID } from "node:crypto";
import type { CaseState, EffectState } from "../../src/cases/lifecycle.ts";
import { type ChangeFacts, factCatalogue } from "../../src/itinerary/fact-catalogue.ts";
import type { Itinerary } from "../../src/itinerary/itinerary.ts";
import { severityOf } from "../../src/itinerary/severity.ts";
import { known, unknown } from "../../src/kernel/fact.ts";
import type { Database } from "../../src/store/database/database.ts";
import { sql } from "../../src/store/database/sql.ts";
import { type Connection, inTransaction } from "../../src/store/database/transaction.ts";

/**
 * Rows as the worker leaves them, put in by the owner: what tests of readers look at. Each function inserts one thing and
 * returns its id; what a test does not care about has a default.
 */

export interface CaseRowOverrides {
  readonly id?: string;
  readonly source?: string;
  readonly orderId?: string;
  readonly gdsBookingReferences?: readonly string[];
  readonly state?: CaseState;
  readonly reviewQueue?: string | null;
  readonly headline?: string | null;
  readonly priority?: number;
  /** Text keeps microseconds. */
  readonly openedAt?: Date | string;
  readonly closedAt?: Date | null;
  readonly departureAt?: Date | null;
  readonly dueAt?: Date | null;
  readonly dueBy?: Date | string | null;
  readonly flightDates?: readonly string[];
  readonly failures?: number;
  readonly lastError?: object | null;
  readonly version?: number;
  readonly bookedItinerary?: Itinerary | null;
}

export async function insertCase(owner: Database, overrides: CaseRowOverrides = {}): Promise<string> {
  const id = overrides.id ?? randomUUID();
  const source = overrides.source ?? "default";
  const orderId = overrides.orderId ?? `O${randomBytes(4).toString("hex").toUpperCase()}`;
  const state = overrides.state ?? "received";
  const openedAt = overrides.openedAt ?? new Date();
  await inTransaction(owner, async (transaction) => {
    await sql`
      insert into skedchange.orders (source, order_id, booked_itinerary)
      values (${source}, ${orderId}, ${json(overrides.bookedItinerary)})
      on conflict do nothing
    `.execute(transaction);
    await sql`
      insert into skedchange.cases (id, source, order_id, gds_booking_references, state, opened_at, updated_at)
      values (${id}, ${source}, ${orderId}, ${[...(overrides.gdsBookingReferences ?? ["ABC123"])]}, 'received',
        ${openedAt}::timestamptz, ${openedAt}::timestamptz)
    `.execute(transaction);
    if (state === "awaiting-traveller") await insertContact(transaction, id, "asked");
    for (const step of pathTo(state)) {
      await sql`update skedchange.cases set state = ${step} where id = ${id}`.execute(transaction);
    }
    await sql`
      update skedchange.cases set
        review_queue = ${overrides.reviewQueue ?? null},
        headline = ${overrides.headline ?? null},
        priority = ${overrides.priority ?? 5},
        closed_at = ${overrides.closedAt ?? null},
        departure_at = ${overrides.departureAt ?? null},
        due_at = ${overrides.dueAt ?? null},
        due_by = ${overrides.dueBy ?? null},
        due_by_rule = ${overrides.dueBy === undefined ? null : "agency"},
        flight_dates = ${[...(overrides.flightDates ?? [])]},
        failures = ${overrides.failures ?? 0},
        last_error = ${json(overrides.lastError)},
        version = ${overrides.version ?? 1}
      where id = ${id}
    `.execute(transaction);
    const touched = (overrides.flightDates ?? []).flatMap((each) => [each, ...each.split("/")]);
    await sql`
      update skedchange.case_search set terms = ${touched.map((each) => `touches:${each}`)}, departure_at = ${overrides.departureAt ?? null}
      where case_id = ${id}
    `.execute(transaction);
  });
  return id;
}

/** About the proposal that the case shows. */
export async function insertContact(connection: Connection, caseId: string, kind: "asked" | "informed"): Promise<void> {
  await sql`
    insert into skedchange.traveller_contacts (
      id, case_id, source, order_id, proposal_digest, kind, channel, happened_at, recorded_at, recorded_by
    )
    select ${randomUUID()}, id, source, order_id, proposal_digest, ${kind}, 'phone', now(), now(), 'person:ana'
    from skedchange.cases where id = ${caseId}
  `.execute(connection);
}

/** The database lets every case start as received and go to any other state by way of checking. */
function pathTo(state: CaseState): readonly CaseState[] {
  if (state === "received") return [];
  return state === "checking" ? ["checking"] : ["checking", state];
}

export interface NotificationRowOverrides {
  readonly id?: string;
  readonly source?: string;
  readonly receivedAt?: Date;
  readonly state?: "accepted" | "quarantined" | "released";
  readonly problem?: object | null;
  readonly receipts?: number;
  /** Stored in clear; not given: bytes that nobody can read. */
  readonly body?: string;
  readonly digest?: Buffer;
  /** For how long its orders have waited to be looked at, in seconds; not given: they have been. */
  readonly pendingSeconds?: number;
  /** The cases that rest on it. */
  readonly cases?: readonly string[];
}

export async function insertNotification(owner: Database, overrides: NotificationRowOverrides = {}): Promise<string> {
  const id = overrides.id ?? randomUUID();
  const source = overrides.source ?? "default";
  const receivedAt = overrides.receivedAt ?? new Date();
  const digest = overrides.digest ?? randomBytes(32);
  const state = overrides.state ?? "accepted";
  const { body } = overrides;
  const problem =
    overrides.problem ??
    (state === "accepted"
      ? null
      : { code: "ocn.order_missing", path: "/OrderViewRS/Order", message: "There is no Order with an OrderID." });
  await sql`
    insert into skedchange.notifications (
      id, source, received_at, digest, content_type, body, body_encoding, body_bytes, state, problem
    ) values (
      ${id}, ${source}, ${receivedAt}, ${digest}, 'application/json', ${Buffer.from(body ?? "SEALED")},
      ${body === undefined ? "gzip" : "identity"}, ${body?.length ?? 1234}, ${state}, ${json(problem)}
    )
  `.execute(owner.connection);
  await sql`
    insert into skedchange.notification_digests (
      source, digest, notification_id, received_at, receipts, last_receipt_at, pending_orders, pending_since
    )
    select ${source}, ${digest}, ${id}, ${receivedAt}, ${overrides.receipts ?? 1}, ${receivedAt},
      case when pending.age is not null then '[]'::jsonb end, now() - make_interval(secs => pending.age)
    from (select ${overrides.pendingSeconds ?? null}::double precision as age) as pending
  `.execute(owner.connection);
  for (const caseId of overrides.cases ?? []) {
    await sql`
      insert into skedchange.case_notifications (case_id, notification_id, notification_received_at, joined_at)
      values (${caseId}, ${id}, ${receivedAt}, ${receivedAt})
    `.execute(owner.connection);
  }
  return id;
}

export interface DecisionRowOverrides {
  readonly id?: string;
  readonly action?: "accept" | "cancel" | "review" | "wait" | "none";
  readonly decidedBy?: string;
  readonly decidedAt?: Date;
  readonly rule?: string;
  readonly reasons?: readonly { readonly code: string; readonly text: string }[];
  readonly note?: string | null;
  readonly trace?: unknown;
  readonly itineraries?: { booked: Itinerary; accepted: Itinerary; proposed: Itinerary } | null;
  readonly flags?: object;
  /** Beside a departure 45 minutes later. */
  readonly facts?: Partial<ChangeFacts>;
  /** Whether it is the one in force; the one before it is superseded. */
  readonly inForce?: boolean;
}

/** A decision with facts, flags and flights. */
export async function insertDecision(
  owner: Database,
  caseId: string,
  overrides: DecisionRowOverrides = {},
): Promise<string> {
  const id = overrides.id ?? randomUUID();
  const decidedAt = overrides.decidedAt ?? new Date();
  const itineraries = overrides.itineraries ?? {
    booked: anItinerary("10:00"),
    accepted: anItinerary("10:00"),
    proposed: anItinerary("10:45"),
  };
  const rule = overrides.rule ?? "default";
  const facts = { ...someFacts(), ...overrides.facts };
  await inTransaction(owner, async (transaction) => {
    await sql`
      insert into skedchange.decisions (
        id, case_id, decided_at, decided_by, action, review_queue, rule, reasons, note, proposal_digest, flags, facts,
        itineraries, trace, evaluated_at, versions
      ) values (
        ${id}, ${caseId}, ${decidedAt}, ${overrides.decidedBy ?? "policy"}, ${overrides.action ?? "review"},
        ${overrides.action === undefined || overrides.action === "review" ? "agent" : null}, ${rule},
        ${json(overrides.reasons ?? [{ code: "no-rule-matched", text: "No rule matched, so an agent decides." }])},
        ${overrides.note ?? null}, ${"d".repeat(64)},
        ${json({ accept: known("Y"), cancel: known("N"), reSchedule: unknown("missing-flag"), ...overrides.flags })}, ${json(facts)},
        ${json(itineraries)}, ${json(overrides.trace ?? someTrace)}, ${decidedAt}, ${json({ policy: "p".repeat(64) })}
      )
    `.execute(transaction);
    if (overrides.inForce === false) return;
    await sql`
      update skedchange.decisions set superseded_at = ${decidedAt}, superseded_by = ${id}
      where id = (select decision_id from skedchange.cases where id = ${caseId})
    `.execute(transaction);
    await sql`
      update skedchange.cases set decision_id = ${id}, proposal_digest = ${"d".repeat(64)},
        rule = ${rule}, severity = ${severityOf(facts).name} where id = ${caseId}
    `.execute(transaction);
  });
  return id;
}

export interface EffectRowOverrides {
  readonly action?: "accept" | "cancel";
  readonly state?: EffectState;
  readonly plannedAt?: Date;
  readonly results?: readonly object[] | null;
  readonly error?: object | null;
  readonly settleReads?: number;
  readonly expectedRefund?: object | null;
  /** As the gateway sent it. */
  readonly response?: Buffer | null;
}

export async function insertEffect(
  owner: Database,
  caseId: string,
  decisionId: string,
  overrides: EffectRowOverrides = {},
): Promise<string> {
  const id = randomUUID();
  const plannedAt = overrides.plannedAt ?? new Date();
  const state = overrides.state ?? "planned";
  await sql`
    insert into skedchange.effects (
      id, case_id, decision_id, source, order_id, action, gds_booking_references, proposal_digest, state, lease_fence,
      planned_at
    )
    select ${id}, c.id, ${decisionId}, c.source, c.order_id, ${overrides.action ?? "accept"}, c.gds_booking_references,
      ${"d".repeat(64)}, 'planned', 1, ${plannedAt}
    from skedchange.cases c where c.id = ${caseId}
  `.execute(owner.connection);
  if (state === "planned") return id;
  await sql`update skedchange.effects set state = 'sent', sent_at = ${plannedAt} where id = ${id}`.execute(
    owner.connection,
  );
  const encryptedBody =
    overrides.response == null
      ? null
      : await owner.encryption.encrypt(overrides.response, { column: "skedchange.effects.answer", row: id });
  // What has ended cannot be changed any more, so everything is written together with the state.
  await sql`
    update skedchange.effects set
      state = ${state},
      finished_at = ${state === "succeeded" || state === "failed" ? plannedAt : null},
      settle_reads = ${overrides.settleReads ?? 0},
      results = ${json(overrides.results)},
      error = ${json(overrides.error)},
      expected_refund = ${json(overrides.expectedRefund)},
      answer = ${encryptedBody?.body ?? null},
      answer_encoding = ${encryptedBody?.bodyEncoding ?? null},
      answer_bytes = ${encryptedBody?.bodyBytes ?? null}
    where id = ${id}
  `.execute(owner.connection);
  return id;
}

/** One reading of the reservation status, with the body as the gateway sent it. */
export async function insertStatusView(
  owner: Database,
  caseId: string,
  overrides: { readonly readAt?: Date; readonly body?: string; readonly purpose?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const place = { column: "skedchange.status_views.body", row: id } as const;
  const { body, bodyEncoding, bodyBytes } = await owner.encryption.encrypt(Buffer.from(overrides.body ?? "{}"), place);
  await sql`
    insert into skedchange.status_views (id, case_id, purpose, read_at, body, body_encoding, body_bytes)
    values (${id}, ${caseId}, ${overrides.purpose ?? "decide"}, ${overrides.readAt ?? new Date()}, ${body},
      ${bodyEncoding}, ${bodyBytes})
  `.execute(owner.connection);
  return id;
}

export async function insertCaseEvent(
  owner: Database,
  caseId: string,
  event: { readonly at?: Date; readonly kind?: string; readonly actor?: string; readonly detail?: object } = {},
): Promise<void> {
  await sql`
    insert into skedchange.case_events (case_id, at, kind, actor, detail)
    values (${caseId}, ${event.at ?? new Date()}, ${event.kind ?? "notification.received"}, ${event.actor ?? "receiver"},
      ${json(event.detail ?? {})})
  `.execute(owner.connection);
}

/** One flight that leaves at this local time. */
export function anItinerary(departureTime: string): Itinerary {
  return {
    segments: [
      {
        segmentKey: "Segment1",
        departure: { airport: "FRA", date: "2026-12-01", time: departureTime, terminal: "1" },
        arrival: { airport: "JFK", date: "2026-12-01", time: "18:00", terminal: null },
        marketingCarrier: "LH",
        marketingFlightNumber: "400",
        operatingCarrier: "LH",
        aircraftCode: "74H",
        stops: 0,
        marriageGroup: null,
        brandId: null,
        cabinType: "Y",
        rbd: "K",
      },
    ],
    journeys: [{ origin: "FRA", destination: "JFK", segments: [0] }],
  };
}

const someTrace = [
  {
    rule: "small-retiming",
    action: "accept",
    outcome: "not-matched",
    reads: { departureLaterMinutes: known(45) },
    checks: [{ check: "departureLaterMinutes <= 30", outcome: "false" }],
  },
];

/** Nothing happened but a departure 45 minutes later; whether tickets are issued is unknown. */
function someFacts(): object {
  const facts: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(factCatalogue)) {
    facts[name] = known(type === "int" ? 0 : type === "bool" ? false : []);
  }
  const price = { orderValue: known("412.50"), currency: known("EUR") };
  return { ...facts, ...price, departureLaterMinutes: known(45), ticketed: unknown("no-ticket-status") };
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
