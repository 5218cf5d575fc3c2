import { columnName } from "./columns-of.ts";
import { type Sql, sql } from "./sql.ts";

/** The fields of rows that a statement is given as JSON, with their types in SQL. */
export type Fields = Readonly<Record<string, string>>;

/** The rows as a relation: `jsonb_to_recordset(…) as move ("caseId" uuid, …)`. */
export function recordset(name: string, fields: Fields, rows: readonly object[]): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${sql.ref(name)} (${typed(fields)})`;
}

/** One row from a value of the statement. */
export function record(name: string, fields: Fields, value: Sql): Sql {
  return sql`jsonb_to_record(${value}) as ${sql.ref(name)} (${typed(fields)})`;
}

const typedColumns = new WeakMap<Fields, Sql>();

/** The same for each run of a statement, if its fields are a constant. */
function typed(fields: Fields): Sql {
  const known = typedColumns.get(fields);
  if (known !== undefined) return known;
  const columns = sql.join(Object.entries(fields).map(([field, type]) => sql`${sql.ref(field)} ${sql.raw(type)}`));
  typedColumns.set(fields, columns);
  return columns;
}

/** The columns of the same names: `decided_at, decided_by`. */
export function columnsFor(fields: Fields): Sql {
  return sql.join(Object.keys(fields).map((field) => sql.ref(columnName(field))));
}

/** `d."decidedAt", d."decidedBy"`. */
export function fieldsOf(name: string, fields: Fields): Sql {
  return sql.join(Object.keys(fields).map((field) => sql.ref(`${name}.${field}`)));
}
