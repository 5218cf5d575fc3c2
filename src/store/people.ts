import {
  type ApiToken,
  type AttemptCounts,
  type AttemptSubjects,
  apiToken,
  type CountedAttempt,
  type NewSession,
  type OwnPasswordChange,
  type PasswordSession,
  type PeopleStore,
  type ProviderIdentity,
  type ProviderSession,
  type ProviderSessionOutcome,
  type SessionOfUser,
  type StoredCredentials,
  sessionOfUser,
  type User,
  type UserChange,
  user,
} from "../dashboard/people/ports.ts";
import type { FailureCount } from "../kernel/failure-count.ts";
import { nameActor, nameUserAsActor } from "./audit/audit-actor.ts";
import { columnsOf } from "./database/columns-of.ts";
import type { Database } from "./database/database.ts";
import { type Sql, sql } from "./database/sql.ts";
import { type Connection, inTransaction } from "./database/transaction.ts";
import { visibleSourcesOf } from "./database/visible-rows.ts";
import { lockCounts, type StoredCount, selectCounts, takeBack, writeCount } from "./failure-counts.ts";
import { lockUser } from "./lock-user.ts";
import { deleteFactor, useFactor } from "./second-factors.ts";

/** More than the at most 50 valid tokens of a person. */
const listedTokensMax = 200;

/**
 * @param options.admitDemoUsers false outside demo mode: everybody knows the passwords of the users that a demo process
 * on the same database creates or enables
 */
