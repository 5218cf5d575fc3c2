/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Row = { readonly [column: string]: Json };

/**
 * Writes the rows of a table as text, one JSON object to a line. The first is whole; each of the others holds what
 * differs from the one before it, to any depth, with the positions of arrays as names. `{"=": …}` replaces an object or
 * array as a whole. Bytes are `text:…` where they are text and else `base64:…`.
 */
export function writeRows(rows: readonly Row[]): string {
  const readable = rows.map((row) => mapTexts(row, writeBytes) as Row);
  return readable
    .map((row, place) => `${JSON.stringify(place === 0 ? row : change(readable[place - 1]!, row))}\n`)
    .join("");
}

export function readRows(text: string): Row[] {
  const rows: Json[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const read = JSON.parse(line) as Json;
    rows.push(rows.length === 0 ? read : apply(rows.at(-1)!, read));
  }
  return rows.map((row) => mapTexts(row, readBytes) as Row);
}

const replaced = "=";

function change(before: Json, now: Json): Json {
  if (!isComposite(now)) return now;
  if (!isComposite(before) || !isSameShape(before, now)) return { [replaced]: now };
  const was = before as { readonly [name: string]: Json };
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]));
  return Object.fromEntries(changed.map(([name, value]) => [name, change(was[name]!, value)]));
}

function apply(before: Json, changed: Json): Json {
  if (!isComposite(changed)) return changed;
  const changes = changed as { readonly [name: string]: Json };
  if (replaced in changes) return changes[replaced]!;
  const now = Array.isArray(before) ? [...before] : { ...(before as Row) };
  for (const [name, value] of Object.entries(changes)) {
    (now as Record<string, Json>)[name] = apply((before as Row)[name]!, value);
  }
  return now as Json;
}

function isComposite(value: Json): value is readonly Json[] | Row {
  return typeof value === "object" && value !== null;
}

function isSameShape(before: readonly Json[] | Row, now: readonly Json[] | Row): boolean {
  const names = Object.keys(now);
  return (
    Array.isArray(before) === Array.isArray(now) &&
    names.length > 0 &&
    JSON.stringify(Object.keys(before)) === JSON.stringify(names)
  );
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each as Json, map));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]));
}

/** As PostgreSQL writes bytes, into what is shorter or can be read. */
function writeBytes(text: string): string {
  if (!/^\\x(?:[0-9a-f]{2})+$/.test(text)) return text;
  const bytes = Buffer.from(text.slice(2), "hex");
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? `text:${bytes.toString("ascii")}` : `base64:${bytes.toString("base64")}`;
}

function readBytes(text: string): string {
  const [, encoding, content] = /^(text|base64):(.*)$/s.exec(text) ?? [];
  if (encoding === undefined || content === undefined) return text;
  return `\\x${Buffer.from(content, encoding === "text" ? "ascii" : "base64").toString("hex")}`;
}
