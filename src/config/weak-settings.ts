import { isLoopback, isPrivateAddress } from "../kernel/networks.ts";
import { isHashed } from "../kernel/secret-verifier.ts";
import { secretsIn } from "../receiver/ways.ts";
import type { Settings } from "./settings.ts";
import type { SourceConfiguration } from "./sources-file.ts";

/** A setting that works and protects badly. */
export interface Weakness {
  /** Names the setting, says what can happen and what to do. Never the value. */
  readonly text: string;
  /** Whether a process that others can reach does not start with it, unless `ALLOW_WEAK_SETTINGS` is set. */
  readonly isRefused: boolean;
}

const secretLengthMin = 16;
const differentCharactersMin = 8;

export function findWeaknesses(settings: Settings, sources: readonly SourceConfiguration[]): readonly Weakness[] {
  return [
    ...weakSecrets(settings, sources),
    ...weakAddresses(settings, sources),
    ...weakNetworks(settings),
    ...openOperations(settings),
  ];
}

/** Whether others than this machine may reach the process: it listens on more than loopback, or is behind a proxy. */
export function isReachable({ HOST: host, PUBLIC_URL: publicUrl }: Pick<Settings, "HOST" | "PUBLIC_URL">): boolean {
  return !isLoopback(host) || isElsewhere(publicUrl);
}

function isElsewhere(publicUrl: string | undefined): boolean {
  return publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname);
}

/** Others serve https: this process does not. */
function isBehindProxy({ PUBLIC_URL: publicUrl, ROLES: roles }: Settings): boolean {
  const serves = roles.some((role) => role === "receiver" || role === "dashboard" || role === "gateway");
  return serves && isElsewhere(publicUrl) && publicUrl?.startsWith("https:") === true;
}

function weakSecrets(settings: Settings, sources: readonly SourceConfiguration[]): readonly Weakness[] {
  const { API_TOKEN, GATEWAY_CONTROL_TOKEN, GATEWAY_ACCESS_TOKEN, ROLES } = settings;
  const ofSettings = {
    ...(ROLES.includes("dashboard") && { API_TOKEN }),
    ...(ROLES.includes("gateway") && { GATEWAY_ACCESS_TOKEN }),
    ...((ROLES.includes("gateway") || ROLES.includes("sender")) && { GATEWAY_CONTROL_TOKEN }),
  };
  const weakNames = Object.entries(ofSettings).flatMap(([name, text]) =>
    text !== undefined && isGuessable(text) ? [name] : [],
  );
  const weakSources = ROLES.includes("receiver")
    ? sources.filter(({ authentication }) =>
        secretsIn(authentication).some((secret) => !isHashed(secret) && isGuessable(secret.reveal())),
      )
    : [];
  const advice = `Choose at least ${secretLengthMin} characters, ${differentCharactersMin} of them different, such as those of \`openssl rand -hex 32\`.`;
  return [
    ...weakNames.map((name) => ({ text: `${name} can be guessed. ${advice}`, isRefused: true })),
    ...weakSources.map(({ id }) => ({
      text: `A secret by which source '${id}' may push can be guessed. ${advice}`,
      isRefused: true,
    })),
  ];
}

function isGuessable(text: string): boolean {
  return text.length < secretLengthMin || new Set(text).size < differentCharactersMin;
}

function weakAddresses(settings: Settings, sources: readonly SourceConfiguration[]): readonly Weakness[] {
  const { PUBLIC_URL: publicUrl, HOST: host, ROLES: roles, OIDC_ISSUER: issuer } = settings;
  const found: Weakness[] = [];
  if (issuer !== undefined && roles.includes("dashboard") && isClear(issuer)) {
    const text = "OIDC_ISSUER is http, so whoever is on the way can sign in as anybody. Give the provider's https URL.";
    found.push({ text, isRefused: !isPrivate(issuer) });
  }
  if (publicUrl !== undefined && isClear(publicUrl)) {
    const text =
      "PUBLIC_URL is http, so passwords, cookies and travellers' data cross the network in clear. Put a proxy with TLS in front and give its https URL.";
    found.push({ text, isRefused: !isPrivate(publicUrl) });
  }
  if (publicUrl === undefined && roles.includes("dashboard") && !isLoopback(host)) {
    const text =
      "PUBLIC_URL is not set, so the cookie of sessions lacks Secure and people may sign in over http. Give the https URL of the dashboard.";
    found.push({ text, isRefused: false });
  }
  for (const { id, gateway } of sources) {
    if (gateway === null || !isClear(gateway.baseUrl)) continue;
    const text = `The gateway of source '${id}' is called over http, so its credentials cross the network in clear. Give its https URL.`;
    found.push({ text, isRefused: !isPrivate(gateway.baseUrl) });
  }
  return found;
}

function weakNetworks(settings: Settings): readonly Weakness[] {
  const { TRUSTED_PROXIES: proxies, RECIPIENT_ALLOWED_NETWORKS: networks = [], ROLES: roles } = settings;
  const wide = (network: string, prefixMax: number): boolean => Number(network.split("/")[1]) < prefixMax;
  const found: Weakness[] = [];
  if (proxies === undefined && isBehindProxy(settings)) {
    const text =
      "TRUSTED_PROXIES is not set. If a proxy serves PUBLIC_URL, all clients have its address, share each limit and lockout, and look the same in the log. Name the proxy, or set it to none if there is none. Version 0.5 will not start without it.";
    found.push({ text, isRefused: false });
  }
  if (proxies?.some((network) => wide(network, 8))) {
    const text =
      "TRUSTED_PROXIES names most of the internet, so anybody could choose the address that limits and the log see. Name the proxies.";
    found.push({ text, isRefused: true });
  }
  if (roles.includes("sender") && networks.some((network) => !network.includes(":") && wide(network, 16))) {
    const text =
      "RECIPIENT_ALLOWED_NETWORKS names more than 65,536 addresses, so whoever may add recipients can reach much of your network. Name the networks of the recipients.";
    found.push({ text, isRefused: false });
  }
  return found;
}

function openOperations(settings: Settings): readonly Weakness[] {
  const { OPS_PORT: port, ROLES: roles } = settings;
  if (port !== undefined || !isReachable(settings) || !(roles.includes("receiver") || roles.includes("dashboard")))
    return [];
  const text =
    "OPS_PORT is not set, so /metrics, /docs and /openapi.json are open to everyone who reaches PORT. Set it, or refuse these paths in the proxy in front, as those in deploy do.";
  return [{ text, isRefused: false }];
}

function isClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isLoopback(hostname);
}

/**
 * A private address, or a name without a dot, as between containers: others than operators cannot listen there. Anybody
 * can own a name with a dot, also one that begins like a private address.
 */
function isPrivate(url: string): boolean {
  const { hostname } = new URL(url);
  return isPrivateAddress(hostname) || /^[^.:]+$/.test(hostname);
}
