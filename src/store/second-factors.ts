import type { FactorUse, SecondFactorStore, StoredFactor, User } from "../dashboard/people/ports.ts";
import { nameActor, nameUserAsActor } from "./audit/audit-actor.ts";
import type { Database } from "./database/database.ts";
import { sql } from "./database/sql.ts";
import { type Connection, inTransaction } from "./database/transaction.ts";
import { lockCounts, takeBack, writeCount } from "./failure-counts.ts";
import { lockUser } from "./lock-user.ts";

export function createSecondFactorStore(
  database: Pick<Database, "connection" | "pool" | "encryption">,
): SecondFactorStore {
  const { connection, encryption } = database;
  return {
    async readFactor(userId) {
      const { rows } = await sql<FactorRow>`
        select secret as body, secret_encoding as "bodyEncoding", key_id as "keyId", begun_at as "begunAt",
          proven_at is not null as "isProven", last_step::float8 as "lastStep"
        from skedchange.second_factors where user_id = ${userId}`.execute(connection);
      const found = rows[0];
      if (found === undefined) return null;
      const { begunAt, isProven, lastStep, ...encrypted } = found;
      const secret = (await encryption.open(encrypted, placeOf(userId))).toString("utf8");
      return { secret, begunAt, isProven, lastStep };
    },

    async beginFactor(userId, secret, at) {
      const { body, bodyEncoding, keyId } = await encryption.encrypt(Buffer.from(secret, "utf8"), placeOf(userId));
      const begun = await sql`
        insert into skedchange.second_factors as f (user_id, secret, secret_encoding, key_id, begun_at)
        values (${userId}, ${body}, ${bodyEncoding}, ${keyId}, ${at})
        on conflict on constraint second_factors_pkey do update
          set secret = excluded.secret, secret_encoding = excluded.secret_encoding, key_id = excluded.key_id,
            begun_at = excluded.begun_at, last_step = null
          where f.proven_at is null`.execute(connection);
      return begun.rowCount === 1;
    },

    proveFactor: ({ userId, begunAt, step, recoveryCodes, session, at }) =>
      inTransaction(database, async (trx) => {
        await lockUser(trx, userId);
        await nameUserAsActor(trx, userId);
        const proven = await sql`
          update skedchange.second_factors set proven_at = ${at}, last_step = ${step}
          where user_id = ${userId} and begun_at = ${begunAt} and proven_at is null`.execute(trx);
        if (proven.rowCount !== 1) return false;
        await writeRecoveryCodes(trx, userId, recoveryCodes);
        await sql`
          delete from skedchange.sessions where user_id = ${userId} and token_digest <> ${session}`.execute(trx);
        return true;
      }),

    countCode: (subject, judge, at) =>
      inTransaction(database, async (trx) => {
        const [count] = await lockCounts(trx, [subject], at);
        const verdict = judge(count ?? null);
        if (verdict.outcome === "counted") await writeCount(trx, subject, verdict.count);
        return verdict;
      }),

    takeBackCode: (subject, count) => inTransaction(database, (trx) => takeBack(trx, subject, count)),

    replaceRecoveryCodes: (userId, use, recoveryCodes) =>
      inTransaction(database, async (trx) => {
        if (!(await useFactor(trx, userId, use))) return false;
        await nameUserAsActor(trx, userId);
        await writeRecoveryCodes(trx, userId, recoveryCodes);
        return true;
      }),

    removeFactor: (userId, use, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        if (use !== null && !(await useFactor(trx, userId, use))) return false;
        if (!(await deleteFactor(trx, userId))) return false;
        if (use === null) await sql`delete from skedchange.sessions where user_id = ${userId}`.execute(trx);
        return true;
      }),

    async listFactorRoles() {
      const { rows } = await sql<Pick<User, "role">>`
        select role from skedchange.second_factor_roles order by role`.execute(connection);
      return rows.map(({ role }) => role);
    },

    setFactorRoles: (roles, at, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        await sql`delete from skedchange.second_factor_roles where not role = any(${roles}::text[])`.execute(trx);
        await sql`
          insert into skedchange.second_factor_roles (role, required_at)
          select role, ${at} from unnest(${roles}::text[]) role
          on conflict on constraint second_factor_roles_pkey do nothing`.execute(trx);
      }),
  };
}

interface FactorRow extends Omit<StoredFactor, "secret"> {
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly keyId: string | null;
}

/** Uses a code up. Returns false if it was used meanwhile, or the user has no such code. */
export async function useFactor(trx: Connection, userId: string, use: FactorUse): Promise<boolean> {
  const used =
    use.kind === "totp"
      ? await sql`
          update skedchange.second_factors set last_step = ${use.step}
          where user_id = ${userId} and proven_at is not null and (last_step is null or last_step < ${use.step})`.execute(
          trx,
        )
      : await sql`
          delete from skedchange.recovery_codes where user_id = ${userId} and digest = ${use.digest}`.execute(trx);
  return used.rowCount === 1;
}

/** Deletes the factor, proven or only begun, and its recovery codes. Returns false if the user has no factor. */
export async function deleteFactor(trx: Connection, userId: string): Promise<boolean> {
  await sql`delete from skedchange.recovery_codes where user_id = ${userId}`.execute(trx);
  const deleted = await sql`delete from skedchange.second_factors where user_id = ${userId}`.execute(trx);
  return deleted.rowCount === 1;
}

async function writeRecoveryCodes(trx: Connection, userId: string, digests: readonly Buffer[]): Promise<void> {
  await sql`delete from skedchange.recovery_codes where user_id = ${userId}`.execute(trx);
  await sql`
    insert into skedchange.recovery_codes (user_id, digest)
    select ${userId}, digest from unnest(${digests}::bytea[]) digest`.execute(trx);
}

function placeOf(userId: string) {
  return { column: "skedchange.second_factors.secret", row: userId.toLowerCase() } as const;
}
