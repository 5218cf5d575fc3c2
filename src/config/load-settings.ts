import { messageOf } from "../kernel/app-error.ts";
import { isLoopback } from "../kernel/networks.ts";
import { readRedisUrl } from "../kernel/redis-url.ts";
import { Secret } from "../kernel/secret.ts";
import { findWay, readWays, secretsIn } from "../receiver/ways.ts";
import { demoCredentials } from "./demo-credentials.ts";
import { type IdentityProviderConfiguration, readIdentityProvider } from "./identity-provider.ts";
import { wordsIn } from "./setting.ts";
import { type Role, type SettingName, type Settings, settingDescriptions, settingsSchema } from "./settings.ts";
import { type Agency, defaultSourceId, readSources, type SourceConfiguration, toSource } from "./sources-file.ts";
import { findWeaknesses, isReachable } from "./weak-settings.ts";

export interface Configuration {
  /** Demo mode: every role, demo credentials, demo data, loopback only. */
  readonly demo: boolean;
  readonly settings: Settings;
  readonly roles: readonly Role[];
  readonly sources: readonly SourceConfiguration[];
  /** Null if people sign in with passwords only. */
  readonly identityProvider: IdentityProviderConfiguration | null;
}

export type LoadedSettings =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly problems: readonly string[] };

const allRoles: readonly Role[] = ["receiver", "worker", "sender", "dashboard", "gateway"];

/**
 * @param readFile reads the paths of `<NAME>_FILE` and SOURCES_FILE
 * @returns the configuration, or all problems, each with its setting and what to do, without values
 */
export function loadSettings(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): LoadedSettings {
  const read = readSettings(environment, readFile);
  if (!read.ok) return read;
  const { given, settings } = read;
  const problems: string[] = [];
  const configured = settingDescriptions.flatMap(({ name, endsDemo }) =>
    endsDemo === true && given[name] !== undefined ? [name] : [],
  );
  const demo = settings.DEMO ?? configured.length === 0;
  if (demo) return loadDemo(settings, given, configured);

  const sources = readAllSources(settings, readFile, problems);
  const identityProvider = readIdentityProvider(
    settings,
    sources.map(({ id }) => id),
    problems,
  );
  checkRoles(settings, sources, given, problems);
  checkDemoCredentials(given, sources, problems);
  checkStrength(settings, sources, problems);
  if (settings.SMTP_URL !== undefined && settings.NOTICE_FROM === undefined) {
    problems.push("SMTP_URL is set without NOTICE_FROM. Set the address that notices by e-mail come from.");
  }
  if (problems.length > 0) {
    // Somebody who is asked for everything probably wants the demo.
    if (settings.DEMO === undefined && sources.length === 0) problems.push(endOfDemo(configured, environment));
    return { ok: false, problems };
  }
  return { ok: true, configuration: { demo: false, settings, roles: settings.ROLES, sources, identityProvider } };
}

/** What a command on the database asks for. Other settings are checked by the processes that use them. */
export type LoadedDatabaseSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** @param needsKeys whether the command reads or writes what is encrypted */
export function loadDatabaseSettings(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  { needsKeys }: { readonly needsKeys: boolean },
): LoadedDatabaseSettings {
  const read = readSettings(environment, readFile);
  if (!read.ok) return read;
  const { given, settings } = read;
  const asksForKeys = needsKeys && settings.DEMO !== true;
  const problems = [...ownerUrlProblems(given), ...(asksForKeys ? encryptionKeyProblems(given) : [])];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

type Given = Partial<Record<SettingName, string>>;

/** What is given, each value by itself. */
function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
):
  | { readonly ok: true; readonly given: Given; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const given = readValues(environment, readFile, problems);
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) problems.push(`${issue.path.join(".")}: ${issue.message}.`);
  }
  return parsed.success && problems.length === 0 ? { ok: true, given, settings: parsed.data } : { ok: false, problems };
}

