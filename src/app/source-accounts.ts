import { readFileSync } from "node:fs";
import { createGatewayClient, type GatewayClient } from "../client/gateway-client.ts";
import type { Configuration } from "../config/load-settings.ts";
import type { Agency } from "../config/sources-file.ts";
import type { Envelope } from "../contract/envelope.ts";
import type { DeskContext } from "../desk/desk-context.ts";
import { AppError } from "../kernel/app-error.ts";
import { formatPolicyProblem, loadPolicy } from "../policy/load-policy.ts";
import type { Policy } from "../policy/policy.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** What the desk needs of each source: its gateway account and its policy. */
export interface SourceAccounts extends Pick<DeskContext, "gatewayOf" | "policyOf"> {
  close(): Promise<void>;
}

/** The policy that is used when a source names none. */
const shippedPolicy = new URL("../policy/default-policy.yaml", import.meta.url);

/**
 * Opens the gateway account of every source and loads its policy.
 *
 * @param gatewayUrl replaces the base URL of every source: demo mode learns the port of its own gateway only once it
 *   listens.
 * @throws `policy.invalid` with every problem of the policy, line by line.
 */
export function openSourceAccounts(
  { sources, settings }: Configuration,
  logger: Logger,
  metrics: Metrics,
  gatewayUrl: string | null,
): SourceAccounts {
  const clients = new Map<string, GatewayClient>();
  const policies = new Map<string, Policy>();
  for (const { id, gateway, policyFile } of sources) {
    policies.set(id, readPolicy(policyFile));
    if (gateway === null) continue;
    const client = createGatewayClient({
      baseUrl: gatewayUrl ?? gateway.baseUrl,
      ...(gateway.voidBaseUrl === null ? {} : { voidBaseUrl: gateway.voidBaseUrl }),
      ...(gateway.agency === null ? {} : { envelope: envelopeOf(gateway.agency) }),
      accessToken: gateway.accessToken,
      apiKey: gateway.apiKey,
      timeoutMs: settings.GATEWAY_TIMEOUT_SECONDS * 1_000,
      // The desk repeats a failed read itself, with waits that outlast this process.
      retries: null,
      logger,
      metrics,
    });
    clients.set(id, client);
  }
  return {
    gatewayOf: (source) => clients.get(source) ?? fail(source),
    policyOf: (source) => policies.get(source) ?? fail(source),
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** What the envelope of each request says. */
function envelopeOf({ name, id, iataNumber, emails }: Agency): Envelope {
  return { documentName: "Skedchange", agencyName: name, agencyId: id, iataNumber, contactEmails: emails };
}

function fail(source: string): never {
  throw new AppError(
    "desk.unknown_source",
    `Source ${source} has no gateway settings. Add it to SOURCES_FILE and restart; its cases go on by themselves.`,
  );
}

/** @param file null reads the policy that is shipped. */
function readPolicy(file: string | null): Policy {
  const name = file ?? "default-policy.yaml";
  let text: string;
  try {
    text = readFileSync(file ?? shippedPolicy, "utf8");
  } catch (error) {
    throw new AppError("policy.unreadable", `Policy file ${name} cannot be read. Check POLICY_FILE or policy_file.`, {
      cause: error,
    });
  }
  const loaded = loadPolicy(text, name);
  if (!loaded.ok) throw new AppError("policy.invalid", loaded.problems.map(formatPolicyProblem).join("\n"));
  return loaded.policy;
}
