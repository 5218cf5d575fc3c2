import { randomBytes } from "node:crypto";
import pg from "pg";
import type { EncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { type Database, openDatabase } from "../../src/store/database/database.ts";
import { urlFor } from "../../src/store/embedded-postgres/own-database.ts";
import { eventually } from "./eventually.ts";
import { adminUrlVariable, templateName } from "./test-server-address.ts";

/** A migrated, empty database of one test file. */
export interface TestDatabase {
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  /** The superuser on this database, for what neither role may do. */
  readonly adminUrl: string;
  /** As the service role: what the code under test gets. */
  readonly database: Database;
  /** As the owner: for arranging and looking at what the service role may not. */
  readonly ownerDatabase: Database;
  /** Removes it. Rejects, naming them, when connections that the tests made are still open after that time. */
  drop(patienceMs?: number): Promise<void>;
}

/** Copies the template, in a few tens of milliseconds. Call it in `beforeAll` and `drop` in `afterAll`. */
export function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return createFrom(templateName, options);
}

/** A database with nothing in it, for tests of the migrations themselves. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom("template0", {});
}

export interface TestDatabaseOptions {
  /** With which `database` encrypts. None: it does not, so that tests can look at what is stored. */
  readonly encryptionKeys?: readonly EncryptionKey[];
}

async function createFrom(template: string, { encryptionKeys = [] }: TestDatabaseOptions): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await asAdmin((admin) => admin.query(`create database ${name} template ${template} owner skedchange_owner`));
  const ownerUrl = urlFor(testServerUrl(), "skedchange_owner", name);
  const serviceUrl = urlFor(testServerUrl(), "skedchange_app", name);
  const database = open(serviceUrl, "test service", encryptionKeys);
  const ownerDatabase = open(ownerUrl, "test owner", []);
  return {
    ownerUrl,
    serviceUrl,
    adminUrl: urlFor(testServerUrl(), "postgres", name),
    database,
    ownerDatabase,
    async drop(patienceMs = 15_000) {
      await Promise.all([database.close(), ownerDatabase.close()]);
      await asAdmin(async (admin) => {
        try {
          await eventually(() => assertNobodyIsConnected(admin, name), { timeoutMs: patienceMs });
        } finally {
          await admin.query(`drop database ${name} with (force)`);
        }
      });
    },
  };
}

/** The superuser on the server of this run. */
export function testServerUrl(): string {
  const url = process.env[adminUrlVariable];
  if (url === undefined) throw new Error(`${adminUrlVariable} is not set: run the tests by npm test.`);
  return url;
}

function open(url: string, applicationName: string, encryptionKeys: readonly EncryptionKey[]): Database {
  return openDatabase({
    url,
    applicationName,
    encryptionKeys,
    maxConnections: 8,
    onError: (error) => console.error(`${applicationName}: ${String(error)}`),
  });
}

async function asAdmin<T>(use: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: testServerUrl() });
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}

async function assertNobodyIsConnected(admin: pg.Client, name: string): Promise<void> {
  const { rows } = await admin.query<{ application_name: string; query: string }>(
    "select application_name, query from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
    [name],
  );
  if (rows.length === 0) return;
  const list = rows.map((row) => `${row.application_name || "unnamed"}, last statement: ${row.query.slice(0, 120)}`);
  throw new Error(`The tests left ${rows.length} connections open:\n${list.join("\n")}`);
}
