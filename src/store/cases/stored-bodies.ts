import { z } from "zod";
import {
  type BodyDeletion,
  bodyDeleted,
  type CaseCall,
  caseCall,
  type DeletedBody,
  type StoredBodies,
  type StoredBody,
} from "../../dashboard/body-ports.ts";
import { bodyDeletion } from "../database/body-deletion.ts";
import { datesOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { EncryptedColumn, Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource, isVisibleCase } from "../database/visible-rows.ts";

const callsMax = 200;

interface EncryptedRow {
  readonly id: string;
  readonly column: EncryptedColumn;
  readonly body: Buffer;
  readonly body_encoding: string;
  readonly key_id: string | null;
  readonly content_type: string | null;
  readonly deleted: BodyDeletion | null;
}

export function createStoredBodies(database: Database): StoredBodies {
  const { connection, encryption } = database;

  return {
    listCalls: async (caseId, visible) => {
      const isVisible = isVisibleCase(caseId, visible);
      const { rows } = await sql<CaseCall>`
        select id, 'AirReservationStatus' as operation, read_at as at, purpose, null as action, null as state,
          body_bytes as "bodyBytes", ${bodyDeletion("body")} as "bodyDeleted"
        from skedchange.status_views where case_id = ${caseId}::uuid and ${isVisible}
        union all
        select id, case action when 'accept' then 'AirOrderInvoluntaryAccept' else 'AirOrderInvoluntaryCancel' end,
          sent_at, null, action, state, answer_bytes, ${bodyDeletion("answer")}
        from skedchange.effects where case_id = ${caseId}::uuid and sent_at is not null and ${isVisible}
        order by at desc, id desc
        limit ${callsMax}
      `.execute(connection);
      if (rows.length > 0) return rows.map(callDates);
      const known = await sql`select from skedchange.cases where id = ${caseId}::uuid and ${isVisible}`.execute(
        connection,
      );
      return known.rows.length === 0 ? null : [];
    },

    readCallBody: async (caseId, callId, visible) => {
      const isVisible = isVisibleCase(caseId, visible);
      const { rows } = await sql<EncryptedRow>`
        select id, 'skedchange.status_views.body' as column, body, body_encoding, key_id, null as content_type,
          ${bodyDeletion("body")} as deleted
        from skedchange.status_views where case_id = ${caseId}::uuid and id = ${callId}::uuid and ${isVisible}
        union all
        select id, 'skedchange.effects.answer', answer, answer_encoding, key_id, null, ${bodyDeletion("answer")}
        from skedchange.effects
        where case_id = ${caseId}::uuid and id = ${callId}::uuid and ${isVisible}
          and (answer is not null or answer_deleted_at is not null)
      `.execute(connection);
      return await openRow(encryption, rows[0]);
    },

    readNotificationBody: async (notificationId, visible) => {
      const { rows } = await sql<EncryptedRow>`
        select id, 'skedchange.notifications.body' as column, body, body_encoding, key_id, content_type,
          ${bodyDeletion("body")} as deleted
        from skedchange.notifications where id = ${notificationId}::uuid and ${isOfVisibleSource(sql`source`, visible)}
      `.execute(connection);
      return await openRow(encryption, rows[0]);
    },

    readOrderBodies: async (caseId, visible) => {
      const found = await sql<{ readonly orderId: string }>`
        select order_id as "orderId" from skedchange.cases
        where id = ${caseId}::uuid and ${isOfVisibleSource(sql`source`, visible)}
      `.execute(connection);
      const orderId = found.rows[0]?.orderId;
      if (orderId === undefined) return null;
      const { rows } = await sql<EncryptedRow & { readonly kind: "status" | "notification"; readonly at: Date }>`
        (select 'status' as kind, id, read_at as at, 'skedchange.status_views.body' as column, body, body_encoding, key_id,
          null as content_type, ${bodyDeletion("body")} as deleted
        from skedchange.status_views where case_id = ${caseId}::uuid
        order by read_at desc, id desc limit 1)
        union all
        (select 'notification', n.id, n.received_at, 'skedchange.notifications.body', n.body, n.body_encoding, n.key_id,
          n.content_type, ${bodyDeletion("body")}
        from skedchange.case_notifications j join skedchange.notifications n on n.id = j.notification_id
        where j.case_id = ${caseId}::uuid
        order by n.received_at desc, n.id desc limit 1)
      `.execute(connection);
      const opened = rows.map(async (row) => {
        const { kind, id, at } = row;
        return { kind, id, at, ...(await openEncrypted(encryption, row)) };
      });
      return { orderId, bodies: await Promise.all(opened) };
    },
  };
}

async function openRow(
  encryption: Encryption,
  row: EncryptedRow | undefined,
): Promise<StoredBody | DeletedBody | null> {
  return row === undefined ? null : await openEncrypted(encryption, row);
}

const callDates = datesOf(caseCall);

const deletionDate = datesOf(z.object({ deleted: bodyDeleted }));

async function openEncrypted(encryption: Encryption, row: EncryptedRow): Promise<StoredBody | DeletedBody> {
  const { deleted } = deletionDate(row);
  if (deleted !== null) return { deleted };
  const encrypted = { body: row.body, bodyEncoding: row.body_encoding, keyId: row.key_id };
  const bytes = await encryption.open(encrypted, { column: row.column, row: row.id });
  return { bytes, contentType: row.content_type };
}
