import { z } from "zod";

export const id = z.guid().meta({ description: "UUID." });
export const instant = z.iso.datetime().meta({ description: "Instant in UTC, ISO 8601." });

/**
 * What a response says, as it is read from the database: with dates, which the API renders as text. So the schema of a
 * response is its only declaration.
 */
export type Stored<Schema> = Schema extends z.ZodISODateTime
  ? Date
  : Schema extends z.ZodNullable<infer Inner>
    ? Stored<Inner> | null
    : Schema extends z.ZodArray<infer Element>
      ? readonly Stored<Element>[]
      : Schema extends z.ZodObject<infer Shape>
        ? StoredMembers<Shape>
        : z.infer<Schema>;

type StoredMembers<Shape> = {
  readonly [Name in keyof Shape as Shape[Name] extends z.ZodOptional ? never : Name]: Stored<Shape[Name]>;
} & {
  readonly [Name in keyof Shape as Shape[Name] extends z.ZodOptional
    ? Name
    : never]?: Shape[Name] extends z.ZodOptional<infer Inner> ? Stored<Inner> : never;
};
