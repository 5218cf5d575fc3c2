import { runMigrations, SchemaVersionMismatchError } from "bullmq";
import pg from "pg";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";
import { storeErrors } from "./error-codes.ts";
import { grantToService } from "./grant-service.ts";
import { ensurePartitionsOn } from "./partitions.ts";
import { type AppliedMigration, selectPending } from "./pending-migrations.ts";
import { grantToRoles, serviceRole } from "./role-rights.ts";
import { type Migration, readSchemaFiles, type SchemaFiles } from "./schema-files.ts";
import { sql } from "./sql.ts";
import { isLackingRight, isUndefinedRelation, lacksRights, withConflictRetries } from "./sql-states.ts";

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
 * Creates or migrates our tables, BullMQ's and the service role's rights, and creates the next partitions. One
 * transaction for a new schema, and one per migration. A concurrent call waits and finds nothing to do.
 * @throws `store.schema_newer`, `store.schema_too_old`, `store.schema_unreleased`, `store.migration_edited`,
 * `store.migration_failed`, `store.owner_lacks_rights`
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const logger = options.logger ?? (() => {});
  const files = await readSchemaFiles(options.folder ?? ownFolder);
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: "skedchange migrate" });
  // A broken connection also fails the statement that runs, or the next one. Without a listener it would end the process.
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
    if (!isUndefinedRelation(error)) throw error;
    applied = [];
  }
  const [first, ...more] = selectPending(files, applied);
  if (first === undefined) return;
  const pending = more.length === 0 ? first.name : `${first.name} and ${more.length} after it`;
  const lacking = applied.length === 0 ? "has no tables yet" : `lacks migration ${pending}`;
  throw new AppError(storeErrors.schemaOlder, `The database ${lacking}. Run \`npx skedchange migrate\`.`);
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

/**
 * Releases from before the first migration would find none of their migrations and create their tables again, so they are
 * refused.
 */
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
