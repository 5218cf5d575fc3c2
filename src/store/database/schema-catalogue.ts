import type pg from "pg";

/** The schemas that our own migrations make. BullMQ's is BullMQ's own to describe. */
const schemas = ["skedchange", "gateway"] as const;

const command = "npm run generate";

/**
 * `src/store/database/tables.ts`: the tables of a migrated database as Kysely wants them, with the keys
 * `schema.table`. The order and the text depend on the catalogue only.
 */
export async function describeTables(client: pg.ClientBase): Promise<string> {
  const columns = await readColumns(client);
  const tables = groupBy(columns, (column) => `${column.schema}.${column.table}`);
  const interfaces = [...tables].map(([, tableColumns]) => {
    const lines = tableColumns.map((column) => `  ${column.name}: ${typeOf(column)};`);
    const { schema, table } = tableColumns[0]!;
    return `/** A row of \`${schema}.${table}\`. */\ninterface ${interfaceName(schema, table)} {\n${lines.join("\n")}\n}\n`;
  });
  const entries = [...tables.keys()].map((key) => {
    const [schema = "", table = ""] = key.split(".");
    return `  "${key}": ${interfaceName(schema, table)};`;
  });
  return [
    `// Generated from the migrations by \`${command}\`. Do not edit.\nimport type { ColumnType, GeneratedAlways } from "kysely";\n`,
    `/** A column that the database fills in when it is not given. */
type Defaulted<T> =
  T extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<T, T | undefined, T>;\n`,
    "/** Read as the parsed value; written as JSON text, so that it is never mistaken for an array of PostgreSQL. */\ntype Json = ColumnType<unknown, string, string>;\n",
    "type Timestamp = ColumnType<Date, Date | string, Date | string>;\n",
    ...interfaces,
    `/** Every table, under its name with its schema. */\nexport interface Tables {\n${entries.join("\n")}\n}\n`,
  ].join("\n");
}

/**
 * `src/store/schema.sql`: what the migrations add up to, for people to read and for reviews to show. It is not run by
 * anything. The order and the text depend on the catalogue only; monthly partitions, which come with time, are left out.
 */
export async function describeSchema(client: pg.ClientBase): Promise<string> {
  // Without a path every name is written with its schema.
  await client.query("set search_path = pg_catalog");
  const parts: string[] = [
    `-- Generated from the migrations by \`${command}\`. Do not edit; nothing runs it. It shows what they add up to.`,
  ];
  const columns = groupBy(await readColumns(client), (column) => `${column.schema}.${column.table}`);
  const [tables, constraints, indexes, triggers, partitions, functions, grants, rows] = await readAll(client);
  for (const schema of schemas) {
    parts.push(banner(`schema ${schema}`));
    for (const grant of grants.filter((row) => row.kind === "schema" && row.name === schema))
      parts.push(`${grant.text};`);
    for (const table of tables.filter((row) => row.schema === schema)) {
      const key = `${table.schema}.${table.name}`;
      const here = (row: { readonly of: string }) => row.of === key;
      const lines = [
        ...(columns.get(key) ?? []).map(columnLine),
        ...constraints.filter(here).map((row) => `  constraint ${row.name} ${lowerKeywords(row.text)}`),
      ];
      const partitioned = table.partition_key === null ? "" : ` partition by ${lowerKeywords(table.partition_key)}`;
      parts.push(
        [
          `create table ${key} (\n${lines.join(",\n")}\n)${partitioned};`,
          ...partitions
            .filter(here)
            .map((row) => `create table ${row.name} partition of ${key} ${lowerKeywords(row.text)};`),
          ...(columns.get(key) ?? [])
            .filter((column) => column.storage !== null)
            .map((column) => `alter table ${key} alter column ${column.name} set storage ${column.storage};`),
          ...indexes.filter(here).map((row) => `${lowerKeywords(row.text)};`),
          ...triggers.filter(here).map((row) => `${lowerKeywords(row.text)};`),
          ...grants.filter((row) => row.kind === "table" && row.name === key).map((row) => `${row.text};`),
          ...rows.filter(here).map((row) => row.text),
        ].join("\n"),
      );
    }
    for (const row of functions.filter((candidate) => candidate.schema === schema)) {
      const name = `${row.schema}.${row.name}(${row.signature})`;
      parts.push(
        [
          `${lowerHeader(row.text)};`,
          ...grants
            .filter((grant) => grant.kind === "function" && grant.name === name)
            .map((grant) => `${grant.text};`),
        ].join("\n"),
      );
    }
  }
  await client.query("reset search_path");
  return `${parts.join("\n\n")}\n`;
}

