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
import type { EncryptedColumn, EncryptedRow, Encryption } from "../database/encryption.ts";
import { joinRepeated, repeatedColumns, viewDeletion } from "../database/repeated-notification.ts";
import { sql } from "../database/sql.ts";
import { isOfVisibleSource, isVisibleCase } from "../database/visible-rows.ts";

const callsMax = 200;

interface StoredRow extends EncryptedRow {
  readonly id: string;
  readonly column: EncryptedColumn;
  readonly contentType: string | null;
  readonly deleted: BodyDeletion | null;
}

export function createStoredBodies(database: Database): StoredBodies {
  const { connection, encryption } = database;

  return {
    listCalls: async (caseId, visible) => {
      const isVisible = isVisibleCase(caseId, visible);
      const { rows } = await sql<CaseCall>`
        select v.id, 'AirReservationStatus' as operation, read_at as at, purpose, null as action, null as state,
          body_bytes as "bodyBytes", ${viewDeletion("body", "v")} as "bodyDeleted"
        from skedchange.status_views v ${joinRepeated("v")} where case_id = ${caseId}::uuid and ${isVisible}
        union all
        select e.id, case action when 'accept' then 'AirOrderInvoluntaryAccept' else 'AirOrderInvoluntaryCancel' end,
          sent_at, null, action, state, answer_bytes, ${viewDeletion("answer", "e")}
        from skedchange.effects e ${joinRepeated("e")}
        where case_id = ${caseId}::uuid and sent_at is not null and ${isVisible}
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
      const { rows } = await sql<StoredRow>`
        select ${statusView}, ${repeatedColumns}
        from skedchange.status_views v ${joinRepeated("v")}
        where v.case_id = ${caseId}::uuid and v.id = ${callId}::uuid and ${isVisible}
        union all
        select e.id, 'skedchange.effects.answer', e.answer, e.answer_encoding, e.key_id, null, ${viewDeletion("answer", "e")},
          ${repeatedColumns}
        from skedchange.effects e ${joinRepeated("e")}
        where e.case_id = ${caseId}::uuid and e.id = ${callId}::uuid and ${isVisible}
          and (e.answer is not null or e.answer_deleted_at is not null)
      `.execute(connection);
      return await openRow(encryption, rows[0]);
    },

    readNotificationBody: async (notificationId, visible) => {
      const { rows } = await sql<StoredRow>`
        select ${notification} from skedchange.notifications n
        where n.id = ${notificationId}::uuid and ${isOfVisibleSource(sql`n.source`, visible)}
      `.execute(connection);
      return await openRow(encryption, rows[0]);
    },

    readOrderBodies: async (caseId, visible) => {
      const found = await sql<{ readonly source: string; readonly orderId: string }>`
        select source, order_id as "orderId" from skedchange.cases
        where id = ${caseId}::uuid and ${isOfVisibleSource(sql`source`, visible)}
      `.execute(connection);
      const [order] = found.rows;
      if (order === undefined) return null;
      const { rows } = await sql<StoredRow & { readonly kind: "status" | "notification"; readonly at: Date }>`
        (select 'status' as kind, v.read_at as at, ${statusView}, ${repeatedColumns}
        from skedchange.status_views v ${joinRepeated("v")} where v.case_id = ${caseId}::uuid
        order by v.read_at desc, v.id desc limit 1)
        union all
        (select 'notification', n.received_at, ${notification}, ${nothingRepeated}
        from skedchange.case_notifications j join skedchange.notifications n on n.id = j.notification_id
        where j.case_id = ${caseId}::uuid
        order by n.received_at desc, n.id desc limit 1)
      `.execute(connection);
      const opened = rows.map(async (row) => {
        const { kind, id, at } = row;
        return { kind, id, at, ...(await openEncrypted(encryption, row)) };
      });
      return { ...order, bodies: await Promise.all(opened) };
    },
  };
}

async function openRow(encryption: Encryption, row: StoredRow | undefined): Promise<StoredBody | DeletedBody | null> {
  return row === undefined ? null : await openEncrypted(encryption, row);
}

const statusView = sql`v.id, 'skedchange.status_views.body' as column, v.body, v.body_encoding as "bodyEncoding",
  v.key_id as "keyId", null as "contentType", ${viewDeletion("body", "v")} as deleted`;

const notification = sql`n.id, 'skedchange.notifications.body' as column, n.body, n.body_encoding as "bodyEncoding",
  n.key_id as "keyId", n.content_type as "contentType", ${bodyDeletion("body", "n.")} as deleted`;

const nothingRepeated = sql`null::uuid, null::bytea, null::text, null::text`;

const callDates = datesOf(caseCall);

const deletionDate = datesOf(z.object({ deleted: bodyDeleted }));

async function openEncrypted(encryption: Encryption, row: StoredRow): Promise<StoredBody | DeletedBody> {
  const { deleted } = deletionDate(row);
  if (deleted !== null) return { deleted };
  const bytes = await encryption.open(row, { column: row.column, row: row.id });
  return { bytes, contentType: row.contentType };
}
