import { z } from "zod";

export const pageLimitMax = 200;
export const pageLimitDefault = 50;

/** As many names as a path keeps, each as long as may be. */
export const memberPathMax = 4_000;

/** Longer than any order id of a gateway. */
const nameLengthMax = 200;

export const limit = z
  .string()
  .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${pageLimitMax}`)
  .transform(Number)
  .pipe(z.number().min(1, `must be at least 1`).max(pageLimitMax, `must be at most ${pageLimitMax}`))
  .default(pageLimitDefault)
  .meta({ description: `Items per page, 1 to ${pageLimitMax}; ${pageLimitDefault} when not given.` });

export const name = z
  .string("may be given once only")
  .min(1, "must not be empty")
  .max(nameLengthMax, "is too long")
  .refine(hasNoNul, "must not contain a NUL");

export const cursor = z
  .string("may be given once only")
  .min(1, "must not be empty")
  .max(500, "is too long")
  .meta({ description: "`nextCursor` of the page before." });

/** The members of the query of each list. */
export const pageMembers = { cursor: cursor.optional(), limit };

/** The names that lists such as `state=a,b` may have. */
const listedNames = z.registry<{ readonly names: readonly string[] }>();

/** `state=a,b` */
export function listOf<const Name extends string>(names: readonly Name[], what: string) {
  return z
    .string("may be given once only; separate several by commas")
    .transform((text, context) => {
      const given: Name[] = [];
      for (const part of text.split(",").map((one) => one.trim())) {
        const known = names.find((candidate) => candidate === part);
        if (known === undefined) {
          context.addIssue(`names the unknown ${what} '${part}'; allowed are ${names.join(", ")}`);
          return z.NEVER;
        }
        if (!given.includes(known)) given.push(known);
      }
      return given;
    })
    .meta({ description: `Separated by commas, any of: ${names.join(", ")}.` })
    .register(listedNames, { names });
}

/** What a list may name, if the member of a query is one. */
export function namesListedBy(member: z.ZodType): readonly string[] | null {
  return listedNames.get(member instanceof z.ZodOptional ? member.unwrap() : member)?.names ?? null;
}

export const searchLengthMax = 100;
export const searchWordsMax = 8;

/** All words must be found. */
export const searchWords = z
  .string("may be given once only")
  .max(searchLengthMax, "is too long")
  .refine(hasNoNul, "must not contain a NUL")
  .transform((text) => text.split(/\s+/).filter((word) => word !== ""))
  .pipe(
    z.array(z.string()).min(1, "must not be empty").max(searchWordsMax, `must have at most ${searchWordsMax} words`),
  )
  .meta({
    description: `Words that are each at least three characters of the OrderID or of a booking reference, or a flight, an airline, an airport or a route. Case does not matter. At most ${searchLengthMax} characters and ${searchWordsMax} words. To find travellers, use POST /cases/search, so that their names stay out of addresses.`,
  });

/** Marketing carrier and number of a flight, as in `LH1167`. */
export const flightNumber = z
  .string()
  .regex(/^[A-Z0-9]{2,3}\d{1,4}[A-Z]?$/, "must be carrier and number of a flight, such as LH1167");

export const localDate = z.iso.date("must be a date: yyyy-mm-dd");

export const code = (description: string, pattern: RegExp, message: string) =>
  z
    .string()
    .transform((text) => text.replaceAll(/\s/g, "").toUpperCase())
    .pipe(z.string().regex(pattern, message))
    .optional()
    .meta({ description });

export const decimal = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,4})?$/, "must be an amount as text, such as 1200.50")
  .optional();

export const note = z
  .string()
  .trim()
  .max(2_000)
  .refine(hasNoNul, "must not contain a NUL")
  .meta({ description: "Why, for the people who read the case later." });

/** PostgreSQL cannot store it in a text. */
export function hasNoNul(text: string): boolean {
  return !text.includes("\0");
}
