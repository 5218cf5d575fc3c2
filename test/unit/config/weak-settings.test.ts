import { describe, expect, test } from "vitest";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { findWeaknesses } from "../../../src/config/weak-settings.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";

const signIn = {
  OIDC_CLIENT_ID: "skedchange",
  OIDC_CLIENT_SECRET: "secret",
  OIDC_ROLES: "admin=IT",
};

const goodSecret = "0123456789abcdef";

const good = {
  HOST: "0.0.0.0",
  PUBLIC_URL: "https://skedchange.example.com",
  TRUSTED_PROXIES: "10.0.0.5/32",
  OPS_PORT: "9000",
  OCN_BASIC_USERNAME: "gateway",
  OCN_BASIC_PASSWORD: goodSecret,
  GATEWAY_BASE_URL: "https://gateway.example.com/v1",
  GATEWAY_ACCESS_TOKEN: goodSecret,
  GATEWAY_CONTROL_TOKEN: goodSecret,
  API_TOKEN: goodSecret,
  DATABASE_URL: "postgres://skedchange@db.example.com/skedchange",
  ENCRYPTION_KEYS: createEncryptionKey(new Date()),
};

function load(changes: Record<string, string | undefined>) {
  return loadSettings({ ...good, ...changes }, () => "");
}

function problemsOf(changes: Record<string, string | undefined>): readonly string[] {
  const loaded = load(changes);
  return loaded.ok ? [] : loaded.problems;
}

function weaknessesOf(changes: Record<string, string | undefined>): readonly string[] {
  const loaded = load({ ...changes, ALLOW_WEAK_SETTINGS: "1" });
  if (!loaded.ok) throw new Error(loaded.problems.join(" "));
  const { settings, sources } = loaded.configuration;
  return findWeaknesses(settings, sources).map(({ text }) => text);
}

