import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import type { BenchDatabase } from "../database.ts";

/** How much a database is to hold. */
export interface Filling {
  /** At least as many as cases. */
  readonly notifications: number;
  readonly cases: number;
  readonly deliveries: number;
  /** The days before today over which all of it is spread. */
  readonly days: number;
  /** Of the cases: how many wait for an agent. */
  readonly openShare: number;
}

/** Orders of the database whose rows are copied: what the product itself has written about them. */
export interface TemplateOrders {
  readonly done: string;
  readonly waiting: string;
  readonly delivered: string;
}

const copiesAtOnce = 10_000;
const inParallel = 2;
const run = promisify(execFile);

/**
 * Copies the rows of the template orders until the database is as full as is wanted. A copy has ids, an order, digests and
 * times of its own; bodies of notifications are the template's, encrypted bytes as they are. Bodies of views and of deliveries
 * are cut to a few bytes: nothing reads them again, and they would be two thirds of the disk.
 *
 * Triggers and constraints are off meanwhile, since the rows were checked when the product wrote them, and so is what makes the
 * server durable.
 */
export async function fillDatabase(
  { adminUrl }: BenchDatabase,
  templates: TemplateOrders,
  filling: Filling,
  onProgress: (line: string) => void,
): Promise<void> {
  const { notifications, cases, deliveries, days } = filling;
  const clients = await Promise.all(Array.from({ length: inParallel }, () => connect(adminUrl)));
  const [first] = clients;
  const now = new Date();
  try {
    await changeServer(first!, hastySettings);
    await first!.query(
      "select skedchange.ensure_notification_partitions((now() - make_interval(days => $1))::date, $2)",
      [days, Math.ceil(days / 28) + 2],
    );
    const open = Math.round(cases * filling.openShare);
    // What waits for an agent came last.
    const parts: readonly Part[] = [
      {
        what: "cases that are done",
        copies: { from: 1, to: cases - open, of: cases },
        copy: caseCopies(templates.done),
      },
      {
        what: "cases that wait for an agent",
        copies: { from: cases - open + 1, to: cases, of: cases },
        copy: caseCopies(templates.waiting),
      },
      {
        what: "further notifications of the same cases",
        copies: { from: cases + 1, to: notifications, of: notifications },
        copy: furtherNotifications(templates.done, cases),
      },
      {
        what: "deliveries",
        copies: { from: 1, to: deliveries, of: deliveries },
        copy: deliveryCopies(templates.delivered),
      },
    ];
    for (const { what, copies, copy } of parts) {
      if (copies.to < copies.from) continue;
      const startedAt = performance.now();
      const statements = await Promise.all(clients.map((client) => prepareCopies(client, copy, days)));
      let next = copies.from;
      await Promise.all(
        clients.map(async (client, index) => {
          while (next <= copies.to) {
            const from = next;
            const to = Math.min(from + copiesAtOnce - 1, copies.to);
            next = to + 1;
            for (const statement of statements[index]!) await client.query(statement, [from, to, copies.of, now]);
          }
        }),
      );
      const seconds = Math.round((performance.now() - startedAt) / 1_000);
      onProgress(`filled: ${(copies.to - copies.from + 1).toLocaleString("en-GB")} ${what}, ${seconds} s`);
    }
    await first!.query(
      "select setval(pg_get_serial_sequence('gateway.deliveries', 'position'), (select max(position) from gateway.deliveries))",
    );
    await first!.query(chainCopies);
    await first!.query("vacuum (analyze)");
    await changeServer(first!, Object.fromEntries(Object.keys(hastySettings).map((name) => [name, null])));
    await first!.query("checkpoint");
    // What was written without fsync would otherwise be written while something is measured.
    await run("sync");
    const { rows } = await first!.query<{ gib: string }>(
      "select round(pg_database_size(current_database()) / 2 ^ 30::numeric, 1)::text as gib",
    );
    onProgress(`filled: ${rows[0]!.gib} GiB`);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const hastySettings: Readonly<Record<string, string | null>> = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_wal_size: "8GB",
  checkpoint_timeout: "1h",
};

async function changeServer(client: pg.Client, settings: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await client.query(value === null ? `alter system reset ${name}` : `alter system set ${name} = '${value}'`);
  }
  await client.query("select pg_reload_conf()");
}

