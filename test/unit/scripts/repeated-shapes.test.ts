import { describe, expect, test } from "vitest";
import { findRepeats, shapesOf } from "../../../scripts/find-repeated-shapes.ts";

const delivery = `
  export interface Delivery {
    readonly id: string;
    readonly orderId: string;
    readonly state: "pending" | "delivered";
    readonly dueAt: Date | null;
    readonly attempts: number;
    readonly lane: string;
  }`;

/** What repeats what, of declarations that each stand in a file of their own. */
function repeatsIn(...sources: readonly string[]): readonly string[] {
  const shapes = sources.flatMap((source, position) => shapesOf(`src/file-${position}.ts`, source));
  return findRepeats(shapes).map(({ shape, of, shared }) => `${shape.name}: ${shared} of ${of.name}`);
}

describe("a declaration repeats another one", () => {
  test("if more than half of its members have the same name and type", () => {
    const copy = `
      interface DeliveryRow {
        id: string; dueAt: Date | null; attempts: number; lane: string; fence: number;
      }`;

    expect(repeatsIn(delivery, copy)).toEqual(["DeliveryRow: 3 of Delivery"]);
  });

  test("if a schema names the members of a type", () => {
    const schema = `
      export const deliverySchema = z.strictObject({
        id, state: stateSchema, dueAt: instant.nullable(), attempts: z.int().meta({}), lane: z.string(),
      });`;

    expect(repeatsIn(delivery, schema)).toEqual(["deliverySchema: 4 of Delivery"]);
  });

  test("if it is a type literal of a query", () => {
    const query = `const rows = await sql<{ dueAt: Date | null; attempts: number; lane: string; a: string; b: string }>\`\`;`;

    expect(repeatsIn(delivery, query)).toEqual(["rows: 3 of Delivery"]);
  });
});

test.each([
  ["half of its members", "interface Other { dueAt: Date | null; attempts: number; lane: string; a: 1; b: 2; c: 3 }"],
  ["members of other types", "interface Other { dueAt: string; attempts: number; lane: string; a: 1; b: 2 }"],
  [
    "members of other types in a schema",
    "const other = z.object({ dueAt: z.string(), attempts: z.string().nullable(), lane: z.string(), a, b });",
  ],
  [
    "members that only refer",
    "interface Other { id: string; orderId: string; dueAt: Date | null; lane: string; a: 1 }",
  ],
  ["fewer than five members", "interface Other { attempts: number; dueAt: Date | null; lane: string; a: 1 }"],
  [
    "members that it takes from the other one",
    'interface Other extends Pick<Delivery, "dueAt" | "attempts" | "lane"> { a: 1; b: 2 }',
  ],
  [
    "what a function is given",
    "function other(given: { attempts: number; dueAt: Date | null; lane: string; a: 1; b: 2 }) {}",
  ],
  [
    "the options of a function",
    "interface OtherOptions { attempts: number; dueAt: Date | null; lane: string; a: 1; b: 2 }",
  ],
  [
    "a schema that does not compile if the type differs",
    "const other: z.ZodType<Delivery> = z.object({ id, orderId, state, dueAt, attempts, lane });",
  ],
  [
    "a description of the type for clients",
    "const other = describing<Delivery>(z.object({ id, orderId, state, dueAt, attempts, lane }));",
  ],
])("%s are no repeat", (_, other) => {
  expect(repeatsIn(delivery, other)).toEqual([]);
});
