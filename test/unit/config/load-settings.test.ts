import { describe, expect, test } from "vitest";
import { demoCredentials } from "../../../src/config/demo-credentials.ts";
import { loadDatabaseSettings, loadSettings } from "../../../src/config/load-settings.ts";
import type { SourceConfiguration } from "../../../src/config/sources-file.ts";
import { userRoleNames } from "../../../src/dashboard/people/role.ts";
import { createEncryptionKey } from "../../../src/kernel/encryption-keys.ts";
import { findWay, type WayKind } from "../../../src/receiver/ways.ts";

const production = {
  OCN_BASIC_USERNAME: "gateway",
  OCN_BASIC_PASSWORD: "correct horse: bättery",
  GATEWAY_BASE_URL: "https://gateway.example.com/v1",
  GATEWAY_ACCESS_TOKEN: "access",
  GATEWAY_API_KEY: "key",
  API_TOKEN: "api",
  DATABASE_URL: "postgres://skedchange@db.example.com/skedchange",
  ENCRYPTION_KEYS: createEncryptionKey(new Date()),
};

function load(environment: Record<string, string | undefined>, files: Record<string, string> = {}) {
  return loadSettings(environment, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`no such file: ${path}`);
    return text;
  });
}

function problemsOf(environment: Record<string, string | undefined>, files: Record<string, string> = {}): string {
  const loaded = load(environment, files);
  if (loaded.ok) throw new Error("expected problems");
  return loaded.problems.join("\n");
}

function wayOf<Kind extends WayKind>(source: SourceConfiguration | undefined, kind: Kind) {
  return findWay(source?.authentication ?? [], kind);
}

function configurationOf(environment: Record<string, string | undefined>, files: Record<string, string> = {}) {
  const loaded = load(environment, files);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.configuration;
}

describe("demo mode", () => {
  test("is on when nothing is configured, and runs every role", () => {
    const { demo, roles, sources } = configurationOf({});

    expect(demo).toBe(true);
    expect(roles).toEqual(["receiver", "worker", "sender", "dashboard", "gateway"]);
    expect(sources.map((source) => source.id)).toEqual(["default"]);
  });

  test.each(["PORT", "GATEWAY_PORT"])("does not end with %s alone", (name) => {
    expect(configurationOf({ [name]: "0" }).demo).toBe(true);
  });

  test("does not end with a queue of one's own", () => {
    const { demo, settings } = configurationOf({ QUEUE_URL: "redis://127.0.0.1:6379" });

    expect(demo).toBe(true);
    expect(settings.QUEUE_URL).toBe("redis://127.0.0.1:6379");
  });

  test.each(["DATABASE_URL", "API_TOKEN", "GATEWAY_BASE_URL", "OCN_BEARER_TOKENS", "SOURCES_FILE"])(
    "ends as soon as %s is given",
    (name) => {
      expect(load({ [name]: "https://example.com" }).ok).toBe(false);
    },
  );

  test("runs only the roles that ROLES names", () => {
    const { demo, roles } = configurationOf({ ROLES: "gateway,sender" });

    expect(demo).toBe(true);
    expect(roles).toEqual(["gateway", "sender"]);
  });

  test("ends with DEMO=0, which then asks for everything that is missing", () => {
    const problems = problemsOf({ DEMO: "0" });

    expect(problems).toContain("The receiver has no source.");
    expect(problems).toContain("API_TOKEN is not set.");
  });

  test("that ended by a setting left in the shell says by which, so that the demo can be had again", () => {
    const advice = "For the demo, leave it out.";
    expect(problemsOf({ API_TOKEN: "api" })).toContain(`API_TOKEN is set, which ends demo mode. ${advice}`);
    expect(problemsOf({ API_TOKEN_FILE: "/run/token" }, { "/run/token": "api" })).toContain(
      `API_TOKEN_FILE is set, which ends demo mode. ${advice}`,
    );
    expect(problemsOf({ API_TOKEN: "api", GATEWAY_API_KEY: "key" })).toContain(
      "GATEWAY_API_KEY, API_TOKEN are set, which ends demo mode. For the demo, leave them out.",
    );
    expect(problemsOf({ API_TOKEN: "api", DEMO: "0" })).not.toContain("ends demo mode");
    expect(problemsOf({ ...production, API_TOKEN: undefined })).not.toContain("ends demo mode");
  });

  test.each(["127.0.0.1", "localhost", "::1", "127.8.0.1"])("listens on the loopback address %s", (host) => {
    expect(configurationOf({ HOST: host }).demo).toBe(true);
  });

  test.each(["0.0.0.0", "::", "192.168.1.4", "127.0.0.1.example.com"])("is refused on %s", (host) => {
    expect(problemsOf({ HOST: host })).toContain("demo mode, whose credentials everybody knows");
  });

  test("can be asked for on a database of one's own", () => {
    const { demo, settings } = configurationOf({ DEMO: "1", DATABASE_URL: production.DATABASE_URL });

    expect(demo).toBe(true);
    expect(settings.DATABASE_URL).toBe(production.DATABASE_URL);
  });

  test("does not mix with credentials of one's own", () => {
    expect(problemsOf({ DEMO: "1", API_TOKEN: "api" })).toContain("Leave out API_TOKEN, or set DEMO=0.");
  });
});

