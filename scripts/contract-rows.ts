import type { z } from "zod";
import { type ElementNotes, notesOf } from "../src/contract/element.ts";

/** A field of the contract, as docs/contract.md shows it. */
export interface FieldRow {
  /** From the body or the element that it stands in; `[]` after a list, `*` for a key that is data. */
  readonly path: string;
  /** In words; elements by their name, as a link. */
  readonly type: string;
  readonly required: boolean;
  readonly notes: string;
  /** Heading of the interface document. */
  readonly section: string;
  readonly aliases: readonly string[];
}

/** A named shape and its fields. */
export interface ElementRows {
  readonly id: string;
  readonly section: string;
  readonly rows: readonly FieldRow[];
}

/** Walks the schemas of the contract. Each element is walked once, however many bodies refer to it. */
export interface ContractWalk {
  rowsOf(body: z.ZodType, section: string): readonly FieldRow[];
  /** The elements met so far, in the order of their first mention. */
  elements(): readonly ElementRows[];
}

export function createContractWalk(): ContractWalk {
  const elements = new Map<string, ElementRows>();

  function rowsOf(schema: z.ZodType, section: string): readonly FieldRow[] {
    return membersOf(schema).flatMap((member) => rowsOfMember(member.key, member, section));
  }

  function rowsOfMember(path: string, { forms, required }: Member, above: string): readonly FieldRow[] {
    const notes = forms.map(allNotesOf);
    const section = notes[0]?.section ?? above;
    const row = {
      path,
      type: distinct(forms.map(typeOf)).join(" or "),
      required,
      notes: distinct(notes.map(({ description = "" }) => description)).join("; or "),
      section,
      aliases: distinct(notes.flatMap(({ aliases = [] }) => aliases)),
    };
    return [row, ...forms.flatMap((form) => rowsWithin(path, form, section))];
  }

  /** The fields inside a field, unless they have a place of their own. */
  function rowsWithin(path: string, schema: z.ZodType, section: string): readonly FieldRow[] {
    const inner = unwrapped(schema);
    if (describeElement(inner)) return [];
    const def = definitionOf(inner);
    switch (def.type) {
      case "array":
        return rowsWithin(`${path}[]`, def.element, section);
      case "record":
        return rowsWithin(`${path}.*`, def.valueType, section);
      case "union":
        // Options with a name, and lists, have rows of their own; plain objects are shown as one.
        if (def.options.some((option) => idOf(option) !== undefined || definitionOf(option).type !== "object")) {
          return def.options.flatMap((option) => rowsWithin(path, option, section));
        }
        return rowsBelow(path, inner, section);
      case "object":
        return rowsBelow(path, inner, section);
      default:
        return [];
    }
  }

  function rowsBelow(path: string, schema: z.ZodType, section: string): readonly FieldRow[] {
    return membersOf(schema).flatMap((member) => rowsOfMember(`${path}.${member.key}`, member, section));
  }

  /** Sees to the rows of an element; false when the schema is none. */
  function describeElement(schema: z.ZodType): boolean {
    const id = idOf(schema);
    if (id === undefined) return false;
    if (!elements.has(id)) {
      const section = notesOf(schema).section ?? "";
      // Its place is kept before its rows are known, so that elements stand after those that mention them.
      elements.set(id, { id, section, rows: [] });
      elements.set(id, { id, section, rows: rowsOf(schema, section) });
    }
    return true;
  }

  return { rowsOf, elements: () => [...elements.values()] };
}

/** The parts of zod's own definitions that are looked at. */
type Definition =
  | { readonly type: "optional" | "nullable" | "default" | "readonly"; readonly innerType: z.ZodType }
  | { readonly type: "array"; readonly element: z.ZodType }
  | { readonly type: "record"; readonly valueType: z.ZodType }
  | { readonly type: "object"; readonly shape: Readonly<Record<string, z.ZodType>> }
  | { readonly type: "union"; readonly options: readonly z.ZodType[] }
  | { readonly type: "enum"; readonly entries: Readonly<Record<string, string>> }
  | { readonly type: "literal"; readonly values: readonly unknown[] }
  | { readonly type: "string" | "number" | "boolean" | "unknown" | "never" };

