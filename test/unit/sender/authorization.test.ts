import { describe, expect, test } from "@jest/globals";
import { Secret } from "../../../src/kernel/secret.ts";
import { toAuthorizationHeader, withoutCredentials } from "../../../src/sender/authorization.ts";

const basic = { type: "basic", username: "agency", password: new Secret(`pa:ss "ß"`) } as const;
const bearer = { type: "bearer", token: new Secret("t0k3n.value") } as const;

describe("the Authorization header", () => {
  test("holds user name and password in UTF-8, whatever the password contains", () => {
    const [scheme, value] = toAuthorizationHeader(basic).split(" ");

    expect(scheme).toBe("Basic");
    expect(Buffer.from(value ?? "", "base64").toString("utf8")).toBe(`agency:pa:ss "ß"`);
  });

  test("holds a bearer token as it is", () => {
    expect(toAuthorizationHeader(bearer)).toBe("Bearer t0k3n.value");
  });
});

describe("an answer that echoes our request", () => {
  test.each([
    ["the Basic header", basic, `authorization: ${toAuthorizationHeader(basic)}`],
    ["the password", basic, `wrong password pa:ss "ß"!`],
    ["the password inside JSON", basic, JSON.stringify({ password: `pa:ss "ß"` })],
    ["the token", bearer, "unknown token t0k3n.value, t0k3n.value"],
  ])("loses %s", (_what, authorization, text) => {
    const cleaned = withoutCredentials(text, authorization);

    expect(cleaned).toContain("[secret]");
    expect(cleaned).not.toMatch(/ß|t0k3n|Basic [A-Za-z0-9]/);
  });
});