describe("keys that encrypt what is stored", () => {
  test("are needed for a database of one's own, and the error explains what they are for", () => {
    expect(problemsOf({ ...production, ENCRYPTION_KEYS: undefined })).toBe(
      "ENCRYPTION_KEYS is not set. What is stored in DATABASE_URL is encrypted; make a key with `skedchange keys new` and give it to every process.",
    );
  });

  test("are all that a command on the database needs besides it, and one that reads no bodies needs none", () => {
    const readFile = () => "";
    const { DATABASE_URL, ENCRYPTION_KEYS } = production;

    expect(loadDatabaseSettings({ DATABASE_URL, ENCRYPTION_KEYS }, readFile, { needsKeys: true }).ok).toBe(true);
    expect(loadDatabaseSettings({ DATABASE_URL }, readFile, { needsKeys: false }).ok).toBe(true);
    expect(loadDatabaseSettings({ DATABASE_URL }, readFile, { needsKeys: true })).toMatchObject({
      ok: false,
      problems: [expect.stringContaining("ENCRYPTION_KEYS is not set.")],
    });
    expect(loadDatabaseSettings({ DATABASE_OWNER_URL: DATABASE_URL }, readFile, { needsKeys: false })).toMatchObject({
      ok: false,
      problems: [expect.stringContaining("DATABASE_OWNER_URL is set and DATABASE_URL is not.")],
    });
  });

  test("come from a file with the embedded database, and demo mode does not need them", () => {
    const embedded = { ...production, DATABASE_URL: undefined, ENCRYPTION_KEYS: undefined };

    expect(configurationOf(embedded).settings.ENCRYPTION_KEYS).toBeUndefined();
    expect(configurationOf({ DEMO: "1", DATABASE_URL: production.DATABASE_URL }).demo).toBe(true);
  });

  test("are refused without being repeated when one is no key", () => {
    expect(problemsOf({ ...production, ENCRYPTION_KEYS: "a:c2VjcmV0" })).toBe(
      "ENCRYPTION_KEYS: has an entry (number 1) that is not <id>:<32 bytes in base64>; make a key with `skedchange keys new`.",
    );
  });
});

