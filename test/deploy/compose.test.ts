import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadDatabaseSettings, loadSettings } from "../../src/config/load-settings.ts";
import { settingDescriptions } from "../../src/config/settings.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { toNetworkSet } from "../../src/kernel/networks.ts";
import { createAddressGuard } from "../../src/sender/address-guard.ts";
import { readImageSettings } from "./image-settings.ts";

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> } };
  readonly networks?: { readonly default?: { readonly ipv4_address?: string } };
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<
    Record<string, { readonly ipam: { readonly config: readonly Readonly<Record<string, string>>[] } }>
  >;
}

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const compose = parse(read("docker-compose.yml"), { merge: true }) as ComposeFile;
const services = Object.entries(compose.services);
const ownServices = services.filter(([, { build }]) => build !== undefined);
/** All of ours but the one that migrates and ends. */
const processes = ["receiver", "worker", "dashboard", "gateway", "sender"];
const settingNames = new Set<string>(settingDescriptions.map(({ name }) => name));

/** What a person gives for the simulated gateway. */
const given: Readonly<Record<string, string>> = {
  ENCRYPTION_KEYS: createEncryptionKey(new Date("2027-01-01T00:00:00Z")),
  DATABASE_OWNER_PASSWORD: "owner",
  DATABASE_PASSWORD: "service",
  POSTGRES_PASSWORD: "superuser",
  GATEWAY_BASE_URL: "http://gateway:4000",
  OCN_BASIC_USERNAME: "gateway",
  OCN_BASIC_PASSWORD: "0123456789abcdef-basic",
  GATEWAY_ACCESS_TOKEN: "0123456789abcdef-access",
  GATEWAY_API_KEY: "0123456789abcdef-key",
  GATEWAY_CONTROL_TOKEN: "0123456789abcdef-control",
  API_TOKEN: "0123456789abcdef-api",
};

/** `${NAME:-default}` and `${NAME:?message}`, as compose writes them. */
function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_match, name: string, kind: string, rest: string) => {
    const value = values[name];
    if (value === undefined && kind === "?") throw new Error(`${name} ${rest}`);
    return value ?? rest;
  });
}

/** @param more of `.env`, beside what stands there for the simulated gateway */
function environmentOf(name: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const { environment = {} } = compose.services[name]!;
  const values = { ...given, ...more };
  return Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [key, interpolate(String(value), values)]),
  );
}

function settingsOf(name: string, more: Readonly<Record<string, string>> = {}) {
  const loaded = loadSettings({ ...readImageSettings(), ...environmentOf(name, more) }, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.configuration;
}

describe("docker-compose.yml", () => {
  test("has a container for each role, and one that migrates", () => {
    expect(ownServices.map(([name]) => name)).toEqual(["migrate", ...processes]);
  });

  test.each(ownServices.map(([name]) => name))("sets nothing for %s that is no setting", (name) => {
    expect(Object.keys(environmentOf(name)).filter((setting) => !settingNames.has(setting))).toEqual([]);
  });

  test("gives the migration settings with which it starts", () => {
    const environment = { ...readImageSettings(), ...environmentOf("migrate") };

    expect(loadDatabaseSettings(environment, () => "", { needsKeys: false })).toMatchObject({ ok: true });
  });

  test.each(processes)("gives %s settings with which it starts", (name) => {
    const { demo, roles } = settingsOf(name);

    expect({ demo, roles }).toEqual({ demo: false, roles: [name] });
  });

  const oauth = { OCN_OAUTH_ISSUER: "https://login.example", OCN_OAUTH_AUDIENCE: "skedchange" };
  // A setting that needs another one, which only some containers get.
  test.each<[string, Readonly<Record<string, string>>]>([
    ["tokens that an authorization server signs", { ...oauth, OCN_OAUTH_JWKS_URL: "https://login.example/keys" }],
    [
      "tokens that an authorization server is asked about",
      {
        ...oauth,
        OCN_OAUTH_INTROSPECTION_URL: "https://login.example/introspect",
        OCN_OAUTH_INTROSPECTION_CLIENT_ID: "skedchange",
        OCN_OAUTH_INTROSPECTION_CLIENT_SECRET: "0123456789abcdef-introspection",
      },
    ],
    ["a mail server", { SMTP_URL: "smtps://mail.example", NOTICE_FROM: "skedchange@agency.example" }],
    [
      "an identity provider",
      {
        PUBLIC_URL: "https://skedchange.agency.example",
        OIDC_ISSUER: "https://login.example",
        OIDC_CLIENT_ID: "skedchange",
        OIDC_CLIENT_SECRET: "0123456789abcdef-oidc",
        OIDC_ROLES: "admin=admins",
      },
    ],
  ])("starts every process with %s", (_, more) => {
    const loaded = processes.map((name) =>
      loadSettings({ ...readImageSettings(), ...environmentOf(name, more) }, () => ""),
    );

    expect(loaded.flatMap((of) => (of.ok ? [] : of.problems))).toEqual([]);
  });

  test("gives each secret to the containers that need it, and to no other", () => {
    const secrets = settingDescriptions.flatMap(({ name, secret }) => (secret === true ? [name] : []));
    const holders = secrets.map((secret) => [
      secret,
      ownServices.filter(([, { environment = {} }]) => secret in environment).map(([name]) => name),
    ]);

    expect(Object.fromEntries(holders)).toEqual({
      DATABASE_URL: ["migrate", ...processes],
      DATABASE_OWNER_URL: ["migrate"],
      ENCRYPTION_KEYS: processes,
      OTEL_EXPORTER_OTLP_HEADERS: processes,
      QUEUE_URL: processes,
      OCN_BASIC_PASSWORD: ["receiver"],
      OCN_BEARER_TOKENS: ["receiver"],
      OCN_EXACT_AUTHORIZATION: ["receiver"],
      OCN_SIGNING_SECRETS: ["receiver"],
      OCN_OAUTH_INTROSPECTION_CLIENT_SECRET: ["receiver"],
      OCN_OAUTH_CLIENTS: ["receiver"],
      GATEWAY_ACCESS_TOKEN: ["worker", "dashboard", "gateway"],
      GATEWAY_API_KEY: ["worker", "dashboard", "gateway"],
      GATEWAY_CONTROL_TOKEN: ["gateway", "sender"],
      SMTP_URL: ["dashboard", "sender"],
      OIDC_CLIENT_SECRET: ["dashboard"],
      API_TOKEN: ["dashboard"],
    });
  });

  test("hands every setting of `.env` on, but those that a container has of its own or that mean nothing in one", () => {
    const own = ["HOST", "PORT", "GATEWAY_PORT", "DATA_DIR", "DEMO", "DEMO_AUTHENTICATION"];
    const passed = new Set(services.flatMap(([, { environment = {} }]) => Object.keys(environment)));

    expect([...settingNames].filter((name) => !passed.has(name)).toSorted()).toEqual(own.toSorted());
    expect(environmentOf("sender")).toMatchObject({ SMTP_URL: "", NOTICE_FROM: "" });
    expect(environmentOf("worker")).toMatchObject({ UNDO_WINDOW_SECONDS: "", SOURCES_FILE: "" });
  });

  test("runs the simulated gateway only when it is asked for, and the sender always", () => {
    expect(services.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name)).toEqual([
      "redis",
      "gateway",
    ]);
  });

  test("the top of the file names every setting that it refuses to start without", () => {
    const text = read("docker-compose.yml");
    const introduction = text.slice(0, text.indexOf("\nname:"));
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!));

    expect(required.size).toBeGreaterThan(5);
    expect([...required].filter((name) => !introduction.includes(name))).toEqual([]);
  });

  test.each(services.map(([name]) => name))("limits the CPU, memory and processes of %s", (name) => {
    expect(compose.services[name]!.deploy?.resources?.limits).toEqual({
      cpus: expect.stringMatching(/^[1-9]$/),
      memory: expect.stringMatching(/^\d+[MG]$/),
      pids: expect.any(Number),
    });
  });

  test.each(ownServices)("runs %s read-only, without capabilities and without new privileges", (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
  });

  test("publishes ports on this machine only", () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);

    expect(published.length).toBeGreaterThan(0);
    expect(published.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });

  test("publishes the port of no database, no queue and no operations", () => {
    const inner = services.flatMap(([, { ports = [] }]) => ports).map((port) => port.split(":").at(-1));

    expect([...new Set(inner)].toSorted()).toEqual(["3000", "4000"]);
  });
});

