import { z } from "zod";
import type { ElementNotes } from "../element.ts";

/** A part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/** The schemas of one OpenAPI document. */
export interface SchemaCollection {
  /** A schema as it stands in the document. Schemas with an `id`, and those within, become references to components. */
  schemaOf(schema: z.ZodType, io?: "input" | "output"): Json;
  /** The components that were referred to so far, by name. */
  components(): Json;
}

/**
 * Collects schemas for one OpenAPI document. JSON Schema 2020-12, which zod writes, is what OpenAPI 3.1 uses. What the
 * interface document says of a field is told as `x-section`, other spellings that are read as `x-aliases`.
 */
export function createSchemaCollection(): SchemaCollection {
  const texts = new Map<string, string>();

  /** @throws Error when two shapes have the same name: a reference would mean either of them. */
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

/** zod copies the notes of a schema as they are; how we read a value is no business of callers. */
function moveNotes({ jsonSchema }: { readonly jsonSchema: object }): void {
  const notes = jsonSchema as { -readonly [Name in keyof ElementNotes]: ElementNotes[Name] } & Record<string, unknown>;
  if (notes.section !== undefined) notes["x-section"] = notes.section;
  if (notes.aliases !== undefined) notes["x-aliases"] = notes.aliases;
  delete notes.section;
  delete notes.aliases;
  delete notes.reads;
  delete notes.bare;
  // The format says it; the expression that zod checks it with is as long as everything else together.
  if (notes["format"] === "date-time" || notes["format"] === "date") delete notes["pattern"];
}
