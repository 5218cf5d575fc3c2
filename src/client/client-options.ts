import type { Envelope } from "../contract/envelope.ts";
import type { Operation, OperationName } from "../contract/operations/operation.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { AccessTokenSource } from "./access-token.ts";
import type { ConcurrencyOptions } from "./call-slots.ts";
import type { CircuitOptions } from "./circuit.ts";
import type { RetryOptions } from "./retry-rules.ts";

/** How to call one gateway, and in whose name. */
export interface GatewayClientOptions {
  /** Operations are called at `<baseUrl>/<operation>`. A path in it is kept. */
  readonly baseUrl: string;
  /** Where AirTicketVoid is called; `baseUrl` when not given. */
  readonly voidBaseUrl?: string | undefined;
  /** The bare token, without a scheme. */
  readonly accessToken: AccessTokenSource;
  /** Not given or null for gateways that have none. */
  readonly apiKey?: Secret | null;
  /** What `Document` and `Party` of each request say. */
  readonly envelope?: Partial<Envelope>;
  /**
   * Time of one whole call in milliseconds: waiting for a place, for a token and for a connection, every attempt and the
   * waits in between. When not given, 30 s for what gateways answer from their own records, 90 s for everything else.
   */
  readonly timeoutMs?: number;
  /** Other times for single operations. */
  readonly operationTimeoutsMs?: Partial<Readonly<Record<OperationName, number>>>;
  /** Repeats of operations that only read; null repeats nothing. 3 attempts when not given. */
  readonly retries?: RetryOptions | null;
  /** When a host that fails is left alone; null never. After 5 failures for 5 s when not given. */
  readonly circuit?: CircuitOptions | null;
  /** How much each host is asked at once. 32 calls, with 1,000 waiting up to 10 s, when not given. */
  readonly concurrency?: ConcurrencyOptions;
  /** Optional services that this gateway is known to be without: calls of them fail without being sent. */
  readonly notOffered?: readonly OperationName[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Pick<Metrics, "gatewaySeconds">;
  /** Numbers in [0, 1), for the waits between attempts. */
  readonly random?: () => number;
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

/** What a gateway has in its own records and asks no airline for. */
const answeredFromRecords: readonly OperationName[] = ["AirReservationStatus", "AirDocRetreive"];
const recordsTimeoutMs = 30_000;

/** Some airlines behind a gateway need more than a minute, and an effect that is given up leaves an unknown outcome. */
const airlineTimeoutMs = 90_000;

/** The time for a call of an operation that is given none of its own. */
export function timeoutMsOf(
  { timeoutMs, operationTimeoutsMs }: Pick<GatewayClientOptions, "timeoutMs" | "operationTimeoutsMs">,
  { name }: Pick<Operation, "name">,
): number {
  const usual = answeredFromRecords.includes(name) ? recordsTimeoutMs : airlineTimeoutMs;
  return operationTimeoutsMs?.[name] ?? timeoutMs ?? usual;
}
