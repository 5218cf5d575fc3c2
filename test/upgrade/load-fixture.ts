import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { systemClock } from "../../src/kernel/clock.ts";
import { ensurePartitionsOn } from "../../src/store/database/partitions.ts";
import type { TestDatabase } from "../harness/database.ts";
import { type Row, readRows } from "./rows.ts";

/** What is known of the installation that a fixture was taken from, beside its rows: `installation.json`. */
export interface Installation {
  readonly commit: string;
  /** The moment that is now when the fixture is loaded. */
  readonly takenAt: string;
  /** As in ENCRYPTION_KEYS. */
  readonly encryptionKeys: string;
  readonly tokens: { readonly api: string; readonly ocn: string; readonly access: string; readonly control: string };
  readonly secondPersonAbove: string;
  readonly people: Readonly<Record<"ana" | "bruno" | "chloe", { readonly password: string; readonly token: string }>>;
  /** Versions by their role. */
  readonly policies: { readonly active: string; readonly shadow: string };
  /** Where it sent things to. */
  readonly addresses: { readonly eventRecipient: string; readonly receiver: string };
  /** With which events are signed. */
  readonly signingSecret: string;
}

export interface LoadedFixture extends Installation {
  /** Rows of a table as they were loaded, in the columns of that time. */
  rowsOf(table: string): readonly Row[];
}

/** Of the last release. */
export const lastReleaseFixture = new URL("fixture-0.3.0/", import.meta.url);

/**
 * Loads a fixture into an empty database, at the schema of its time, as if it had been taken just now.
 *
 * @param addresses where recipients are now.
 */
export async function loadFixture(
  folder: URL,
  database: TestDatabase,
  addresses: Installation["addresses"],
): Promise<LoadedFixture> {
  const installation = JSON.parse(await readFile(new URL("installation.json", folder), "utf8")) as Installation;
  await makeTables(folder, database);
  const shift = createShift(Date.now() - Date.parse(installation.takenAt));
  const rows = new Map<string, readonly Row[]>();
  await asSuperuser(database, async (client) => {
    // History is not inserted but replicated: no trigger and no foreign key looks at it.
    await client.query("begin; set local session_replication_role = replica");
    for (const file of await readdir(folder)) {
      if (!file.endsWith(".jsonl")) continue;
      const table = file.slice(0, -".jsonl".length);
      let json = JSON.stringify(readRows(await readFile(new URL(file, folder), "utf8")));
      for (const [name, address] of Object.entries(installation.addresses)) {
        json = json.replaceAll(address, addresses[name as keyof typeof addresses]);
      }
      json = shift(json);
      rows.set(table, JSON.parse(json) as Row[]);
      await client.query(`delete from ${table}`);
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [json],
      );
    }
    await client.query("commit");
    await continueSequences(client);
    await chainAudit(client);
    await client.query("analyze");
  });
  return { ...installation, rowsOf: (table) => rows.get(table) ?? [] };
}

/** Makes the tables as they were in the version of a fixture, with the rows that say which migrations were applied. */
export async function makeTables(folder: URL, { ownerUrl }: TestDatabase): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query(await readFile(new URL("schema.sql", folder), "utf8"));
    await owner.query(
      "insert into skedchange.schema_migrations select * from json_populate_recordset(null::skedchange.schema_migrations, $1)",
      [JSON.stringify(readRows(await readFile(new URL("skedchange.schema_migrations.jsonl", folder), "utf8")))],
    );
    await ensurePartitionsOn(owner, systemClock);
  } finally {
    await owner.end();
  }
}

/** Flights leave in 2035, and so does what is counted back from a departure; everything else happened, or is to happen, around when the fixture was taken. */
const flightsFrom = "2030";

/** Moves instants in rows, whether in a column or inside of JSON. Local times of flights are none and stay. */
function createShift(byMs: number): (text: string) => string {
  const seconds = Math.floor(byMs / 1_000);
  return (text) =>
    text.replaceAll(
      /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|\+00:00)"/g,
      (whole, second: string, fraction = "", zone: string) => {
        if (second >= flightsFrom) return whole;
        const moved = new Date(Date.parse(`${second}Z`) + seconds * 1_000).toISOString().slice(0, 19);
        return `"${moved}${fraction}${zone}"`;
      },
    );
}

async function continueSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select a.attrelid::regclass::text as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attidentity <> '' and c.relnamespace in ('skedchange'::regnamespace, 'gateway'::regnamespace)`);
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table} having max(${column}) > 0`,
    );
  }
}

/**
 * Chains the audit anew, by the schema's own function: hashes cover instants, and these have been moved. From here on
 * the chain holds what is in the database before anything is upgraded.
 */
async function chainAudit(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    update skedchange.audit_entries e
      set detail_digest = sha256(convert_to(skedchange.audited_text(v.detail::text), 'UTF8'))
      from skedchange.case_events v where v.id = e.case_event_id;
    set session_replication_role = origin;
    insert into skedchange.audit_unsealed select id from skedchange.audit_entries on conflict do nothing`);
  await client.query("select skedchange.seal_audit_entries(10000)");
}

async function asSuperuser(database: TestDatabase, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
