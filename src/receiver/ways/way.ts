import type { z } from "zod";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RecognisedCredentials } from "../../kernel/recognised-credentials.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { VerifyAccessToken } from "../access-token.ts";
import type { TokenVerifiers } from "../access-token-verifiers.ts";
import type { HeaderStrategy, NetworkOfCaller } from "../header-strategy.ts";
import type { ReadSignature } from "../webhook-signature.ts";

/** All that the program knows of one way in which a source may authenticate. `../ways.ts` lists them. */
export interface WayDefinition<Shape extends z.ZodRawShape, Way> {
  /** The settings with which the default source has it. */
  readonly settings: Shape;
  /** Writes these settings as SOURCES_FILE would have it; undefined if none of them is set. */
  fromSettings(settings: z.output<z.ZodObject<Shape>>): unknown;
  /** What a source has in SOURCES_FILE, and what `fromSettings` returns. Undefined for an empty list. */
  readonly schema: z.ZodType<Way | undefined>;
  /** Says in words of the settings what `schema` does not accept. Never repeats a value. */
  describeIssue(path: string, issue: { readonly code?: string | undefined; readonly message: string }): string;
  /** What `skedchange doctor` calls it. */
  describe(way: Way): string;
  /** The secrets that callers send, which nobody may guess. */
  secretsOf(way: Way): readonly Secret[];
  createChecks(way: Way, context: CheckContext): readonly Check[];
  /** For OpenAPI, by name; none if OpenAPI has no scheme of this kind, or another way has it. */
  readonly securitySchemes: Readonly<Record<string, Json>>;
}

/** One way by which a request may turn out to be of its source. */
export type Check =
  | { readonly reads: "header"; readonly name: string; readonly strategy: HeaderStrategy }
  /** By the keys of its issuer, by our own secrets, or by asking another server. */
  | { readonly reads: "bearer-token"; readonly by: "keys" | "secrets" | "server"; readonly verify: VerifyAccessToken }
  | { readonly reads: "body"; readonly challenge: string; readonly readSignature: ReadSignature };

export interface CheckContext {
  /** The name of the source. */
  readonly name: string;
  readonly clock: Clock;
  readonly recognised: RecognisedCredentials;
  readonly networkOf: NetworkOfCaller;
  readonly verifiers: TokenVerifiers;
}

/** Infers the types of one definition. */
export function defineWay<Shape extends z.ZodRawShape, Way>(
  definition: WayDefinition<Shape, Way>,
): WayDefinition<Shape, Way> {
  return definition;
}
