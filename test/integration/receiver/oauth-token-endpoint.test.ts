import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/kernel/clock.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { hashSecret } from "../../../src/kernel/secret-verifier.ts";
import type { ReceiverSource } from "../../../src/receiver/ports.ts";
import { makeSigningKey, retiredKeyPublishedMs } from "../../../src/receiver/token-endpoint/signing-key.ts";
import type { TokenRates } from "../../../src/receiver/token-endpoint/token-endpoint.ts";
import type { OAuthClient } from "../../../src/receiver/ways/oauth.ts";
import type { Way } from "../../../src/receiver/ways.ts";
import { createAssertionStore, createSigningKeyStore } from "../../../src/store/deliveries/signing-keys.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { type IssuerKey, makeIssuerKey, signToken } from "../../harness/authorization-server.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { anOcn, basic, post, type ReceiverServer, startReceiver } from "./receiver-server.ts";

const issuer = "https://agency.example/base";
const oddId = "gate way:é";
const oddSecret = "s%c+r:t &=";

let db: TestDatabase;
let server: ReceiverServer;
let clientKey: IssuerKey;
let offsetMs = 0;
const clock: Clock = { now: () => new Date(Date.now() + offsetMs) };
const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000);

async function start(rates?: TokenRates): Promise<ReceiverServer> {
  const client = (id: string, ...secrets: string[]) => ({
    id,
    secrets: secrets.map((secret) => new Secret(secret)),
    publicKeys: [],
  });
  const ofDefault = [
    client("gateway", "old-secret", await hashSecret("new-secret")),
    client(oddId, oddSecret),
    { id: "signer", secrets: [], publicKeys: [clientKey.publicJwk] },
  ];
  const sources: readonly ReceiverSource[] = [
    {
      name: "default",
      acknowledgeUnusable: false,
      authentication: [issuingTo(ofDefault, ["ocn.push", "ocn.read"])],
    },
    {
      name: "acme",
      acknowledgeUnusable: false,
      authentication: [issuingTo([client("acme", "acme-secret")])],
    },
  ];
  return await startReceiver(createNotificationStore(db.database), {
    sources,
    clock,
    tokenEndpoint: {
      issuer,
      keys: createSigningKeyStore(db.database),
      assertions: createAssertionStore(db.database),
      ...(rates && { rates }),
    },
  });
}

function issuingTo(clients: OAuthClient[], scopes = ["ocn.push"]): Way {
  return { kind: "oauth", accessTokens: null, clients: { clients, scopes, clockSkewSeconds: 60 } };
}

