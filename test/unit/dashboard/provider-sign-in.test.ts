import { describe, expect, test } from "vitest";
import { readProviderClaims } from "../../../src/dashboard/people/provider-claims.ts";
import { ownPath } from "../../../src/dashboard/provider-sign-in.ts";

test.each([
  ["/tasks?state=open", "/tasks?state=open"],
  ["https://evil.example/", "/"],
  ["//evil.example/", "/"],
  ["/\\evil.example", "/"],
  ["/.//evil.example", "/"],
  ["/\t/evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/".padEnd(600, "x"), "/"],
  [["/a", "/b"], "/"],
  [undefined, "/"],
])("a sign-in that is asked to lead to %j leads to %s", (to, expected) => {
  expect(ownPath(to)).toBe(expected);
});

describe("the claims of an identity provider", () => {
  const mapping = {
    rolesClaim: "groups",
    roles: [
      { role: "admin", value: "IT Admins" },
      { role: "viewer", value: "Everybody" },
    ],
    sources: null,
  } as const;

  test.each([
    [["Everybody"], "viewer"],
    [["Everybody", "IT Admins"], "admin"],
    ["IT Admins", "admin"],
    [["it admins", "IT Admins "], null],
    ["IT Admins,Everybody", null],
    [{ "IT Admins": true }, null],
    [[["IT Admins"]], null],
    [undefined, null],
  ])("give with the groups %j the role %s", (groups, role) => {
    expect(readProviderClaims({ sub: "1", groups }, mapping).role).toBe(role);
  });

  test.each([
    [
      ["Desk Vienna", "Desk Berlin", "All of Berlin"],
      ["berlin", "vienna"],
    ],
    ["Desk Vienna", ["vienna"]],
    [["Desk Vienna", "Head Office"], null],
    [["desk vienna"], []],
    [undefined, []],
  ])("give with the groups %j the sources %j", (groups, expected) => {
    const sources = [
      { source: "vienna", value: "Desk Vienna" },
      { source: "berlin", value: "Desk Berlin" },
      { source: "berlin", value: "All of Berlin" },
      { source: null, value: "Head Office" },
    ];

    expect(readProviderClaims({ sub: "1", groups }, { ...mapping, sources }).sources).toEqual(expected);
    expect(readProviderClaims({ sub: "1", groups }, mapping).sources).toBeUndefined();
  });

  test.each([
    [{ preferred_username: "MLopez" }, "mlopez"],
    [{ preferred_username: "María López" }, "maria-lopez"],
    [{ preferred_username: "guest_other.example#EXT#@contoso.example" }, "guest_other.example-ext-@contoso.example"],
    [{ preferred_username: "api", email: "bot@example.com" }, "bot@example.com"],
    [{ preferred_username: 7, email: "" }, "0f3a-sub"],
    [{ preferred_username: "日本" }, "0f3a-sub"],
  ])("%j give the user name %s", (claims, username) => {
    expect(readProviderClaims({ sub: "0F3A-sub", ...claims }, mapping).username).toBe(username);
  });

  test("give a name without control characters, or else the user name", () => {
    const nameOf = (name: unknown) =>
      readProviderClaims({ sub: "1", preferred_username: "ana", name }, mapping).displayName;

    expect(nameOf(" Ana\u202e\0 Sousa ")).toBe("Ana Sousa");
    expect(nameOf("x".repeat(200))).toHaveLength(100);
    expect(nameOf(undefined)).toBe("ana");
  });
});