describe("settings of a real installation", () => {
  test("define the default source", () => {
    const { demo, sources, roles } = configurationOf(production);

    expect(demo).toBe(false);
    expect(roles).toEqual(["receiver", "worker", "sender", "dashboard"]);
    expect(sources).toHaveLength(1);
    expect(wayOf(sources[0], "basic")?.passwords[0]?.reveal()).toBe("correct horse: bättery");
    expect(sources[0]?.gateway?.baseUrl).toBe("https://gateway.example.com/v1");
  });

  test("say in whose name the gateway is called, and where tickets are voided", () => {
    const { sources } = configurationOf({
      ...production,
      GATEWAY_VOID_BASE_URL: "https://void.example.com",
      AGENCY_NAME: "Example Travel & Co",
      AGENCY_IATA_NUMBER: "1234567890",
      AGENCY_EMAILS: "desk@example.com night@example.com",
    });

    expect(sources[0]?.gateway).toMatchObject({
      voidBaseUrl: "https://void.example.com",
      agency: {
        name: "Example Travel & Co",
        id: "",
        iataNumber: "1234567890",
        emails: ["desk@example.com", "night@example.com"],
      },
    });
    expect(problemsOf({ ...production, AGENCY_ID: "EX" })).toBe(
      "AGENCY_NAME is not set, and other settings of the agency are. Set it, too.",
    );
  });

  test("name every problem at once", () => {
    const problems = problemsOf({ PORT: "70000", ROLES: "receiver,cook", LOG_LEVEL: "loud" });

    expect(problems).toContain("PORT:");
    expect(problems).toContain("'cook'");
    expect(problems).toContain("LOG_LEVEL:");
  });

  test("name everything that the first credential of a real installation lacks", () => {
    const problems = problemsOf({ OCN_BASIC_USERNAME: "gateway" });

    for (const name of ["OCN_BASIC_PASSWORD", "GATEWAY_BASE_URL", "GATEWAY_ACCESS_TOKEN", "API_TOKEN"]) {
      expect(problems).toContain(name);
    }
  });

  test.each([
    ["PORT", "http", "PORT: must be a whole number from 0 to 65535."],
    ["PORT", "65536", "PORT: must be a whole number from 0 to 65535."],
    ["WORKER_CONCURRENCY", "0", "WORKER_CONCURRENCY: must be a whole number above 0."],
    ["WORKER_CONCURRENCY", "1.5", "WORKER_CONCURRENCY: must be a whole number above 0."],
  ])("say what %s=%s should be", (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toBe(problem);
  });

  test.each([
    "db.example.com/orders",
    "mysql://app:hidden@localhost/orders",
    "postgres://app:hid#den@localhost/orders",
  ])("refuse %s as a database, without its password", (url) => {
    expect(problemsOf({ ...production, DATABASE_URL: url })).toBe(
      "DATABASE_URL: must be postgres://user:password@host:5432/database, with special characters of the password percent-encoded.",
    );
  });

  test.each(["postgresql://app@db.example.com/orders", "postgres:///orders?host=/run/postgresql"])(
    "take %s as a database",
    (url) => {
      expect(configurationOf({ ...production, DATABASE_URL: url }).settings.DATABASE_URL).toBe(url);
    },
  );

  test("take secrets from files, without the line end", () => {
    const { API_TOKEN: _, ...rest } = production;

    const { settings } = configurationOf({ ...rest, API_TOKEN_FILE: "/run/token" }, { "/run/token": "from file\n" });

    expect(settings.API_TOKEN).toBe("from file");
  });

  test("refuse a secret that is given twice, and a file that cannot be read", () => {
    expect(problemsOf({ ...production, API_TOKEN_FILE: "/run/token" })).toContain(
      "API_TOKEN and API_TOKEN_FILE are both set",
    );
    expect(problemsOf({ API_TOKEN_FILE: "/missing" })).toContain("API_TOKEN_FILE cannot be read");
  });

  test("treat an empty value as not set", () => {
    expect(problemsOf({ ...production, API_TOKEN: "" })).toContain("API_TOKEN is not set.");
  });

  test("refuse half a user name and password", () => {
    expect(problemsOf({ ...production, OCN_BASIC_PASSWORD: undefined })).toContain("go together");
  });

  test("refuse a user name with a colon, which Basic authentication cannot carry", () => {
    expect(problemsOf({ ...production, OCN_BASIC_USERNAME: "a:b" })).toContain("RFC 7617");
  });

  test("refuse every demo credential", () => {
    expect(problemsOf({ ...production, API_TOKEN: demoCredentials.apiToken })).toContain(
      "API_TOKEN is a demo credential",
    );
    expect(problemsOf({ ...production, OCN_BEARER_TOKENS: `mine ${demoCredentials.bearerToken}` })).toContain(
      "OCN_BEARER_TOKENS is a demo credential",
    );
  });

  test("split bearer tokens at white space, so that they can be rotated", () => {
    const { sources } = configurationOf({ ...production, OCN_BEARER_TOKENS: " old\nnew " });

    expect(wayOf(sources[0], "bearer_tokens")?.tokens.map((token) => token.reveal())).toEqual(["old", "new"]);
  });

  test.each(["redis://localhost", "rediss://user:secret@10.0.0.1:6380/2", "redis://10.0.0.1:7000,10.0.0.2:7000"])(
    "take the queue at %s",
    (url) => {
      expect(configurationOf({ ...production, QUEUE_URL: url }).settings.QUEUE_URL).toBe(url);
    },
  );

  test("refuse a queue that is no Redis, without its password", () => {
    expect(problemsOf({ ...production, QUEUE_URL: "postgres://app:hidden@localhost/skedchange" })).toBe(
      "QUEUE_URL names PostgreSQL, where the queue lives anyway. Leave it out.",
    );
    expect(problemsOf({ ...production, QUEUE_URL: "amqp://app:hidden@localhost" })).toBe(
      "QUEUE_URL is no Redis URL. Write it as redis://user:password@host:6379/0, rediss:// for TLS.",
    );
    expect(problemsOf({ QUEUE_URL: "redis://app:hidden@localhost/orders" })).toBe(
      "QUEUE_URL has a path that is no database number, such as /0.",
    );
  });

  test("need no API token in a process that runs no dashboard", () => {
    expect(configurationOf({ ...production, API_TOKEN: undefined, ROLES: "worker" }).roles).toEqual(["worker"]);
  });

  test("never repeat a secret in a problem", () => {
    expect(problemsOf({ ...production, API_TOKEN: demoCredentials.apiToken })).not.toContain(demoCredentials.apiToken);
  });
});

