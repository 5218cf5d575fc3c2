import { createHmac, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { type JWTPayload, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type { AccessTokenRules } from "../../../src/receiver/access-token-verifiers.ts";
import type { Way } from "../../../src/receiver/ways.ts";
import { createAssertionStore, createSigningKeyStore } from "../../../src/store/deliveries/signing-keys.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import {
  type IssuerKey,
  makeIssuerKey,
  sendJson,
  signToken,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../../harness/authorization-server.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { anOcn, basic, password, type ReceiverServer, startReceiver, username } from "./receiver-server.ts";

const issuer = "https://login.gateway.example/";
const audience = "https://agency.example/ocn";
const scope = "ocn:push";
const signingSecret = `whsec_${randomBytes(32).toString("base64")}`;
const oldSigningSecret = `whsec_${randomBytes(24).toString("base64")}`;
const exactValue = "EncryptionKey#1 äß";

let db: TestDatabase;
let idp: TestAuthorizationServer;
let attacker: TestAuthorizationServer;
let server: ReceiverServer;
const keys = {} as Record<"es" | "rs" | "ps" | "ed" | "es384" | "next" | "twinA" | "twinB" | "foreign", IssuerKey>;

/** Opaque tokens that the introspection endpoint knows, and what it says of them. */
const opaque: Record<string, Record<string, unknown>> = {};

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
const claims = (changes: JWTPayload & Record<string, unknown> = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: "gateway",
  client_id: "gateway",
  scope: `openid ${scope}`,
  iat: nowSeconds(),
  exp: nowSeconds() + 600,
  jti: randomBytes(8).toString("hex"),
  ...changes,
});
/** A token whose claims are the good ones but for these; `undefined` leaves a claim out. */
const jwt = (changes: Record<string, unknown> = {}, key = keys.es, header: Record<string, unknown> = {}) =>
  signToken(key, claims(changes), header);

beforeAll(async () => {
  db = await createTestDatabase();
  [idp, attacker] = await Promise.all([startAuthorizationServer(), startAuthorizationServer()]);
  const algorithms = {
    es: "ES256",
    rs: "RS256",
    ps: "PS512",
    ed: "EdDSA",
    es384: "ES384",
    next: "ES256",
    foreign: "ES256",
  };
  for (const [name, alg] of Object.entries({ ...algorithms, twinA: "RS384", twinB: "RS384" })) {
    keys[name as keyof typeof keys] = await makeIssuerKey(`key-${name}`, alg);
  }
  const { es, rs, ps, ed, es384, twinA, twinB } = keys;
  idp.publish(es, rs, ps, ed, es384, twinA, twinB);
  attacker.publish(keys.foreign);
  const good = { active: true, aud: audience, scope, iss: issuer, exp: nowSeconds() + 600 };
  Object.assign(opaque, {
    good,
    "no-exp": { ...good, exp: undefined },
    "aud-list": { ...good, aud: ["https://else.example", audience] },
    inactive: { active: false },
    "says-text": { ...good, active: "true" },
    expired: { ...good, exp: nowSeconds() - 120 },
    early: { ...good, nbf: nowSeconds() + 600 },
    "other-audience": { ...good, aud: "https://else.example" },
    "no-audience": { ...good, aud: undefined },
    "other-issuer": { ...good, iss: "https://else.example" },
    "no-scope": { ...good, scope: undefined },
    "other-scope": { ...good, scope: "ocn:read" },
  });
  idp.serveIntrospection((token, response) => {
    if (token === "slow") return;
    if (token === "broken") return sendJson(response, { error: "server_error" }, 500);
    if (token === "refused") return sendJson(response, { error: "invalid_client" }, 401);
    if (token === "no-json") return void response.writeHead(200).end("<html>");
    sendJson(response, opaque[token] ?? { active: false });
  });

  const trust: AccessTokenRules = {
    issuer,
    audiences: [audience],
    scopes: [scope],
    jwksUrl: idp.jwksUrl,
    introspection: null,
    clockSkewSeconds: 60,
    requireProfile: false,
  };
  const introspection = { url: idp.introspectionUrl, clientId: "agency", clientSecret: new Secret("hush: +%") };
  const client = (id: string) => ({ id, secrets: [new Secret(`${id}-secret`)], publicKeys: [] });
  const ownClients = (id: string) => ({ clients: [client(id)], scopes: ["ocn.push"], clockSkewSeconds: 60 });
  const withBasic: Way = { kind: "basic", username, passwords: [new Secret(password)] };
  const withToken: Way = { kind: "bearer_tokens", tokens: [new Secret("fixed-token")] };
  const trusting = (rules: Partial<AccessTokenRules>): Way => ({
    kind: "oauth",
    accessTokens: { ...trust, ...rules },
    clients: null,
  });
  const issuingTo = (id: string): Way => ({ kind: "oauth", accessTokens: null, clients: ownClients(id) });
  const signedWith = (...secrets: readonly string[]): Way => ({
    kind: "signing_secrets",
    secrets: secrets.map((secret) => new Secret(secret)),
  });
  const ways: Record<string, readonly Way[]> = {
    default: [withBasic, withToken, trusting({})],
    jwt: [trusting({})],
    profile: [trusting({ requireProfile: true })],
    opaque: [trusting({ jwksUrl: null, introspection })],
    either: [trusting({ introspection })],
    "fixed-or-opaque": [withToken, trusting({ jwksUrl: null, introspection })],
    "keys-down": [trusting({ jwksUrl: "http://127.0.0.1:1/jwks" })],
    "keys-moved": [trusting({ jwksUrl: `${idp.url}/moved` })],
    "introspection-down": [
      trusting({ jwksUrl: null, introspection: { ...introspection, url: "http://127.0.0.1:1/i" } }),
    ],
    "own-a": [issuingTo("client-a")],
    "own-b": [issuingTo("client-b")],
    exact: [{ kind: "exact_authorization", values: [new Secret(exactValue)] }],
    signed: [signedWith(oldSigningSecret, signingSecret)],
    "signed-or-basic": [withBasic, signedWith(signingSecret)],
    "signed-in-two-ways": [signedWith(oldSigningSecret), signedWith(signingSecret)],
  };
  server = await startReceiver(createNotificationStore(db.database), {
    sources: Object.entries(ways).map(([name, authentication]) => ({
      name,
      authentication,
      acknowledgeUnusable: false,
    })),
    tokenEndpoint: { keys: createSigningKeyStore(db.database), assertions: createAssertionStore(db.database) },
    authorizationServers: { timeoutMs: 5_000 },
  });
});
afterAll(async () => {
  await server?.close();
  await Promise.all([idp?.close(), attacker?.close()]);
  await db?.drop();
});

// What the response is.
const basicChallenge = 'Basic realm="skedchange", charset="UTF-8"';
const bearerChallenge = 'Bearer realm="skedchange"';
const invalidToken = `${bearerChallenge}, error="invalid_token", error_description="The token is malformed or not accepted here"`;
const invalidRequest = `${bearerChallenge}, error="invalid_request"`;
const exactChallenge = 'Exact realm="skedchange"';
const signedChallenge = 'StandardWebhooks realm="skedchange"';

interface Expected {
  readonly status: number;
  /** Of the problem; null for an acknowledgement. */
  readonly code: string | null;
  readonly challenge: string | null;
  readonly retryAfter: boolean;
}
const acknowledged: Expected = { status: 200, code: null, challenge: null, retryAfter: false };
const unauthorized = (challenge: string): Expected => ({
  ...acknowledged,
  status: 401,
  code: "receiver.unauthorized",
  challenge,
});
const badToken = unauthorized(invalidToken);
const lacksScope = (name: string): Expected => ({
  ...acknowledged,
  status: 403,
  code: "receiver.insufficient_scope",
  challenge: `${bearerChallenge}, error="insufficient_scope", scope="${name}"`,
});
const undecided: Expected = { ...acknowledged, status: 503, code: "receiver.token_undecided", retryAfter: true };
const badRequest = (code: string): Expected => ({ ...acknowledged, status: 400, code, challenge: invalidRequest });

interface Attempt {
  readonly authorization?: string | readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly query?: string;
}
type Row = readonly [title: string, source: string, attempt: () => Attempt | Promise<Attempt>, expected: Expected];

const body = Buffer.from(anOcn("AUTH0001"));

function send(source: string, attempt: Attempt): Promise<Expected> {
  const raw: string[] = ["Content-Type", "application/json"];
  for (const value of [attempt.authorization ?? []].flat()) raw.push("Authorization", value);
  for (const [name, value] of Object.entries(attempt.headers ?? {})) {
    if (name === "content-type") raw.splice(0, 2);
    raw.push(name, value);
  }
  const sent = attempt.body ?? body;
  raw.push("Host", "127.0.0.1", "Content-Length", String(sent.length));
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}/ocn/${source}${attempt.query ?? ""}`, { method: "POST", headers: raw });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const document = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { code?: string };
        resolve({
          status: response.statusCode ?? 0,
          code: document.code ?? null,
          challenge: response.headers["www-authenticate"] ?? null,
          retryAfter: response.headers["retry-after"] !== undefined,
        });
      });
    });
    outgoing.end(sent);
  });
}

const bearer = (token: string): Attempt => ({ authorization: `Bearer ${token}` });
const withJwt =
  (changes: Record<string, unknown> = {}, name: keyof typeof keys = "es", header = {}) =>
  async () =>
    bearer(await jwt(changes, keys[name], header));

/** A token whose header and signature are made by hand. */
const forged = (header: object, sign: (input: string) => string) => () => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${encode(header)}.${encode(claims())}`;
  return bearer(`${input}.${sign(input)}`);
};
/** The public key as it is published, used as the secret of an HMAC. */
const hmacWithPublicKey = (alg: string, hash: string) =>
  forged({ alg, typ: "at+jwt", kid: "key-rs" }, (input) =>
    createHmac(hash, JSON.stringify(keys.rs.publicJwk)).update(input).digest("base64url"),
  );