interface Column {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** As PostgreSQL writes it: `bigint`, `text[]`. */
  readonly type: string;
  readonly is_required: boolean;
  readonly default: string | null;
  /** `generated always as identity`, `generated by default as identity`, or null. */
  readonly identity: string | null;
  /** A computed column. */
  readonly is_computed: boolean;
  /** Only when it differs from what the type has by itself. */
  readonly storage: string | null;
  /** The values that a check constraint on this column alone allows, in the order of the migration. */
  readonly values: readonly string[] | null;
}

async function readColumns(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Omit<Column, "values"> & { checks: string[] }>(
    `select n.nspname as schema, c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
            a.attnotnull as is_required,
            case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default,
            case a.attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end
              as identity,
            a.attgenerated <> '' as is_computed,
            case when a.attstorage <> t.typstorage
              then case a.attstorage when 'e' then 'external' when 'm' then 'main' when 'x' then 'extended' else 'plain' end
            end as storage,
            coalesce((select array_agg(pg_get_constraintdef(k.oid) order by k.conname) from pg_constraint k
              where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]), '{}') as checks
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid
       join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
      order by n.nspname collate "C" desc, c.relname collate "C", a.attnum`,
    [schemas],
  );
  return rows.map(({ checks, ...column }) => ({ ...column, values: valuesOf(checks) }));
}

/** `CHECK ((state = ANY (ARRAY['a'::text, 'b'::text])))` → `a`, `b`. */
function valuesOf(checks: readonly string[]): string[] | null {
  for (const check of checks) {
    const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check)?.[1];
    if (list === undefined) continue;
    const values = list.split(", ").map((item) => /^'([^']*)'::text$/.exec(item)?.[1]);
    if (values.every((value) => value !== undefined)) return values;
  }
  return null;
}

const simpleTypes: Readonly<Record<string, string>> = {
  text: "string",
  uuid: "string",
  date: "string",
  boolean: "boolean",
  smallint: "number",
  integer: "number",
  bigint: "number",
  "double precision": "number",
  numeric: "string",
  bytea: "Buffer",
  jsonb: "Json",
  json: "Json",
  inet: "string",
  "timestamp with time zone": "Timestamp",
};

function typeOf(column: Column): string {
  const isArray = column.type.endsWith("[]");
  const single = simpleTypes[column.type.replace("[]", "")];
  if (single === undefined || (isArray && /Json|Timestamp/.test(single))) {
    throw new Error(
      `${column.schema}.${column.table}.${column.name} has the type ${column.type}: say in schema-catalogue.ts what it is in TypeScript.`,
    );
  }
  const known = column.values?.map((value) => JSON.stringify(value)).join(" | ") ?? single;
  const element = isArray ? `${single}[]` : known;
  const type = column.is_required ? element : `${element} | null`;
  if (column.is_computed || column.identity?.includes("always")) return `GeneratedAlways<${type}>`;
  return column.default !== null || column.identity !== null ? `Defaulted<${type}>` : type;
}

/** `gateway`, `order_items` → `GatewayOrderItems`. The schema is in it because schemas may name tables alike. */
function interfaceName(schema: string, table: string): string {
  return [schema, ...table.split("_")].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}

function columnLine(column: Column): string {
  return [
    `  ${column.name} ${column.type}`,
    column.is_required && column.identity === null ? " not null" : "",
    column.identity === null ? "" : ` ${column.identity}`,
    column.default === null ? "" : ` default ${column.default}`,
  ].join("");
}

interface Named {
  /** The table it belongs to, with its schema. */
  readonly of: string;
  readonly name: string;
  readonly text: string;
}
interface Table {
  readonly schema: string;
  readonly name: string;
  readonly partition_key: string | null;
}
interface Routine {
  readonly schema: string;
  readonly name: string;
  readonly signature: string;
  readonly text: string;
}
interface Grant {
  readonly kind: "schema" | "table" | "function";
  readonly name: string;
  readonly text: string;
}