describe("SOURCES_FILE", () => {
  const file = `
sources:
  - id: acme
    basic: { username: acme, passwords: ["one: two", "new"] }
    gateway: { base_url: "https://gw.example.com", access_token: t, agency: { name: Example Travel, emails: [Desk@Mail.example] } }
    policy_file: acme.yaml
    customer_agreement: true
    inform: nobody
    own_domains: [Agency.example]
    arrangers: [Trips@agency.example]
`;

  test("adds sources to the default one", () => {
    const { sources } = configurationOf({ ...production, SOURCES_FILE: "s.yaml" }, { "s.yaml": file });

    expect(sources.map((source) => source.id)).toEqual(["default", "acme"]);
    expect(wayOf(sources[1], "basic")?.passwords.map((password) => password.reveal())).toEqual(["one: two", "new"]);
    expect(sources[1]?.policyFile).toBe("acme.yaml");
    expect(sources.map((source) => source.customerAgreement)).toEqual([false, true]);
    expect(sources.map((source) => source.inform)).toEqual(["task", "nobody"]);
    expect(sources.map((source) => source.ownAddresses)).toEqual([
      { domains: [], addresses: [], arrangers: [] },
      { domains: ["agency.example"], addresses: ["desk@mail.example"], arrangers: ["trips@agency.example"] },
    ]);
  });

  test("may be set without any other source setting", () => {
    const { sources } = configurationOf({ API_TOKEN: "api", SOURCES_FILE: "s.yaml" }, { "s.yaml": file });

    expect(sources.map((source) => source.id)).toEqual(["acme"]);
  });

  test.each([
    ["*hush", "it has an alias (*) or a merge key (<<) that cannot be resolved; quote a value that begins with *"],
    ["|hush", "unexpected token at line 3, column 21"],
    ['"\\hush"', "bad dq escape at line 3, column 21"],
  ])("that is no YAML, because of %s, is refused without the value", (value, problem) => {
    const file = `sources:\n  - id: other\n    bearer_tokens: ${value}\n`;

    const problems = problemsOf({ ...production, SOURCES_FILE: "s.yaml" }, { "s.yaml": file });

    expect(problems).toContain(`SOURCES_FILE is no YAML: ${problem}.`);
    expect(problems).not.toContain("hush");
  });

  test("says where it is wrong and never repeats a value", () => {
    const problems = problemsOf(
      { ...production, SOURCES_FILE: "s.yaml" },
      { "s.yaml": "sources:\n  - id: Bad Id\n    bearer_tokens: [hush]\n    colour: red\n" },
    );

    expect(problems).toContain("sources.0.id");
    expect(problems).toContain("colour");
    expect(problems).not.toContain("hush");
  });

  test("refuses a source that nobody has to authenticate to", () => {
    expect(problemsOf({ ...production, SOURCES_FILE: "s.yaml" }, { "s.yaml": "sources:\n  - id: open\n" })).toContain(
      "source 'open' has no credential",
    );
  });

  test("refuses the same source twice", () => {
    expect(
      problemsOf(
        { ...production, SOURCES_FILE: "s.yaml" },
        { "s.yaml": file + file.replace("sources:\n", "").slice(1) },
      ),
    ).toContain("defined twice");
  });
});

