import { describe, expect, test } from "vitest";
import { z } from "zod";
import { instant } from "../../../src/kernel/stored.ts";
import { fieldsFor, setGiven } from "../../../src/store/database/recordset.ts";

describe("the fields of a schema", () => {
  test("have the types of their columns, which hold null as well", () => {
    const schema = z.strictObject({
      headline: z.string().nullable(),
      departureAt: instant.nullable(),
      flightDates: z.array(z.string()),
      state: z.enum(["open", "closed"]),
      failures: z.int(),
      isUrgent: z.boolean(),
    });

    expect(fieldsFor(schema)).toEqual({
      headline: "text",
      departureAt: "timestamptz",
      flightDates: "text[]",
      state: "text",
      failures: "integer",
      isUrgent: "boolean",
    });
  });

  test("are refused where no type of a column is known", () => {
    expect(() => fieldsFor(z.strictObject({ price: z.number() }))).toThrow("No column has the type of a number.");
  });

  test("that are given replace the columns of the same names, and the others stay", () => {
    expect(setGiven("c", "m", { headline: "text", departureAt: "timestamptz" }).text).toBe(
      '"headline" = coalesce("m"."headline", "c"."headline"), "departure_at" = coalesce("m"."departureAt", "c"."departure_at")',
    );
  });
});
