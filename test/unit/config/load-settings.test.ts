import { describe, expect, test } from "@jest/globals";
import { demoCredentials } from "../../../src/config/demo-credentials.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";

const production = {
  OCN_BASIC_USERNAME: "gateway",
  OCN_BASIC_PASSWORD: "correct horse: bättery",
  GATEWAY_BASE_URL: "https://gateway.example.com/v1",
  GATEWAY_ACCESS_TOKEN: "access",
  GATEWAY_API_KEY: "key",
  API_TOKEN: "api",
  DATABASE_URL: "postgres://skedchange@db.example.com/skedchange",
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

  test.each(["DATABASE_URL", "API_TOKEN", "GATEWAY_BASE_URL", "OCN_BEARER_TOKENS", "SOURCES_FILE"])(
    "ends as soon as %s is given",
    (name) => {
      expect(load({ [name]: "https://example.com" }).ok).toBe(false);
    },
  );

  test("ends with DEMO=0, which then asks for everything that is missing", () => {
    const problems = problemsOf({ DEMO: "0" });

    expect(problems).toContain("The receiver has no source.");
    expect(problems).toContain("API_TOKEN is not set.");
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

describe("settings of a real installation", () => {
  test("define the default source", () => {
    const { demo, sources, roles } = configurationOf(production);

    expect(demo).toBe(false);
    expect(roles).toEqual(["receiver", "worker", "sender", "dashboard"]);
    expect(sources).toHaveLength(1);
    expect(sources[0]?.basic?.passwords[0]?.reveal()).toBe("correct horse: bättery");
    expect(sources[0]?.gateway?.baseUrl).toBe("https://gateway.example.com/v1");
  });

  test("name every problem at once", () => {
    const problems = problemsOf({ PORT: "70000", ROLES: "receiver,cook", LOG_LEVEL: "loud" });

    expect(problems).toContain("PORT:");
    expect(problems).toContain("'cook'");
    expect(problems).toContain("LOG_LEVEL:");
  });

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

    expect(sources[0]?.bearerTokens.map((token) => token.reveal())).toEqual(["old", "new"]);
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
    gateway: { base_url: "https://gw.example.com", access_token: t }
    policy_file: acme.yaml
`;

  test("adds sources to the default one", () => {
    const { sources } = configurationOf({ ...production, SOURCES_FILE: "s.yaml" }, { "s.yaml": file });

    expect(sources.map((source) => source.id)).toEqual(["default", "acme"]);
    expect(sources[1]?.basic?.passwords.map((password) => password.reveal())).toEqual(["one: two", "new"]);
    expect(sources[1]?.policyFile).toBe("acme.yaml");
  });

  test("may stand alone", () => {
    const { sources } = configurationOf({ API_TOKEN: "api", SOURCES_FILE: "s.yaml" }, { "s.yaml": file });

    expect(sources.map((source) => source.id)).toEqual(["acme"]);
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
