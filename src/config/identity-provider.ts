import { Secret } from "../kernel/secret.ts";

/** The roles of `src/dashboard/people/role.ts`. */
const roleNames = ["viewer", "agent", "supervisor", "admin"] as const;
type RoleName = (typeof roleNames)[number];

/** An OpenID Connect provider with which people sign in to the dashboard. */
export interface IdentityProviderConfiguration {
  /** As on the button. */
  readonly name: string;
  /** Exactly as the provider names itself. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scope: string;
  readonly rolesClaim: string;
  /** What the claim must contain for which role. */
  readonly roles: readonly RoleOfValue[];
  /** What it must contain to see which source; null: an admin decides here who sees what. */
  readonly sources: readonly SourceOfValue[] | null;
  readonly redirectUri: string;
}

export interface RoleOfValue {
  readonly value: string;
  readonly role: RoleName;
}

export interface SourceOfValue {
  readonly value: string;
  /** Null: all of them. */
  readonly source: string | null;
}

export const callbackPath = "/oidc/callback";

type IdentityProviderSettings = {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_ROLES?: readonly RoleOfValue[] | undefined;
  readonly OIDC_SOURCES?: readonly SourceOfValue[] | undefined;
  readonly OIDC_ROLES_CLAIM: string;
  readonly OIDC_SCOPE: string;
  readonly OIDC_NAME: string;
  readonly PUBLIC_URL?: string | undefined;
};

/**
 * Returns null if OIDC_ISSUER is not set. Problems name their setting, never its value.
 * @param sourceIds all that are configured
 */
export function readIdentityProvider(
  settings: IdentityProviderSettings,
  sourceIds: readonly string[],
  problems: string[],
): IdentityProviderConfiguration | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES, OIDC_SOURCES, PUBLIC_URL } = settings;
  const needed = { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES };
  const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
  const [given] = Object.entries({ ...needed, OIDC_SOURCES }).find(isGiven) ?? [];
  if (issuer === undefined) {
    if (given !== undefined) problems.push(`${given} is set and OIDC_ISSUER is not. Set all of OIDC_… or none.`);
    return null;
  }
  const missing = Object.entries({ ...needed, PUBLIC_URL }).filter((entry) => !isGiven(entry));
  for (const [name] of missing) problems.push(`${name} is not set. Signing in with OIDC_ISSUER needs it.`);
  const unknown = OIDC_SOURCES?.find(({ source }) => source !== null && !sourceIds.includes(source));
  if (unknown !== undefined) {
    problems.push(
      `OIDC_SOURCES names '${unknown.source}', which is no source; there are ${sourceIds.join(", ")}. Name one of them, or * for all.`,
    );
  }
  if (missing.length > 0 || unknown !== undefined) return null;
  return {
    name: settings.OIDC_NAME,
    issuer,
    clientId: OIDC_CLIENT_ID!,
    clientSecret: new Secret(OIDC_CLIENT_SECRET!),
    scope: settings.OIDC_SCOPE,
    rolesClaim: settings.OIDC_ROLES_CLAIM,
    roles: OIDC_ROLES!,
    sources: OIDC_SOURCES ?? null,
    redirectUri: `${PUBLIC_URL!.replace(/\/+$/, "")}${callbackPath}`,
  };
}

/** `role=value; role=value`. @returns a problem as the end of a sentence that begins with the setting's name */
export function readRoles(text: string): readonly RoleOfValue[] | { readonly problem: string } {
  const pairs = readPairs(text).map(({ name, value }) => ({ role: roleNames.find((role) => role === name), value }));
  const wrong = pairs.findIndex(({ role, value }) => role === undefined || value === "");
  if (wrong >= 0) {
    return {
      problem: `has a part (number ${wrong + 1}) that is not <role>=<group>; roles are ${roleNames.join(", ")}`,
    };
  }
  return pairs.length > 0 ? (pairs as RoleOfValue[]) : { problem: "maps no role" };
}

/** `source=value; *=value`. @returns as `readRoles` */
export function readSources(text: string): readonly SourceOfValue[] | { readonly problem: string } {
  const pairs = readPairs(text);
  const wrong = pairs.findIndex(({ name, value }) => name === "" || value === "");
  if (wrong >= 0) {
    return { problem: `has a part (number ${wrong + 1}) that is not <source>=<group>, or *=<group> for all sources` };
  }
  if (pairs.length === 0) return { problem: "maps no source" };
  return pairs.map(({ name, value }) => ({ source: name === "*" ? null : name, value }));
}

/** What has no `=` has an empty name and value. */
function readPairs(text: string): readonly { readonly name: string; readonly value: string }[] {
  return text
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [, name = "", value = ""] = /^([^=]*?)\s*=\s*(.*)$/s.exec(pair) ?? [];
      return { name, value };
    });
}
