import { describe, expect, test } from "vitest";
import { settingDescriptions, settingsSchema } from "../../../src/config/settings.ts";

describe("settings", () => {
  test("those that are not given are as described, or not set", () => {
    const given = settingsSchema.parse({});
    const described = Object.fromEntries(
      settingDescriptions.flatMap((setting) =>
        setting.default === undefined ? [] : [[setting.name, setting.default]],
      ),
    );

    expect(given).toEqual(settingsSchema.parse(described));
  });

  test("whatever is a password, a token, a key, a secret, a header or a URL with a login is marked as a secret, and nothing else", () => {
    const secret = settingDescriptions.filter((setting) => setting.secret === true).map(({ name }) => name);

    expect(secret).toEqual(
      settingDescriptions
        .map(({ name }) => name)
        .filter((name) =>
          /(PASSWORD|TOKENS?|KEYS?|SECRETS?|CLIENTS|EXACT_AUTHORIZATION|OTLP_HEADERS)$|^(DATABASE|QUEUE)_.*URL$|^(DATABASE_OWNER|SMTP)_URL$/.test(
            name,
          ),
        ),
    );
  });

  test("no secret has a default", () => {
    expect(settingDescriptions.filter((setting) => setting.secret === true && setting.default !== undefined)).toEqual(
      [],
    );
  });

  test.each([
    ["receiver", ["receiver"]],
    ["worker, sender,worker", ["worker", "sender"]],
    ["all", ["receiver", "worker", "sender", "dashboard", "gateway"]],
  ])("ROLES=%s runs %j", (text, roles) => {
    expect(settingsSchema.parse({ ROLES: text }).ROLES).toEqual(roles);
  });

  test("ROLES with an unknown role names it and the known ones", () => {
    const { error } = settingsSchema.safeParse({ ROLES: "receiver,reciever" });

    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [["ROLES"], "names the unknown role 'reciever'; use receiver, worker, sender, dashboard, gateway or all"],
    ]);
  });

  test.each([
    ["PORT", "0", true],
    ["PORT", "65535", true],
    ["PORT", "65536", false],
    ["PORT", "-1", false],
    ["WORKER_CONCURRENCY", "1", true],
    ["WORKER_CONCURRENCY", "0", false],
    ["SECOND_PERSON_ABOVE", "1000", true],
    ["SECOND_PERSON_ABOVE", "999.50", true],
    ["SECOND_PERSON_ABOVE", "1,000", false],
    ["SECOND_PERSON_ABOVE", "-1", false],
    ["WORKER_CONCURRENCY_PER_SOURCE", "1", true],
    ["WORKER_CONCURRENCY_PER_SOURCE", "0", false],
    ["RESPONSE_TARGET_HOURS", "0=1  9=9999", true],
    ["RESPONSE_TARGET_HOURS", "10=1", false],
    ["RESPONSE_TARGET_HOURS", "0=0", false],
    ["RESPONSE_TARGET_HOURS", "0=10000", false],
    ["RESPONSE_TARGET_HOURS", "0=1,3=24", false],
    ["RESPONSE_TARGET_HOURS", "3=4 3=5", false],
    ["GATEWAY_BASE_URL", "https://gateway.example/api", true],
    ["GATEWAY_BASE_URL", "ftp://gateway.example", false],
    ["DEMO", "1", true],
    ["DEMO", "yes", false],
  ])("%s=%s is accepted: %s", (name, value, accepted) => {
    expect(settingsSchema.safeParse({ [name]: value }).success).toBe(accepted);
  });

  test("RESPONSE_TARGET_HOURS is read as hours by priority, and none as no target", () => {
    const read = (text: string) => settingsSchema.parse({ RESPONSE_TARGET_HOURS: text }).RESPONSE_TARGET_HOURS;

    expect(read(" 1=4 3=24 ")).toEqual([
      { priority: 1, hours: 4 },
      { priority: 3, hours: 24 },
    ]);
    expect(read("none")).toEqual([]);
  });
});