function definitionOf(schema: z.ZodType): Definition {
  return schema._zod.def as unknown as Definition;
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const def = definitionOf(schema);
  return "innerType" in def ? unwrapped(def.innerType) : schema;
}

/** A field of a named shape is a copy of it that has given up the name; zod remembers what it was copied from. */
function idOf(schema: z.ZodType): string | undefined {
  const { parent } = schema._zod;
  return notesOf(schema).id ?? (parent === undefined ? undefined : idOf(parent as z.ZodType));
}

/** Notes of a field may stand on what is optional and on the option. */
function allNotesOf(schema: z.ZodType): ElementNotes {
  const def = definitionOf(schema);
  return "innerType" in def ? { ...allNotesOf(def.innerType), ...notesOf(schema) } : notesOf(schema);
}

interface Member {
  readonly key: string;
  /** One; of several possible objects that have it, each of them. */
  readonly forms: readonly z.ZodType[];
  readonly required: boolean;
}

/** The members of an object; of several possible objects all of them, required where each of the objects requires it. */
function membersOf(schema: z.ZodType): readonly Member[] {
  const def = definitionOf(unwrapped(schema));
  if (def.type === "object") {
    return Object.entries(def.shape).map(([key, form]) => ({ key, forms: [form], required: isRequired(form) }));
  }
  if (def.type !== "union") return [];
  const objects = def.options.map(membersOf);
  return distinct(objects.flat().map(({ key }) => key)).map((key) => {
    const found = objects.map((members) => members.find((member) => member.key === key));
    return {
      key,
      forms: found.flatMap((member) => member?.forms ?? []),
      required: found.every((member) => member?.required === true),
    };
  });
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}

function isRequired(schema: z.ZodType): boolean {
  return !["optional", "default"].includes(definitionOf(schema).type);
}

function typeOf(schema: z.ZodType): string {
  const def = definitionOf(schema);
  const id = idOf(schema);
  if (id !== undefined) return `[${id}](#${id.toLowerCase()})`;
  switch (def.type) {
    case "optional":
    case "default":
    case "readonly":
      return typeOf(def.innerType);
    case "nullable":
      return `${typeOf(def.innerType)} or null`;
    case "array":
      return `list of ${typeOf(def.element)}`;
    case "record":
      return `object of ${typeOf(def.valueType)}`;
    case "union":
      return distinct(def.options.map(typeOf)).join(" or ");
    case "enum":
      return Object.values(def.entries).map(quoted).join(", ");
    case "literal":
      return def.values.map((value) => quoted(String(value))).join(", ");
    case "string":
      return textTypeOf(schema);
    case "number":
      return (schema as z.ZodNumber).format === "safeint" ? "integer" : "number";
    case "unknown":
      return "anything";
    case "never":
      return "nothing";
    default:
      return def.type;
  }
}

function textTypeOf(schema: z.ZodType): string {
  const { reads } = notesOf(schema);
  if (reads === "references" || reads === "tokens") return `${reads === "tokens" ? "tokens" : "keys"} in one text`;
  const { checks = [] } = definitionOf(schema) as {
    readonly checks?: readonly { readonly _zod: { readonly def: object } }[];
  };
  const pattern = checks.map(({ _zod: { def } }) => ("pattern" in def ? (def.pattern as RegExp).source : ""));
  if (pattern.includes("^\\d+$")) return "text of digits";
  if (pattern.includes("^[A-Z]{3}$")) return "text of three capitals";
  if (pattern.includes("^-?\\d+(\\.\\d+)?$")) return "decimal text";
  return reads === undefined
    ? "text"
    : { date: "date", time: "time", "date-time": "date and time", decimal: "text" }[reads];
}

function quoted(value: string): string {
  return value === "" ? "empty" : `\`${value}\``;
}
