import { messageOf } from "../../kernel/app-error.ts";
import { isUnreadableBody } from "../../kernel/stored-body-errors.ts";
import type { DeliveryRules, RecipientAuthorization, RecipientTarget, UnreadableMessage } from "../../sender/ports.ts";
import { type Encryption } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import type { Connection } from "../database/transaction.ts";
import type { DeliveryTables } from "./delivery-tables.ts";
import {
  openClientCertificate,
  openCredential,
  openSigningSecrets,
  type RecipientEncryption,
  recipientEncryption,
  toEncryptedRow,
} from "./recipient-credential.ts";

/** The columns of a recipient `r` that say where and how it is sent to. */
export const targetColumns = sql`
  r.url, r.acknowledgement, r.deadline_ms as "deadlineMs", r.auth_type as "authType",
  r.credential, r.credential_encoding as "credentialEncoding", r.key_id as "credentialKeyId",
  r.signing_secrets as "signingSecrets", r.signing_secrets_encoding as "signingSecretsEncoding",
  r.signing_secrets_key_id as "signingSecretsKeyId",
  r.client_certificate as "clientCertificate", r.client_certificate_encoding as "clientCertificateEncoding",
  r.client_certificate_key_id as "clientCertificateKeyId"`;

export interface TargetRow {
  readonly url: string;
  readonly acknowledgement: DeliveryRules["acknowledgement"];
  readonly deadlineMs: number | null;
  readonly authType: RecipientAuthorization["type"];
  readonly credential: Buffer;
  readonly credentialEncoding: string;
  readonly credentialKeyId: string | null;
  readonly signingSecrets: Buffer | null;
  readonly signingSecretsEncoding: string | null;
  readonly signingSecretsKeyId: string | null;
  readonly clientCertificate: Buffer | null;
  readonly clientCertificateEncoding: string | null;
  readonly clientCertificateKeyId: string | null;
}

export type OpenTarget = (recipientId: string, row: TargetRow) => Promise<RecipientTarget["message"]>;

/** Beyond this number the oldest entry is dropped. */
const cachedMax = 10_000;

/** Caches a target until its stored bytes change. Failures are not cached, because the key may be added later. */
export function createTargetOpener(
  encryption: Encryption,
  { recipientTable }: Pick<DeliveryTables, "recipientTable">,
): OpenTarget {
  const cache = new Map<string, { readonly row: TargetRow; readonly target: RecipientTarget["message"] }>();
  return async (recipientId, row) => {
    const known = cache.get(recipientId);
    if (known !== undefined && haveSameSecrets(known.row, row)) return known.target;
    cache.delete(recipientId);
    const target = await openTarget(recipientEncryption(encryption, recipientTable, recipientId), row);
    if (target.kind === "readable") {
      const [oldest] = cache.keys();
      if (cache.size >= cachedMax && oldest !== undefined) cache.delete(oldest);
      cache.set(recipientId, { row, target });
    }
    return target;
  };
}

function haveSameSecrets(one: TargetRow, other: TargetRow): boolean {
  return (
    one.authType === other.authType &&
    one.credential.equals(other.credential) &&
    areSame(one.signingSecrets, other.signingSecrets) &&
    areSame(one.clientCertificate, other.clientCertificate)
  );
}

function areSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

async function openTarget(encryption: RecipientEncryption, row: TargetRow): Promise<RecipientTarget["message"]> {
  try {
    const authorization = await openCredential(encryption, row.authType, {
      body: row.credential,
      bodyEncoding: row.credentialEncoding,
      keyId: row.credentialKeyId,
    });
    const signing = toEncryptedRow(row.signingSecrets, row.signingSecretsEncoding, row.signingSecretsKeyId);
    const signingSecrets = signing === null ? [] : await openSigningSecrets(encryption, signing);
    const certificate = toEncryptedRow(
      row.clientCertificate,
      row.clientCertificateEncoding,
      row.clientCertificateKeyId,
    );
    const clientCertificate = certificate === null ? null : await openClientCertificate(encryption, certificate);
    return { kind: "readable", authorization, signingSecrets, clientCertificate };
  } catch (error) {
    return toUnreadable("sender.credential_unreadable", error);
  }
}

/** @throws every other error than unreadable stored bytes */
export function toUnreadable(code: UnreadableMessage["reason"]["code"], error: unknown): UnreadableMessage {
  if (!isUnreadableBody(error)) throw error;
  return { kind: "unreadable", reason: { code, message: messageOf(error) } };
}

/** Returns null if the recipient is missing or removed. */
export async function readTarget(
  executor: Connection,
  tables: DeliveryTables,
  openTarget: OpenTarget,
  recipientId: string,
): Promise<RecipientTarget | null> {
  const { rows } = await sql<TargetRow>`
    select ${targetColumns} from ${tables.recipients} r
    where r.id = ${recipientId} and r.state <> 'removed'`.execute(executor);
  const row = rows[0];
  if (row === undefined) return null;
  const { url, acknowledgement, deadlineMs } = row;
  return { url, rules: { acknowledgement, deadlineMs }, message: await openTarget(recipientId, row) };
}
