import { expect, test } from "vitest";
import { settingsInForce } from "../../../src/app/installation.ts";
import { type Configuration, loadSettings } from "../../../src/config/load-settings.ts";
import { settingDescriptions } from "../../../src/config/settings.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";

const required = {
  DATABASE_URL: "postgres://skedchange:hunter2@db.example/skedchange",
  ENCRYPTION_KEYS: createEncryptionKey(new Date()),
  OCN_BASIC_USERNAME: "gateway",
  OCN_BASIC_PASSWORD: "hunter2-0123456789",
  GATEWAY_BASE_URL: "https://gateway.example",
  GATEWAY_ACCESS_TOKEN: "hunter2-gateway",
  API_TOKEN: "hunter2-0123456789",
};

const signIn = {
  PUBLIC_URL: "https://agency.example",
  OIDC_ISSUER: "https://id.example",
  OIDC_CLIENT_ID: "skedchange",
  OIDC_CLIENT_SECRET: "hunter2-of-the-client",
  OIDC_ROLES: "admin=IT Admins;agent=Desk",
};

function load(environment: Record<string, string>): Configuration {
  const loaded = loadSettings(environment, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.configuration;
}

function inForce(environment: Record<string, string>, name: string) {
  return settingsInForce(load({ ...required, ...environment })).find((setting) => setting.name === name);
}

test("every setting is listed with its group and its description", () => {
  const listed = settingsInForce(load(required));

  expect(listed.map(({ name, group, description }) => ({ name, group, description }))).toEqual(
    settingDescriptions.map(({ name, group, description }) => ({ name, group, description })),
  );
});

test("a secret is shown only as set or not set, and the credentials in a URL not at all", () => {
  const environment = { ...required, PUBLIC_URL: "https://ana:hunter2@agency.example" };
  const text = JSON.stringify(settingsInForce(load(environment)));

  expect(text).not.toMatch(/hunter2/);
  expect(text).not.toContain(required.ENCRYPTION_KEYS);
  expect(inForce({}, "API_TOKEN")).toMatchObject({ isSecret: true, isSet: true, value: null });
  expect(inForce({}, "SMTP_URL")).toMatchObject({ isSecret: true, isSet: false, value: null });
  expect(inForce(environment, "PUBLIC_URL")?.value).toBe("https://[redacted]@agency.example");
});

test.each([
  ["HOST", {}, { value: "127.0.0.1", isSet: true, isDefault: true }],
  ["WORKER_CONCURRENCY", { WORKER_CONCURRENCY: "12" }, { value: "12", isSet: true, isDefault: false }],
  ["OPS_PORT", {}, { value: null, isSet: false, isDefault: true }],
  ["ROLES", { ROLES: "dashboard, worker" }, { value: "dashboard,worker", isDefault: false }],
  ["RECIPIENT_ALLOW_HTTP", { RECIPIENT_ALLOW_HTTP: "true" }, { value: "1", isDefault: false }],
  ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "10.0.0.1/32  10.0.0.2/32" }, { value: "10.0.0.1/32 10.0.0.2/32" }],
  ["RESPONSE_TARGET_HOURS", {}, { value: "0=1 1=4 2=8 3=24 5=72", isDefault: true }],
  ["RESPONSE_TARGET_HOURS", { RESPONSE_TARGET_HOURS: "none" }, { value: "none", isDefault: false }],
  ["OIDC_ROLES", signIn, { value: "admin=IT Admins; agent=Desk" }],
  ["OIDC_SOURCES", { ...signIn, OIDC_SOURCES: "default=Desk;*=Head" }, { value: "default=Desk; *=Head" }],
])("%s of %j is shown as it is written in the environment", (name, environment, shown) => {
  expect(inForce(environment, name)).toMatchObject(shown);
});

test("in demo mode the settings are those that the demo brings", () => {
  const settings = settingsInForce(load({}));
  const valueOf = (name: string) => settings.find((setting) => setting.name === name);

  expect(valueOf("ROLES")?.value).toBe("receiver,worker,sender,dashboard,gateway");
  expect(valueOf("RECIPIENT_ALLOW_HTTP")).toMatchObject({ value: "1", isDefault: false });
  expect(valueOf("API_TOKEN")).toMatchObject({ isSet: true, value: null });
});