/** The sources of the environment and of SOURCES_FILE, whatever the roles need of them. */
export function loadSources(
  settings: Settings,
  readFile: (path: string) => string,
): { readonly sources: readonly SourceConfiguration[]; readonly problems: readonly string[] } {
  const problems: string[] = [];
  return { sources: readAllSources(settings, readFile, problems), problems };
}

function endOfDemo(
  configured: readonly SettingName[],
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const names = configured.map((name) => (environment[name] ? name : `${name}_FILE`));
  const [are, them] = names.length === 1 ? ["is", "it"] : ["are", "them"];
  return `${names.join(", ")} ${are} set, which ends demo mode. For the demo, leave ${them} out.`;
}

function readValues(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): Given {
  const values: Given = {};
  for (const { name, secret } of settingDescriptions) {
    const value = environment[name];
    if (value !== undefined && value !== "") values[name] = value;
    const path = environment[`${name}_FILE`];
    if (secret !== true || path === undefined || path === "") continue;
    if (values[name] !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`);
      continue;
    }
    try {
      values[name] = readFile(path).replace(/\r?\n$/, "");
    } catch (error) {
      problems.push(`${name}_FILE cannot be read: ${messageOf(error)}.`);
    }
  }
  return values;
}

function loadDemo(settings: Settings, given: Given, configured: readonly SettingName[]): LoadedSettings {
  const problems: string[] = [];
  if (!isLoopback(settings.HOST)) {
    problems.push(
      `HOST is ${settings.HOST}, and demo mode, whose credentials everybody knows, listens on a loopback address only. Set HOST=127.0.0.1, or give real credentials (see .env.example).`,
    );
  }
  if (given.QUEUE_URL !== undefined) problems.push(...queueProblems(given.QUEUE_URL));
  const ignored = configured.filter((name) => name !== "DATABASE_URL" && name !== "DATABASE_OWNER_URL");
  if (ignored.length > 0) {
    problems.push(`DEMO=1 brings its own credentials and gateway. Leave out ${ignored.join(", ")}, or set DEMO=0.`);
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    configuration: {
      demo: true,
      identityProvider: null,
      roles: given.ROLES === undefined ? allRoles : settings.ROLES,
      settings: {
        ...settings,
        API_TOKEN: demoCredentials.apiToken,
        GATEWAY_ACCESS_TOKEN: demoCredentials.gatewayAccessToken,
        GATEWAY_API_KEY: demoCredentials.gatewayApiKey,
        GATEWAY_CONTROL_TOKEN: demoCredentials.gatewayControlToken,
        // The demo's recipient is this process.
        RECIPIENT_ALLOW_HTTP: true,
        RECIPIENT_ALLOWED_NETWORKS: ["127.0.0.0/8", "::1/128"],
      },
      sources: [
        {
          ...toSource({
            id: defaultSourceId,
            basic: { username: demoCredentials.basicUsername, passwords: [demoCredentials.basicPassword] },
            bearer_tokens: [demoCredentials.bearerToken],
            oauth: {
              clients: [{ id: demoCredentials.oauthClientId, secrets: [demoCredentials.oauthClientSecret] }],
              clock_skew_seconds: settings.OCN_OAUTH_CLOCK_SKEW_SECONDS,
            },
            acknowledge_unusable: settings.OCN_ACKNOWLEDGE_UNUSABLE,
            policy_file: settings.POLICY_FILE,
            learn_orders: 0,
          }),
          gateway: {
            baseUrl: `http://${settings.HOST}:${settings.GATEWAY_PORT}`,
            voidBaseUrl: null,
            agency: null,
            accessToken: new Secret(demoCredentials.gatewayAccessToken),
            apiKey: new Secret(demoCredentials.gatewayApiKey),
          },
        },
      ],
    },
  };
}

