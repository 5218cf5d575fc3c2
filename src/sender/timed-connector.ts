import type { LookupFunction } from "node:net";
import { performance } from "node:perf_hooks";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import type { ClientCertificate, ExchangeTimings } from "./ports.ts";

export type ConnectPhases = { -readonly [Phase in "lookupMs" | "connectMs" | "tlsMs"]: ExchangeTimings[Phase] };

const connectTimeoutMs = 10_000;

/**
 * Undici requests a connection while a request starts. An AsyncLocalStorage would slow every promise of the process (by
 * half on Node.js 20).
 */
let starting: ConnectPhases | undefined;

/** Leaves `phases` empty if the request uses an open connection or waits for one. */
export function timeConnecting(phases: ConnectPhases, start: () => void): void {
  starting = phases;
  try {
    start();
  } finally {
    starting = undefined;
  }
}

export function createTimedConnector(
  guard: AddressGuard,
  certificate: ClientCertificate | null,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: timed(guard.lookup),
    ...(certificate === null ? {} : { cert: certificate.certificate, key: certificate.privateKey.reveal() }),
    ...(certificate === null || certificate.authorities === null ? {} : { ca: certificate.authorities }),
  });
  return (options, callback) => {
    const phases = starting;
    const startedAt = performance.now();
    const isTls = options.protocol === "https:";
    let connectedAt = startedAt;
    // Undici returns the socket, which its types omit.
    const socket: unknown = connect(options, (...outcome) => {
      if (phases !== undefined && outcome[0] === null && isTls) phases.tlsMs = since(connectedAt);
      callback(...outcome);
    });
    if (phases !== undefined && isEmitter(socket)) {
      socket.once("connect", () => {
        connectedAt = performance.now();
        phases.connectMs = Math.max(since(startedAt) - (phases.lookupMs ?? 0), 0);
      });
    }
  };
}

function timed(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    const phases = starting;
    const startedAt = performance.now();
    lookup(hostname, options, (...found) => {
      if (phases !== undefined) phases.lookupMs = since(startedAt);
      callback(...found);
    });
  };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

function isEmitter(value: unknown): value is NodeJS.EventEmitter {
  return value !== null && typeof value === "object" && "once" in value && typeof value.once === "function";
}