describe("a process that others can reach", () => {
  test("starts with secrets of 16 characters, 8 of them different, and https", () => {
    expect(load({}).ok).toBe(true);
    expect(weaknessesOf({})).toEqual([]);
  });

  test.each([
    ["a token of 15 characters", { API_TOKEN: "0123456789abcde" }, "API_TOKEN can be guessed."],
    ["a token of 7 different characters", { API_TOKEN: "0123456012345601" }, "API_TOKEN can be guessed."],
    [
      "a guessable control token",
      { GATEWAY_CONTROL_TOKEN: "b", ROLES: "all" },
      "GATEWAY_CONTROL_TOKEN can be guessed.",
    ],
    ["a guessable password of the gateway", { OCN_BASIC_PASSWORD: "a" }, "source 'default' may push can be guessed."],
    ["people signing in over http", { PUBLIC_URL: "http://skedchange.example.com" }, "PUBLIC_URL is http,"],
    ["a gateway called over http", { GATEWAY_BASE_URL: "http://gateway.example.com" }, "is called over http,"],
    ["the whole internet as a proxy", { TRUSTED_PROXIES: "0.0.0.0/0" }, "TRUSTED_PROXIES names most of the internet"],
  ])("does not start with %s, unless weak settings are allowed", (_title, changes, problem) => {
    const problems = problemsOf(changes);

    expect(problems).toEqual([
      expect.stringContaining(problem),
      "ALLOW_WEAK_SETTINGS=1 starts all the same, until you have changed them.",
    ]);
    expect(weaknessesOf(changes)).toEqual(problems.slice(0, 1));
  });

  test.each([
    "http://gateway:4000",
    "http://10.0.0.0",
    "http://10.255.255.255",
    "http://172.16.0.1",
    "http://172.31.255.255",
    "http://192.168.0.1",
    "http://[fc00::1]",
    "http://[fdff:ffff::1]",
    "http://[fe80::1]",
    "http://[::ffff:10.0.0.1]",
  ])("starts with a gateway at %s, which is private", (url) => {
    expect(problemsOf({ GATEWAY_BASE_URL: url })).toEqual([]);
  });

  test.each([
    "http://10.evil.example",
    "http://192.168.evil.example",
    "http://gateway.internal",
    "http://9.255.255.255",
    "http://11.0.0.0",
    "http://172.15.255.255",
    "http://172.32.0.0",
    "http://192.167.255.255",
    "http://192.169.0.0",
    "http://[2001:4860:4860::8888]",
    "http://[fbff::1]",
    "http://[fe00::1]",
    "http://[fec0::1]",
    "http://[::ffff:8.8.8.8]",
  ])("does not start with a gateway at %s, which may be anybody's", (url) => {
    expect(problemsOf({ GATEWAY_BASE_URL: url })).toContainEqual(expect.stringContaining("is called over http,"));
    expect(problemsOf({ ...signIn, OIDC_ISSUER: url })).toContainEqual(expect.stringContaining("OIDC_ISSUER is http"));
    expect(problemsOf({ PUBLIC_URL: url })).toContainEqual(expect.stringContaining("PUBLIC_URL is http"));
  });

  test("never shows the secret", () => {
    expect(problemsOf({ API_TOKEN: "guess-me" }).join(" ")).not.toContain("guess-me");
  });

  test.each([
    ["no PUBLIC_URL", { PUBLIC_URL: undefined }, "so the cookie of sessions lacks Secure"],
    ["no TRUSTED_PROXIES behind https", { TRUSTED_PROXIES: undefined }, "TRUSTED_PROXIES is not set."],
    ["no OPS_PORT", { OPS_PORT: undefined }, "OPS_PORT is not set,"],
    ["http between containers", { GATEWAY_BASE_URL: "http://gateway:4000" }, "is called over http,"],
    ["http within a private network", { PUBLIC_URL: "http://10.1.2.3:3000" }, "PUBLIC_URL is http,"],
    [
      "recipients anywhere in a large network",
      { RECIPIENT_ALLOWED_NETWORKS: "172.16.0.0/12" },
      "RECIPIENT_ALLOWED_NETWORKS names more than 65,536 addresses",
    ],
  ])("starts with %s, which the doctor names", (_title, changes, weakness) => {
    expect(load(changes).ok).toBe(true);
    expect(weaknessesOf(changes)).toEqual([expect.stringContaining(weakness)]);
  });
});

test.each([
  ["somebody has said that there is no proxy", { TRUSTED_PROXIES: "none" }],
  ["it serves nobody who comes by https", { TRUSTED_PROXIES: undefined, ROLES: "worker,sender" }],
])("a process without TRUSTED_PROXIES is not weak when %s", (_title, changes) => {
  expect(weaknessesOf(changes)).toEqual([]);
});

test("a process that only this machine can reach starts with any secret", () => {
  const local = { HOST: "127.0.0.1", PUBLIC_URL: undefined, API_TOKEN: "x" };

  expect(load(local).ok).toBe(true);
  expect(load({ ...local, PUBLIC_URL: "http://localhost:3000" }).ok).toBe(true);
  expect(load({ ...local, PUBLIC_URL: "https://skedchange.example.com" }).ok).toBe(false);
});

test("an identity provider over http is refused, named if its network is private, and free on loopback", () => {
  expect(problemsOf({ ...signIn, OIDC_ISSUER: "http://login.example.com" })).toContainEqual(
    expect.stringContaining("OIDC_ISSUER is http"),
  );
  expect(problemsOf({ ...signIn, OIDC_ISSUER: "http://keycloak:8080/realms/agency" })).toEqual([]);
  expect(weaknessesOf({ ...signIn, OIDC_ISSUER: "http://keycloak:8080/realms/agency" })).toEqual([
    expect.stringContaining("OIDC_ISSUER is http"),
  ]);
  expect(weaknessesOf({ ...signIn, OIDC_ISSUER: "http://127.0.0.1:8080" })).toEqual([]);
});