function readAllSources(
  settings: Settings,
  readFile: (path: string) => string,
  problems: string[],
): readonly SourceConfiguration[] {
  const fromEnvironment = readDefaultSource(settings, problems);
  if (settings.SOURCES_FILE === undefined) return fromEnvironment === null ? [] : [fromEnvironment];
  let text: string;
  try {
    text = readFile(settings.SOURCES_FILE);
  } catch (error) {
    problems.push(`SOURCES_FILE cannot be read: ${messageOf(error)}.`);
    return [];
  }
  const reading = readSources(text);
  if (!reading.ok) {
    problems.push(...reading.problems.map((problem) => `${problem}.`));
    return [];
  }
  if (fromEnvironment === null) return reading.sources;
  if (reading.sources.some((source) => source.id === defaultSourceId)) {
    problems.push(
      `SOURCES_FILE defines the source '${defaultSourceId}', which the environment defines as well. Keep one of them.`,
    );
  }
  return [fromEnvironment, ...reading.sources];
}

function readDefaultSource(settings: Settings, problems: string[]): SourceConfiguration | null {
  const source: SourceConfiguration = {
    ...toSource({
      id: defaultSourceId,
      acknowledge_unusable: settings.OCN_ACKNOWLEDGE_UNUSABLE,
      policy_file: settings.POLICY_FILE,
    }),
    authentication: readWays(settings, problems),
    gateway: readDefaultGateway(settings, problems),
  };
  return source.authentication.length > 0 || source.gateway !== null ? source : null;
}

function readDefaultGateway(settings: Settings, problems: string[]): SourceConfiguration["gateway"] {
  const { GATEWAY_BASE_URL: baseUrl, GATEWAY_ACCESS_TOKEN: accessToken, GATEWAY_API_KEY: apiKey } = settings;
  if (baseUrl === undefined) return null;
  if (accessToken === undefined) {
    problems.push("GATEWAY_BASE_URL is set and GATEWAY_ACCESS_TOKEN is not. Every gateway operation needs the token.");
    return null;
  }
  return {
    baseUrl,
    voidBaseUrl: settings.GATEWAY_VOID_BASE_URL ?? null,
    accessToken: new Secret(accessToken),
    apiKey: apiKey === undefined ? null : new Secret(apiKey),
    agency: readAgency(settings, problems),
  };
}

function readAgency(settings: Settings, problems: string[]): Agency | null {
  const { AGENCY_NAME: name, AGENCY_ID: id, AGENCY_IATA_NUMBER: iataNumber, AGENCY_EMAILS: emails } = settings;
  if (name === undefined) {
    if ((id ?? iataNumber ?? emails) !== undefined) {
      problems.push("AGENCY_NAME is not set, and other settings of the agency are. Set it, too.");
    }
    return null;
  }
  return {
    name,
    id: id ?? "",
    iataNumber: iataNumber ?? "",
    emails: wordsIn(emails),
  };
}

function checkRoles(
  settings: Settings,
  sources: readonly SourceConfiguration[],
  given: Given,
  problems: string[],
): void {
  const runs = (role: Role): boolean => settings.ROLES.includes(role);
  if (runs("receiver")) {
    if (sources.length === 0) {
      problems.push(
        "The receiver has no source. Set OCN_BASIC_USERNAME and OCN_BASIC_PASSWORD, or OCN_BEARER_TOKENS, or OCN_OAUTH_…, or SOURCES_FILE.",
      );
    }
    for (const source of sources) {
      if (source.authentication.length > 0) continue;
      problems.push(
        `Source '${source.id}' has no credential to be pushed with. Set OCN_BASIC_…, OCN_BEARER_TOKENS or OCN_OAUTH_….`,
      );
    }
    problems.push(...tokenEndpointProblems(settings, sources));
  }
  if (runs("worker")) {
    if (sources.length === 0) {
      problems.push(
        "The worker has no gateway to ask. Set GATEWAY_BASE_URL and GATEWAY_ACCESS_TOKEN, or SOURCES_FILE.",
      );
    }
    for (const source of sources) {
      if (source.gateway !== null) continue;
      problems.push(
        source.id === defaultSourceId && settings.SOURCES_FILE === undefined
          ? "The worker has no gateway to ask. Set GATEWAY_BASE_URL and GATEWAY_ACCESS_TOKEN."
          : `The worker has no gateway to ask for source '${source.id}'. Give it a gateway.`,
      );
    }
  }
  if (runs("dashboard") && settings.API_TOKEN === undefined) {
    problems.push("API_TOKEN is not set. The dashboard's API needs it; a good one comes from `openssl rand -hex 32`.");
  }
  if (runs("gateway")) {
    for (const name of ["GATEWAY_CONTROL_TOKEN", "GATEWAY_ACCESS_TOKEN"] as const) {
      if (settings[name] === undefined) problems.push(`${name} is not set. The gateway role needs it.`);
    }
  }
  problems.push(...ownerUrlProblems(given));
  if (given.QUEUE_URL !== undefined) problems.push(...queueProblems(given.QUEUE_URL));
  problems.push(...encryptionKeyProblems(given));
}

