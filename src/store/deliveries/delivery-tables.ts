import { deliveriesDueChannel, eventsDueChannel } from "../database/due-listener.ts";
import type { EncryptedColumn, RecipientTable } from "../database/encryption.ts";
import { type Sql, sql } from "../database/sql.ts";

/** Two sets of tables share one store; they differ in the body and in how recipients choose. */
export interface DeliveryTables {
  readonly recipients: Sql;
  /** For places of encrypted bytes. */
  readonly recipientTable: RecipientTable;
  readonly bodyColumn: EncryptedColumn;
  readonly bodies: Sql;
  readonly lanes: Sql;
  readonly deliveries: Sql;
  readonly attempts: Sql;
  readonly resends: Sql;
  readonly bodyId: Sql;
  /** Where the body came from; null if that is not stored. */
  readonly traceparent: Sql;
  /** The recipient's filter columns, by the member that shows them. Each is a list of texts, or null. */
  readonly input: Readonly<Record<string, Sql>>;
  readonly shown: Readonly<Record<string, Sql>>;
  readonly found: Readonly<Record<string, Sql>>;
  readonly dueChannel: string;
  /** One row that serialises claims. */
  readonly turns: Sql;
  readonly deleteEnded: Sql;
}

export const notificationTables: DeliveryTables = {
  recipients: sql.ref("gateway.recipients"),
  recipientTable: "gateway.recipients",
  bodyColumn: "gateway.ocn_bodies.body",
  bodies: sql.ref("gateway.ocn_bodies"),
  lanes: sql.ref("gateway.lanes"),
  deliveries: sql.ref("gateway.deliveries"),
  attempts: sql.ref("gateway.attempts"),
  resends: sql.ref("gateway.replays"),
  bodyId: sql.ref("ocn_id"),
  traceparent: sql.ref("b.traceparent"),
  input: { airlines: sql.ref("airlines") },
  shown: { airline: sql.ref("b.airline"), changeId: sql.ref("b.change_id") },
  found: { airline: sql.ref("b.airline") },
  dueChannel: deliveriesDueChannel,
  turns: sql.ref("gateway.delivery_turns"),
  deleteEnded: sql.raw("gateway.delete_ended"),
};

export const eventTables: DeliveryTables = {
  recipients: sql.ref("skedchange.event_recipients"),
  recipientTable: "skedchange.event_recipients",
  bodyColumn: "skedchange.event_bodies.body",
  bodies: sql.ref("skedchange.event_bodies"),
  lanes: sql.ref("skedchange.event_lanes"),
  deliveries: sql.ref("skedchange.event_deliveries"),
  attempts: sql.ref("skedchange.event_attempts"),
  resends: sql.ref("skedchange.event_replays"),
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
  turns: sql.ref("skedchange.event_turns"),
  deleteEnded: sql.raw("skedchange.delete_ended_events"),
};