async function connect(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query("set session_replication_role = replica");
  await client.query("set synchronous_commit = off");
  return client;
}

interface Part {
  readonly what: string;
  readonly copies: { readonly from: number; readonly to: number; readonly of: number };
  readonly copy: readonly TableCopy[];
}

/** Which rows of a table are copied, and the columns that are not copied by their type. `t` is the row, `n` the copy. */
interface TableCopy {
  readonly table: string;
  /** `t` are rows of the table. */
  readonly where: string;
  readonly columns?: Readonly<Record<string, string>>;
}

const shortBody = "'\\x00'::bytea";
const digestOf = (id: string): string => `sha256(convert_to(${movedId(id)}::text, 'UTF8'))`;

/** An id as the product makes them, which sort by their time, for each template id and copy. */
function movedId(column: string): string {
  const random = `right(t.${column}::text, 10)`;
  return `(at_hex || '-' || substr(${random}, 1, 4) || '-7' || substr(${random}, 5, 3) || '-8' || substr(${random}, 8, 3)
    || '-' || lpad(to_hex(n), 12, '0'))::uuid`;
}

/** Numbers behind those that are in the table, as many for each copy as the template has rows. */
const nextNumber = (place = "place"): string => "first_number + (n - 1) * rows_each + " + `t.${place}`;

/** Lines of timelines and entries of the audit have one row of numbers. */
const nextEntry = "nextval('skedchange.case_events_id_seq')";

function caseCopies(orderId: string): readonly TableCopy[] {
  const order = `t.source = 'default' and t.order_id = '${orderId}'`;
  const ofCase = `t.case_id = (select id from skedchange.cases where order_id = '${orderId}')`;
  const notification = `(select notification_id from skedchange.case_notifications t where ${ofCase} limit 1)`;
  return [
    { table: "skedchange.orders", where: order },
    { table: "skedchange.notifications", where: `t.id = ${notification}`, columns: { digest: digestOf("id") } },
    {
      table: "skedchange.notification_digests",
      where: `t.notification_id = ${notification}`,
      columns: { digest: digestOf("notification_id") },
    },
    // Times by which people must have decided stay ahead.
    { table: "skedchange.cases", where: order, columns: { due_by: "t.due_by", firm_due_by: "t.firm_due_by" } },
    { table: "skedchange.case_notifications", where: `${ofCase} and t.notification_id = ${notification}` },
    { table: "skedchange.case_events", where: ofCase, columns: { id: nextEntry } },
    { table: "skedchange.status_views", where: ofCase, columns: { body: shortBody } },
    { table: "skedchange.document_views", where: ofCase, columns: { body: shortBody } },
    { table: "skedchange.decisions", where: ofCase },
    { table: "skedchange.effects", where: ofCase },
    { table: "skedchange.tasks", where: ofCase, columns: { due_by: "t.due_by" } },
    { table: "skedchange.audit_entries", where: ofCase, columns: { id: nextEntry } },
  ];
}

/** Copy `n` belongs to the case of one of the first copies. */
function furtherNotifications(orderId: string, cases: number): readonly TableCopy[] {
  const ofCase = `t.case_id = (select id from skedchange.cases where order_id = '${orderId}')`;
  const notification = `(select notification_id from skedchange.case_notifications t where ${ofCase} limit 1)`;
  return [
    { table: "skedchange.notifications", where: `t.id = ${notification}`, columns: { digest: digestOf("id") } },
    {
      table: "skedchange.notification_digests",
      where: `t.notification_id = ${notification}`,
      columns: { digest: digestOf("notification_id") },
    },
    {
      table: "skedchange.case_notifications",
      where: `${ofCase} and t.notification_id = ${notification}`,
      columns: {
        case_id:
          "(select c.id from skedchange.cases c where c.source = 'default' and c.order_id = " +
          orderOf(`((n - 1) % ${cases} + 1)`) +
          ")",
      },
    },
  ];
}