function ownerUrlProblems(given: Given): readonly string[] {
  return given.DATABASE_OWNER_URL !== undefined && given.DATABASE_URL === undefined
    ? ["DATABASE_OWNER_URL is set and DATABASE_URL is not. Set both, or neither for the embedded server."]
    : [];
}

function encryptionKeyProblems(given: Given): readonly string[] {
  return given.DATABASE_URL !== undefined && given.ENCRYPTION_KEYS === undefined
    ? [
        "ENCRYPTION_KEYS is not set. What is stored in DATABASE_URL is encrypted; make a key with `skedchange keys new` and give it to every process.",
      ]
    : [];
}

function tokenEndpointProblems(settings: Settings, sources: readonly SourceConfiguration[]): readonly string[] {
  const ids = sources.flatMap(
    ({ authentication }) => findWay(authentication, "oauth")?.clients?.clients.map(({ id }) => id) ?? [],
  );
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return [
    ...(ids.length > 0 && settings.PUBLIC_URL === undefined
      ? ["PUBLIC_URL is not set. The built-in token endpoint, which has clients, names itself by it in its tokens."]
      : []),
    ...(twice === undefined ? [] : [`The OAuth client '${twice}' belongs to two sources. Rename one of them.`]),
  ];
}

function queueProblems(url: string): string[] {
  if (/^postgres(ql)?:/.test(url)) return ["QUEUE_URL names PostgreSQL, where the queue lives anyway. Leave it out."];
  const reading = readRedisUrl(url);
  return reading.ok ? [] : [`QUEUE_URL ${reading.problem}.`];
}

function checkStrength(settings: Settings, sources: readonly SourceConfiguration[], problems: string[]): void {
  if (settings.ALLOW_WEAK_SETTINGS || !isReachable(settings)) return;
  const refused = findWeaknesses(settings, sources).filter(({ isRefused }) => isRefused);
  problems.push(...refused.map(({ text }) => text));
  if (refused.length > 0) problems.push("ALLOW_WEAK_SETTINGS=1 starts all the same, until you have changed them.");
}

function checkDemoCredentials(given: Given, sources: readonly SourceConfiguration[], problems: string[]): void {
  const known = new Set<string>(Object.values(demoCredentials));
  for (const { name, secret } of settingDescriptions) {
    const value = given[name];
    if (
      secret === true &&
      value !== undefined &&
      value
        .split(/\s+/)
        .concat(value)
        .some((part) => known.has(part))
    ) {
      problems.push(`${name} is a demo credential, which everybody can read. Choose your own.`);
    }
  }
  const hasKnown = (secrets: readonly Secret[]): boolean => secrets.some((secret) => known.has(secret.reveal()));
  for (const { id, authentication, gateway } of sources) {
    if (id !== defaultSourceId) {
      if (!hasKnown([...secretsIn(authentication), ...(gateway === null ? [] : [gateway.accessToken])])) continue;
      problems.push(`SOURCES_FILE: source '${id}' uses a demo credential, which everybody can read. Choose your own.`);
    } else if (hasKnown(secretsIn(authentication.filter(({ kind }) => kind === "oauth")))) {
      // Its other secrets are whole words of their settings.
      problems.push("OCN_OAUTH_CLIENTS holds a demo credential, which everybody can read. Choose your own.");
    }
  }
}
