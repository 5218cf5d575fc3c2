import { Secret } from "../../kernel/secret.ts";
import type { AssertionStore, NewSigningKey, SigningKey, SigningKeyStore } from "../../receiver/ports.ts";
import type { Database } from "../database/database.ts";
import type { Encryption, Place } from "../database/encryption.ts";
import { sql } from "../database/sql.ts";
import { inTransaction } from "../database/transaction.ts";

/** Expired assertions deleted per use: more than one use adds, and few enough not to delay the caller. */
const clearedPerUse = 50;

export function createSigningKeyStore(database: Database): SigningKeyStore {
  const { connection, encryption } = database;
  return {
    async listPublishedKeys(now) {
      const { rows } = await sql<SigningKey>`
        select kid, algorithm, public_jwk as "publicJwk", created_at as "createdAt", retired_at as "retiredAt",
          published_until as "publishedUntil"
        from skedchange.signing_keys
        where published_until is null or published_until > ${now}
        order by retired_at desc nulls first`.execute(connection);
      return rows;
    },

    async readSigningKey() {
      const { rows } = await sql<{ kid: string; body: Buffer; bodyEncoding: string; keyId: string | null }>`
        select kid, private_key as body, private_key_encoding as "bodyEncoding", key_id as "keyId"
        from skedchange.signing_keys where retired_at is null`.execute(connection);
      const [row] = rows;
      if (row === undefined) return null;
      return { kid: row.kid, privateJwk: new Secret((await encryption.open(row, placeOf(row.kid))).toString("utf8")) };
    },

    async addFirstKey(key) {
      await sql`${await insertKey(encryption, key)} on conflict do nothing`.execute(connection);
    },

    async rotateKey(key, retiredPublishedUntil) {
      const insert = await insertKey(encryption, key);
      return await inTransaction(database, async (trx) => {
        // Concurrent rotations run one after the other; the later one retires the earlier one's key.
        await sql`select pg_advisory_xact_lock(hashtext('skedchange.signing_keys'))`.execute(trx);
        const { rows } = await sql<{ kid: string }>`
          update skedchange.signing_keys
          set retired_at = ${key.createdAt}, published_until = ${retiredPublishedUntil}, private_key = null
          where retired_at is null returning kid`.execute(trx);
        await insert.execute(trx);
        return rows[0]?.kid ?? null;
      });
    },
  };
}

function placeOf(kid: string): Place {
  return { column: "skedchange.signing_keys.private_key", row: kid };
}

async function insertKey(encryption: Encryption, { kid, algorithm, publicJwk, privateJwk, createdAt }: NewSigningKey) {
  const encrypted = await encryption.encrypt(Buffer.from(privateJwk.reveal(), "utf8"), placeOf(kid));
  return sql`
    insert into skedchange.signing_keys
      (kid, algorithm, public_jwk, private_key, private_key_encoding, key_id, created_at)
    values (${kid}, ${algorithm}, ${JSON.stringify(publicJwk)}, ${encrypted.body}, ${encrypted.bodyEncoding},
      ${encrypted.keyId}, ${createdAt})`;
}

/** Every process refuses a replay. */
export function createAssertionStore({ connection }: Database): AssertionStore {
  return {
    async useAssertion({ clientId, jtiDigest, expiresAt, now }) {
      await sql`
        delete from skedchange.client_assertions where (client_id, jti_digest) in (
          select client_id, jti_digest from skedchange.client_assertions where expires_at < ${now}
          order by expires_at limit ${clearedPerUse})
        -- One process at a time: two that delete the same rows in another order would end in a deadlock.
        and (select pg_try_advisory_xact_lock(hashtext('skedchange.client_assertions')))`.execute(connection);
      const { rowCount } = await sql`
        insert into skedchange.client_assertions (client_id, jti_digest, expires_at)
        values (${clientId}, ${jtiDigest}, ${expiresAt}) on conflict do nothing`.execute(connection);
      return rowCount === 1;
    },
  };
}
