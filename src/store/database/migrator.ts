import { runMigrations, SchemaVersionMismatchError } from "bullmq";
import pg from "pg";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";
import { storeErrors } from "./error-codes.ts";
import { ensurePartitionsOn } from "./partitions.ts";
import { databaseRoleOf, grantToRoles, rightsOfRoles, serviceRole } from "./role-rights.ts";
import { type LastRelease, type Migration, readSchemaFiles, type SchemaFiles } from "./schema-files.ts";
import { sql } from "./sql.ts";
import { isLackingRight, withConflictRetries } from "./sql-states.ts";

export interface MigrateOptions {
  /** Needs a direct connection or a session pool, because the migration lock belongs to the session. */
  readonly ownerUrl: string;
  /** The role that processes connect as, if not the owner. It becomes a member of `skedchange_service`. */
  readonly serviceUser?: string;
  readonly logger?: (line: string) => void;
  readonly clock?: Clock;
  /** With the `schema` and the `migrations` of another version. */
  readonly folder?: URL;
}

export interface MigrateResult {
  /** The migrations that the database lacked. A new one has got them with its schema. */
  readonly applied: readonly string[];
  readonly version: number;
}

const schemas = ["skedchange", "gateway", "bullmq"] as const;

const ownFolder = new URL("../", import.meta.url);

/** Serialises migrations. Any number not used by another session lock: "migr" in ASCII. */
const lockKey = 0x6d_69_67_72;

/**
 * Makes or migrates our tables, BullMQ's and the service role's rights, and creates the next partitions. One transaction for
 * a new schema, and one per migration. A concurrent call waits and finds nothing to do.
 * @throws `store.schema_newer`, `store.schema_too_old`, `store.schema_unreleased`, `store.migration_edited`,
 * `store.migration_failed`, `store.owner_lacks_rights`
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const logger = options.logger ?? (() => {});
  const files = await readSchemaFiles(options.folder ?? ownFolder);
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: "skedchange migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    await lockOrWait(client, logger);
    await createSchemas(client);
    const applied = await readApplied(client);
    const pending = selectPending(files, applied);
    for (const step of applied.length === 0 ? [newSchema(files)] : pending.map(stepOf)) {
      await apply(client, step);
      logger(step.done);
    }
    await migrateQueue(client);
    await grantToService(client, options.serviceUser);
    for (const role of await grantToRoles(client)) {
      logger(`the owner may not create ${role}, for logins of single processes: see deploy/postgres/create-roles.sh`);
    }
    await ensurePartitionsOn(client, options.clock ?? systemClock);
    return { applied: pending.map(({ name }) => name), version: files.migrations.at(-1)!.version };
  } finally {
    await client.end();
  }
}

/**
 * For processes that do not migrate.
 * @throws `store.schema_newer`, `store.schema_older`, `store.schema_too_old`, `store.schema_unreleased`, `store.migration_edited`
 */
export async function assertSchemaIsCurrent(database: Database, folder: URL = ownFolder): Promise<void> {
  const files = await readSchemaFiles(folder);
  let applied: AppliedMigration[];
  try {
    applied = (await sql.raw<AppliedMigration>(selectApplied).execute(database.connection)).rows;
  } catch (error) {
    const undefinedTable = "42P01";
    const undefinedSchema = "3F000";
    if (codeOf(error) !== undefinedTable && codeOf(error) !== undefinedSchema) throw error;
    applied = [];
  }
  const [first, ...more] = selectPending(files, applied);
  if (first === undefined) return;
  const pending = more.length === 0 ? first.name : `${first.name} and ${more.length} after it`;
  const lacking = applied.length === 0 ? "has no tables yet" : `lacks migration ${pending}`;
  throw new AppError(storeErrors.schemaOlder, `The database ${lacking}. Run \`npx skedchange migrate\`.`);
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly oldest_program: number | null;
}

/** Databases that are too old for us may lack the column. */
const selectApplied = `
  select version, name, checksum, (to_jsonb(m) ->> 'oldest_program')::integer as oldest_program
    from skedchange.schema_migrations m order by version`;

async function lockOrWait(client: pg.Client, logger: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockKey]);
  if (rows[0]?.taken) return;
  logger("another process is migrating this database; waiting for it");
  await client.query("select pg_advisory_lock($1)", [lockKey]);
}