describe("OAuth and the other ways of the default source", () => {
  const oauth = {
    ...production,
    OCN_OAUTH_ISSUER: "https://login.example/",
    OCN_OAUTH_AUDIENCE: "https://agency.example/ocn other",
    OCN_OAUTH_JWKS_URL: "https://login.example/jwks",
    OCN_OAUTH_SCOPE: "ocn:push ocn:more",
  };

  test("trust an authorization server by its keys", () => {
    const { sources } = configurationOf(oauth);

    expect(wayOf(sources[0], "oauth")).toEqual({
      kind: "oauth",
      accessTokens: {
        issuer: "https://login.example/",
        audiences: ["https://agency.example/ocn", "other"],
        scopes: ["ocn:push", "ocn:more"],
        jwksUrl: "https://login.example/jwks",
        introspection: null,
        clockSkewSeconds: 60,
        requireProfile: false,
      },
      clients: null,
    });
  });

  test("are credentials enough for a source", () => {
    const { OCN_BASIC_USERNAME: _, OCN_BASIC_PASSWORD: __, ...rest } = oauth;

    expect(configurationOf(rest).sources[0]?.authentication.map(({ kind }) => kind)).toEqual(["oauth"]);
  });

  test("take clients of the token endpoint, several secrets each, split at the first colon", () => {
    const { sources } = configurationOf({
      ...production,
      PUBLIC_URL: "https://agency.example",
      ALLOW_WEAK_SETTINGS: "1",
      OCN_OAUTH_CLIENTS: "one:a:b two:c\n one:d",
    });

    const { clients, scopes } = wayOf(sources[0], "oauth")!.clients!;
    expect(clients.map(({ id, secrets }) => [id, secrets.map((secret) => secret.reveal())])).toEqual([
      ["one", ["a:b", "d"]],
      ["two", ["c"]],
    ]);
    expect(scopes).toEqual(["ocn.push"]);
  });

  test("take clients with public keys, as a YAML list", () => {
    const { sources } = configurationOf({
      ...production,
      PUBLIC_URL: "https://agency.example",
      ALLOW_WEAK_SETTINGS: "1",
      OCN_OAUTH_CLIENTS: '[{"id": "signer", "jwks": {"keys": [{"kty": "EC", "crv": "P-256", "x": "x", "y": "y"}]}}]',
    });

    expect(wayOf(sources[0], "oauth")?.clients?.clients).toMatchObject([{ id: "signer", publicKeys: [{ kty: "EC" }] }]);
  });

  test("take one exact header and signing secrets", () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
    const { sources } = configurationOf({
      ...production,
      OCN_EXACT_AUTHORIZATION: "Key of the gateway",
      OCN_SIGNING_SECRETS: `${secret} ${secret}`,
    });

    expect(wayOf(sources[0], "exact_authorization")?.values[0]?.reveal()).toBe("Key of the gateway");
    expect(wayOf(sources[0], "signing_secrets")?.secrets).toHaveLength(2);
  });

  test.each([
    [{ OCN_OAUTH_AUDIENCE: undefined }, "OCN_OAUTH_AUDIENCE: is missing"],
    [{ OCN_OAUTH_ISSUER: undefined }, "OCN_OAUTH_ISSUER: is missing"],
    [{ OCN_OAUTH_JWKS_URL: undefined }, "OCN_OAUTH_… needs a JWKS URL, an introspection URL, or clients"],
    [{ OCN_OAUTH_JWKS_URL: "http://login.example/jwks" }, "OCN_OAUTH_JWKS_URL: must be https"],
    [{ OCN_OAUTH_INTROSPECTION_URL: "https://login.example/i" }, "OCN_OAUTH_INTROSPECTION_CLIENT_ID: "],
    [{ OCN_OAUTH_SCOPE: 'say "hi"' }, "OCN_OAUTH_SCOPE: must be scopes"],
    [{ OCN_OAUTH_CLIENTS: "a:hush" }, "PUBLIC_URL is not set"],
    [{ OCN_OAUTH_CLIENTS: "hush" }, "OCN_OAUTH_CLIENTS: "],
    [{ OCN_OAUTH_CLIENTS: '[{"id": "a", "jwks": {"keys": [{"kty": "EC", "d": "hush"}]}}]' }, "must be a public key"],
    [{ OCN_OAUTH_CLIENTS: `a:${demoCredentials.oauthClientSecret}` }, "OCN_OAUTH_CLIENTS holds a demo credential"],
    [{ OCN_OAUTH_CLIENTS: "- id: a\n  secrets: [*hush]" }, "OCN_OAUTH_CLIENTS: is no YAML: it has an alias"],
    [{ OCN_OAUTH_CLIENTS: "- id: a\n  secrets: [!hush!a b]" }, "is no YAML: tag resolve failed at line 2, column 13."],
    [{ OCN_OAUTH_CLIENTS: "- id: a\n  secrets: |hush" }, "is no YAML: unexpected token at line 2, column 13."],
    [{ OCN_SIGNING_SECRETS: "whsec_hush" }, "OCN_SIGNING_SECRETS: each must be whsec_"],
    [{ OCN_OAUTH_CLOCK_SKEW_SECONDS: "301" }, "OCN_OAUTH_CLOCK_SKEW_SECONDS"],
  ])("refuse %j and never repeat a secret", (changes, problem) => {
    const problems = problemsOf({ ...oauth, ...changes });

    expect(problems).toContain(problem);
    expect(problems).not.toContain("hush");
  });

  test.each(["http://127.0.0.1:9000/jwks", "http://localhost/jwks", "http://[::1]/jwks"])(
    "allow http on this machine: %s",
    (url) => {
      const { sources } = configurationOf({ ...oauth, OCN_OAUTH_JWKS_URL: url });
      expect(wayOf(sources[0], "oauth")?.accessTokens?.jwksUrl).toBe(url);
    },
  );

  test("allow http elsewhere when that is asked for", () => {
    const url = "http://login.internal/jwks";

    expect(load({ ...oauth, OCN_OAUTH_JWKS_URL: url, OCN_OAUTH_ALLOW_HTTP: "1" }).ok).toBe(true);
  });

  test("stand in SOURCES_FILE under the same names, and a client belongs to one source", () => {
    const file = `
sources:
  - id: acme
    exact_authorization: [Key]
    oauth:
      issuer: https://login.example/
      audience: agency
      scope: push
      introspection: { url: "https://login.example/i", client_id: us, client_secret: s }
      clients: [{ id: gateway, secrets: [one, two] }]
    gateway: { base_url: "https://gw.example.com", access_token: t }
`;
    const environment = {
      API_TOKEN: "api",
      PUBLIC_URL: "https://agency.example",
      ALLOW_WEAK_SETTINGS: "1",
      SOURCES_FILE: "s.yaml",
    };

    const [acme] = configurationOf(environment, { "s.yaml": file }).sources;
    expect(wayOf(acme, "oauth")?.accessTokens).toMatchObject({
      audiences: ["agency"],
      introspection: { clientId: "us" },
    });
    expect(wayOf(acme, "oauth")?.clients).toMatchObject({ scopes: ["push"], clients: [{ id: "gateway" }] });
    const twice = file + file.replace("sources:", "").replace("id: acme", "id: other");
    expect(problemsOf(environment, { "s.yaml": twice })).toContain("'gateway' belongs to two sources");
  });
});

