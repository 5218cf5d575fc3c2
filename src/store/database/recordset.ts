import { z } from "zod";
import { columnName } from "./columns-of.ts";
import type { Encrypted } from "./encryption.ts";
import { type Sql, sql } from "./sql.ts";

/** The fields of rows that a statement is given as JSON, with their types in SQL. */
export type Fields = Readonly<Record<string, string>>;

/** The members of a schema as fields. */
export function fieldsFor(schema: z.ZodObject): Fields {
  return Object.fromEntries(Object.entries(schema.shape).map(([name, member]) => [name, typeInSql(member)]));
}

function typeInSql(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNullable) return typeInSql(schema.unwrap());
  if (schema instanceof z.ZodArray) return `${typeInSql(schema.element)}[]`;
  if (schema instanceof z.ZodISODateTime) return "timestamptz";
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return "text";
  if (schema instanceof z.ZodNumberFormat) return "integer";
  if (schema instanceof z.ZodBoolean) return "boolean";
  throw new TypeError(`No column has the type of a ${schema._zod.def.type}.`);
}

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

/** Sets the columns of the same names, and leaves those that have no value: `headline = coalesce(m.headline, c.headline)`. */
export function setGiven(table: string, from: string, fields: Fields): Sql {
  return sql.join(
    Object.keys(fields).map((field) => {
      const column = columnName(field);
      return sql`${sql.ref(column)} = coalesce(${sql.ref(`${from}.${field}`)}, ${sql.ref(`${table}.${column}`)})`;
    }),
  );
}

/** `d."decidedAt", d."decidedBy"`. */
export function fieldsOf(name: string, fields: Fields): Sql {
  return sql.join(Object.keys(fields).map((field) => sql.ref(`${name}.${field}`)));
}

/** A body encrypted for the row with that id. */
export interface EncryptedBody extends Encrypted {
  readonly row: string;
}

export interface BodyRow<Columns extends object = object> {
  readonly columns: Columns;
  /** Missing if there is none, as when the gateway has sent none. */
  readonly encrypted: EncryptedBody | undefined;
}

/** Where the bytes of a body stand in the one parameter that carries them all. */
export const bodyFields: Fields = {
  id: "uuid",
  start: "integer",
  length: "integer",
  bodyEncoding: "text",
  bodyBytes: "integer",
  keyId: "text",
  compressedAgainst: "uuid",
};

/** A part of a statement, which `bodyBytes` reads. */
export function bodiesPart(bytes: Buffer): Sql {
  return sql`bodies as materialized (select ${bytes}::bytea as bytes)`;
}

/** The bytes of row `of`, which has `bodyFields`. */
export function bodyBytes(of: string): Sql {
  const [start, length] = [sql.ref(`${of}.start`), sql.ref(`${of}.length`)];
  return sql`substring((select bytes from bodies) from ${start} for ${length})`;
}

/** All bodies as one value, and the rows with their places in it, from 1 on. */
export function packBodies(rows: readonly BodyRow[]) {
  const bodies = rows.flatMap(({ encrypted }) => encrypted ?? []);
  const starts = new Map<EncryptedBody, number>();
  let length = 0;
  for (const body of bodies) {
    starts.set(body, length + 1);
    length += body.body.length;
  }
  const packed = ({ columns, encrypted }: BodyRow): object => {
    if (encrypted === undefined) return columns;
    const { row: id, body, ...form } = encrypted;
    return { ...columns, ...form, id, start: starts.get(encrypted), length: body.length };
  };
  return { bytes: Buffer.concat(bodies.map(({ body }) => body)), packed };
}
