import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import { type AccessTokens, createAccessTokens } from "../../../src/sender/access-tokens.ts";
import { createHttpTransport, type HttpTransport } from "../../../src/sender/http-transport.ts";
import type { OAuthAuthorization } from "../../../src/sender/ports.ts";
import { eventually } from "../../harness/eventually.ts";
import { guardForTests } from "./sender-bench.ts";
import { grant, startTokenServer, type TokenServer } from "./token-server.ts";

let server: TokenServer;
let http: HttpTransport;
let now: Date;
let random: number;
let stopping: AbortController;
let tokens: AccessTokens;

beforeEach(async () => {
  server = await startTokenServer();
  http = createHttpTransport(guardForTests);
  now = new Date("2026-11-21T10:00:00.000Z");
  random = 0.5;
  stopping = new AbortController();
  tokens = tokensWithin(10_000);
});
afterEach(async () => {
  await server.close();
  await http.close();
});

function tokensWithin(deadlineMs: number): AccessTokens {
  return createAccessTokens({
    http,
    clock: { now: () => now },
    random: () => random,
    deadlineMs,
    userAgent: "test",
    signal: stopping.signal,
  });
}

function authorization(overrides: Partial<OAuthAuthorization> = {}): OAuthAuthorization {
  return {
    type: "oauth",
    tokenUrl: server.url,
    clientId: "gate:way",
    clientSecret: new Secret("s3cr3t+/ ü"),
    clientAuthentication: "basic",
    keyId: null,
    scope: null,
    audience: null,
    ...overrides,
  };
}

async function tokenOf(recipientId = "r1", overrides: Partial<OAuthAuthorization> = {}): Promise<string> {
  const outcome = await tokens.get(recipientId, authorization(overrides));
  return outcome.kind === "granted" ? outcome.token.reveal() : outcome.failure.code;
}

function pass(milliseconds: number): void {
  now = new Date(now.getTime() + milliseconds);
}

describe("a token request", () => {
  test("proves the client in the header, and says no more than it has to", async () => {
    await tokenOf();

    const [request] = server.requests;
    expect(request?.form).toEqual({ grant_type: "client_credentials" });
    expect(request?.headers).toMatchObject({
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      authorization: `Basic ${Buffer.from("gate%3Away:s3cr3t%2B%2F+%C3%BC").toString("base64")}`,
    });
  });

  test("proves the client in the body, with scope and audience", async () => {
    await tokenOf("r1", { clientAuthentication: "post", scope: "ocn.push ocn", audience: "https://agency.example" });

    const [request] = server.requests;
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.form).toEqual({
      grant_type: "client_credentials",
      scope: "ocn.push ocn",
      audience: "https://agency.example",
      client_id: "gate:way",
      client_secret: "s3cr3t+/ ü",
    });
  });

  test.each([
    ["RSA", "RS256", generateKeyPairSync("rsa", { modulusLength: 2_048 })],
    ["EC P-256", "ES256", generateKeyPairSync("ec", { namedCurve: "P-256" })],
    ["EC P-384", "ES384", generateKeyPairSync("ec", { namedCurve: "P-384" })],
    ["Ed25519", "EdDSA", generateKeyPairSync("ed25519")],
  ])("proves the client by an assertion that its %s key signed, and sends no secret", async (_, alg, pair) => {
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

    await tokenOf("r1", { clientAuthentication: "private-key-jwt", clientSecret: new Secret(pem), keyId: "2026-a" });
    await tokenOf("r2", { clientAuthentication: "private-key-jwt", clientSecret: new Secret(pem) });

    const [first, second] = server.requests.map(({ form }) => form);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    expect(first).toEqual({
      grant_type: "client_credentials",
      client_id: "gate:way",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: expect.any(String),
    });
    const verified = await jwtVerify(first!["client_assertion"]!, pair.publicKey, {
      issuer: "gate:way",
      subject: "gate:way",
      audience: server.url,
      currentDate: now,
    });
    expect(verified.protectedHeader).toEqual({ alg, typ: "JWT", kid: "2026-a" });
    expect(verified.payload.exp! - verified.payload.iat!).toBe(120);
    expect(decodeJwt(second!["client_assertion"]!).jti).not.toBe(verified.payload.jti);
    expect(decodeProtectedHeader(second!["client_assertion"]!)).toEqual({ alg, typ: "JWT" });
  });

  test("does not follow a redirect with the secret", async () => {
    const elsewhere = await startTokenServer();
    server.script = (response) => void response.writeHead(307, { location: elsewhere.url }).end();

    expect(await tokenOf()).toBe("sender.token_unavailable");
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  test("ends at its deadline", async () => {
    server.script = () => undefined;

    const outcome = await tokensWithin(300).get("r1", authorization());

    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { code: "sender.token_unavailable", message: expect.stringContaining("within 300 ms") },
    });
  });

  test("does not read a response without end", async () => {
    server.script = (response) => void response.end(Buffer.alloc(1024 * 1024, " "));

    expect(await tokenOf()).toBe("sender.token_unavailable");
  });

  test("is cut short when the process stops", async () => {
    server.script = () => undefined;
    const asking = tokenOf();
    await eventually(() => expect(server.requests).toHaveLength(1));

    stopping.abort();

    expect(await asking).toBe("sender.stopped");
  });
});

