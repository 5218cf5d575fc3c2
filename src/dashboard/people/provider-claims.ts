import type { VisibleSources } from "../../cases/visible-sources.ts";
import type { RoleOfValue, SourceOfValue } from "../../config/identity-provider.ts";
import { isRoleAtLeast, type UserRole } from "./role.ts";
import { apiTokenUsername, usernamePattern } from "./username.ts";

/** Claims of an ID token, and of userinfo. */
export type ProviderClaims = { readonly sub: string; readonly [claim: string]: unknown };

const displayNameLengthMax = 100;
const usernameLengthMax = 64;

/** Reads who somebody is here from what their identity provider says about them. */
export function readProviderClaims(
  claims: ProviderClaims,
  mapping: {
    readonly rolesClaim: string;
    readonly roles: readonly RoleOfValue[];
    readonly sources: readonly SourceOfValue[] | null;
  },
): {
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole | null;
  readonly sources: VisibleSources | undefined;
} {
  const claim = claims[mapping.rolesClaim];
  // One value or a list.
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const username = usernameOf(claims);
  const name = textOf(claims["name"])
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  return {
    username,
    displayName: name === "" ? username : [...name].slice(0, displayNameLengthMax).join(""),
    role: highestRole(values, mapping.roles),
    sources: mapping.sources === null ? undefined : sourcesOf(values, mapping.sources),
  };
}

/** The first of user name, e-mail address and subject that can be made into a user name. */
function usernameOf(claims: ProviderClaims): string {
  const candidates = [claims["preferred_username"], claims["email"], claims.sub].map((claim) =>
    toUsername(textOf(claim)),
  );
  return candidates.find((name) => usernamePattern.test(name) && name !== apiTokenUsername) ?? "";
}

function toUsername(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .trim()
    .replaceAll(/[^a-z0-9._@+-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, usernameLengthMax);
}

/** Compares exactly. */
function highestRole(values: readonly unknown[], roles: readonly RoleOfValue[]): UserRole | null {
  return roles
    .filter(({ value }) => values.includes(value))
    .map(({ role }): UserRole => role)
    .reduce<UserRole | null>((best, role) => (best === null || isRoleAtLeast(role, best) ? role : best), null);
}

/** The same. */
function sourcesOf(values: readonly unknown[], sources: readonly SourceOfValue[]): VisibleSources {
  const given = sources.filter(({ value }) => values.includes(value)).map(({ source }) => source);
  const some = given.filter((source) => source !== null);
  return some.length < given.length ? null : [...new Set(some)].sort();
}

function textOf(claim: unknown): string {
  return typeof claim === "string" ? claim : "";
}
