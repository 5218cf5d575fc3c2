import { z } from "zod";

export const id = z.guid().meta({ description: "UUID." });
export const instant = z.iso.datetime().meta({ description: "Instant in UTC, ISO 8601." });
export const decimal = z.string().meta({ description: "Decimal text." });
export const hexDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: "SHA-256, hexadecimal." });
export const tokenName = z
  .string()
  .nullable()
  .meta({ description: "The name of the API token with which somebody acted." });

export const failure = z.looseObject({ code: z.string(), message: z.string() });

/** The schema of a value whose type the domain declares: it tells clients what they can rely on. */
export function describing<Value>(schema: z.ZodType): z.ZodType<Value> {
  return schema as z.ZodType<Value>;
}

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
      : Schema extends z.ZodUnion<infer Options>
        ? Stored<Options[number]>
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