export function createPeopleStore(
  database: Pick<Database, "connection" | "pool">,
  { admitDemoUsers = true }: { readonly admitDemoUsers?: boolean } = {},
): PeopleStore {
  const { connection } = database;
  const isAdmitted = admitDemoUsers ? sql`true` : sql`not u.is_demo`;

  async function findCredentials(username: string): Promise<StoredCredentials | null> {
    const { rows } = await sql<User & Omit<StoredCredentials, "user">>`
      select ${userColumns}, u.password_hash as "passwordHash", u.password_proof as "passwordProof", u.is_demo as "isDemo"
      from skedchange.users u where u.username = ${username} and ${isAdmitted}`.execute(connection);
    const found = rows[0];
    if (found === undefined) return null;
    const { passwordHash, passwordProof, isDemo, ...user } = found;
    return { user, passwordHash, passwordProof, isDemo };
  }

  return {
    createUser: (user, usersMax, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        if (await isFull(trx, usersMax)) return "too-many-users";
        const { rows } = await sql<User>`
          insert into skedchange.users as u
            (id, username, display_name, role, sources, password_hash, password_proof, password_change_needed, is_demo, created_at, updated_at)
          values (${user.id}, ${user.username}, ${user.displayName}, ${user.role}, ${user.sources}::text[],
            ${user.password.hash}, ${user.password.proof}, ${user.passwordChangeNeeded}, ${user.isDemo}, ${user.at}, ${user.at})
          on conflict on constraint users_username_unique do nothing
          returning ${userColumns}`.execute(trx);
        return rows[0] ?? "username-taken";
      }),

    async listUsers() {
      const { rows } = await sql<User>`
        select ${userColumns} from skedchange.users u order by u.username collate "C"`.execute(connection);
      return rows;
    },

    async readUser(userId) {
      const { rows } = await sql<User>`
        select ${userColumns} from skedchange.users u where u.id = ${userId}`.execute(connection);
      return rows[0] ?? null;
    },

    async hasUsers() {
      const { rows } = await sql`select from skedchange.users where disabled_at is null limit 1`.execute(connection);
      return rows.length > 0;
    },

    async hasDemoUsers() {
      const { rows } = await sql`select from skedchange.users where is_demo limit 1`.execute(connection);
      return rows.length > 0;
    },

    changeUser: (userId, change, at, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        return await changeUser(trx, userId, change, at);
      }),

    disableDemoUsers: (at) =>
      inTransaction(database, async (trx) => {
        const { rows } = await sql<{ id: string }>`
          update skedchange.users set disabled_at = ${at}, updated_at = ${at}
          where is_demo and disabled_at is null
          returning id`.execute(trx);
        const ids = rows.map(({ id }) => id);
        await sql`delete from skedchange.sessions where user_id = any(${ids}::uuid[])`.execute(trx);
        return ids.length;
      }),

    findCredentials,

    async readAttempt(username, subjects) {
      const { rows } = await sql<StoredCount>`
        ${selectCounts} where subject_digest in (${sql.join(Object.values(subjects))})`.execute(connection);
      return { stored: username === null ? null : await findCredentials(username), ...readCounts(rows, subjects) };
    },

    countAttempt: (subjects, judge, at) =>
      inTransaction(database, async (trx, undo) => {
        const { counts, deviceSucceededAt } = await lockAttempt(trx, subjects, at);
        const verdict = judge(counts, deviceSucceededAt);
        if (verdict.outcome === "locked") {
          // Leaves no row, or locked-out callers could fill the table with made-up names.
          undo();
          return verdict;
        }
        for (const subject of attemptSubjects) await writeCount(trx, subjects[subject], verdict.counts[subject]);
        return verdict;
      }),

    takeBackAttempt: ({ subjects, counts }) =>
      inTransaction(database, async (trx) => {
        await lockSubjects(trx, subjects);
        for (const subject of attemptSubjects) await takeBack(trx, subjects[subject], counts[subject]);
      }),

    startSession: (session) =>
      inTransaction(database, async (trx, undo) => {
        const user = await startPasswordSession(trx, session);
        if (user === "code-used") undo();
        return user;
      }),

    startProviderSession: (session) => inTransaction(database, (trx) => startProviderSession(trx, session)),

    refuseIdentity: ({ issuer, subject }) =>
      inTransaction(database, async (trx) => {
        const { rows } = await sql<{ id: string }>`
          update skedchange.users set confirmed_at = null
          where issuer = ${issuer} and subject = ${subject} returning id`.execute(trx);
        const id = rows[0]?.id ?? null;
        await sql`delete from skedchange.sessions where user_id = ${id}`.execute(trx);
        return id;
      }),

    async useSession(tokenDigest, { at, idleSince, noteUseBefore }) {
      const { rows } = await sql<User>`
        with running as (
          select id, user_id, last_used_at from skedchange.sessions
          where token_digest = ${tokenDigest} and ends_at > ${at} and last_used_at > ${idleSince}
        ), noted as (
          update skedchange.sessions s set last_used_at = ${at}
          from running where s.id = running.id and s.last_used_at < ${noteUseBefore}
        )
        select ${userColumns} from running join skedchange.users u on u.id = running.user_id
        where u.disabled_at is null and ${isAdmitted}`.execute(connection);
      return rows[0] ?? null;
    },

    endSession: (tokenDigest) =>
      inTransaction(database, async (trx) => {
        await sql`
          select set_config('skedchange.actor', 'person:' || u.username, true)
          from skedchange.sessions s join skedchange.users u on u.id = s.user_id
          where s.token_digest = ${tokenDigest}`.execute(trx);
        await sql`delete from skedchange.sessions where token_digest = ${tokenDigest}`.execute(trx);
      }),

    async listSessions(userId, current, { at, idleSince }) {
      const { rows } = await sql<SessionOfUser>`
        select ${columnsOf(sessionOfUser, "s", { startedAt: sql`s.created_at`, current: sql`s.token_digest = ${current}` })}
        from skedchange.sessions s
        where s.user_id = ${userId} and s.ends_at > ${at} and s.last_used_at > ${idleSince}
        order by s.last_used_at desc, s.id desc`.execute(connection);
      return rows;
    },

    endSessions: ({ userId, sessionId, except }, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        const ended = await sql`
          delete from skedchange.sessions
          where user_id = ${userId} and (${sessionId}::uuid is null or id = ${sessionId}::uuid)
            and (${except}::bytea is null or token_digest <> ${except}::bytea)`.execute(trx);
        return ended.rowCount;
      }),

    changeOwnPassword: (change) => inTransaction(database, (trx) => changeOwnPassword(trx, change)),

    createToken: (token) =>
      inTransaction(database, async (trx) => {
        // The user's row lock prevents two concurrent tokens from both being the last one allowed.
        const { rows: usable } = await sql<{ count: number }>`
          select (select count(*) from skedchange.api_tokens t
            where t.user_id = u.id and t.revoked_at is null and t.expires_at > ${token.at}) as count
          from skedchange.users u where u.id = ${token.userId} and u.disabled_at is null for update`.execute(trx);
        if (usable[0] === undefined || usable[0].count >= token.tokensMax) return null;
        await nameUserAsActor(trx, token.userId);
        await sql`
          insert into skedchange.api_tokens (id, token_digest, user_id, name, role, read_only, created_at, expires_at)
          values (${token.id}, ${token.tokenDigest}, ${token.userId}, ${token.name}, ${token.role}, ${token.readOnly},
            ${token.at}, ${token.expiresAt})`.execute(trx);
        const { rows } = await sql<ApiToken>`${selectTokens} where t.id = ${token.id}`.execute(trx);
        return rows[0]!;
      }),

    async listTokens(userId) {
      // Deletes revoked ones first, so that creating and revoking many can't hide a valid token.
      const { rows } = await sql<ApiToken>`
        select * from (
          ${selectTokens} where ${userId}::uuid is null or t.user_id = ${userId}::uuid
          order by t.revoked_at is not null, t.created_at desc, t.id desc limit ${listedTokensMax}
        ) listed order by "createdAt" desc, id desc`.execute(connection);
      return rows;
    },

    async useToken(tokenDigest, { at, noteUseBefore, confirmedSince }) {
      const { rows } = await sql<User & { tokenId: string; tokenRole: ApiToken["role"]; readOnly: boolean }>`
        with usable as (
          select id, user_id, role, read_only from skedchange.api_tokens
          where token_digest = ${tokenDigest} and revoked_at is null and expires_at > ${at}
        ), noted as (
          update skedchange.api_tokens t set last_used_at = ${at}
          from usable where t.id = usable.id and (t.last_used_at is null or t.last_used_at < ${noteUseBefore})
        )
        select ${userColumns}, usable.id as "tokenId", usable.role as "tokenRole", usable.read_only as "readOnly"
        from usable join skedchange.users u on u.id = usable.user_id
        where u.disabled_at is null and ${isAdmitted}
          and (u.issuer is null or u.confirmed_at > ${confirmedSince})`.execute(connection);
      const found = rows[0];
      if (found === undefined) return null;
      const { tokenId, tokenRole, readOnly, ...user } = found;
      return { user, role: tokenRole, readOnly, tokenId };
    },

    revokeToken: (tokenId, userId, at, by) =>
      inTransaction(database, async (trx) => {
        if (by !== undefined) await nameActor(trx, by);
        const revoked = await sql`
          update skedchange.api_tokens set revoked_at = coalesce(revoked_at, ${at})
          where id = ${tokenId} and (${userId}::uuid is null or user_id = ${userId}::uuid)`.execute(trx);
        return revoked.rowCount === 1;
      }),

    sweep: ({ at, idleSince, countedBefore, succeededBefore, factorsBegunBefore }) =>
      inTransaction(database, async (trx) => {
        const sessions = await sql`
          delete from skedchange.sessions where ends_at <= ${at} or last_used_at <= ${idleSince}`.execute(trx);
        const failures = await sql`
          delete from skedchange.sign_in_failures where counted_at < ${countedBefore}
            and (succeeded_at is null or succeeded_at < ${succeededBefore})`.execute(trx);
        const factors = await sql`
          delete from skedchange.second_factors where proven_at is null and begun_at < ${factorsBegunBefore}`.execute(
          trx,
        );
        return sessions.rowCount + failures.rowCount + factors.rowCount;
      }),
  };
}