describe("signing in with an identity provider", () => {
  const settings = {
    ...production,
    ALLOW_WEAK_SETTINGS: "1",
    PUBLIC_URL: "https://agency.example/",
    OIDC_ISSUER: "https://login.example/realms/agency",
    OIDC_CLIENT_ID: "skedchange",
    OIDC_CLIENT_SECRET_FILE: "/run/secrets/oidc",
    OIDC_ROLES: "admin=IT Admins; agent = Desk; agent=CN=Desk,OU=Porto;",
  };
  const files = { "/run/secrets/oidc": "SECRETVALUE\n" };

  test("takes the secret of a file, and several groups for a role", () => {
    const { identityProvider } = configurationOf(settings, files);

    expect(identityProvider).toMatchObject({
      issuer: "https://login.example/realms/agency",
      clientId: "skedchange",
      name: "SSO",
      scope: "openid profile email",
      rolesClaim: "groups",
      redirectUri: "https://agency.example/oidc/callback",
      roles: [
        { role: "admin", value: "IT Admins" },
        { role: "agent", value: "Desk" },
        { role: "agent", value: "CN=Desk,OU=Porto" },
      ],
    });
    expect(identityProvider?.clientSecret.reveal()).toBe("SECRETVALUE");
  });

  test("is off without OIDC_ISSUER", () => {
    expect(configurationOf(production).identityProvider).toBeNull();
  });

  test.each([
    [{ OIDC_CLIENT_ID: undefined }, "OIDC_CLIENT_ID is not set"],
    [{ OIDC_CLIENT_SECRET_FILE: undefined }, "OIDC_CLIENT_SECRET is not set"],
    [{ OIDC_ROLES: undefined }, "OIDC_ROLES is not set"],
    [{ PUBLIC_URL: undefined }, "PUBLIC_URL is not set"],
    [{ OIDC_ISSUER: undefined }, "OIDC_CLIENT_ID is set and OIDC_ISSUER is not"],
    [{ OIDC_ISSUER: "login.example" }, "OIDC_ISSUER: must be an http or https URL"],
    [{ OIDC_ROLES: "admin=IT; boss=All" }, "OIDC_ROLES: has a part (number 2) that is not <role>=<group>"],
    [{ OIDC_ROLES: "admin=" }, "OIDC_ROLES: has a part (number 1) that is not <role>=<group>"],
    [{ OIDC_ROLES: " ; " }, "OIDC_ROLES: maps no role"],
    [{ OIDC_SCOPE: "profile email" }, "OIDC_SCOPE: must contain openid"],
    [{ OIDC_SOURCES: "default=Desk; Porto" }, "OIDC_SOURCES: has a part (number 2) that is not <source>=<group>"],
    [{ OIDC_SOURCES: "default=" }, "OIDC_SOURCES: has a part (number 1) that is not <source>=<group>"],
    [{ OIDC_SOURCES: ";" }, "OIDC_SOURCES: maps no source"],
    [{ OIDC_SOURCES: "porto=Desk" }, "OIDC_SOURCES names 'porto', which is no source; there are default"],
  ])("with %j says what is wrong", (changes, problem) => {
    const found = problemsOf({ ...settings, ...changes }, files);

    expect(found).toContain(problem);
    expect(found).not.toContain("SECRETVALUE");
  });

  test("takes several groups for a source, and a group for all of them", () => {
    const sourcesOf = (text: string | undefined) =>
      configurationOf({ ...settings, OIDC_SOURCES: text }, files).identityProvider?.sources;

    expect(sourcesOf("default=Desk; default = CN=Desk,OU=Porto; *=Head Office;")).toEqual([
      { source: "default", value: "Desk" },
      { source: "default", value: "CN=Desk,OU=Porto" },
      { source: null, value: "Head Office" },
    ]);
    expect(sourcesOf(undefined)).toBeNull();
  });

  test("gives the roles that users have", () => {
    const all = userRoleNames.map((role) => `${role}=Group of ${role}`).join(";");

    expect(configurationOf({ ...settings, OIDC_ROLES: all }, files).identityProvider?.roles).toHaveLength(4);
  });
});

describe("traces", () => {
  test("headers for the collector are read, and percent-decoded", () => {
    const { settings } = configurationOf({
      ...production,
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20dTpw, x-tenant = a=b",
    });

    expect(settings.OTEL_EXPORTER_OTLP_HEADERS).toEqual({ authorization: "Basic dTpw", "x-tenant": "a=b" });
  });

  test.each(["secret-text", "x-key=%E0%A4%A", "x key=secret-text", "x-key=a%0Asecret-text"])(
    "headers that nobody can send (%s) are refused, without the text",
    (headers) => {
      const problems = problemsOf({ ...production, OTEL_EXPORTER_OTLP_HEADERS: headers });

      expect(problems).toContain("OTEL_EXPORTER_OTLP_HEADERS: must be name=value");
      expect(problems).not.toContain("secret-text");
    },
  );

  test.each(["-0.1", "1.1", "half"])("a share of %s is refused", (share) => {
    expect(problemsOf({ ...production, OTEL_TRACES_SAMPLER_ARG: share })).toContain("from 0 to 1");
  });
});
