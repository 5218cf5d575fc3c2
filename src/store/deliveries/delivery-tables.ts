import { type RawBuilder, sql } from "kysely";
import { deliveriesDueChannel, eventsDueChannel } from "../database/due-listener.ts";
import type { EncryptedColumn, RecipientTable } from "../database/encryption.ts";

/** Two sets of tables share one store; they differ in the body and in how recipients choose. */
export interface DeliveryTables {
  readonly recipients: RawBuilder<unknown>;
  /** For places of encrypted bytes. */
  readonly recipientTable: RecipientTable;
  readonly bodyColumn: EncryptedColumn;
  readonly bodies: RawBuilder<unknown>;
  readonly lanes: RawBuilder<unknown>;
  readonly deliveries: RawBuilder<unknown>;
  readonly attempts: RawBuilder<unknown>;
  readonly resends: RawBuilder<unknown>;
  readonly bodyId: RawBuilder<unknown>;
  /** Where the body came from; null if that is not stored. */
  readonly traceparent: RawBuilder<unknown>;
  /** The recipient's filter columns, by the member that shows them. Each is a list of texts, or null. */
  readonly input: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly shown: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly found: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly dueChannel: string;
  /** One row that serialises claims. */
  readonly turns: RawBuilder<unknown>;
  readonly deleteEnded: RawBuilder<unknown>;
}

export const notificationTables: DeliveryTables = {
  recipients: sql.table("gateway.recipients"),
  recipientTable: "gateway.recipients",
  bodyColumn: "gateway.ocn_bodies.body",
  bodies: sql.table("gateway.ocn_bodies"),
  lanes: sql.table("gateway.lanes"),
  deliveries: sql.table("gateway.deliveries"),
  attempts: sql.table("gateway.attempts"),
  resends: sql.table("gateway.replays"),
  bodyId: sql.ref("ocn_id"),
  traceparent: sql.ref("b.traceparent"),
  input: { airlines: sql.ref("airlines") },
  shown: { airline: sql.ref("b.airline"), changeId: sql.ref("b.change_id") },
  found: { airline: sql.ref("b.airline") },
  dueChannel: deliveriesDueChannel,
  turns: sql.table("gateway.delivery_turns"),
  deleteEnded: sql.raw("gateway.delete_ended"),
};

export const eventTables: DeliveryTables = {
  recipients: sql.table("skedchange.event_recipients"),
  recipientTable: "skedchange.event_recipients",
  bodyColumn: "skedchange.event_bodies.body",
  bodies: sql.table("skedchange.event_bodies"),
  lanes: sql.table("skedchange.event_lanes"),
  deliveries: sql.table("skedchange.event_deliveries"),
  attempts: sql.table("skedchange.event_attempts"),
  resends: sql.table("skedchange.event_replays"),
  bodyId: sql.ref("body_id"),
  traceparent: sql`null::text`,
  input: { eventTypes: sql.ref("event_types"), sources: sql.ref("sources") },
  shown: {
    eventId: sql.ref("b.id"),
    eventType: sql.ref("b.event_type"),
    source: sql.ref("b.source"),
    caseId: sql.ref("b.case_id"),
  },
  found: { eventType: sql.ref("b.event_type"), source: sql.ref("b.source") },
  dueChannel: eventsDueChannel,
  turns: sql.table("skedchange.event_turns"),
  deleteEnded: sql.raw("skedchange.delete_ended_events"),
};