function deliveryCopies(orderId: string): readonly TableCopy[] {
  const order = `t.order_id = '${orderId}'`;
  const createRecipient = { recipient_id: "t.recipient_id" };
  return [
    { table: "gateway.lanes", where: order, columns: createRecipient },
    {
      table: "gateway.ocn_bodies",
      where: order,
      columns: { body: shortBody, digest: digestOf("id"), publish_key: "t.publish_key || '/' || n" },
    },
    { table: "gateway.deliveries", where: order, columns: { ...createRecipient, position: nextNumber() } },
    {
      table: "gateway.attempts",
      where: `t.delivery_id in (select t.id from gateway.deliveries t where ${order})`,
    },
  ];
}

/** Blocks of the usual size, so that no process begins to chain what was copied. Nobody verifies them. */
const chainCopies = `
  with last as (select * from skedchange.audit_progress),
  added as (
    insert into skedchange.audit_blocks (number, last_id, entries, hash)
    select last.number + row_number() over (order by max(e.id)), max(e.id), count(*), sha256('copied')
    from (select id from skedchange.audit_entries union all select id from skedchange.audited_lines) e, last where e.id > last.last_id group by last.number, (e.id - last.last_id) / 1000
    returning number, last_id, hash
  ), newest as (select * from added order by number desc limit 1)
  update skedchange.audit_progress p set number = newest.number, last_id = newest.last_id, hash = newest.hash
  from newest`;

const orderOf = (copy: string): string => `('F' || lpad(${copy}::text, 8, '0'))`;

/** The statements that add copies `$1` to `$2` of `$3`, where the newest is of `$4`. The rows that are copied are held aside, in this session. */
async function prepareCopies(
  client: pg.Client,
  copies: readonly TableCopy[],
  days: number,
): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const { table, where, columns = {} } of copies) {
    const aside = `pg_temp.template_${statements.length}`;
    const [schema, name] = table.split(".");
    const { rows } = await client.query<{ column: string; type: string }>(
      `select column_name as column, data_type as type
       from information_schema.columns where table_schema = $1 and table_name = $2 order by ordinal_position`,
      [schema, name],
    );
    const number = rows.find(({ column }) => [nextNumber(), nextEntry].includes(columns[column] ?? ""))?.column;
    await client.query(`drop table if exists ${aside}`);
    await client.query(`create temp table ${aside.slice("pg_temp.".length)} as
      select t.*, row_number() over (${number === undefined ? "" : `order by t.${number}`}) as place, count(*) over () as rows_each
        ${number === undefined ? "" : `, (select max(${number}) from ${table}) as first_number`}
      from ${table} t where ${where}`);
    statements.push(`
      insert into ${table} (${rows.map(({ column }) => column).join(", ")})
      overriding system value
      select ${rows.map(({ column, type }) => columns[column] ?? copied(column, type)).join(",\n        ")}
      from generate_series($1::bigint, $2::bigint) n
      cross join lateral (select make_interval(secs => ${days * 86_400} * (1 - n / $3::float8)) as back) age
      cross join lateral (
        select lpad(to_hex(extract(epoch from $4::timestamptz - back)::bigint), 8, '0') as at_hex
      ) id
      cross join ${aside} t
      order by n, t.place`);
  }
  return statements;
}

function copied(column: string, type: string): string {
  if (type === "uuid") return movedId(column);
  if (type === "timestamp with time zone") return `t.${column} - back`;
  if (column === "order_id") return orderOf("n");
  return `t.${column}`;
}
