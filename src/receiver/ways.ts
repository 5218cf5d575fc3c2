import type { z } from "zod";
import type { Secret } from "../kernel/secret.ts";
import { basic } from "./ways/basic.ts";
import { bearerTokens } from "./ways/bearer-tokens.ts";
import { exactAuthorization } from "./ways/exact-authorization.ts";
import { oauth } from "./ways/oauth.ts";
import { signingSecrets } from "./ways/signing-secrets.ts";
import type { WayDefinition } from "./ways/way.ts";

/** The ways in which a source may authenticate, by their members in SOURCES_FILE. Any one of a source's is enough. */
const definitions = {
  basic,
  bearer_tokens: bearerTokens,
  oauth,
  exact_authorization: exactAuthorization,
  signing_secrets: signingSecrets,
};

/** In the order of the documentation. */
export const settingsOfWays = {
  ...basic.settings,
  ...bearerTokens.settings,
  ...exactAuthorization.settings,
  ...signingSecrets.settings,
  ...oauth.settings,
};

export type WayKind = keyof typeof definitions;
type SchemaByKind = { readonly [Kind in WayKind]: z.ZodOptional<(typeof definitions)[Kind]["schema"]> };
type WayByKind = { readonly [Kind in WayKind]: NonNullable<z.output<SchemaByKind[Kind]>> };

/** How one source may authenticate, told apart by its `kind`. */
export type Way = WayByKind[WayKind];

export const wayKinds = Object.keys(definitions) as readonly WayKind[];

const definitionByKind: { readonly [Kind in WayKind]: WayDefinition<z.ZodRawShape, WayByKind[Kind]> } = definitions;

export function definitionOf<Kind extends WayKind>(way: {
  readonly kind: Kind;
}): WayDefinition<z.ZodRawShape, WayByKind[Kind]> {
  return definitionByKind[way.kind];
}

export function findWay<Kind extends WayKind>(ways: readonly Way[], kind: Kind): WayByKind[Kind] | undefined {
  return ways.find((way): way is WayByKind[Kind] => way.kind === kind);
}

/** All that callers may send to authenticate. */
export function secretsIn(ways: readonly Way[]): readonly Secret[] {
  return ways.flatMap((way) => definitionOf(way).secretsOf(way));
}

/** The members of a source in SOURCES_FILE. */
export const wayMembers = Object.fromEntries(
  wayKinds.map((kind) => [kind, definitions[kind].schema.optional()]),
) as unknown as SchemaByKind;

export function waysIn(members: Partial<z.output<z.ZodObject<SchemaByKind>>>): readonly Way[] {
  return wayKinds.flatMap((kind) => members[kind] ?? []);
}

/** What the settings give to the default source. Problems name their setting, never its value. */
export function readWays(settings: z.output<z.ZodObject<typeof settingsOfWays>>, problems: string[]): readonly Way[] {
  return Object.values(definitions).flatMap((definition): readonly Way[] => {
    const given = definition.fromSettings(settings);
    if (given === undefined) return [];
    const read = definition.schema.safeParse(given);
    if (read.success) return read.data === undefined ? [] : [read.data];
    const found = read.error.issues.map((issue) => definition.describeIssue(issue.path.join("."), issue));
    problems.push(...new Set(found));
    return [];
  });
}
