import { z } from "zod";
import { Secret } from "../kernel/secret.ts";

export interface SettingDetails {
  readonly description: string;
  /** Written to `.env.example`. */
  readonly default?: string;
  /** May also be given as a file, `<NAME>_FILE`. Never printed. */
  readonly secret?: boolean;
  /** Whoever sets it means to work for real, so there is no demo mode unless DEMO says so. */
  readonly endsDemo?: boolean;
}

const detailsBySchema = new Map<z.ZodType, SettingDetails>();

/** The default is written as in the environment. */
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  about: SettingDetails & { readonly default: string },
): z.ZodPrefault<Schema>;
export function setting<Schema extends z.ZodType>(
  schema: Schema,
  about: SettingDetails & { readonly default?: never },
): z.ZodOptional<Schema>;
export function setting(schema: z.ZodType, about: SettingDetails): z.ZodType {
  const described = about.default === undefined ? schema.optional() : schema.prefault(about.default);
  detailsBySchema.set(described, about);
  return described;
}

export function detailsOf(schema: z.ZodType): SettingDetails {
  return detailsBySchema.get(schema)!;
}

export const absoluteUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

export const flag = z
  .enum(["0", "1", "true", "false"], { error: "must be 1 or 0" })
  .transform((value) => value === "1" || value === "true");

export const secret = z
  .string()
  .min(1)
  .transform((text) => new Secret(text));

/** The parts of a value that holds several, separated by white space. */
export function wordsIn(value: string | undefined): string[] {
  return (value ?? "").split(/\s+/).filter((word) => word !== "");
}