const hasFactor = sql`exists (
  select from skedchange.second_factors f where f.user_id = u.id and f.proven_at is not null)`;

const userColumns = columnsOf(user, "u", {
  sources: visibleSourcesOf,
  disabled: sql`u.disabled_at is not null`,
  hasSecondFactor: hasFactor,
  secondFactorNeeded: sql`u.issuer is null and not ${hasFactor} and exists (
    select from skedchange.second_factor_roles r where r.role = u.role)`,
});

const selectTokens = sql`select ${columnsOf(apiToken, "t", { username: sql`u.username` })}
  from skedchange.api_tokens t join skedchange.users u on u.id = t.user_id`;

async function changeUser(
  trx: Connection,
  userId: string,
  change: UserChange,
  at: Date,
): Promise<User | "identity-taken" | null> {
  const assignments: Sql[] = [sql`updated_at = ${at}`];
  if (change.displayName !== undefined) assignments.push(sql`display_name = ${change.displayName}`);
  if (change.role !== undefined) assignments.push(sql`role = ${change.role}`);
  if (change.sources !== undefined) assignments.push(sql`sources = ${change.sources}::text[]`);
  if (change.password !== undefined) {
    const { hash, proof, changeNeeded } = change.password;
    assignments.push(
      sql`password_hash = ${hash}`,
      sql`password_proof = ${proof}`,
      sql`password_change_needed = ${changeNeeded}`,
    );
  }
  if (change.identity !== undefined) {
    const { issuer, subject } = change.identity;
    const { rows } = await sql`
      select from skedchange.users where issuer = ${issuer} and subject = ${subject} and id <> ${userId}`.execute(trx);
    if (rows.length > 0) return "identity-taken";
    await lockUser(trx, userId);
    await deleteFactor(trx, userId);
    assignments.push(
      sql`issuer = ${issuer}`,
      sql`subject = ${subject}`,
      sql`password_hash = null`,
      sql`password_proof = null`,
      sql`password_change_needed = false`,
    );
  }
  if (change.disabled === true) assignments.push(sql`disabled_at = coalesce(disabled_at, ${at})`);
  if (change.disabled === false) assignments.push(sql`disabled_at = null`);
  const { rows } = await sql<User>`
    update skedchange.users u set ${sql.join(assignments)} where u.id = ${userId}
    returning ${userColumns}`.execute(trx);
  const changed = rows[0];
  if (changed === undefined) return null;
  // After the update, whose row lock sign-ins wait for, so none can start with the old password in between.
  if (change.disabled === true || change.password !== undefined || change.identity !== undefined) {
    await sql`delete from skedchange.sessions where user_id = ${userId}`.execute(trx);
  }
  if (change.revokeTokens === true) await revokeTokensOf(trx, userId, at);
  return changed;
}

