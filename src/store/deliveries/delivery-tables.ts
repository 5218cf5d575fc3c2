import { type RawBuilder, sql } from "kysely";
import { deliveriesDueChannel, eventsDueChannel } from "../database/due-listener.ts";

/**
 * The tables that deliveries are kept in. There are two sets of the same shape, and one store for both: what differs is
 * what a body tells of, and by what recipients choose.
 */
export interface DeliveryTables {
  readonly recipients: RawBuilder<unknown>;
  readonly bodies: RawBuilder<unknown>;
  readonly lanes: RawBuilder<unknown>;
  readonly deliveries: RawBuilder<unknown>;
  readonly attempts: RawBuilder<unknown>;
  readonly resends: RawBuilder<unknown>;
  /** The column of a delivery that names its body. */
  readonly bodyId: RawBuilder<unknown>;
  /** The columns of a recipient that say what it wants, by the member that shows them. Each is a list of texts, or null. */
  readonly input: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Of body `b`, for lists of deliveries, by the member that shows it. */
  readonly shown: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Of body `b`, by the member of a filter that is compared with it. */
  readonly found: Readonly<Record<string, RawBuilder<unknown>>>;
  /** Who makes a delivery due notifies it. */
  readonly dueChannel: string;
  /** One row, by which claims take turns. */
  readonly turns: RawBuilder<unknown>;
  /** The function that deletes what has ended. */
  readonly deleteEnded: RawBuilder<unknown>;
}

/** What the gateway sends: Order Change Notifications. */
export const notificationTables: DeliveryTables = {
  recipients: sql.table("gateway.recipients"),
  bodies: sql.table("gateway.ocn_bodies"),
  lanes: sql.table("gateway.lanes"),
  deliveries: sql.table("gateway.deliveries"),
  attempts: sql.table("gateway.attempts"),
  resends: sql.table("gateway.replays"),
  bodyId: sql.ref("ocn_id"),
  input: { airlines: sql.ref("airlines") },
  shown: { airline: sql.ref("b.airline"), changeId: sql.ref("b.change_id") },
  found: { airline: sql.ref("b.airline") },
  dueChannel: deliveriesDueChannel,
  turns: sql.table("gateway.delivery_turns"),
  deleteEnded: sql.raw("gateway.delete_ended"),
};

/** What the agency sends: its own events. */
export const eventTables: DeliveryTables = {
  recipients: sql.table("skedchange.event_recipients"),
  bodies: sql.table("skedchange.event_bodies"),
  lanes: sql.table("skedchange.event_lanes"),
  deliveries: sql.table("skedchange.event_deliveries"),
  attempts: sql.table("skedchange.event_attempts"),
  resends: sql.table("skedchange.event_replays"),
  bodyId: sql.ref("body_id"),
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
