import { describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type { HttpExchange } from "../../../src/sender/http-transport.ts";
import { readTokenResponse } from "../../../src/sender/token-request.ts";

const authorization = {
  type: "oauth",
  tokenUrl: "https://agency.example/oauth/token?tenant=1",
  clientId: "gateway",
  clientSecret: new Secret("hunter2"),
  clientAuthentication: "post",
  keyId: null,
  scope: null,
  audience: null,
} as const;

function exchange(body: unknown, overrides: Partial<HttpExchange> = {}): HttpExchange {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    status: 200,
    retryAfter: null,
    body: Buffer.from(text),
    failure: null,
    durationMs: 1,
    timings: { lookupMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    ...overrides,
  };
}

function read(body: unknown, overrides: Partial<HttpExchange> = {}) {
  return readTokenResponse(exchange(body, overrides), authorization);
}

describe("a token response", () => {
  test.each([
    ["a number", 3600, 3_600_000],
    ["a numeric text", "3600", 3_600_000],
    ["a fraction", 0.5, 500],
    ["zero", 0, 0],
    ["null", null, 300_000],
    ["nothing", undefined, 300_000],
  ])("may have %s as expires_in", (_what, expiresIn, lifetimeMs) => {
    const response = read({ access_token: "abc", token_type: "Bearer", expires_in: expiresIn });

    expect(response).toMatchObject({ kind: "granted", lifetimeMs });
  });

  test.each(["Bearer", "bearer", "BEARER"])("may write the token type %s", (type) => {
    const response = read({ access_token: "abc.def", token_type: type, expires_in: 60, extra: true });

    expect(response.kind === "granted" && response.token.reveal()).toBe("abc.def");
  });

  test.each([
    ["no JSON", "<html>hunter2</html>", "the response is no JSON object."],
    ["a list", [], "the response is no JSON object."],
    ["null", "null", "the response is no JSON object."],
    ["no token", { token_type: "Bearer" }, "access_token is not"],
    ["an empty token", { access_token: "", token_type: "Bearer" }, "access_token is not"],
    ["a token with a line break", { access_token: "a\r\nx: y", token_type: "Bearer" }, "access_token is not"],
    ["a token with a space", { access_token: "a b", token_type: "Bearer" }, "access_token is not"],
    ["a token that is too long", { access_token: "a".repeat(8_001), token_type: "Bearer" }, "access_token is not"],
    ["no token type", { access_token: "abc" }, "token_type is not 'Bearer'."],
    ["another token type", { access_token: "abc", token_type: "DPoP" }, "token_type is not 'Bearer'."],
    ["an expiry that is no number", { access_token: "abc", token_type: "Bearer", expires_in: "soon" }, "expires_in is"],
    ["a negative expiry", { access_token: "abc", token_type: "Bearer", expires_in: -1 }, "expires_in is"],
    ["an expiry that is empty", { access_token: "abc", token_type: "Bearer", expires_in: "" }, "expires_in is"],
    ["an expiry that is true", { access_token: "abc", token_type: "Bearer", expires_in: true }, "expires_in is"],
  ])("with %s is no token", (_what, body, message) => {
    expect(read(body)).toEqual({
      kind: "failed",
      failure: {
        code: "sender.token_unavailable",
        message: expect.stringContaining(`https://agency.example/oauth/token: ${message}`),
        retryAfter: null,
      },
    });
  });

  test("of the longest token is taken", () => {
    expect(read({ access_token: "a".repeat(8_000), token_type: "Bearer" })).toMatchObject({ kind: "granted" });
  });
});

describe("a token endpoint that refuses", () => {
  test.each([
    [400, "sender.token_refused"],
    [401, "sender.token_refused"],
    [403, "sender.token_refused"],
    [404, "sender.token_refused"],
    [408, "sender.token_unavailable"],
    [429, "sender.token_unavailable"],
    [500, "sender.token_unavailable"],
    [503, "sender.token_unavailable"],
    [204, "sender.token_unavailable"],
    [302, "sender.token_unavailable"],
  ])("with %d is read as %s", (status, code) => {
    expect(read({ error: "x" }, { status })).toMatchObject({ kind: "failed", failure: { code } });
  });

  test("is quoted with its error and description, without the secret", () => {
    const body = { error: "invalid_client", error_description: "no client with the secret hunter2." };

    expect(read(body, { status: 401 })).toMatchObject({
      failure: {
        message:
          "Token endpoint https://agency.example/oauth/token: it responded with 401 invalid_client: no client with the secret [secret].",
      },
    });
  });

  test.each([
    ["its code", (echo: string) => ({ error: "x".repeat(97) + echo })],
    ["its description", (echo: string) => ({ error: "x", error_description: "x".repeat(297) + echo })],
  ])("is quoted without the beginning of a secret that the end of %s cuts in two", (_what, echoing) => {
    const response = read(echoing("hunter2"), { status: 401 });

    expect(response.kind === "failed" && response.failure.message).toMatch(/x{90}/);
    expect(response.kind === "failed" && response.failure.message).not.toContain("hun");
  });

  test("is not quoted where its words hold characters that RFC 6749 does not allow", () => {
    expect(read({ error: "a\nb", error_description: 5 }, { status: 400 })).toMatchObject({
      failure: { message: expect.stringMatching(/it responded with 400\.$/) },
    });
  });

  test("hands on when it wants to be asked again", () => {
    expect(read("", { status: 503, retryAfter: "120" })).toMatchObject({ failure: { retryAfter: "120" } });
  });
});

test("a response that broke off is no token, even when it reads like one", () => {
  const failure = { code: "sender.connection_lost", message: "other side closed" } as const;

  expect(read({ access_token: "abc", token_type: "Bearer" }, { failure })).toMatchObject({
    kind: "failed",
    failure: { code: "sender.token_unavailable", message: expect.stringContaining("cut off: other side closed") },
  });
});

test("a request that was cut short because this process stops says so", () => {
  const failure = { code: "sender.stopped", message: "The sender is stopping." } as const;

  expect(read("", { status: null, failure })).toMatchObject({ failure: { code: "sender.stopped" } });
});
