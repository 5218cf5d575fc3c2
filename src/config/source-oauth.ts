import { parseDocument } from "yaml";
import { z } from "zod";
import { isLoopback } from "../kernel/networks.ts";
import { Secret } from "../kernel/secret.ts";

export interface OAuthConfiguration {
  /** Null if none are accepted. */
  readonly accessTokens: {
    /** The exact `iss`; null only with introspection. */
    readonly issuer: string | null;
    readonly audiences: readonly string[];
    readonly scopes: readonly string[];
    readonly jwksUrl: string | null;
    readonly introspection: { readonly url: string; readonly clientId: string; readonly clientSecret: Secret } | null;
    readonly clockSkewSeconds: number;
    readonly requireProfile: boolean;
  } | null;
  /** For our own token endpoint; null if none. */
  readonly clients: {
    readonly clients: readonly OAuthClientConfiguration[];
    readonly scopes: readonly string[];
    readonly clockSkewSeconds: number;
  } | null;
}

export interface OAuthClientConfiguration {
  readonly id: string;
  readonly secrets: readonly Secret[];
  readonly publicKeys: readonly { readonly kty: string; readonly [member: string]: unknown }[];
}

/** The scope of our own tokens if none is set. */
export const defaultOwnScope = "ocn.push";

export const defaultClockSkewSeconds = 60;
export const clockSkewSecondsMax = 300;

/** RFC 6749 section 3.3. */
const scopeList = z
  .string()
  .transform((text) => text.split(/\s+/).filter((scope) => scope !== ""))
  .refine(
    (scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)),
    "must be scopes separated by spaces, without quotes and backslashes",
  );

const text = z.string().min(1);
const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const publicKey = z
  .looseObject({ kty: z.enum(["RSA", "EC", "OKP"], { error: "must be RSA, EC or OKP" }) })
  .refine((key) => !("d" in key), "must be a public key: keep the private one ('d') where it signs");

const clientSchema = z
  .strictObject({
    id: z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible ASCII characters"),
    secrets: z.array(text).default([]),
    jwks: z.strictObject({ keys: z.array(publicKey).min(1) }).optional(),
  })
  .refine(
    ({ secrets, jwks }) => secrets.length > 0 || jwks !== undefined,
    "needs secrets, or jwks for private_key_jwt",
  );

const clientsSchema = z
  .array(clientSchema)
  .min(1)
  .refine((clients) => new Set(clients.map(({ id }) => id)).size === clients.length, "name the same client twice");

/** The shape in SOURCES_FILE; the settings OCN_OAUTH_… are converted to it. */
export const oauthSchema = z
  .strictObject({
    issuer: text.optional(),
    audience: z.union([text.transform((value) => [value]), z.array(text).min(1)]).optional(),
    scope: scopeList.default([]),
    jwks_url: url.optional(),
    introspection: z.strictObject({ url, client_id: text, client_secret: text }).optional(),
    clients: clientsSchema.optional(),
    clock_skew_seconds: z.number().int().min(0).max(clockSkewSecondsMax).default(defaultClockSkewSeconds),
    require_at_jwt: z.boolean().default(false),
    allow_http: z.boolean().default(false),
  })
  .check((context) => {
    const { issuer, audience, jwks_url: jwksUrl, introspection, clients, allow_http: allowHttp } = context.value;
    const complain = (path: readonly string[], message: string): void => {
      context.issues.push({ code: "custom", input: undefined, path: [...path], message });
    };
    const trustsServer = jwksUrl !== undefined || introspection !== undefined;
    if (!trustsServer && clients === undefined) {
      complain([], "needs a JWKS URL, an introspection URL, or clients of the built-in token endpoint");
    }
    if (trustsServer && audience === undefined) {
      complain(["audience"], "is missing: without it a token for any other resource of that server would be accepted");
    }
    if (jwksUrl !== undefined && issuer === undefined) complain(["issuer"], "is missing, and goes with the JWKS URL");
    for (const [path, value] of [
      [["jwks_url"], jwksUrl],
      [["introspection", "url"], introspection?.url],
    ] as const) {
      if (value === undefined || allowHttp || isProtected(value)) continue;
      complain(path, "must be https: over http anybody on the way can say who may push");
    }
  });

