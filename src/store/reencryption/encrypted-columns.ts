import { bodyEncodings, type EncryptedColumn } from "../database/encryption.ts";
import { type Sql, sql } from "../database/sql.ts";

export interface BytesColumn {
  readonly name: EncryptedColumn;
  readonly table: Sql;
  readonly id: Sql;
  readonly idType: Sql;
  readonly bytes: Sql;
  readonly encoding: Sql;
  readonly key: Sql;
  /** How it is known whether bytes name their row: a column `is_bound`, a look into them where rows are few, or all do. */
  readonly boundBy: "mark" | "look" | "all";
}

export interface NoteColumn {
  readonly name: string;
  readonly table: Sql;
  readonly idType: Sql;
  readonly note: Sql;
  readonly isWithKey: (keyId: string | null) => Sql;
}

/**
 * All that keys encrypt but notes. Events are not among them: the database writes them, they name no traveller, and they
 * are in clear. `replace_ciphertexts` has the same list.
 */
export const bytesColumns: readonly BytesColumn[] = [
  bodies("skedchange.notifications.body"),
  bodies("skedchange.status_views.body"),
  bodies("skedchange.document_views.body"),
  bodies("skedchange.order_status_views.body"),
  bodies("skedchange.effects.answer"),
  { ...secrets("skedchange.decisions.document", "key_id"), boundBy: "all" },
  bodies("gateway.ocn_bodies.body"),
  { ...secrets("skedchange.signing_keys.private_key", "key_id"), id: sql.ref("kid"), idType: sql`text` },
  ...(["gateway.recipients", "skedchange.event_recipients"] as const).flatMap((table) => [
    secrets(`${table}.credential`, "key_id"),
    secrets(`${table}.signing_secrets`, "signing_secrets_key_id"),
    secrets(`${table}.client_certificate`, "client_certificate_key_id"),
  ]),
  secrets("skedchange.notice_rules.webhook", "key_id"),
  { ...secrets("skedchange.second_factors.secret", "key_id"), id: sql.ref("user_id") },
];

/** `replace_notes` has the same list. */
export const noteColumns: readonly NoteColumn[] = [
  // First, because approving copies the note of the request into decisions and case events.
  notes("skedchange.approvals.note"),
  notes("skedchange.case_events.detail", sql`bigint`, sql`detail ->> 'note'`),
  notes("skedchange.bulk_actions.command", sql`uuid`, sql`command ->> 'note'`),
  notes("skedchange.decisions.note"),
  notes("skedchange.notifications.discard_note", sql`uuid`, sql`discard_note`),
  notes("skedchange.tasks.note"),
  notes("skedchange.traveller_contacts.note"),
];

/** Whether bytes of this encoding may have a key; others are deleted, or in clear. */
export function isCompressed(encoding: Sql): Sql {
  return sql`${encoding} in (${sql.join(Object.values(bodyEncodings).map((known) => sql.lit(known)))})`;
}

/** The key of an encrypted note. */
export function keyOfNote(note: Sql): Sql {
  return sql`case when (${note}) like 'skedchange:note:1:%' then split_part(${note}, ':', 5) end`;
}

function bodies(name: EncryptedColumn): BytesColumn {
  return { ...secrets(name, "key_id"), boundBy: "mark" };
}

function secrets(name: EncryptedColumn, key: string): BytesColumn {
  const [schema, table, bytes] = name.split(".");
  return {
    name,
    table: sql.ref(`${schema}.${table}`),
    id: sql.ref("id"),
    idType: sql`uuid`,
    bytes: sql.ref(bytes!),
    encoding: sql.ref(`${bytes}_encoding`),
    key: sql.ref(key),
    boundBy: "look",
  };
}

function notes(name: string, idType: Sql = sql`uuid`, note: Sql = sql`note`): NoteColumn {
  const [schema, table] = name.split(".");
  return {
    name,
    table: sql.ref(`${schema}.${table}`),
    idType,
    note,
    isWithKey: (keyId) => sql`(${keyOfNote(note)}) is not distinct from ${keyId}::text`,
  };
}
