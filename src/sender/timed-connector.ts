import { AsyncLocalStorage } from "node:async_hooks";
import type { LookupFunction } from "node:net";
import { performance } from "node:perf_hooks";
import { buildConnector } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import type { ClientCertificate, ExchangeTimings } from "./ports.ts";

/** How long the phases of making a connection took; filled in while it is made. */
export type ConnectPhases = { -readonly [Phase in "lookupMs" | "connectMs" | "tlsMs"]: ExchangeTimings[Phase] };

const connectTimeoutMs = 10_000;

/** The exchange on whose behalf a connection is made. One that finds an open connection makes none. */
const connectingFor = new AsyncLocalStorage<ConnectPhases>();

/** Runs the request, and writes down how long the phases of the connection took that had to be made for it. */
export function timeConnecting<T>(phases: ConnectPhases, run: () => Promise<T>): Promise<T> {
  return connectingFor.run(phases, run);
}

/** Makes connections where the guard allows them, and shows the certificate where it is asked for. */
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
    const phases = connectingFor.getStore();
    const startedAt = performance.now();
    const isTls = options.protocol === "https:";
    let connectedAt = startedAt;
    // Undici answers the socket, which its types do not tell.
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
    const phases = connectingFor.getStore();
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