async function revokeTokensOf(trx: Connection, userId: string, at: Date): Promise<void> {
  await sql`
    update skedchange.api_tokens set revoked_at = ${at}
    where user_id = ${userId} and revoked_at is null and expires_at > ${at}`.execute(trx);
}

async function startPasswordSession(trx: Connection, session: PasswordSession): Promise<User | "code-used" | null> {
  const { userId, at, counted, newDevice } = session;
  await lockUser(trx, userId);
  const { rows } = await sql<User>`
    update skedchange.users u set last_sign_in_at = ${at}, password_proof = ${session.passwordProof}
    where u.id = ${userId} and u.disabled_at is null and u.password_hash = ${session.passwordHash}
    returning ${userColumns}`.execute(trx);
  const user = rows[0];
  if (user === undefined) return null;
  // The code was used meanwhile, or the factor was added or removed.
  const isUsed = session.factor === null ? user.hasSecondFactor : !(await useFactor(trx, userId, session.factor));
  if (isUsed) return "code-used";
  await nameUserAsActor(trx, userId);
  await recordSuccess(trx, counted, at);
  if (newDevice !== null) {
    await sql`
      insert into skedchange.sign_in_failures (subject_digest, failures, counted_at, succeeded_at)
      values (${newDevice}, 0, ${at}, ${at})`.execute(trx);
  }
  await insertSession(trx, userId, session);
  return user;
}

async function startProviderSession(trx: Connection, session: ProviderSession): Promise<ProviderSessionOutcome> {
  const { identity, at, displayName, role, sources } = session;
  const stored = await lockIdentity(trx, identity);
  const created = stored === null ? await createProviderUser(trx, session) : null;
  // Somebody else may have taken the name, or the same person signs in twice at once.
  const existing = stored ?? (created === "username-taken" ? await lockIdentity(trx, identity) : null);
  if (typeof created === "string" && existing === null) return { outcome: created };
  if (existing?.disabled === true) return { outcome: "disabled", userId: existing.id };
  const { id: userId } = existing ?? (created as User);
  const { rows } = await sql<User>`
    update skedchange.users u
    set role = ${role}, sources = ${sources === undefined ? sql`u.sources` : sql`${sources}::text[]`},
      display_name = ${displayName}, last_sign_in_at = ${at}, confirmed_at = ${at}, updated_at = ${at}
    where u.id = ${userId} returning ${userColumns}`.execute(trx);
  await nameUserAsActor(trx, userId);
  await insertSession(trx, userId, session);
  return { outcome: "signed-in", user: rows[0]!, before: existing };
}

async function lockIdentity(trx: Connection, { issuer, subject }: ProviderIdentity): Promise<User | null> {
  const { rows } = await sql<User>`
    select ${userColumns} from skedchange.users u
    where u.issuer = ${issuer} and u.subject = ${subject} for update`.execute(trx);
  return rows[0] ?? null;
}

