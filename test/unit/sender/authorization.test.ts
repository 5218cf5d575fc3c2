import { describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import {
  toBasicHeader,
  toBearerHeader,
  toClientHeader,
  withoutCredentials,
} from "../../../src/sender/authorization.ts";

const basic = { type: "basic", username: "agency", password: new Secret(`pa:ss "ß"`) } as const;
const bearer = { type: "bearer", token: new Secret("t0k3n.value") } as const;
const oauth = {
  type: "oauth",
  tokenUrl: "https://agency.example/token",
  clientId: "gate way:1",
  clientSecret: new Secret("s+cr/t: ß%"),
  clientAuthentication: "basic",
  keyId: null,
  scope: null,
  audience: null,
} as const;
const accessToken = new Secret("eyJ.t0k3n.granted");

function decoded(header: string): string {
  return Buffer.from(header.slice("Basic ".length), "base64").toString("utf8");
}

describe("the Authorization header", () => {
  test("holds user name and password in UTF-8, whatever the password contains", () => {
    const header = toBasicHeader(basic.username, basic.password);

    expect(header).toMatch(/^Basic /);
    expect(decoded(header)).toBe(`agency:pa:ss "ß"`);
  });

  test("holds a bearer token as it is", () => {
    expect(toBearerHeader(bearer.token)).toBe("Bearer t0k3n.value");
  });

  test("of a token request holds id and secret form-encoded, as RFC 6749 section 2.3.1 has it", () => {
    expect(decoded(toClientHeader(oauth))).toBe("gate+way%3A1:s%2Bcr%2Ft%3A+%C3%9F%25");
  });
});

describe("a response that echoes our request", () => {
  test.each([
    ["the Basic header", basic, `authorization: ${toBasicHeader(basic.username, basic.password)}`],
    ["the password", basic, `wrong password pa:ss "ß"!`],
    ["the password inside JSON", basic, JSON.stringify({ password: `pa:ss "ß"` })],
    ["the token", bearer, "unknown token t0k3n.value, t0k3n.value"],
    ["the access token", oauth, "expired: eyJ.t0k3n.granted"],
    ["the client secret", oauth, "bad secret s+cr/t: ß%"],
    ["the client secret as it stands in a form", oauth, "client_secret=s%2Bcr%2Ft%3A+%C3%9F%25&x=1"],
    ["the client secret as it stands in a URL", oauth, "?client_secret=s%2Bcr%2Ft%3A%20%C3%9F%25"],
    ["the client secret inside JSON that escapes slashes", oauth, String.raw`{"secret":"s+cr\/t: ß%"}`],
    ["the password inside HTML", basic, "<p>wrong password pa:ss &quot;ß&quot;</p>"],
    ["the header of the token request", oauth, `authorization: ${toClientHeader(oauth)}`],
  ])("loses %s", (_what, authorization, text) => {
    const cleaned = withoutCredentials(text, authorization, authorization.type === "oauth" ? accessToken : null);

    expect(cleaned).toContain("[secret]");
    expect(cleaned).not.toMatch(/ß|%C3%9F|t0k3n|cr\/t|cr%2Ft|Basic [A-Za-z0-9]/);
  });

  test("stays readable when the password is empty", () => {
    const authorization = { type: "basic", username: "agency", password: new Secret("") } as const;

    expect(withoutCredentials("Who are you?", authorization)).toBe("Who are you?");
  });

  test("loses a secret as a whole when another one is part of it", () => {
    const authorization = { ...oauth, clientSecret: new Secret("eyJ") };

    expect(withoutCredentials("eyJ.t0k3n.granted", authorization, accessToken)).toBe("[secret]");
  });
});
