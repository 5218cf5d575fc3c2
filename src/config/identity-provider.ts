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
  readonly redirectUri: string;
}

export interface RoleOfValue {
  readonly value: string;
  readonly role: RoleName;
}

export const callbackPath = "/oidc/callback";

type IdentityProviderSettings = {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_ROLES?: readonly RoleOfValue[] | undefined;
  readonly OIDC_ROLES_CLAIM: string;
  readonly OIDC_SCOPE: string;
  readonly OIDC_NAME: string;
  readonly PUBLIC_URL?: string | undefined;
};

/** Returns null if OIDC_ISSUER is not set. Problems name their setting, never its value. */
export function readIdentityProvider(
  settings: IdentityProviderSettings,
  problems: string[],
): IdentityProviderConfiguration | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES, PUBLIC_URL } = settings;
  const needed = { OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES };
  const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
  const [given] = Object.entries(needed).find(isGiven) ?? [];
  if (issuer === undefined) {
    if (given !== undefined) problems.push(`${given} is set and OIDC_ISSUER is not. Set all of OIDC_… or none.`);
    return null;
  }
  const missing = Object.entries({ ...needed, PUBLIC_URL }).filter((entry) => !isGiven(entry));
  for (const [name] of missing) problems.push(`${name} is not set. Signing in with OIDC_ISSUER needs it.`);
  if (missing.length > 0) return null;
  return {
    name: settings.OIDC_NAME,
    issuer,
    clientId: OIDC_CLIENT_ID!,
    clientSecret: new Secret(OIDC_CLIENT_SECRET!),
    scope: settings.OIDC_SCOPE,
    rolesClaim: settings.OIDC_ROLES_CLAIM,
    roles: OIDC_ROLES!,
    redirectUri: `${PUBLIC_URL!.replace(/\/+$/, "")}${callbackPath}`,
  };
}

/** `role=value; role=value`. @returns a problem as the end of a sentence that begins with the setting's name */
export function readRoles(text: string): readonly RoleOfValue[] | { readonly problem: string } {
  const pairs: RoleOfValue[] = [];
  for (const part of text.split(";").map((pair) => pair.trim())) {
    if (part === "") continue;
    const [, name = "", value = ""] = /^([a-z]+)\s*=\s*(.+)$/.exec(part) ?? [];
    const role = roleNames.find((candidate) => candidate === name);
    if (role === undefined) {
      return {
        problem: `has a part (number ${pairs.length + 1}) that is not <role>=<group>; roles are ${roleNames.join(", ")}`,
      };
    }
    pairs.push({ role, value });
  }
  return pairs.length > 0 ? pairs : { problem: "maps no role" };
}