async function readAll(
  client: pg.ClientBase,
): Promise<[Table[], Named[], Named[], Named[], Named[], Routine[], Grant[], Named[]]> {
  const tables = await read<Table>(
    client,
    `select n.nspname as schema, c.relname as name, pg_get_partkeydef(c.oid) as partition_key
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname collate "C"`,
  );
  const constraints = await read<Named>(
    client,
    `select n.nspname || '.' || c.relname as of, k.conname as name, pg_get_constraintdef(k.oid) as text
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and k.contype in ('p', 'u', 'f', 'c', 'x') and not c.relispartition
      order by array_position(array['p', 'u', 'x', 'c', 'f'], k.contype::text), k.conname collate "C"`,
  );
  const indexes = await read<Named>(
    client,
    `select n.nspname || '.' || t.relname as of, c.relname as name, pg_get_indexdef(i.indexrelid) as text
       from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
       join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = any($1) and not t.relispartition
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
      order by c.relname collate "C"`,
  );
  const triggers = await read<Named>(
    client,
    `select n.nspname || '.' || t.relname as of, g.tgname as name, pg_get_triggerdef(g.oid) as text
       from pg_trigger g join pg_class t on t.oid = g.tgrelid join pg_namespace n on n.oid = t.relnamespace
      where n.nspname = any($1) and not g.tgisinternal and not t.relispartition
      order by g.tgname collate "C"`,
  );
  const partitions = await read<Named>(
    client,
    `select pn.nspname || '.' || p.relname as of, n.nspname || '.' || c.relname as name,
            pg_get_expr(c.relpartbound, c.oid) as text
       from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
       join pg_namespace pn on pn.oid = p.relnamespace join pg_namespace n on n.oid = c.relnamespace
      where pn.nspname = any($1) and c.relispartition and c.relkind in ('r', 'p')
        and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'
      order by c.relname collate "C"`,
  );
  const functions = await read<Routine>(
    client,
    `select n.nspname as schema, p.proname as name, pg_get_function_identity_arguments(p.oid) as signature,
            pg_get_functiondef(p.oid) as text
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname = any($1) and p.prokind in ('f', 'p')
      order by p.proname collate "C", 3`,
  );
  return [
    tables,
    constraints,
    indexes,
    triggers,
    partitions,
    functions,
    await readGrants(client),
    await readRows(client),
  ];
}

/** Who, other than the owner, may do what. Rights on single columns are gathered by right. */
async function readGrants(client: pg.ClientBase): Promise<Grant[]> {
  return read<Grant>(
    client,
    `with grants as (
       select 'schema' as kind, n.nspname::text as name, 'schema ' || n.nspname as target, a.grantee, a.privilege_type as privilege,
              null::text as columns
         from pg_namespace n, aclexplode(n.nspacl) a where n.nspname = any($1) and a.grantee <> n.nspowner
       union all
       select 'table', n.nspname || '.' || c.relname, n.nspname || '.' || c.relname, a.grantee, a.privilege_type, null
         from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
        where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and a.grantee <> c.relowner
       union all
       select 'table', n.nspname || '.' || c.relname, n.nspname || '.' || c.relname, a.grantee, a.privilege_type,
              string_agg(t.attname, ', ' order by t.attnum)
         from pg_attribute t join pg_class c on c.oid = t.attrelid join pg_namespace n on n.oid = c.relnamespace,
              aclexplode(t.attacl) a
        where n.nspname = any($1) and not c.relispartition and a.grantee <> c.relowner
        group by n.nspname, c.relname, a.grantee, a.privilege_type
       union all
       select 'function', n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
              'function ' || n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
              a.grantee, a.privilege_type, null
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace, aclexplode(p.proacl) a
        where n.nspname = any($1) and a.grantee <> p.proowner
     )
     select kind, name,
            'grant ' || string_agg(lower(privilege) || coalesce(' (' || columns || ')', ''), ', ' order by privilege) ||
            ' on ' || target || ' to ' || coalesce(r.rolname, 'public') as text
       from grants g left join pg_roles r on r.oid = g.grantee
      group by kind, name, target, r.rolname, columns is null
      order by kind, name, r.rolname, columns is null desc`,
  );
}

/** The tables of allowed moves are part of the schema: their rows are rules. */
async function readRows(client: pg.ClientBase): Promise<Named[]> {
  const { rows: tables } = await client.query<{ of: string; name: string }>(
    `select n.nspname || '.' || c.relname as of, c.relname as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind = 'r' and c.relname like '%\\_transitions'
      order by 1`,
    [schemas],
  );
  const found: Named[] = [];
  for (const table of tables) {
    const { rows } = await client.query<{ from_state: string; to_state: string }>(
      `select from_state, to_state from ${table.of} order by from_state collate "C", to_state collate "C"`,
    );
    found.push({ ...table, text: rows.map((row) => `-- ${row.from_state} -> ${row.to_state}`).join("\n") });
  }
  return found;
}

async function read<Row extends object>(client: pg.ClientBase, text: string): Promise<Row[]> {
  const { rows } = await client.query<Row>(text, [schemas]);
  return rows;
}

/** PostgreSQL writes keywords in capitals; the project writes them small. Names and literals keep their case. */
function lowerKeywords(definition: string): string {
  return definition
    .split(/('[^']*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase())))
    .join("");
}

/** The same for the lines of a function before its body, which keeps the text it was written with. */
function lowerHeader(definition: string): string {
  const bodyAt = definition.indexOf("\nAS $");
  return `${lowerKeywords(definition.slice(0, bodyAt))}\nas ${definition.slice(bodyAt + "\nAS ".length).trim()}`;
}

function banner(title: string): string {
  return `-- ${title} ${"-".repeat(Math.max(0, 115 - title.length))}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
