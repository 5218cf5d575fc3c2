import type { JWK } from "jose";
import { z } from "zod";
import { readYaml } from "../../config/read-yaml.ts";
import { absoluteUrl, flag, secret, setting, wordsIn } from "../../config/setting.ts";
import { isLoopback } from "../../kernel/networks.ts";
import type { AccessTokenRules } from "../access-token-verifiers.ts";
import { type Check, defineWay } from "./way.ts";

/** The scope of our own tokens if none is set. */
const defaultOwnScope = "ocn.push";

const defaultClockSkewSeconds = 60;
export const clockSkewSecondsMax = 300;

/** RFC 6749 section 3.3. */
const scopeList = z
  .string()
  .transform(wordsIn)
  .refine(
    (scopes) => scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)),
    "must be scopes separated by spaces, without quotes and backslashes",
  );

const text = z.string().min(1);

const publicKey = z
  .looseObject({ kty: z.enum(["RSA", "EC", "OKP"], { error: "must be RSA, EC or OKP" }) })
  .refine((key) => !("d" in key), "must be a public key: keep the private one ('d') where it signs");

const client = z
  .strictObject({
    /** Unique over all sources. */
    id: z.string().regex(/^[\x21-\x7e]{1,200}$/, "must be 1 to 200 visible ASCII characters"),
    /** Several while rotating. */
    secrets: z.array(secret).default([]),
    jwks: z.strictObject({ keys: z.array(publicKey).min(1) }).optional(),
  })
  .refine(({ secrets, jwks }) => secrets.length > 0 || jwks !== undefined, "needs secrets, or jwks for private_key_jwt")
  .transform(({ id, secrets, jwks }) => {
    const publicKeys: readonly JWK[] = jwks?.keys ?? [];
    return { id, secrets, publicKeys };
  });

const clientList = z
  .array(client)
  .min(1)
  .refine((clients) => new Set(clients.map(({ id }) => id)).size === clients.length, "name the same client twice");

const schema = z
  .strictObject({
    issuer: text.optional(),
    audience: z.union([text.transform((value) => [value]), z.array(text).min(1)]).optional(),
    scope: scopeList.default([]),
    jwks_url: absoluteUrl.optional(),
    introspection: z
      .strictObject({ url: absoluteUrl, client_id: text, client_secret: secret })
      .transform((given) => ({ url: given.url, clientId: given.client_id, clientSecret: given.client_secret }))
      .optional(),
    clients: clientList.optional(),
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
  })
  .transform(({ scope, clients, ...given }) => {
    const clockSkewSeconds = given.clock_skew_seconds;
    const { jwks_url: jwksUrl = null, introspection = null } = given;
    const accessTokens: AccessTokenRules | null =
      jwksUrl === null && introspection === null
        ? null
        : {
            issuer: given.issuer ?? null,
            audiences: given.audience ?? [],
            scopes: scope,
            jwksUrl,
            introspection,
            clockSkewSeconds,
            requireProfile: given.require_at_jwt,
          };
    const scopes = scope.length > 0 ? scope : [defaultOwnScope];
    return {
      kind: "oauth" as const,
      /** Of an authorization server; null if none are accepted. */
      accessTokens,
      /** Of our own token endpoint: who may ask it for a token, and what a token is good for; null without any. */
      clients: clients === undefined ? null : { clients, scopes, clockSkewSeconds },
    };
  });

