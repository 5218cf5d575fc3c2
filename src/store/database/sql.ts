import type { Connection, Rows } from "./transaction.ts";

/**
 * A statement or a part of one. Its values stand between its texts and are never put into them, so no value can change
 * what the statement does.
 */
export class Sql<Row = unknown> {
  /** One more than there are values. */
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  /** With `$1`, `$2`, … in the places of the values. */
  get text(): string {
    let text = this.texts[0]!;
    for (let at = 1; at < this.texts.length; at += 1) text += `$${at}${this.texts[at]}`;
    return text;
  }

  async execute(connection: Connection): Promise<Rows<Row>> {
    return await connection.run<Row>(this);
  }
}

/** Parts of statements become part of the text; whatever else is inserted is bound as a value. */
function template<Row = unknown>(texts: readonly string[], ...inserted: readonly unknown[]): Sql<Row> {
  const ownTexts = [texts[0]!];
  const values: unknown[] = [];
  for (let at = 0; at < inserted.length; at += 1) {
    const part = inserted[at];
    if (part instanceof Sql) {
      ownTexts[values.length]! += part.texts[0]!;
      for (let n = 0; n < part.values.length; n += 1) {
        values.push(part.values[n]);
        ownTexts.push(part.texts[n + 1]!);
      }
    } else {
      values.push(part);
      ownTexts.push("");
    }
    ownTexts[values.length]! += texts[at + 1]!;
  }
  return new Sql<Row>(ownTexts, values);
}

/** The text as it is: for nothing that comes from outside. */
function raw<Row = unknown>(text: string): Sql<Row> {
  return new Sql<Row>([text], []);
}

/** A name, or several with points between them: `c.due_by` becomes `"c"."due_by"`. */
function ref(name: string): Sql {
  return raw(`"${name.replaceAll('"', '""').replaceAll(".", '"."')}"`);
}

/** A constant as part of the text, where PostgreSQL takes no parameter or plans better with the value. */
function lit(value: string | number | boolean | null): Sql {
  return raw(typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value));
}

const comma = raw(", ");

function join(items: readonly unknown[], separator: Sql = comma): Sql {
  const parts = items.flatMap((item, at) => (at === 0 ? [item] : [separator, item]));
  return template(
    Array.from({ length: parts.length + 1 }, () => ""),
    ...parts,
  );
}

/** Makes a statement of a template: `` sql`select 1 where ${value} = 1`.execute(connection) ``. */
export const sql = Object.assign(template, { raw, ref, lit, join });