describe("the network of docker-compose.yml", () => {
  const [network, ...others] = compose.networks["default"]!.ipam.config;
  const { subnet = "", gateway = "", ip_range: dynamicRange = "" } = network!;

  test("is one private subnet that is stated, and all services are on it", () => {
    expect(others).toEqual([]);
    expect(Object.keys(compose.networks)).toEqual(["default"]);
    expect(subnet).toMatch(/^10\.\d+\.\d+\.0\/24$/);
    expect(
      services.filter(([, service]) => Object.keys(service.networks ?? {}).some((name) => name !== "default")),
    ).toEqual([]);
  });

  test("the sender may reach the receiver and nothing else that is private", () => {
    const { RECIPIENT_ALLOWED_NETWORKS: allowed = [], RECIPIENT_ALLOW_HTTP: allowHttp } = settingsOf("sender").settings;
    const guard = createAddressGuard({ allowHttp, allowedNetworks: allowed });
    const receiver = compose.services["receiver"]!.networks!.default!.ipv4_address!;
    const fits = (address: string): boolean => guard.refuse(new URL(`http://${address}/ocn`)) === null;

    expect(isIn(receiver, subnet)).toBe(true);
    expect(isIn(receiver, dynamicRange)).toBe(false);
    expect(fits(receiver)).toBe(true);
    for (const other of [
      gateway,
      "10.89.43.9",
      "10.89.43.11",
      "10.89.43.128",
      "172.17.0.1",
      "192.168.1.1",
      "127.0.0.1",
    ]) {
      expect({ other, allowed: fits(other) }).toEqual({ other, allowed: false });
    }
  });

  test("only what notifies recipients may reach the receiver's address", () => {
    const may = processes.filter((name) => settingsOf(name).settings.RECIPIENT_ALLOWED_NETWORKS !== undefined);

    expect(may).toEqual(["gateway", "sender"]);
  });

  test("what comes through a published port is a trusted proxy, and no container is", () => {
    const { TRUSTED_PROXIES: proxies = [] } = settingsOf("receiver").settings;

    expect(proxies).toEqual([`${gateway}/32`]);
    expect(isIn(gateway, dynamicRange)).toBe(false);
  });
});

function isIn(address: string, network: string): boolean {
  return toNetworkSet([network]).check(address);
}

describe("the image", () => {
  const dockerfile = read("Dockerfile");

  test("builds and runs on the same exact version of Node.js, which can be replaced by a digest", () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim$/m);
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
      "${NODE_IMAGE}",
      "${NODE_IMAGE}",
    ]);
  });

  test("does not run as root, and has a health check of a path that every role serves", () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));

    expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(last).toContain("/healthz");
    expect(last.lastIndexOf("\nUSER ")).toBeGreaterThan(last.lastIndexOf("\nRUN "));
  });

  test("sets nothing that is no setting", () => {
    const names = Object.keys(readImageSettings());

    expect(names).toContain("PORT");
    expect(names.filter((name) => !settingNames.has(name))).toEqual([]);
  });
});
