import { type RawBuilder, sql } from "kysely";
import { columnName } from "./columns-of.ts";

/** The fields of rows that a statement is given as JSON, with their types in SQL. */
export type Fields = Readonly<Record<string, string>>;

/** The rows as a relation: `jsonb_to_recordset(…) as move ("caseId" uuid, …)`. */
export function recordset(name: string, fields: Fields, rows: readonly object[]): RawBuilder<unknown> {
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as ${sql.ref(name)} (${typed(fields)})`;
}

/** One row from a value of the statement. */
export function record(name: string, fields: Fields, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`jsonb_to_record(${value}) as ${sql.ref(name)} (${typed(fields)})`;
}

function typed(fields: Fields): RawBuilder<unknown> {
  return sql.join(Object.entries(fields).map(([field, type]) => sql`${sql.ref(field)} ${sql.raw(type)}`));
}

/** The columns of the same names: `decided_at, decided_by`. */
export function columnsFor(fields: Fields): RawBuilder<unknown> {
  return sql.join(Object.keys(fields).map((field) => sql.ref(columnName(field))));
}

/** `d."decidedAt", d."decidedBy"`. */
export function fieldsOf(name: string, fields: Fields): RawBuilder<unknown> {
  return sql.join(Object.keys(fields).map((field) => sql.ref(`${name}.${field}`)));
}