export function toOAuthConfiguration(oauth: z.output<typeof oauthSchema>): OAuthConfiguration {
  const { introspection, clients, clock_skew_seconds: clockSkewSeconds } = oauth;
  const jwksUrl = oauth.jwks_url ?? null;
  return {
    accessTokens:
      jwksUrl === null && introspection === undefined
        ? null
        : {
            issuer: oauth.issuer ?? null,
            audiences: oauth.audience ?? [],
            scopes: oauth.scope,
            jwksUrl,
            introspection:
              introspection === undefined
                ? null
                : {
                    url: introspection.url,
                    clientId: introspection.client_id,
                    clientSecret: new Secret(introspection.client_secret),
                  },
            clockSkewSeconds,
            requireProfile: oauth.require_at_jwt,
          },
    clients:
      clients === undefined
        ? null
        : {
            clients: clients.map(({ id, secrets, jwks }) => ({
              id,
              secrets: secrets.map((secret) => new Secret(secret)),
              publicKeys: jwks?.keys ?? [],
            })),
            scopes: oauth.scope.length > 0 ? oauth.scope : [defaultOwnScope],
            clockSkewSeconds,
          },
  };
}

const settingOf: Readonly<Record<string, string>> = {
  issuer: "OCN_OAUTH_ISSUER",
  audience: "OCN_OAUTH_AUDIENCE",
  scope: "OCN_OAUTH_SCOPE",
  jwks_url: "OCN_OAUTH_JWKS_URL",
  "introspection.url": "OCN_OAUTH_INTROSPECTION_URL",
  "introspection.client_id": "OCN_OAUTH_INTROSPECTION_CLIENT_ID",
  "introspection.client_secret": "OCN_OAUTH_INTROSPECTION_CLIENT_SECRET",
};

export interface OAuthSettings {
  readonly OCN_OAUTH_ISSUER?: string | undefined;
  readonly OCN_OAUTH_AUDIENCE?: string | undefined;
  readonly OCN_OAUTH_SCOPE?: string | undefined;
  readonly OCN_OAUTH_JWKS_URL?: string | undefined;
  readonly OCN_OAUTH_INTROSPECTION_URL?: string | undefined;
  readonly OCN_OAUTH_INTROSPECTION_CLIENT_ID?: string | undefined;
  readonly OCN_OAUTH_INTROSPECTION_CLIENT_SECRET?: string | undefined;
  readonly OCN_OAUTH_CLIENTS?: string | undefined;
  readonly OCN_OAUTH_CLOCK_SKEW_SECONDS: number;
  readonly OCN_OAUTH_REQUIRE_AT_JWT: boolean;
  readonly OCN_OAUTH_ALLOW_HTTP: boolean;
}

/** Returns null if none is set. Problems name their setting, never its value. */
export function readOAuthSettings(settings: OAuthSettings, problems: string[]): OAuthConfiguration | null {
  const introspection = {
    url: settings.OCN_OAUTH_INTROSPECTION_URL,
    client_id: settings.OCN_OAUTH_INTROSPECTION_CLIENT_ID,
    client_secret: settings.OCN_OAUTH_INTROSPECTION_CLIENT_SECRET,
  };
  const given = {
    issuer: settings.OCN_OAUTH_ISSUER,
    audience: settings.OCN_OAUTH_AUDIENCE?.split(/\s+/).filter((value) => value !== ""),
    scope: settings.OCN_OAUTH_SCOPE,
    jwks_url: settings.OCN_OAUTH_JWKS_URL,
    introspection: Object.values(introspection).some((value) => value !== undefined) ? introspection : undefined,
    clients: settings.OCN_OAUTH_CLIENTS === undefined ? undefined : readClients(settings.OCN_OAUTH_CLIENTS),
  };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (Object.keys(present).length === 0) return null;
  const parsed = oauthSchema.safeParse({
    ...present,
    clock_skew_seconds: settings.OCN_OAUTH_CLOCK_SKEW_SECONDS,
    require_at_jwt: settings.OCN_OAUTH_REQUIRE_AT_JWT,
    allow_http: settings.OCN_OAUTH_ALLOW_HTTP,
  });
  if (parsed.success) return toOAuthConfiguration(parsed.data);
  for (const { path, message } of parsed.error.issues) {
    const place = path.join(".");
    if (place === "") problems.push(`OCN_OAUTH_… ${message}.`);
    else problems.push(`${settingOf[place] ?? settingOf[String(path[0])] ?? "OCN_OAUTH_CLIENTS"}: ${message}.`);
  }
  return null;
}

/** `id:secret` separated by white space, an id repeated for rotation; or a YAML list as in SOURCES_FILE. */
function readClients(setting: string): unknown {
  if (/^\s*(\[|- )/.test(setting)) {
    const document = parseDocument(setting);
    return document.errors.length > 0 ? null : document.toJS();
  }
  const clients = new Map<string, string[]>();
  for (const pair of setting.split(/\s+/).filter((part) => part !== "")) {
    const colon = pair.indexOf(":");
    const id = colon === -1 ? "" : pair.slice(0, colon);
    clients.set(id, [...(clients.get(id) ?? []), pair.slice(colon + 1)]);
  }
  return [...clients].map(([id, secrets]) => ({ id, secrets }));
}

/** Whether nobody on the network can change what this URL returns. */
function isProtected(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || isLoopback(hostname);
}
