import { z } from "zod";
import { type Sql, sql } from "./sql.ts";

type Computed = Readonly<Record<string, Sql>>;

/**
 * What a statement selects so that its rows have the members of a schema: `d.decided_at as "decidedAt"`.
 * @param table of the columns: `d`
 * @param computed the members that are no column of it, or need more than its value
 */
export function columnsOf(schema: z.ZodObject, table: string, computed: Computed = {}): Sql {
  return sql.join(valuesOf(schema, table, computed).map(([name, value]) => sql`${value} as ${sql.ref(name)}`));
}

/** The same as one JSON object. Its instants are text: see `datesOf`. */
export function objectOf(schema: z.ZodObject, table: string, computed: Computed = {}): Sql {
  const members = valuesOf(schema, table, computed).map(([name, value]) => sql`${sql.lit(name)}, ${value}`);
  return sql`jsonb_build_object(${sql.join(members)})`;
}

function valuesOf(schema: z.ZodObject, table: string, computed: Computed) {
  const names = Object.keys(schema.shape);
  return names.map((name) => [name, computed[name] ?? sql.ref(`${table}.${columnName(name)}`)] as const);
}

/** `due_at` for `dueAt`. */
export function columnName(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Makes dates of the instants of a row that stand in JSON objects. What the schema does not name stays as it is. */
export function datesOf(schema: z.ZodObject): <Row extends object>(row: Row) => Row {
  const read = dateReader(schema);
  return <Row extends object>(row: Row) => (read === null ? row : (read(row) as Row));
}

type DateReader = (value: unknown) => unknown;

/** Returns null if there can be none. */
function dateReader(schema: z.core.$ZodType): DateReader | null {
  if (schema instanceof z.ZodISODateTime) return (value) => (typeof value === "string" ? new Date(value) : value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const read = dateReader(schema.unwrap());
    return read && ((value) => (value === null || value === undefined ? value : read(value)));
  }
  if (schema instanceof z.ZodArray) {
    const read = dateReader(schema.element);
    return read && ((value) => (value as readonly unknown[]).map(read));
  }
  if (schema instanceof z.ZodObject) return memberDateReader(schema);
  return null;
}

function memberDateReader(schema: z.ZodObject): DateReader | null {
  const readers = Object.entries(schema.shape).flatMap(([name, member]) => {
    const read = dateReader(member);
    return read === null ? [] : [[name, read] as const];
  });
  if (readers.length === 0) return null;
  return (value) => {
    const members = value as Readonly<Record<string, unknown>>;
    const dated = readers.filter(([name]) => name in members).map(([name, read]) => [name, read(members[name])]);
    return { ...members, ...Object.fromEntries(dated) };
  };
}
