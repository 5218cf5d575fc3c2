import type { Envelope } from "../contract/envelope.ts";
import type { Operation, OperationName } from "../contract/operations/operation.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Tracer } from "../telemetry/tracing.ts";
import type { FetchToken } from "./access-token.ts";
import type { ConcurrencyOptions } from "./call-slots.ts";
import type { CircuitOptions } from "./circuit.ts";
import type { RetryOptions } from "./retry-rules.ts";

export interface GatewayClientOptions {
  /** Operations are called at `<baseUrl>/<operation>`. A path in it is kept. */
  readonly baseUrl: string;
  /** For AirTicketVoid. Default: `baseUrl`. */
  readonly voidBaseUrl?: string | undefined;
  /** `new Secret(token)`, or a function that gets one: it is given the token that the gateway refused, or null. */
  readonly accessToken: Secret | FetchToken;
  /** Null or absent for gateways without one. */
  readonly apiKey?: Secret | null;
  /** For `Document` and `Party` of each request. */
  readonly envelope?: Partial<Envelope>;
  /**
   * For a whole call with all waits and attempts, in ms. Default: 30 s for responses from the gateway's own records, else
   * 90 s.
   */
  readonly timeoutMs?: number;
  readonly operationTimeoutsMs?: Partial<Readonly<Record<OperationName, number>>>;
  /** For reads only; null for none. Default: 3 attempts. */
  readonly retries?: RetryOptions | null;
  /** Null for none. Default: opens for 5 s after 5 failures. */
  readonly circuit?: CircuitOptions | null;
  /** Per host. Default: 32 calls, and 1,000 waiting up to 10 s. */
  readonly concurrency?: ConcurrencyOptions;
  /** Optional services that this gateway lacks: calls fail without being sent. */
  readonly notOffered?: readonly OperationName[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: CallMetrics;
  /** Calls become spans, and requests have a `traceparent` header. */
  readonly tracer?: Tracer;
  readonly random?: () => number;
}

/** A histogram of prom-client has this shape. `outcome` is `ok` or the code of the failure. */
export interface CallMetrics {
  readonly gatewaySeconds: {
    observe(labels: { readonly operation: OperationName; readonly outcome: string }, seconds: number): void;
  };
}

export const defaultRetries: RetryOptions = { attemptsMax: 3, baseMs: 250, capMs: 5_000 };
export const defaultCircuit: CircuitOptions = { failuresMax: 5, openMs: 5_000 };
export const defaultConcurrency: ConcurrencyOptions = { callsMax: 32, waitingMax: 1_000, waitMs: 10_000 };

export const defaultEnvelope: Envelope = {
  documentName: "Skedchange",
  agencyName: "Skedchange",
  iataNumber: "",
  agencyId: "",
  contactEmails: [],
};

const servedFromRecords: readonly OperationName[] = ["AirReservationStatus", "AirDocRetreive"];
const recordsTimeoutMs = 30_000;

/** Some airlines need more than a minute, and an aborted effect has an unknown outcome. */
const airlineTimeoutMs = 90_000;

export function timeoutMsOf(
  { timeoutMs, operationTimeoutsMs }: Pick<GatewayClientOptions, "timeoutMs" | "operationTimeoutsMs">,
  { name }: Pick<Operation, "name">,
): number {
  const usual = servedFromRecords.includes(name) ? recordsTimeoutMs : airlineTimeoutMs;
  return operationTimeoutsMs?.[name] ?? timeoutMs ?? usual;
}