async function createSchemas(client: pg.Client): Promise<void> {
  for (const schema of schemas) {
    // Checked first, because `if not exists` needs the right to create schemas even if the schema exists.
    const { rows } = await client.query<{ there: boolean }>("select to_regnamespace($1) is not null as there", [
      schema,
    ]);
    if (rows[0]?.there) continue;
    await client.query(`create schema ${schema}`).catch((cause: unknown) => {
      throw lacksRights(`create the schema ${schema}`, "grant create on database … to <owner>", cause);
    });
  }
  await client.query(`
    create table if not exists skedchange.schema_migrations (
      version integer not null constraint schema_migrations_pkey primary key,
      name text not null,
      -- SHA-256 of the file, so that an edit after the fact is noticed.
      checksum text not null,
      applied_at timestamptz not null default now(),
      -- The newest migration of the oldest program that runs on the schema from here on. Null: only those that have this one.
      oldest_program integer
    )`);
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  return (await client.query<AppliedMigration>(selectApplied)).rows;
}

/** Returns the pending migrations. Refuses a database whose history differs from ours, or that we cannot take over. */
function selectPending({ migrations, lastRelease }: SchemaFiles, applied: readonly AppliedMigration[]): Migration[] {
  if (applied.length === 0) return [...migrations];
  const [first, newest] = [migrations[0]!.version, migrations.at(-1)!.version];
  const tooNew = applied.find((row) => row.version > newest && (row.oldest_program ?? row.version) > newest);
  if (tooNew) {
    throw new AppError(
      storeErrors.schemaNewer,
      `The database is at migration ${applied.at(-1)?.name}. Since ${tooNew.name} only a Skedchange that has migration ` +
        `${tooNew.oldest_program ?? tooNew.version} or a later one runs on it, and this one has migrations up to ${newest}. ` +
        "Upgrade Skedchange; the schema is never taken back.",
    );
  }
  const known = applied.filter(({ version }) => version >= first && version <= newest);
  for (const [index, row] of known.entries()) {
    const file = migrations[index];
    if (file?.version !== row.version || file.checksum !== row.checksum) throw edited(row);
  }
  if (known.length === 0) assertComesFrom(lastRelease, applied.filter(({ version }) => version < first).at(-1));
  return migrations.slice(known.length);
}

function assertComesFrom(lastRelease: LastRelease, newest: AppliedMigration | undefined): void {
  const { release } = lastRelease;
  if (newest === undefined || newest.version < lastRelease.version) {
    throw new AppError(
      storeErrors.schemaTooOld,
      `The database is at migration ${newest?.name}, which is older than Skedchange ${release}. ` +
        `Upgrade it to ${release} first, then to this version.`,
    );
  }
  if (newest.version > lastRelease.version) {
    throw new AppError(
      storeErrors.schemaUnreleased,
      `The database is at migration ${newest.name}, which no release has: a version between releases made it. ` +
        `Go on with a copy from ${release}, or with a new database.`,
    );
  }
  if (newest.checksum !== lastRelease.checksum) throw edited(newest);
}

function edited(row: AppliedMigration): AppError {
  return new AppError(
    storeErrors.migrationEdited,
    `Migration ${row.name} was applied to this database and has been changed, removed, or preceded by a new one since. ` +
      "Restore its file and write the change as a new migration with the next number.",
  );
}

/** What is done in one transaction. */
interface Step {
  readonly name: string;
  readonly text: string;
  /** The migrations that the database has after it, each with the oldest program that runs on it then. */
  readonly migrations: readonly Migration[];
  readonly done: string;
}

function stepOf(migration: Migration): Step {
  const { name, text } = migration;
  return { name: `Migration ${name}`, text, migrations: [migration], done: `applied migration ${name}` };
}

/** Programs from before the first migration find none of their own migrations in a new database, and would make their tables. */
function newSchema({ schema, migrations }: SchemaFiles): Step {
  const first = migrations[0]!.version;
  return {
    name: "The new schema",
    text: schema,
    migrations: migrations.map((each) => ({ ...each, oldestProgram: Math.max(each.oldestProgram, first) })),
    done: "made the tables of a new database",
  };
}

