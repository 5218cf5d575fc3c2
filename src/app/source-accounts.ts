import type { CircuitOptions } from "../client/circuit.ts";
import type { GatewayClientOptions } from "../client/client-options.ts";
import type { Configuration } from "../config/load-settings.ts";
import type { Agency } from "../config/sources-file.ts";
import { type OpenGateway, openGateway } from "../connectors/document/gateway.ts";
import type { Envelope } from "../contract/envelope.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/tracing.ts";
import type { WorkerContext } from "../worker/worker-context.ts";

export interface SourceAccounts extends Pick<WorkerContext, "gatewayOf"> {
  close(): Promise<void>;
}

interface AccountParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Replaces every base URL: demo mode learns its gateway's port only once it listens. */
  readonly gatewayUrl: string | null;
  readonly circuit: CircuitOptions;
}

export function openSourceAccounts(
  { sources, settings }: Configuration,
  { logger, metrics, tracer, gatewayUrl, circuit }: AccountParts,
): SourceAccounts {
  const gateways = new Map<string, OpenGateway>();
  for (const { id, gateway } of sources) {
    if (gateway === null) continue;
    const opened = open(id, {
      baseUrl: gatewayUrl ?? gateway.baseUrl,
      ...(gateway.voidBaseUrl === null ? {} : { voidBaseUrl: gateway.voidBaseUrl }),
      ...(gateway.agency === null ? {} : { envelope: envelopeOf(gateway.agency) }),
      accessToken: gateway.accessToken,
      apiKey: gateway.apiKey,
      timeoutMs: settings.GATEWAY_TIMEOUT_SECONDS * 1_000,
      // The worker repeats failed reads itself, with waits that survive a restart.
      retries: null,
      circuit,
      logger,
      metrics,
      tracer,
    });
    gateways.set(id, opened);
  }
  return {
    gatewayOf: (source) => gateways.get(source) ?? fail(source),
    close: async () => {
      await Promise.all([...gateways.values()].map((gateway) => gateway.close()));
    },
  };
}

function open(source: string, options: GatewayClientOptions): OpenGateway {
  try {
    return openGateway(options);
  } catch (error) {
    if (codeOf(error) !== "client.invalid_option") throw error;
    throw new AppError(
      "config.invalid",
      `The gateway of source ${source} cannot be called. ${messageOf(error)} Correct GATEWAY_BASE_URL, GATEWAY_VOID_BASE_URL or GATEWAY_API_KEY, or the source in SOURCES_FILE.`,
      { cause: error },
    );
  }
}

function envelopeOf({ name, id, iataNumber, emails }: Agency): Envelope {
  return { documentName: "Skedchange", agencyName: name, agencyId: id, iataNumber, contactEmails: emails };
}

function fail(source: string): never {
  throw new AppError(
    "desk.unknown_source",
    `Source ${source} has no gateway settings. Add it to SOURCES_FILE and restart; its cases go on by themselves.`,
  );
}
