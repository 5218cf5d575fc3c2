import { describe, expect, test } from "@jest/globals";
import { findRepeats, shapesOf } from "../../../scripts/find-repeated-shapes.ts";

const delivery = `
  export interface Delivery {
    readonly id: string;
    readonly orderId: string;
    readonly state: "pending" | "delivered";
    readonly dueAt: Date | null;
    readonly attempts: number;
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
        id: string; orderId: string; dueAt: Date | null; lane: string; fence: number;
      }`;

    expect(repeatsIn(delivery, copy)).toEqual(["DeliveryRow: 3 of Delivery"]);
  });

  test("if a schema names the members of a type", () => {
    const schema = `
      export const deliverySchema = z.strictObject({
        id, orderId: z.string(), state: z.string(), dueAt: instant.nullable(), attempts: z.int(),
      });`;

    expect(repeatsIn(delivery, schema)).toEqual(["deliverySchema: 5 of Delivery"]);
  });

  test("if it is a type literal of a query", () => {
    const query = `const rows = await sql<{ id: string; orderId: string; dueAt: Date | null; a: string; b: string }>\`\`;`;

    expect(repeatsIn(delivery, query)).toEqual(["rows: 3 of Delivery"]);
  });
});

test.each([
  ["half of its members", "interface Other { id: string; orderId: string; a: 1; b: 2; c: 3 }"],
  [
    "members of other types",
    "interface Other { id: number; orderId: number; dueAt: Date | null; attempts: number; c: 3 }",
  ],
  ["fewer than five members", "interface Other { id: string; orderId: string; attempts: number; dueAt: Date | null }"],
  [
    "members that it takes from the other one",
    'interface Other extends Pick<Delivery, "id" | "orderId"> { a: 1; b: 2 }',
  ],
  [
    "what a function is given",
    "function other(given: { id: string; orderId: string; attempts: number; dueAt: Date | null; a: 1 }) {}",
  ],
  [
    "the options of a function",
    "interface OtherOptions { id: string; orderId: string; attempts: number; dueAt: Date | null; a: 1 }",
  ],
  [
    "a description of the type for clients",
    "const other = describing<Delivery>(z.object({ id, orderId, state, dueAt, attempts }));",
  ],
])("%s are no repeat", (_, other) => {
  expect(repeatsIn(delivery, other)).toEqual([]);
});