beforeAll(async () => {
  [db, clientKey] = await Promise.all([createTestDatabase(), makeIssuerKey("client-key", "ES256")]);
  server = await start();
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

/** Further processes. They end also after a failure, or the run would wait for them. */
const others: ReceiverServer[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
});

async function startAnother(rates?: TokenRates): Promise<ReceiverServer> {
  const other = await start(rates);
  others.push(other);
  return other;
}

/** Time only goes forward, as everywhere. */
function advance(ms: number): void {
  offsetMs += ms;
}

type Form = Readonly<Record<string, string>>;

const grant = { grant_type: "client_credentials" };
const byPost = { client_id: "gateway", client_secret: "old-secret" };

function ask(form: Form | string, headers: Form = {}, path = "/oauth/token", of = server): Promise<Response> {
  return fetch(`${of.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
}

async function tokenOf(form: Form = { ...grant, ...byPost }, headers: Form = {}, of = server): Promise<string> {
  const response = await ask(form, headers, "/oauth/token", of);
  const document = (await response.json()) as { access_token?: string };
  expect({ status: response.status, hasToken: document.access_token !== undefined }).toEqual({
    status: 200,
    hasToken: true,
  });
  return document.access_token!;
}

const push = (token: string, path = "/ocn") =>
  post(server, anOcn("OAUTH001"), { authorization: `Bearer ${token}` }, path);

async function publishedKids(): Promise<readonly string[]> {
  const response = await fetch(`${server.url}/oauth/jwks.json`);
  return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
}

function assertion(changes: Record<string, unknown> = {}, key = clientKey): Promise<string> {
  const claims = {
    iss: "signer",
    sub: "signer",
    aud: `${issuer}/oauth/token`,
    exp: nowSeconds() + 60,
    jti: crypto.randomUUID(),
  };
  return signToken(key, { ...claims, ...changes }, { typ: "JWT" });
}

const byAssertion = (text: string) => ({
  ...grant,
  client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  client_assertion: text,
});

async function expectRefusal(response: Response, status: number, error: string): Promise<void> {
  const document = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, error: document.error }).toEqual({ status, error });
  expect(Object.keys(document).toSorted()).toEqual(["error", "error_description"]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.has("www-authenticate")).toBe(status === 401);
}

describe("a client gets a token", () => {
  test("that keeps to RFC 9068, names PUBLIC_URL and can be verified by the published keys", async () => {
    const response = await ask({ ...grant, ...byPost }, { host: "evil.example" });

    const { access_token: token, ...rest } = (await response.json()) as { access_token: string };
    expect(rest).toEqual({ token_type: "Bearer", expires_in: 600, scope: "ocn.push ocn.read" });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("pragma")).toBe("no-cache");
    expect(decodeProtectedHeader(token)).toEqual({ alg: "ES256", typ: "at+jwt", kid: expect.any(String) });
    const keySet = createRemoteJWKSet(new URL(`${server.url}/oauth/jwks.json`));
    const { payload } = await jwtVerify(token, keySet, { issuer, audience: `${issuer}/ocn/default`, typ: "at+jwt" });
    expect(payload).toMatchObject({
      sub: "gateway",
      client_id: "gateway",
      scope: "ocn.push ocn.read",
      jti: expect.any(String),
    });
    expect(payload.exp! - payload.iat!).toBe(600);
  });

  test.each<readonly [string, () => readonly [Form, Form?] | Promise<readonly [Form, Form?]>]>([
    ["client_secret_post", () => [{ ...grant, ...byPost }]],
    ["its second secret, given as a hash", () => [{ ...grant, client_id: "gateway", client_secret: "new-secret" }]],
    ["client_secret_basic", () => [grant, { authorization: basic("gateway", "old-secret") }]],
    [
      "client_secret_basic beside its client_id",
      () => [{ ...grant, client_id: "gateway" }, { authorization: basic("gateway", "old-secret") }],
    ],
    [
      "client_secret_basic with characters that are form-encoded first",
      () => {
        const encode = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
        return [grant, { authorization: basic(encode(oddId), encode(oddSecret)) }];
      },
    ],
    ["private_key_jwt for the token endpoint", async () => [byAssertion(await assertion())]],
    ["private_key_jwt for the issuer", async () => [byAssertion(await assertion({ aud: issuer }))]],
    ["private_key_jwt beside its client_id", async () => [{ ...byAssertion(await assertion()), client_id: "signer" }]],
  ])("with %s, and pushes with it", async (_, request) => {
    const token = await tokenOf(...(await request()));

    expect((await push(token)).status).toBe(200);
    expect((await push(token, "/ocn/default")).status).toBe(200);
  });

  test("with the scope that it asks for, and cannot push with another one", async () => {
    const token = await tokenOf({ ...grant, ...byPost, scope: "ocn.read" });

    const response = await push(token);

    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe(
      'Bearer realm="skedchange", error="insufficient_scope", scope="ocn.push ocn.read"',
    );
  });

  test.each([`${issuer}/ocn`, `${issuer}/ocn/default`])("for the resource %s", async (resource) => {
    expect((await push(await tokenOf({ ...grant, ...byPost, resource }))).status).toBe(200);
  });

  test("that opens no other source", async () => {
    const token = await tokenOf({ ...grant, client_id: "acme", client_secret: "acme-secret" });

    expect((await push(token, "/ocn/acme")).status).toBe(200);
    const refused = await push(token, "/ocn/default");
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("that is good for ten minutes and the clock skew", async () => {
    const token = await tokenOf();

    advance((600 + 55) * 1_000);
    expect((await push(token)).status).toBe(200);
    advance(6_000);
    expect((await push(token)).status).toBe(401);
  });
});

describe("a request is refused", () => {
  test.each<readonly [string, Form | string, Form, number, string]>([
    ["without a grant type", byPost, {}, 400, "invalid_request"],
    ["with an empty grant type", { ...byPost, grant_type: "" }, {}, 400, "invalid_request"],
    ["with another grant type", { ...byPost, grant_type: "password" }, {}, 400, "unsupported_grant_type"],
    ["without a client", grant, {}, 401, "invalid_client"],
    ["with a wrong secret", { ...grant, client_id: "gateway", client_secret: "wrong" }, {}, 401, "invalid_client"],
    [
      "with an unknown client",
      { ...grant, client_id: "nobody", client_secret: "old-secret" },
      {},
      401,
      "invalid_client",
    ],
    [
      "with the secret of another client",
      { ...grant, client_id: "acme", client_secret: "old-secret" },
      {},
      401,
      "invalid_client",
    ],
    [
      "with a secret for a client that signs",
      { ...grant, client_id: "signer", client_secret: "x" },
      {},
      401,
      "invalid_client",
    ],
    ["with a secret and no client", { ...grant, client_secret: "old-secret" }, {}, 400, "invalid_request"],
    [
      "with two ways at once",
      { ...grant, ...byPost },
      { authorization: basic("gateway", "old-secret") },
      400,
      "invalid_request",
    ],
    [
      "with two clients",
      { ...grant, client_id: "acme" },
      { authorization: basic("gateway", "old-secret") },
      400,
      "invalid_request",
    ],
    ["with Basic that is not form-encoded", grant, { authorization: basic("gateway", "100%") }, 401, "invalid_client"],
    ["with Bearer", grant, { authorization: "Bearer old-secret" }, 401, "invalid_client"],
    [
      "with a parameter twice",
      "grant_type=client_credentials&client_id=gateway&client_id=gateway",
      {},
      400,
      "invalid_request",
    ],
    [
      "as JSON",
      JSON.stringify({ ...grant, ...byPost }),
      { "content-type": "application/json" },
      400,
      "invalid_request",
    ],
    ["compressed", { ...grant, ...byPost }, { "content-encoding": "gzip" }, 400, "invalid_request"],
    ["for an unknown scope", { ...grant, ...byPost, scope: "ocn.push admin" }, {}, 400, "invalid_scope"],
    ["for a malformed scope", { ...grant, ...byPost, scope: "ocn.push  ocn.read" }, {}, 400, "invalid_scope"],
    ["for another resource", { ...grant, ...byPost, resource: `${issuer}/ocn/acme` }, {}, 400, "invalid_target"],
    [
      "with an assertion of an unknown type",
      { ...grant, client_assertion: "x", client_assertion_type: "y" },
      {},
      400,
      "invalid_request",
    ],
    ["with an assertion that is no JWT", byAssertion("x"), {}, 401, "invalid_client"],
    ["that is too long", `grant_type=client_credentials&x=${"x".repeat(33_000)}`, {}, 413, "invalid_request"],
  ])("%s", async (_, form, headers, status, error) => {
    await expectRefusal(await ask(form, headers), status, error);
  });

  test("with parameters in the URL, and they appear nowhere", async () => {
    const response = await ask(grant, {}, "/oauth/token?client_id=gateway&client_secret=old-secret");

    await expectRefusal(response, 400, "invalid_request");
    expect(JSON.stringify(server.lines())).not.toContain("old-secret");
  });

  test.each<readonly [string, Record<string, unknown>]>([
    ["of another issuer", { iss: "gateway" }],
    ["of a client that has no key", { iss: "gateway", sub: "gateway" }],
    ["for another audience", { aud: "https://else.example" }],
    ["without an audience", { aud: undefined }],
    ["that is expired", { exp: Math.floor(Date.now() / 1_000) - 120 }],
    ["without an expiry", { exp: undefined }],
    ["that lives too long", { exp: Math.floor(Date.now() / 1_000) + 5 * 60 * 60 }],
    ["without a jti", { jti: undefined }],
  ])("with an assertion %s", async (_, changes) => {
    await expectRefusal(await ask(byAssertion(await assertion(changes))), 401, "invalid_client");
  });

  test("with an assertion of a foreign key", async () => {
    const foreign = await makeIssuerKey("client-key", "ES256");

    await expectRefusal(await ask(byAssertion(await assertion({}, foreign))), 401, "invalid_client");
  });

  test("with an assertion that was used before, also by another process", async () => {
    const text = await assertion();
    await tokenOf(byAssertion(text));

    await expectRefusal(await ask(byAssertion(text)), 401, "invalid_client");
    const other = await startAnother();
    await expectRefusal(await ask(byAssertion(text), {}, "/oauth/token", other), 401, "invalid_client");
  });

  test("when it is no POST", async () => {
    const response = await fetch(`${server.url}/oauth/token`);

    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });
});

describe("too many requests", () => {
  test("of one client get 429 until its minute is over", async () => {
    const strict = await startAnother({ tokensPerClient: 2, failuresPerAddress: 10 });
    const byGateway = { ...grant, ...byPost };
    await tokenOf(byGateway, {}, strict);
    await tokenOf(byGateway, {}, strict);

    const response = await ask(byGateway, {}, "/oauth/token", strict);

    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectRefusal(response, 429, "temporarily_unavailable");
    await tokenOf({ ...grant, client_id: "acme", client_secret: "acme-secret" }, {}, strict);
    advance(61_000);
    await tokenOf(byGateway, {}, strict);
  });

  test("with wrong secrets get 429, and the right secret still gets a token", async () => {
    const strict = await startAnother({ tokensPerClient: 10, failuresPerAddress: 1 });
    const wrong = { ...grant, client_id: "gateway", client_secret: "wrong" };

    await expectRefusal(await ask(wrong, {}, "/oauth/token", strict), 401, "invalid_client");
    await expectRefusal(await ask(wrong, {}, "/oauth/token", strict), 429, "temporarily_unavailable");
    await tokenOf({ ...grant, ...byPost }, {}, strict);
  });
});

describe("the signing keys", () => {
  const rotate = async (): Promise<string> => {
    const key = await makeSigningKey(clock.now());
    await createSigningKeyStore(db.database).rotateKey(key, new Date(clock.now().getTime() + retiredKeyPublishedMs));
    return key.kid;
  };

  test("are shared: a token of one process is taken by another one", async () => {
    const token = await tokenOf();
    const other = await startAnother();

    const response = await post(other, anOcn("OAUTH002"), { authorization: `Bearer ${token}` });

    expect(response.status).toBe(200);
  });

  test("are one, when two processes make the first one at the same moment", async () => {
    await db.ownerDatabase.pool.query("truncate skedchange.signing_keys");
    const other = await startAnother();

    const responses = await Promise.all(
      [server, other].map(({ url }) =>
        fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams({ ...grant, ...byPost }) }),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await publishedKids()).toHaveLength(1);
  });

  test("are rotated: the new one signs at once, and the old one verifies until its last token has expired", async () => {
    const before = await tokenOf();
    const oldKid = decodeProtectedHeader(before).kid;

    const newKid = await rotate();

    const after = await tokenOf();
    expect(decodeProtectedHeader(after).kid).toBe(newKid);
    advance(2_000);
    expect((await push(before)).status).toBe(200);
    expect((await push(after)).status).toBe(200);
    expect(await publishedKids()).toEqual(expect.arrayContaining([oldKid, newKid]));
    advance(retiredKeyPublishedMs);
    expect(await publishedKids()).not.toContain(oldKid);
    expect(await publishedKids()).toContain(newKid);
  });

  test("are published without their private halves, and may be kept for five minutes", async () => {
    await tokenOf();

    const response = await fetch(`${server.url}/oauth/jwks.json`);

    expect(response.headers.get("content-type")).toBe("application/jwk-set+json");
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] };
    for (const key of keys) expect(key).toEqual(expect.not.objectContaining({ d: expect.anything() }));
  });

  test("cannot be brought back by the service role, and a retired one has lost its private half", async () => {
    await tokenOf();
    await rotate();
    const update =
      "update skedchange.signing_keys set retired_at = null, published_until = null, private_key = '\\x00'";

    await expect(db.database.pool.query(`${update} where retired_at is not null`)).rejects.toThrow("is retired");
    const { rows } = await db.database.pool.query<{ private_key: Buffer | null }>(
      "select private_key from skedchange.signing_keys where retired_at is not null",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.private_key === null)).toBe(true);
    await expect(db.database.pool.query("delete from skedchange.signing_keys")).rejects.toMatchObject({
      code: "42501",
    });
  });

  test("that cannot be read make every response a 503, never a 401", async () => {
    const away = createTestDatabase();
    const { database, drop } = await away;
    const broken = await startReceiver(createNotificationStore(db.database), {
      sources: [
        {
          name: "default",
          acknowledgeUnusable: false,
          authentication: [issuingTo([{ id: "gateway", secrets: [new Secret("old-secret")], publicKeys: [] }])],
        },
      ],
      tokenEndpoint: { issuer, keys: createSigningKeyStore(database), assertions: createAssertionStore(database) },
    });
    const token = await tokenOf();
    await drop();

    const asked = await fetch(`${broken.url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ ...grant, ...byPost }),
    });
    const pushed = await post(broken, anOcn("OAUTH003"), { authorization: `Bearer ${token}` });
    const keySet = await fetch(`${broken.url}/oauth/jwks.json`);

    expect([asked.status, pushed.status, keySet.status]).toEqual([503, 503, 503]);
    expect(pushed.headers.has("retry-after")).toBe(true);
    await broken.close();
  });
});
