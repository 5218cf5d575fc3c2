import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { runMigrations, SchemaVersionMismatchError } from "bullmq";
import pg from "pg";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";
import { storeErrors } from "./error-codes.ts";
import { ensurePartitionsOn } from "./partitions.ts";
import { databaseRoleOf, grantToRoles, rightsOfRoles } from "./role-rights.ts";
import { sql } from "./sql.ts";
import { withConflictRetries } from "./sql-states.ts";

export interface MigrateOptions {
  /** Needs a direct connection or a session pool, because the migration lock belongs to the session. */
  readonly ownerUrl: string;
  /** The role that processes connect as, if not the owner. It becomes a member of `skedchange_service`. */
  readonly serviceUser?: string;
  readonly logger?: (line: string) => void;
  readonly clock?: Clock;
  readonly folder?: URL;
}

export interface MigrateResult {
  readonly applied: readonly string[];
  readonly version: number;
}

const schemas = ["skedchange", "gateway", "bullmq"] as const;

const serviceRole = "skedchange_service";

const ownFolder = new URL("../migrations/", import.meta.url);

/** Migrations from this number on say which older programs run on the schema that they leave. */
const statesProgramsFrom = 40;

/** Serialises migrations. Any number not used by another session lock: "migr" in ASCII. */
const lockKey = 0x6d_69_67_72;

/**
 * Migrates our tables, BullMQ's and the service role's rights, and creates the next partitions. One transaction per
 * migration. A concurrent call waits and finds nothing to do.
 * @throws `store.schema_newer`, `store.migration_edited`, `store.migration_failed`, `store.owner_lacks_rights`
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const logger = options.logger ?? (() => {});
  const files = await readMigrations(options.folder ?? ownFolder);
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: "skedchange migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    await lockOrWait(client, logger);
    await createSchemas(client);
    const pending = selectPending(files, await readApplied(client));
    for (const file of pending) {
      await apply(client, file);
      logger(`applied migration ${file.name}`);
    }
    await migrateQueue(client);
    await grantToService(client, options.serviceUser);
    for (const role of await grantToRoles(client)) {
      logger(`the owner may not create ${role}, for logins of single processes: see deploy/postgres/create-roles.sh`);
    }
    await ensurePartitionsOn(client, options.clock ?? systemClock);
    return { applied: pending.map((file) => file.name), version: files.at(-1)?.version ?? 0 };
  } finally {
    await client.end();
  }
}

/**
 * For processes that do not migrate.
 * @throws `store.schema_newer`, `store.schema_older`, `store.migration_edited`
 */
export async function assertSchemaIsCurrent(database: Database, folder: URL = ownFolder): Promise<void> {
  const files = await readMigrations(folder);
  let applied: AppliedMigration[];
  try {
    applied = (await sql.raw<AppliedMigration>(selectApplied).execute(database.connection)).rows;
  } catch (error) {
    const undefinedTable = "42P01";
    const undefinedSchema = "3F000";
    if (codeOf(error) !== undefinedTable && codeOf(error) !== undefinedSchema) throw error;
    applied = [];
  }
  const pending = selectPending(files, applied);
  if (pending.length > 0) {
    throw new AppError(
      storeErrors.schemaOlder,
      `The database lacks ${pending.length} of ${files.length} migrations, the first is ${pending[0]!.name}. Run \`npx skedchange migrate\`.`,
    );
  }
}

interface Migration {
  readonly version: number;
  /** Without the extension: `000001_init`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 (hex). */
  readonly checksum: string;
  /** The oldest program that runs on the schema after it, by the newest migration which that program has. Null: only those that have this one. */
  readonly oldestProgram: number | null;
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly oldest_program: number | null;
}

/** The column is missing until this version or a later one has migrated. */
const selectApplied = `
  select version, name, checksum, (to_jsonb(m) ->> 'oldest_program')::integer as oldest_program
    from skedchange.schema_migrations m order by version`;

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = await Promise.all(
    names.map(async (file) => {
      const version = Number(/^(\d{6})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
      if (Number.isNaN(version)) throw new Error(`${file} in ${folder.href} is not named like 000001_init.sql`);
      // A checkout with CRLF line ends is the same migration.
      const text = (await readFile(new URL(file, folder), "utf8")).replaceAll("\r\n", "\n");
      return {
        version,
        name: file.slice(0, -".sql".length),
        text,
        checksum: createHash("sha256").update(text).digest("hex"),
        oldestProgram: readOldestProgram(file, version, text),
      };
    }),
  );
  const twice = migrations.find((migration, index) => migration.version === migrations[index + 1]?.version);
  if (twice) throw new Error(`Two migrations have the number ${twice.version}: give one of them the next free number.`);
  return migrations;
}

function readOldestProgram(file: string, version: number, text: string): number | null {
  const stated = /^-- Oldest program: (\d{6})\n/.exec(text)?.[1];
  if (stated === undefined) {
    if (version < statesProgramsFrom) return null;
    throw new Error(`${file} must begin with a line like \`-- Oldest program: 000039\`: CONTRIBUTING.md says which.`);
  }
  if (Number(stated) <= version) return Number(stated);
  throw new Error(`${file} names migration ${stated} as its oldest program, which comes after itself.`);
}

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
    );
    alter table skedchange.schema_migrations add column if not exists oldest_program integer`);
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  return (await client.query<AppliedMigration>(selectApplied)).rows;
}

/** Returns the pending migrations. Refuses a database whose history differs from ours, or that is too new for us. */
function selectPending(files: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const newest = files.at(-1)?.version ?? 0;
  const tooNew = applied.find((row) => row.version > newest && (row.oldest_program ?? row.version) > newest);
  if (tooNew) {
    throw new AppError(
      storeErrors.schemaNewer,
      `The database is at migration ${applied.at(-1)?.name}. Since ${tooNew.name} only a Skedchange that has migration ` +
        `${tooNew.oldest_program ?? tooNew.version} or a later one runs on it, and this one has migrations up to ${newest}. ` +
        "Upgrade Skedchange; the schema is never taken back.",
    );
  }
  for (const [index, row] of applied.filter(({ version }) => version <= newest).entries()) {
    const file = files[index];
    if (file?.version === row.version && file.checksum === row.checksum) continue;
    throw new AppError(
      storeErrors.migrationEdited,
      `Migration ${row.name} was applied to this database and has been changed, removed, or preceded by a new one since. ` +
        "Restore its file and write the change as a new migration with the next number.",
    );
  }
  return files.slice(applied.length);
}

/** Again after a deadlock: running processes may lock the same tables in another order than the migration. */
async function apply(client: pg.Client, file: Migration): Promise<void> {
  try {
    await withConflictRetries(() => applyOnce(client, file));
  } catch (cause) {
    if (codeOf(cause) === insufficientPrivilege && /create role/i.test(messageOf(cause))) {
      throw lacksRights(`create the role ${serviceRole}`, `create role ${serviceRole} nologin`, cause);
    }
    throw new AppError(
      storeErrors.migrationFailed,
      `Migration ${file.name} failed and was rolled back: ${messageOf(cause)} (${codeOf(cause)}).`,
      { cause },
    );
  }
}

async function applyOnce(client: pg.Client, file: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(file.text);
    await client.query(
      "insert into skedchange.schema_migrations (version, name, checksum, oldest_program) values ($1, $2, $3, $4)",
      [file.version, file.name, file.checksum, file.oldestProgram],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

const insufficientPrivilege = "42501";

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