describe("a token", () => {
  test("is used again until a little before it expires", async () => {
    // A long-lived token is renewed half a minute to a minute before its end; the middle of that here.
    expect(await tokenOf()).toBe("granted-1");
    pass(3_600_000 - 45_000 - 1);
    expect(await tokenOf()).toBe("granted-1");
    pass(1);
    expect(await tokenOf()).toBe("granted-2");
  });

  test.each([
    [0, 90_000],
    [0.999_999, 80_000],
  ])("of 100 s is renewed at a time that chance %d spreads", async (chance, usableMs) => {
    random = chance;
    server.script = (response) => grant(response, `granted-${server.requests.length}`, 100);
    await tokenOf();

    pass(usableMs - 1);
    expect(await tokenOf()).toBe("granted-1");
    pass(2);
    expect(await tokenOf()).toBe("granted-2");
  });

  test("that expires at once is used once", async () => {
    server.script = (response) => grant(response, `granted-${server.requests.length}`, 0);

    expect(await tokenOf()).toBe("granted-1");
    expect(await tokenOf()).toBe("granted-2");
  });

  test("is fetched once for all who ask at the same time, also when they come after it expired", async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => tokenOf())))).toEqual(new Set(["granted-1"]));
    pass(3_600_000);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => tokenOf())))).toEqual(new Set(["granted-2"]));
    expect(server.requests).toHaveLength(2);
  });

  test("belongs to one recipient and one credential", async () => {
    expect(await tokenOf("r1")).toBe("granted-1");
    expect(await tokenOf("r2")).toBe("granted-2");
    expect(await tokenOf("r1", { clientSecret: new Secret("rotated") })).toBe("granted-3");
    expect(await tokenOf("r1", { clientSecret: new Secret("rotated"), scope: "ocn" })).toBe("granted-4");
    expect(await tokenOf("r2")).toBe("granted-2");
  });

  test("of an old credential that comes late does not take the place of the new one", async () => {
    let respondOld = (): void => undefined;
    server.script = (response) => {
      respondOld = () => grant(response, "old");
    };
    const old = tokenOf("r1");
    await eventually(() => expect(server.requests).toHaveLength(1));
    server.script = (response) => grant(response, "new");
    const rotated = { clientSecret: new Secret("rotated") };
    expect(await tokenOf("r1", rotated)).toBe("new");

    respondOld();

    expect(await old).toBe("old");
    expect(await tokenOf("r1", rotated)).toBe("new");
    expect(server.requests).toHaveLength(2);
  });

  test("that was dropped is fetched anew, once, whoever drops it again", async () => {
    const outcome = await tokens.get("r1", authorization());
    if (outcome.kind !== "granted") throw new Error(outcome.failure.message);

    tokens.drop("r1", outcome.token);
    expect(await tokenOf()).toBe("granted-2");
    tokens.drop("r1", outcome.token);
    expect(await tokenOf()).toBe("granted-2");
  });
});

test("a key that cannot sign fails the attempt like any error, and attempts go on once it is replaced", async () => {
  const pem = generateKeyPairSync("ec", { namedCurve: "secp521r1" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  const wrongKey = { clientAuthentication: "private-key-jwt", clientSecret: new Secret(pem.toString()) } as const;
  const outcome = await tokens.get("r1", authorization(wrongKey));

  expect(outcome).toMatchObject({
    kind: "failed",
    failure: {
      code: "sender.token_unavailable",
      message: expect.stringContaining("cannot prove who it is. The private key is not RSA"),
    },
  });
  expect(JSON.stringify(outcome)).not.toContain(pem.toString().slice(30, 60));
  expect(await tokenOf("r1", wrongKey)).toBe("sender.token_unavailable");
  expect(server.requests).toHaveLength(0);
  expect(await tokenOf()).toBe("granted-1");
});

test("a failure is shared by those who wait for it, and not remembered", async () => {
  server.script = (response) => void response.writeHead(503).end();
  expect(await Promise.all([tokenOf(), tokenOf()])).toEqual(["sender.token_unavailable", "sender.token_unavailable"]);
  expect(server.requests).toHaveLength(1);

  server.script = (response) => grant(response, "back");
  expect(await tokenOf()).toBe("back");
});
