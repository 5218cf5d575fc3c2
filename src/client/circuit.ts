import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import type { OperationName } from "../contract/operations/operation.ts";
import { GatewayError, gatewayErrorCodes } from "./gateway-error.ts";

/** When a host that fails is left alone, and for how long. */
export interface CircuitOptions {
  /** Failures in a row that open the circuit: no connection, no answer in time, a lost connection, a 5xx answer. */
  readonly failuresMax: number;
  /** How long it stays open before one call may try, in milliseconds. */
  readonly openMs: number;
}

/** Lets calls through to a host that answers, and refuses them at once while it does not. */
export interface Circuit {
  /**
   * @throws `gateway.circuit_open` while the circuit is open, and while another call tries whether it may close. The work
   *   was not begun then, so an operation that changes something has changed nothing.
   */
  run<Result>(operation: OperationName, work: () => Promise<Result>): Promise<Result>;
}

/** For gateways whose failures are to hold nobody up. */
export const neverOpen: Circuit = { run: (_operation, work) => work() };

/** @param onChange told when the circuit opens, with the failure that opened it, and null when it closes. */
export function createCircuit(
  options: CircuitOptions,
  onChange: (openedBy: GatewayError | null) => void = () => {},
): Circuit {
  const breaker = circuitBreaker(
    // A try that was given up proves nothing, so the circuit stays open; otherwise giving up counts neither way.
    handleWhen((error) => isFailureOfHost(error) || breaker.state === CircuitState.HalfOpen),
    { breaker: new ConsecutiveBreaker(options.failuresMax), halfOpenAfter: options.openMs },
  );
  breaker.onBreak((reason) => {
    if ("error" in reason && reason.error instanceof GatewayError) onChange(reason.error);
  });
  breaker.onReset(() => onChange(null));

  return {
    async run<Result>(operation: OperationName, work: () => Promise<Result>): Promise<Result> {
      // The breaker would let others wait for the one that tries, beyond their own deadlines.
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
      if (outcome.answered) return outcome.result;
      throw outcome.error;
    },
  };
}

type Settled<Result> =
  | { readonly answered: true; readonly result: Result }
  | { readonly answered: false; readonly error: GatewayError };

/** A refusal is an answer, and so the end of a row of failures. What says something about the host is thrown on. */
async function settle<Result>(work: Promise<Result>): Promise<Settled<Result>> {
  try {
    return { answered: true, result: await work };
  } catch (error) {
    if (error instanceof GatewayError && error.httpStatus !== null && !isFailureOfHost(error)) {
      return { answered: false, error };
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
    // A service that a gateway does not implement (501) is missing, and the gateway is well.
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
