import { createHash } from "node:crypto";
import type pg from "pg";

/** Per process. Templates give few texts, but searches with any number of terms must not fill the database. */
const namesMax = 1_000;

const names = new Map<string, string>();

/** PostgreSQL parses and plans each statement once per connection. Poolers must be in session mode, as for LISTEN. */
export function nameStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const naming = (statement: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const name = typeof statement === "string" && Array.isArray(values) ? nameOf(statement) : undefined;
    return name === undefined ? query(statement, values, ...rest) : query({ name, text: statement, values }, ...rest);
  };
  client.query = naming as typeof client.query;
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMax) return known;
  const name = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  names.set(text, name);
  return name;
}