/** `id:secret` separated by white space, an id repeated for rotation; or a YAML list as in SOURCES_FILE. */
const listedClients = z.string().transform((listed, context): unknown => {
  if (/^\s*(\[|- )/.test(listed)) {
    const read = readYaml(listed);
    if (read.ok) return read.value;
    context.addIssue(read.problem);
    return z.NEVER;
  }
  const clients = new Map<string, string[]>();
  for (const pair of wordsIn(listed)) {
    const colon = pair.indexOf(":");
    const id = colon === -1 ? "" : pair.slice(0, colon);
    clients.set(id, [...(clients.get(id) ?? []), pair.slice(colon + 1)]);
  }
  return [...clients].map(([id, secrets]) => ({ id, secrets }));
});

export type OAuthClient = z.output<typeof client>;

/** Access tokens, of an authorization server or of our own token endpoint. */
export const oauth = defineWay({
  settings: {
    OCN_OAUTH_ISSUER: setting(z.string(), {
      description: "Issuer (iss) of the access tokens that the default source sends, exactly as the tokens have it.",
      endsDemo: true,
    }),
    OCN_OAUTH_AUDIENCE: setting(z.string(), {
      description:
        "Audience (aud) that these tokens must have; several, separated by white space, of which one is enough.",
    }),
    OCN_OAUTH_SCOPE: setting(z.string(), {
      description:
        "Scopes that these tokens must have, all of them, separated by spaces. The built-in token endpoint gives them to its tokens; not set, it gives ocn.push.",
    }),
    OCN_OAUTH_JWKS_URL: setting(absoluteUrl, {
      description: "Where the issuer publishes its public keys; its tokens are JWTs.",
      endsDemo: true,
    }),
    OCN_OAUTH_INTROSPECTION_URL: setting(absoluteUrl, {
      description: "Where the issuer tells about tokens that are no JWTs (RFC 7662).",
      endsDemo: true,
    }),
    OCN_OAUTH_INTROSPECTION_CLIENT_ID: setting(z.string(), { description: "Our client id there." }),
    OCN_OAUTH_INTROSPECTION_CLIENT_SECRET: setting(z.string(), {
      description: "Our client secret there.",
      secret: true,
      endsDemo: true,
    }),
    OCN_OAUTH_CLIENTS: setting(listedClients, {
      description:
        "Clients of the built-in token endpoint (POST /oauth/token) that push as the default source: client_id:secret, or its hash, separated by white space; an id with several secrets stands there several times. Or a YAML list as under oauth.clients in SOURCES_FILE, which can hold public keys too.",
      secret: true,
      endsDemo: true,
    }),
    OCN_OAUTH_CLOCK_SKEW_SECONDS: setting(z.coerce.number().int().min(0).max(clockSkewSecondsMax), {
      default: String(defaultClockSkewSeconds),
      description: "How far the issuer's clock may differ from ours, at most 300.",
    }),
    OCN_OAUTH_REQUIRE_AT_JWT: setting(flag, {
      default: "0",
      description: "1 accepts only JWTs that keep to RFC 9068: type at+jwt and all its claims.",
    }),
    OCN_OAUTH_ALLOW_HTTP: setting(flag, {
      default: "0",
      description: "1 allows the two URLs above to be http beyond this machine, for a network that nobody else is on.",
    }),
  },
  fromSettings(settings) {
    const introspection = {
      url: settings.OCN_OAUTH_INTROSPECTION_URL,
      client_id: settings.OCN_OAUTH_INTROSPECTION_CLIENT_ID,
      client_secret: settings.OCN_OAUTH_INTROSPECTION_CLIENT_SECRET,
    };
    const { OCN_OAUTH_AUDIENCE: audience } = settings;
    const given = {
      issuer: settings.OCN_OAUTH_ISSUER,
      audience: audience === undefined ? undefined : wordsIn(audience),
      scope: settings.OCN_OAUTH_SCOPE,
      jwks_url: settings.OCN_OAUTH_JWKS_URL,
      introspection: isAnySet(introspection) ? introspection : undefined,
      clients: settings.OCN_OAUTH_CLIENTS,
    };
    if (!isAnySet(given)) return undefined;
    return {
      ...given,
      clock_skew_seconds: settings.OCN_OAUTH_CLOCK_SKEW_SECONDS,
      require_at_jwt: settings.OCN_OAUTH_REQUIRE_AT_JWT,
      allow_http: settings.OCN_OAUTH_ALLOW_HTTP,
    };
  },
  schema,
  describeIssue(path, { message }) {
    if (path === "") return `OCN_OAUTH_… ${message}.`;
    return `${settingOf[path] ?? settingOf[path.split(".")[0]!] ?? "OCN_OAUTH_CLIENTS"}: ${message}.`;
  },
  describe: () => "OAuth",
  secretsOf: ({ clients }) => clients?.clients.flatMap(({ secrets }) => secrets) ?? [],
  createChecks({ accessTokens, clients }, { name, verifiers }) {
    const checks: Check[] = [];
    const add = (by: "keys" | "server", verify: ReturnType<typeof verifiers.ofOurOwn>): void => {
      if (verify !== null) checks.push({ reads: "bearer-token", by, verify });
    };
    if (clients !== null) add("keys", verifiers.ofOurOwn(name));
    if (accessTokens !== null) {
      add("keys", verifiers.byKeys(accessTokens));
      add("server", verifiers.byIntrospection(accessTokens));
    }
    return checks;
  },
  // Access tokens are Bearer tokens.
  securitySchemes: {},
});

const settingOf: Readonly<Record<string, string>> = {
  issuer: "OCN_OAUTH_ISSUER",
  audience: "OCN_OAUTH_AUDIENCE",
  scope: "OCN_OAUTH_SCOPE",
  jwks_url: "OCN_OAUTH_JWKS_URL",
  "introspection.url": "OCN_OAUTH_INTROSPECTION_URL",
  "introspection.client_id": "OCN_OAUTH_INTROSPECTION_CLIENT_ID",
  "introspection.client_secret": "OCN_OAUTH_INTROSPECTION_CLIENT_SECRET",
};

function isAnySet(values: object): boolean {
  return Object.values(values).some((value) => value !== undefined);
}

/** Whether nobody on the network can change what this URL returns. */
function isProtected(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || isLoopback(hostname);
}
