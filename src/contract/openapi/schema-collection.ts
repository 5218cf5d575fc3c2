import { z } from "zod";
import type { ElementNotes } from "../element.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface SchemaCollection {
  /** Schemas with an `id`, and those within, become references to components. */
  schemaOf(schema: z.ZodType, io?: "input" | "output"): Json;
  /** Those referred to so far, by name. */
  components(): Json;
}

/**
 * Collects the schemas of one OpenAPI document as JSON Schema 2020-12, which zod writes and OpenAPI 3.1 uses.
 * `x-section` is the heading of the interface document, `x-aliases` are other accepted spellings.
 */
export function createSchemaCollection(): SchemaCollection {
  const texts = new Map<string, string>();

  /** @throws Error if two shapes have the same name, because references would be ambiguous. */
  function add(name: string, definition: unknown): void {
    const text = JSON.stringify(definition);
    const known = texts.get(name);
    if (known !== undefined && known !== text) throw new Error(`Two schemas of different shape have the id ${name}.`);
    texts.set(name, text);
  }

  return {
    schemaOf(schema, io = "output") {
      const written = z.toJSONSchema(schema, { io, unrepresentable: "any", override: moveNotes });
      const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
      const { $schema: _dialect, $defs, ...root } = JSON.parse(text) as Record<string, unknown>;
      for (const [name, definition] of Object.entries($defs ?? {})) add(name, definition);
      return root;
    },
    components() {
      const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted.map(([name, text]) => [name, JSON.parse(text)]));
    },
  };
}

/** zod copies all notes of a schema, also those that concern only our readers. */
function moveNotes({ jsonSchema }: { readonly jsonSchema: object }): void {
  const notes = jsonSchema as { -readonly [Name in keyof ElementNotes]: ElementNotes[Name] } & Record<string, unknown>;
  if (notes.section !== undefined) notes["x-section"] = notes.section;
  if (notes.aliases !== undefined) notes["x-aliases"] = notes.aliases;
  delete notes.section;
  delete notes.aliases;
  delete notes.reads;
  delete notes.bare;
  // Their patterns are very long, and the formats state the same.
  if (["date-time", "date", "uuid"].includes(String(notes["format"]))) delete notes["pattern"];
  // What zod says of each whole number without bounds of its own.
  if (notes["minimum"] === Number.MIN_SAFE_INTEGER) delete notes["minimum"];
  if (notes["maximum"] === Number.MAX_SAFE_INTEGER) delete notes["maximum"];
}
