import { GatewayError, gatewayErrorCodes } from "../contract/failed-call.ts";
import type { OperationName } from "../contract/operations/operation.ts";

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

type State =
  | { readonly is: "closed"; readonly failures: number }
  | { readonly is: "open"; readonly untilMs: number }
  | { readonly is: "probing" };

/**
 * @param onChange called with the failure that opened the circuit, and with null when it closes
 * @param now milliseconds that only grow
 */
export function createCircuit(
  options: CircuitOptions,
  onChange: (openedBy: GatewayError | null) => void = () => {},
  now: () => number = () => performance.now(),
): Circuit {
  let state: State = { is: "closed", failures: 0 };
  // Counts openings, so that a call begun before the last one cannot close or reopen the circuit.
  let openings = 0;

  return {
    async run(operation, work) {
      const isProbe = state.is === "open" && now() >= state.untilMs;
      if (state.is !== "closed" && !isProbe) throw circuitOpen(operation, options);
      if (isProbe) state = { is: "probing" };
      const begunAfter = openings;
      try {
        const result = await work();
        if (begunAfter === openings) respond();
        return result;
      } catch (error) {
        if (begunAfter === openings) fail(error);
        throw error;
      }
    },
  };

  function respond(): void {
    const wasProbing = state.is === "probing";
    state = { is: "closed", failures: 0 };
    if (wasProbing) onChange(null);
  }

  function fail(error: unknown): void {
    const failures = state.is === "closed" ? state.failures + 1 : options.failuresMax;
    if (isFailureOfHost(error)) {
      if (failures < options.failuresMax) state = { is: "closed", failures };
      else open(error);
    } else if (isResponse(error)) {
      respond();
    } else if (state.is === "probing") {
      // An aborted probe proves nothing, so the circuit stays open; other aborted calls do not count.
      open(error);
    }
  }

  function open(openedBy: unknown): void {
    openings += 1;
    state = { is: "open", untilMs: now() + options.openMs };
    if (openedBy instanceof GatewayError) onChange(openedBy);
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

/** A refusal is a response, and so ends a run of failures. */
function isResponse(error: unknown): boolean {
  return error instanceof GatewayError && error.httpStatus !== null;
}

function circuitOpen(operation: OperationName, { failuresMax, openMs }: CircuitOptions): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.circuitOpen,
    `${operation} was not sent: the gateway failed ${failuresMax} times in a row and is left alone for ${openMs} ms.`,
    { operation, phase: "before-sending", retryable: true },
  );
}