async function ownToken(clientId: string, form: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${server.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: basic(clientId, `${clientId}-secret`) },
    body: new URLSearchParams({ grant_type: "client_credentials", ...form }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The headers of Standard Webhooks. */
function signature(changes: { secret?: string; at?: number; over?: Buffer; id?: string; version?: string } = {}) {
  const { secret = signingSecret, at = nowSeconds(), over = body, id = "msg_1", version = "v1" } = changes;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const value = createHmac("sha256", key).update(`${id}.${at}.`).update(over).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": `${version},${value}` };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const tokens: readonly Row[] = [
  ["ES256", "jwt", withJwt(), acknowledged],
  ["RS256", "jwt", withJwt({}, "rs"), acknowledged],
  ["PS512", "jwt", withJwt({}, "ps"), acknowledged],
  ["EdDSA", "jwt", withJwt({}, "ed"), acknowledged],
  ["ES384", "jwt", withJwt({}, "es384"), acknowledged],
  ["beside Basic and a fixed token", "default", withJwt(), acknowledged],
  ["type JWT", "jwt", withJwt({}, "es", { typ: "JWT" }), acknowledged],
  ["type application/at+jwt", "jwt", withJwt({}, "es", { typ: "application/AT+jwt" }), acknowledged],
  ["no type", "jwt", withJwt({}, "es", { typ: undefined }), acknowledged],
  ["another type", "jwt", withJwt({}, "es", { typ: "logout+jwt" }), badToken],
  ["no key id, and one key of its kind", "jwt", withJwt({}, "es384", { kid: undefined }), acknowledged],
  ["no key id, and two keys of its kind", "jwt", withJwt({}, "twinB", { kid: undefined }), acknowledged],
  ["the id of another key", "jwt", withJwt({}, "es", { kid: "key-next" }), badToken],
  ["the id of a key of another kind", "jwt", withJwt({}, "es", { kid: "key-rs" }), badToken],
  ["a key id that is no text", "jwt", forged({ alg: "ES256", kid: 7 }, () => "AAAA"), badToken],
  ["a foreign key under a known id", "jwt", withJwt({}, "foreign", { kid: "key-es" }), badToken],
  ["alg none", "jwt", () => bearer(new UnsecuredJWT(claims()).encode()), badToken],
  ["alg None with a signature", "jwt", forged({ alg: "None", kid: "key-es" }, () => "AAAA"), badToken],
  ["HS256 with the public key", "jwt", hmacWithPublicKey("HS256", "sha256"), badToken],
  ["HS512 with the public key", "jwt", hmacWithPublicKey("HS512", "sha512"), badToken],
  ["ES256 over a key of RS256", "jwt", forged({ alg: "ES256", kid: "key-rs" }, () => "A".repeat(86)), badToken],
  ["an empty signature", "jwt", forged({ alg: "ES256", kid: "key-es" }, () => ""), badToken],
  ["an all-zero signature", "jwt", forged({ alg: "ES256", kid: "key-es" }, () => "A".repeat(86)), badToken],
  [
    "a foreign key in jwk",
    "jwt",
    async () => bearer(await jwt({}, keys.foreign, { kid: "key-es", jwk: keys.foreign.publicJwk })),
    badToken,
  ],
  [
    "a foreign key behind jku",
    "jwt",
    async () => bearer(await jwt({}, keys.foreign, { jku: attacker.jwksUrl })),
    badToken,
  ],
  [
    "a foreign key behind x5u",
    "jwt",
    async () => bearer(await jwt({}, keys.foreign, { x5u: attacker.jwksUrl })),
    badToken,
  ],
  ["a foreign key in x5c", "jwt", withJwt({}, "foreign", { x5c: ["MIIB"] }), badToken],
  [
    "a known key, and jku that is not looked at",
    "jwt",
    async () => bearer(await jwt({}, keys.es, { jku: attacker.jwksUrl })),
    acknowledged,
  ],
  ["a critical header", "jwt", forged({ alg: "ES256", kid: "key-es", crit: ["x"], x: 1 }, () => "AAAA"), badToken],
  [
    "claims changed after signing",
    "jwt",
    async () => {
      const [header, , signed] = (await jwt()).split(".");
      return bearer(`${header}.${Buffer.from(JSON.stringify(claims({ sub: "x" }))).toString("base64url")}.${signed}`);
    },
    badToken,
  ],
  ["expired within the skew", "jwt", async () => bearer(await jwt({ exp: nowSeconds() - 30 })), acknowledged],
  ["expired beyond the skew", "jwt", withJwt({ exp: nowSeconds() - 61 }), badToken],
  ["no expiry", "jwt", withJwt({ exp: undefined }), badToken],
  ["an expiry that is no number", "jwt", withJwt({ exp: "tomorrow" }), badToken],
  ["valid from now within the skew", "jwt", withJwt({ nbf: nowSeconds() + 30 }), acknowledged],
  ["not yet valid", "jwt", withJwt({ nbf: nowSeconds() + 300 }), badToken],
  ["another issuer", "jwt", withJwt({ iss: "https://login.else.example/" }), badToken],
  ["the issuer without its slash", "jwt", withJwt({ iss: issuer.slice(0, -1) }), badToken],
  ["no issuer", "jwt", withJwt({ iss: undefined }), badToken],
  ["another audience", "jwt", withJwt({ aud: "https://else.example" }), badToken],
  ["an audience that only begins so", "jwt", withJwt({ aud: `${audience}/more` }), badToken],
  ["no audience", "jwt", withJwt({ aud: undefined }), badToken],
  ["an empty list of audiences", "jwt", withJwt({ aud: [] }), badToken],
  ["one of several audiences", "jwt", withJwt({ aud: ["https://else.example", audience] }), acknowledged],
  ["the scope in scp, as a list", "jwt", withJwt({ scope: undefined, scp: ["openid", scope] }), acknowledged],
  ["no scope", "jwt", withJwt({ scope: undefined }), lacksScope(scope)],
  ["another scope", "jwt", withJwt({ scope: "ocn:read" }), lacksScope(scope)],
  ["a scope that only begins so", "jwt", withJwt({ scope: `${scope}:more` }), lacksScope(scope)],
  ["no scope, and expired", "jwt", withJwt({ scope: undefined, exp: nowSeconds() - 600 }), badToken],
  ["no scope, beside Basic", "default", withJwt({ scope: undefined }), lacksScope(scope)],
  ["the profile where it is demanded", "profile", withJwt(), acknowledged],
  ["type JWT where the profile is demanded", "profile", withJwt({}, "es", { typ: "JWT" }), badToken],
  ["no type where the profile is demanded", "profile", withJwt({}, "es", { typ: undefined }), badToken],
  ["no jti where the profile is demanded", "profile", withJwt({ jti: undefined }), badToken],
  ["no client_id where the profile is demanded", "profile", withJwt({ client_id: undefined }), badToken],
  ["the key set away", "keys-down", withJwt(), undecided],
  ["the key set away, and a token of another issuer", "keys-down", withJwt({ iss: "https://else.example" }), badToken],
  ["the key set away, and alg none", "keys-down", () => bearer(new UnsecuredJWT(claims()).encode()), badToken],
  ["the key set that is not found", "keys-moved", withJwt(), undecided],
  ["no JWT", "jwt", () => bearer("opaque"), badToken],
  ["two dots and nothing else", "jwt", () => bearer("a.b.c"), badToken],
];

const introspected: readonly Row[] = [
  ["active", "opaque", () => bearer("good"), acknowledged],
  ["active without an expiry", "opaque", () => bearer("no-exp"), acknowledged],
  ["active, for one of several audiences", "opaque", () => bearer("aud-list"), acknowledged],
  ["active, where JWTs are taken too", "either", () => bearer("good"), acknowledged],
  ["a JWT where opaque tokens are taken too", "either", withJwt(), acknowledged],
  [
    "a JWT with a bad signature, which is not asked about",
    "either",
    withJwt({}, "foreign", { kid: "key-es" }),
    badToken,
  ],
  ["active, where fixed tokens are taken too", "fixed-or-opaque", () => bearer("good"), acknowledged],
  ["inactive", "opaque", () => bearer("inactive"), badToken],
  ["unknown", "opaque", () => bearer("never-seen"), badToken],
  ["active as a text", "opaque", () => bearer("says-text"), badToken],
  ["active and expired", "opaque", () => bearer("expired"), badToken],
  ["active and not yet valid", "opaque", () => bearer("early"), badToken],
  ["active for another audience", "opaque", () => bearer("other-audience"), badToken],
  ["active for no audience", "opaque", () => bearer("no-audience"), badToken],
  ["active from another issuer", "opaque", () => bearer("other-issuer"), badToken],
  ["active without a scope", "opaque", () => bearer("no-scope"), lacksScope(scope)],
  ["active with another scope", "opaque", () => bearer("other-scope"), lacksScope(scope)],
  ["no response in time", "opaque", () => bearer("slow"), undecided],
  ["a response of 500", "opaque", () => bearer("broken"), undecided],
  ["our own credentials refused", "opaque", () => bearer("refused"), undecided],
  ["a response that is no JSON", "opaque", () => bearer("no-json"), undecided],
  ["the endpoint away", "introspection-down", () => bearer("good"), undecided],
];

const ownTokens: readonly Row[] = [
  ["of this source", "own-a", async () => bearer(await ownToken("client-a")), acknowledged],
  ["of another source", "own-b", async () => bearer(await ownToken("client-a")), badToken],
  ["where only other issuers are trusted", "jwt", async () => bearer(await ownToken("client-a")), badToken],
  ["of another issuer where only ours is trusted", "own-a", withJwt(), badToken],
  [
    "with our issuer and a foreign key",
    "own-a",
    async () => bearer(await jwt({ iss: server.url, aud: `${server.url}/ocn/own-a` }, keys.foreign)),
    badToken,
  ],
];

const headers: readonly Row[] = [
  ["none", "default", () => ({}), unauthorized(`${basicChallenge}, ${bearerChallenge}`)],
  ["none, of a source that takes JWTs only", "jwt", () => ({}), unauthorized(bearerChallenge)],
  [
    "none, of a source that takes signatures and Basic",
    "signed-or-basic",
    () => ({}),
    unauthorized(`${basicChallenge}, ${signedChallenge}`),
  ],
  ["an empty one", "default", () => ({ authorization: "" }), unauthorized(`${basicChallenge}, ${bearerChallenge}`)],
  ["Bearer without a token", "jwt", () => ({ authorization: "Bearer" }), badToken],
  ["Bearer with two tokens", "jwt", async () => bearer(`${await jwt()} ${await jwt()}`), badToken],
  ["bearer in small letters", "jwt", async () => ({ authorization: `bearer ${await jwt()}` }), acknowledged],
  ["a token without a scheme", "jwt", async () => ({ authorization: await jwt() }), unauthorized(bearerChallenge)],
  [
    "a token under another scheme",
    "jwt",
    async () => ({ authorization: `DPoP ${await jwt()}` }),
    unauthorized(bearerChallenge),
  ],
  ["a fixed token", "default", () => bearer("fixed-token"), acknowledged],
  [
    "an unknown token beside Basic",
    "default",
    () => bearer("wrong"),
    unauthorized(`${basicChallenge}, ${invalidToken}`),
  ],
  [
    "two, both right",
    "default",
    () => ({ authorization: ["Bearer fixed-token", basic()] }),
    badRequest("receiver.several_authorizations"),
  ],
  [
    "two, both the same",
    "default",
    () => ({ authorization: ["Bearer fixed-token", "Bearer fixed-token"] }),
    badRequest("receiver.several_authorizations"),
  ],
  [
    "a token in the URL",
    "jwt",
    async () => ({ query: `?access_token=${await jwt()}` }),
    badRequest("receiver.token_in_url"),
  ],
  [
    "a token in the URL beside a right one",
    "jwt",
    async () => ({ ...bearer(await jwt()), query: "?access_token=x" }),
    badRequest("receiver.token_in_url"),
  ],
  [
    "a token in a form",
    "jwt",
    async () => ({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(`access_token=${await jwt()}`),
    }),
    unauthorized(bearerChallenge),
  ],
  [
    "a token in the JSON body",
    "jwt",
    async () => ({ body: Buffer.from(JSON.stringify({ access_token: await jwt() })) }),
    unauthorized(bearerChallenge),
  ],
  ["Basic", "default", () => ({ authorization: basic() }), acknowledged],
  [
    "Basic in capitals, with more spaces",
    "default",
    () => ({ authorization: basic().replace("Basic ", "BASIC   ") }),
    acknowledged,
  ],
  [
    "Basic with a wrong password",
    "default",
    () => ({ authorization: basic(username, "wrong") }),
    unauthorized(`${basicChallenge}, ${bearerChallenge}`),
  ],
  [
    "Basic with a password cut at a colon",
    "default",
    () => ({ authorization: basic(username, "pa") }),
    unauthorized(`${basicChallenge}, ${bearerChallenge}`),
  ],
  [
    "Basic without a colon",
    "default",
    () => ({ authorization: `Basic ${base64("gateway")}` }),
    unauthorized(`${basicChallenge}, ${bearerChallenge}`),
  ],
  [
    "Basic that is no base64",
    "default",
    () => ({ authorization: "Basic pa:ss" }),
    unauthorized(`${basicChallenge}, ${bearerChallenge}`),
  ],
  ["Basic where it is not taken", "jwt", () => ({ authorization: basic() }), unauthorized(bearerChallenge)],
  [
    "one exact value",
    "exact",
    () => ({ authorization: Buffer.from(exactValue, "utf8").toString("latin1") }),
    acknowledged,
  ],
  ["almost the exact value", "exact", () => ({ authorization: "EncryptionKey#1" }), unauthorized(exactChallenge)],
  ["the exact value as Bearer", "exact", () => bearer("EncryptionKey#1"), unauthorized(exactChallenge)],
];

const signatures: readonly Row[] = [
  ["with the new secret", "signed", () => ({ headers: signature() }), acknowledged],
  ["in the second of two ways that sign", "signed-in-two-ways", () => ({ headers: signature() }), acknowledged],
  ["with the old secret", "signed", () => ({ headers: signature({ secret: oldSigningSecret }) }), acknowledged],
  [
    "the second of two",
    "signed",
    () => {
      const right = signature();
      const other = signature({ secret: `whsec_${randomBytes(32).toString("base64")}` })["webhook-signature"];
      return { headers: { ...right, "webhook-signature": `${other} ${right["webhook-signature"]}` } };
    },
    acknowledged,
  ],
  [
    "over a compressed body, as it is sent",
    "signed",
    () => {
      const compressed = gzipSync(body);
      return { headers: { ...signature({ over: compressed }), "content-encoding": "gzip" }, body: compressed };
    },
    acknowledged,
  ],
  [
    "over what a compressed body holds",
    "signed",
    () => ({ headers: { ...signature(), "content-encoding": "gzip" }, body: gzipSync(body) }),
    unauthorized(signedChallenge),
  ],
  ["four minutes old", "signed", () => ({ headers: signature({ at: nowSeconds() - 240 }) }), acknowledged],
  [
    "six minutes old",
    "signed",
    () => ({ headers: signature({ at: nowSeconds() - 360 }) }),
    unauthorized(signedChallenge),
  ],
  [
    "six minutes ahead",
    "signed",
    () => ({ headers: signature({ at: nowSeconds() + 360 }) }),
    unauthorized(signedChallenge),
  ],
  [
    "over another body",
    "signed",
    () => ({ headers: signature({ over: Buffer.from("{}") }) }),
    unauthorized(signedChallenge),
  ],
  [
    "over another id",
    "signed",
    () => ({ headers: { ...signature(), "webhook-id": "msg_2" } }),
    unauthorized(signedChallenge),
  ],
  [
    "with another secret",
    "signed",
    () => ({ headers: signature({ secret: `whsec_${randomBytes(32).toString("base64")}` }) }),
    unauthorized(signedChallenge),
  ],
  ["of another version", "signed", () => ({ headers: signature({ version: "v1a" }) }), unauthorized(signedChallenge)],
  [
    "cut short",
    "signed",
    () => ({ headers: { ...signature(), "webhook-signature": "v1,AAAA" } }),
    unauthorized(signedChallenge),
  ],
  [
    "without its id",
    "signed",
    () => {
      const { "webhook-id": _, ...rest } = signature();
      return { headers: rest };
    },
    unauthorized(signedChallenge),
  ],
  [
    "beside a wrong password",
    "signed-or-basic",
    () => ({ authorization: basic(username, "wrong"), headers: signature() }),
    acknowledged,
  ],
  ["where none is taken", "jwt", () => ({ headers: signature() }), unauthorized(bearerChallenge)],
];

describe.each([
  ["an access token that is a JWT", tokens],
  ["an access token that is asked about", introspected],
  ["an access token of our own endpoint", ownTokens],
  ["an Authorization header", headers],
  ["a signature", signatures],
])("%s", (_, rows) => {
  test.each(rows)("%s (%s)", async (_title, source, attempt, expected) => {
    expect(await send(source, await attempt())).toEqual(expected);
  });
});

test("no URL in a token was ever fetched", () => {
  expect(attacker.count("/jwks")).toBe(0);
});

test("no introspection endpoint has seen a fixed token or a JWT that its keys decide about", async () => {
  await send("fixed-or-opaque", bearer("fixed-token"));
  await send("either", await withJwt()());

  const seen = idp.introspections.map(({ form }) => form.get("token") ?? "");
  expect(seen).not.toContain("fixed-token");
  expect(seen.filter((token) => token.includes("."))).toEqual([]);
});

test("the log names what a token lacks, and not the token", async () => {
  const token = await jwt({ exp: nowSeconds() - 600 });

  await send("jwt", bearer(token));

  expect(server.lines().at(-1)).toMatchObject({ message: "notification.refused", fields: { tokenFault: "expired" } });
  expect(JSON.stringify(server.lines())).not.toContain(token);
});

describe("each sample", () => {
  const folder = new URL("../../../samples/", import.meta.url);

  test("is acknowledged with Basic, with Bearer and with OAuth", async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    expect(names.length).toBeGreaterThanOrEqual(5);
    for (const name of names) {
      const sample = await readFile(new URL(name, folder));
      const ways: readonly (readonly [string, Attempt])[] = [
        ["default", { authorization: basic() }],
        ["default", bearer("fixed-token")],
        ["default", bearer(await jwt())],
        ["opaque", bearer("good")],
        ["own-a", bearer(await ownToken("client-a"))],
      ];
      for (const [source, way] of ways) expect(await send(source, { ...way, body: sample })).toEqual(acknowledged);
    }
  });
});
