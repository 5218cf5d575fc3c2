import { sql } from "kysely";
import { codeOf } from "../../kernel/app-error.ts";
import type { Database } from "../database/database.ts";
import type { Encrypted, EncryptedRow, Encryption } from "../database/encryption.ts";
import { storeErrors } from "../database/error-codes.ts";
import { inTransaction } from "../database/transaction.ts";
import { type DeliveryTables, notificationTables } from "./delivery-tables.ts";
import { toEncryptedRow } from "./recipient-credential.ts";

export interface ReencryptedBatch {
  readonly reencrypted: number;
  /** Recipients whose credentials are damaged or need a key that this process lacks. They stay unchanged. */
  readonly unreadableIds: readonly string[];
  /** Null after the last batch. */
  readonly after: string | null;
}

interface Row {
  readonly id: string;
  readonly credential: Buffer;
  readonly credentialEncoding: string;
  readonly credentialKeyId: string | null;
  readonly signing: Buffer | null;
  readonly signingEncoding: string | null;
  readonly signingKeyId: string | null;
  readonly certificate: Buffer | null;
  readonly certificateEncoding: string | null;
  readonly certificateKeyId: string | null;
}

/**
 * Encrypts the credentials of the next recipients with the newest key. A person's change waits for the batch.
 * @param after where the batch before ended; null to begin
 * @param tables default: the gateway's recipients
 */
export async function reencryptRecipients(
  database: Pick<Database, "kysely" | "pool" | "encryption">,
  after: string | null,
  batch: number,
  tables: DeliveryTables = notificationTables,
): Promise<ReencryptedBatch> {
  const { encryption } = database;
  const { currentKeyId } = encryption;
  return inTransaction(database, async (trx) => {
    const { rows } = await sql<Row>`
      select id, credential, credential_encoding as "credentialEncoding", key_id as "credentialKeyId",
        signing_secrets as signing, signing_secrets_encoding as "signingEncoding",
        signing_secrets_key_id as "signingKeyId", client_certificate as certificate,
        client_certificate_encoding as "certificateEncoding", client_certificate_key_id as "certificateKeyId"
      from ${tables.recipients}
      where state <> 'removed' and (${after}::uuid is null or id > ${after}::uuid) and (
        key_id is distinct from ${currentKeyId}
        or (signing_secrets is not null and signing_secrets_key_id is distinct from ${currentKeyId})
        or (client_certificate is not null and client_certificate_key_id is distinct from ${currentKeyId}))
      order by id limit ${batch} for no key update`.execute(trx);
    const unreadableIds: string[] = [];
    for (const row of rows) {
      const encrypted = await reencrypt(encryption, row);
      if (encrypted === null) {
        unreadableIds.push(row.id);
        continue;
      }
      await sql`
        update ${tables.recipients}
        set credential = ${encrypted.credential.body}, credential_encoding = ${encrypted.credential.bodyEncoding},
          key_id = ${encrypted.credential.keyId},
          signing_secrets = ${encrypted.signing?.body ?? null},
          signing_secrets_encoding = ${encrypted.signing?.bodyEncoding ?? null},
          signing_secrets_key_id = ${encrypted.signing?.keyId ?? null},
          client_certificate = ${encrypted.certificate?.body ?? null},
          client_certificate_encoding = ${encrypted.certificate?.bodyEncoding ?? null},
          client_certificate_key_id = ${encrypted.certificate?.keyId ?? null}
        where id = ${row.id}`.execute(trx);
    }
    return {
      reencrypted: rows.length - unreadableIds.length,
      unreadableIds,
      after: rows.length < batch ? null : (rows.at(-1)?.id ?? null),
    };
  });
}

async function reencrypt(encryption: Encryption, row: Row) {
  const again = async (encrypted: EncryptedRow): Promise<Encrypted> =>
    encryption.encrypt(await encryption.open(encrypted));
  const signing = toEncryptedRow(row.signing, row.signingEncoding, row.signingKeyId);
  const certificate = toEncryptedRow(row.certificate, row.certificateEncoding, row.certificateKeyId);
  try {
    return {
      credential: await again({
        body: row.credential,
        bodyEncoding: row.credentialEncoding,
        keyId: row.credentialKeyId,
      }),
      signing: signing === null ? null : await again(signing),
      certificate: certificate === null ? null : await again(certificate),
    };
  } catch (error) {
    if (codeOf(error) !== storeErrors.cannotOpen) throw error;
    return null;
  }
}