async function createProviderUser(
  trx: Connection,
  session: ProviderSession,
): Promise<User | "username-taken" | "too-many-users"> {
  const { identity, userId, username, displayName, role, sources, at, usersMax } = session;
  // Where accounts are limited, one that nobody has thought of yet must not see everything.
  const usualSources = sql`case when exists (select from skedchange.users where sources is not null) then '{}'::text[] end`;
  if (await isFull(trx, usersMax)) return "too-many-users";
  const { rows } = await sql<User>`
    insert into skedchange.users as u
      (id, username, display_name, role, sources, issuer, subject, created_at, updated_at)
    values (${userId}, ${username}, ${displayName}, ${role},
      ${sources === undefined ? usualSources : sql`${sources}::text[]`}, ${identity.issuer}, ${identity.subject}, ${at}, ${at})
    on conflict do nothing
    returning ${userColumns}`.execute(trx);
  return rows[0] ?? "username-taken";
}

async function isFull(trx: Connection, usersMax: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*) from skedchange.users`.execute(trx);
  return rows[0]!.count >= usersMax;
}

async function insertSession(trx: Connection, userId: string, session: NewSession): Promise<void> {
  const { at } = session;
  if (session.replaces !== null) {
    await sql`delete from skedchange.sessions where token_digest = ${session.replaces}`.execute(trx);
  }
  await sql`
    delete from skedchange.sessions where id in (
      select id from skedchange.sessions where user_id = ${userId}
      order by created_at desc, id desc offset ${session.sessionsMax - 1}
    )`.execute(trx);
  await sql`
    insert into skedchange.sessions (id, token_digest, user_id, created_at, last_used_at, ends_at, address, browser)
    values (${session.id}, ${session.tokenDigest}, ${userId}, ${at}, ${at}, ${session.endsAt}, ${session.address},
      ${session.browser})`.execute(trx);
}

async function changeOwnPassword(trx: Connection, change: OwnPasswordChange): Promise<boolean> {
  const { userId, at } = change;
  await nameUserAsActor(trx, userId);
  const changed = await sql`
    update skedchange.users 
    set password_hash = ${change.password.hash}, password_proof = ${change.password.proof}, password_change_needed = false, updated_at = ${at}
    where id = ${userId} and disabled_at is null and password_hash = ${change.replaces}`.execute(trx);
  if (changed.rowCount !== 1) return false;
  await recordSuccess(trx, change.counted, at);
  await sql`
    delete from skedchange.sessions where user_id = ${userId} and token_digest <> ${change.session}`.execute(trx);
  if (change.revokeTokens) await revokeTokensOf(trx, userId, at);
  return true;
}

const attemptSubjects = ["device", "username", "address"] as const;

async function lockAttempt(
  trx: Connection,
  subjects: AttemptSubjects,
  at: Date,
): Promise<{ readonly counts: AttemptCounts; readonly deviceSucceededAt: Date | null }> {
  const digests = attemptSubjects.map((subject) => subjects[subject]);
  return readCounts(await lockCounts(trx, digests, at), subjects);
}

function readCounts(
  rows: readonly StoredCount[],
  subjects: AttemptSubjects,
): { readonly counts: AttemptCounts; readonly deviceSucceededAt: Date | null } {
  const rowOf = (subject: Buffer) => rows.find(({ digest }) => digest.equals(subject));
  const countOf = (subject: Buffer): FailureCount | null => {
    const row = rowOf(subject);
    return row === undefined
      ? null
      : { failures: row.failures, countedAt: row.countedAt, lockedUntil: row.lockedUntil };
  };
  return {
    counts: {
      device: countOf(subjects.device),
      username: countOf(subjects.username),
      address: countOf(subjects.address),
    },
    deviceSucceededAt: rowOf(subjects.device)?.succeededAt ?? null,
  };
}

/**
 * Resets the failures of the device. Of the name and the address only this attempt and its own lock are undone, or the
 * owner of one account could go on guessing others. Rows stay for the sweep, because `lockCounts` would count nothing on
 * a deleted row. Locks in the order of `lockCounts`.
 */
async function recordSuccess(trx: Connection, { subjects, counts }: CountedAttempt, at: Date): Promise<void> {
  await lockSubjects(trx, subjects);
  await sql`
    update skedchange.sign_in_failures set failures = 0, locked_until = null, succeeded_at = ${at}
    where subject_digest = ${subjects.device}`.execute(trx);
  for (const subject of ["username", "address"] as const) await takeBack(trx, subjects[subject], counts[subject]);
}

async function lockSubjects(trx: Connection, subjects: AttemptSubjects): Promise<void> {
  const digests = attemptSubjects.map((subject) => subjects[subject]);
  await sql`
    select from skedchange.sign_in_failures where subject_digest in (${sql.join(digests)})
    order by subject_digest for update`.execute(trx);
}
