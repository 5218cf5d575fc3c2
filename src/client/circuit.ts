import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import type { OperationName } from "../contract/operations/operation.ts";
import { GatewayError, gatewayErrorCodes } from "./gateway-error.ts";

export interface CircuitOptions {
  /** Failures in a row that open the circuit: no connection, timeout, lost connection, 5xx. */
  readonly failuresMax: number;
  /** Milliseconds until one call may probe the host. */
  readonly openMs: number;
}

export interface Circuit {
  /** @throws `gateway.circuit_open` while open or probing; the work was not started, so nothing changed */
  run<Result>(operation: OperationName, work: () => Promise<Result>): Promise<Result>;
}

export const neverOpen: Circuit = { run: (_operation, work) => work() };

/** @param onChange called with the failure that opened the circuit, and with null when it closes */
export function createCircuit(
  options: CircuitOptions,
  onChange: (openedBy: GatewayError | null) => void = () => {},
): Circuit {
  const breaker = circuitBreaker(
    // An aborted probe proves nothing, so the circuit stays open; other aborted calls do not count.
    handleWhen((error) => isFailureOfHost(error) || breaker.state === CircuitState.HalfOpen),
    { breaker: new ConsecutiveBreaker(options.failuresMax), halfOpenAfter: options.openMs },
  );
  breaker.onBreak((reason) => {
    if ("error" in reason && reason.error instanceof GatewayError) onChange(reason.error);
  });
  breaker.onReset(() => onChange(null));

  return {
    async run<Result>(operation: OperationName, work: () => Promise<Result>): Promise<Result> {
      // The breaker would let others wait for the probe, beyond their deadlines.
      if (breaker.state === CircuitState.HalfOpen) throw circuitOpen(operation, options);
      let begun = false;
      const outcome = await breaker
        .execute(() => {
          begun = true;
          return settle(work());
        })
        .catch((error: unknown) => {
          throw begun ? error : circuitOpen(operation, options);
        });
      if (outcome.responded) return outcome.result;
      throw outcome.error;
    },
  };
}

type Settled<Result> =
  | { readonly responded: true; readonly result: Result }
  | { readonly responded: false; readonly error: GatewayError };

/** A refusal is a response, and so ends a run of failures. Errors of the host are rethrown. */
async function settle<Result>(work: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { responded: true, result: await work };
  } catch (error) {
    if (error instanceof GatewayError && error.httpStatus !== null && !isFailureOfHost(error)) {
      return { responded: false, error };
    }
    throw error;
  }
}

function isFailureOfHost(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  switch (error.code) {
    case "gateway.unreachable":
    case "gateway.timeout":
    case "gateway.connection_lost":
      return true;
    // A missing service (501) does not mean that the gateway is unhealthy.
    case "gateway.not_offered":
      return false;
    default:
      return error.httpStatus !== null && error.httpStatus >= 500;
  }
}

function circuitOpen(operation: OperationName, { failuresMax, openMs }: CircuitOptions): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.circuitOpen,
    `${operation} was not sent: the gateway failed ${failuresMax} times in a row and is left alone for ${openMs} ms.`,
    { operation, phase: "before-sending", retryable: true },
  );
}