/** Again after a deadlock: running processes may lock the same tables in another order than the migration. */
async function apply(client: pg.Client, step: Step): Promise<void> {
  try {
    await withConflictRetries(() => applyOnce(client, step));
  } catch (cause) {
    if (isLackingRight(cause) && /create role/i.test(messageOf(cause))) {
      throw lacksRights(`create the role ${serviceRole}`, `create role ${serviceRole} nologin`, cause);
    }
    throw new AppError(
      storeErrors.migrationFailed,
      `${step.name} failed and was rolled back: ${messageOf(cause)} (${codeOf(cause)}).`,
      { cause },
    );
  }
}

async function applyOnce(client: pg.Client, { text, migrations }: Step): Promise<void> {
  await client.query("begin");
  try {
    await client.query(text);
    for (const { version, name, checksum, oldestProgram } of migrations) {
      await client.query(
        "insert into skedchange.schema_migrations (version, name, checksum, oldest_program) values ($1, $2, $3, $4)",
        [version, name, checksum, oldestProgram],
      );
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function migrateQueue(client: pg.Client): Promise<void> {
  try {
    await runMigrations(client, "bullmq");
  } catch (cause) {
    if (!(cause instanceof SchemaVersionMismatchError)) throw cause;
    throw new AppError(storeErrors.schemaNewer, `${cause.message} Upgrade Skedchange.`, { cause });
  }
}

/** BullMQ creates a sequence per queue with its first job, so the role may create in its schema, and in no other. */
async function grantToService(client: pg.Client, serviceUser: string | undefined): Promise<void> {
  const { rows } = await client.query<{ database: string; may_temporary: boolean }>(
    `select current_database() as database,
            has_database_privilege($1, current_database(), 'temporary') as may_temporary`,
    [serviceRole],
  );
  const { database, may_temporary: mayTemporary } = rows[0]!;
  await client.query(`
    grant usage, create on schema bullmq to ${serviceRole};
    grant select, insert, update, delete on all tables in schema bullmq to ${serviceRole};
    grant usage, select, update on all sequences in schema bullmq to ${serviceRole};
    grant execute on all functions in schema bullmq to ${serviceRole};
    alter default privileges in schema bullmq grant select, insert, update, delete on tables to ${serviceRole};
    alter default privileges in schema bullmq grant usage, select, update on sequences to ${serviceRole};
    alter default privileges in schema bullmq grant execute on functions to ${serviceRole};
  `);
  // BullMQ's bulk inserts use temporary tables.
  if (!mayTemporary) {
    const grant = `grant temporary on database ${client.escapeIdentifier(database)} to ${serviceRole}`;
    await client.query(grant).catch((cause: unknown) => {
      throw lacksRights("let the service role make temporary tables", grant, cause);
    });
  }
  if (serviceUser !== undefined) await grantMembership(client, serviceUser);
}

async function grantMembership(client: pg.Client, serviceUser: string): Promise<void> {
  const { rows } = await client.query<{ is_owner: boolean; is_member: boolean | null }>(
    `select $1 = current_user as is_owner,
            (
              select bool_or(pg_has_role(u.oid, r.oid, 'usage'))
              from pg_roles u cross join pg_roles r where u.rolname = $1 and r.rolname = any($2)
            ) as is_member`,
    [serviceUser, [serviceRole, ...Object.keys(rightsOfRoles).map(databaseRoleOf)]],
  );
  const { is_owner: isOwner, is_member: isMember } = rows[0]!;
  if (isOwner || isMember) return;
  const grant = `grant ${serviceRole} to ${client.escapeIdentifier(serviceUser)}`;
  await client.query(grant).catch((cause: unknown) => {
    throw lacksRights(`make ${serviceUser} a member of ${serviceRole}`, grant, cause);
  });
}

function lacksRights(what: string, statement: string, cause: unknown): AppError {
  return new AppError(
    storeErrors.ownerLacksRights,
    `The owner role of the database may not ${what}: ${messageOf(cause)}. ` +
      `Let an administrator run \`${statement}\`, then start again; or set DATABASE_OWNER_URL to a role that owns the database and has CREATEROLE.`,
    { cause },
  );
}
