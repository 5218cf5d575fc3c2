import { performance } from "node:perf_hooks";
import { Agent, type Dispatcher, errors } from "undici";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { type AddressGuard, addressErrors } from "./address-guard.ts";
import type { ClientCertificate, ExchangeTimings } from "./ports.ts";
import { type ConnectPhases, createTimedConnector, timeConnecting } from "./timed-connector.ts";

/** Never rejects: errors are part of the exchange. */
export interface HttpTransport {
  post(message: OutgoingPost): Promise<HttpExchange>;
  close(): Promise<void>;
}

export interface OutgoingPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For the whole exchange, name lookup included. */
  readonly deadlineMs: number;
  readonly responseLimitBytes: number;
  readonly signal: AbortSignal;
  readonly clientCertificate?: ClientCertificate | null;
}

export interface HttpExchange {
  /** Null if no response began. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
  /** Null if the response was read completely. */
  readonly failure: ExchangeFailure | null;
  readonly durationMs: number;
  readonly timings: ExchangeTimings;
}

/** Stored with attempts. */
export type ExchangeFailureCode =
  | "sender.https_required"
  | "sender.address_forbidden"
  | "sender.connect_failed"
  /** Invalid certificate for the URL, or failed TLS handshake. */
  | "sender.tls_failed"
  | "sender.timeout"
  | "sender.connection_lost"
  | "sender.answer_malformed"
  | "sender.answer_too_large"
  | "sender.stopped"
  | "sender.request_failed";

export interface ExchangeFailure {
  readonly code: ExchangeFailureCode;
  readonly message: string;
}

/** Further attempts wait for a connection, within their deadline. */
const connectionsPerOriginMax = 64;
const keepAliveMs = 30_000;

/** Beyond it, the connections of the least recently used one are closed. */
const certificatesMax = 200;

/** Keeps connections alive, one pool per origin and client certificate. Never follows redirects. */
export function createHttpTransport(guard: AddressGuard): HttpTransport {
  const usual = openAgent(guard, null);
  const agents = new Map<string, Agent>();
  const agentFor = (certificate: ClientCertificate | null): Agent => {
    if (certificate === null) return usual;
    const { privateKey, ...shown } = certificate;
    const id = digestOfValue({ ...shown, expiresAt: "", privateKey: privateKey.reveal() });
    const agent = agents.get(id) ?? openAgent(guard, certificate);
    agents.delete(id);
    agents.set(id, agent);
    const [oldest] = agents.keys();
    if (agents.size > certificatesMax && oldest !== undefined) {
      void agents.get(oldest)?.close();
      agents.delete(oldest);
    }
    return agent;
  };
  const destinationOf = createDestinations(guard);
  return {
    post: (message) => exchange(agentFor, destinationOf, message),
    async close() {
      await Promise.all([usual, ...agents.values()].map((agent) => agent.close()));
    },
  };
}

function openAgent(guard: AddressGuard, certificate: ClientCertificate | null): Agent {
  return new Agent({
    connections: connectionsPerOriginMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    connect: createTimedConnector(guard, certificate),
    // The exchange's own deadline covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Where a URL leads. */
type Destination =
  | { readonly kind: "allowed"; readonly origin: string; readonly path: string }
  | { readonly kind: "refused"; readonly failure: ExchangeFailure };

/** Beyond it, all are read anew. */
const destinationsMax = 1_000;

/** Reads and checks a URL once. The addresses of its name are checked for each connection. */
function createDestinations(guard: AddressGuard): (url: string) => Destination {
  const known = new Map<string, Destination>();
  return (url) => {
    const destination = known.get(url) ?? readDestination(guard, url);
    if (known.size === destinationsMax && !known.has(url)) known.clear();
    known.set(url, destination);
    return destination;
  };
}

function readDestination(guard: AddressGuard, text: string): Destination {
  try {
    const url = new URL(text);
    const refusal = guard.refuse(url);
    if (refusal !== null) throw refusal;
    return { kind: "allowed", origin: url.origin, path: `${url.pathname}${url.search}` };
  } catch (error) {
    return { kind: "refused", failure: toFailure(error) };
  }
}

/** Handles the events of undici itself: its promise, stream and abort signal for each request took longer than the request. */
function exchange(
  agentFor: (certificate: ClientCertificate | null) => Agent,
  destinationOf: (url: string) => Destination,
  message: OutgoingPost,
): Promise<HttpExchange> {
  const startedAt = performance.now();
  const sinceStart = (): number => Math.round(performance.now() - startedAt);
  const phases: ConnectPhases = { lookupMs: null, connectMs: null, tlsMs: null };
  const chunks: Uint8Array[] = [];
  const { url, headers, body, deadlineMs, responseLimitBytes, signal } = message;
  let roomBytes = responseLimitBytes;
  let status: number | null = null;
  let retryAfter: string | null = null;
  let firstByteMs: number | null = null;

  return new Promise((resolve) => {
    let request: Dispatcher.DispatchController | undefined;
    let isOver = false;

    const end = (failure: ExchangeFailure | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      const timings = { ...phases, firstByteMs };
      resolve({ status, retryAfter, body: Buffer.concat(chunks), failure, durationMs: sinceStart(), timings });
    };
    const interrupt = (failure: ExchangeFailure): void => {
      end(failure);
      request?.abort(new Error(failure.message));
    };
    const stop = (): void => interrupt({ code: "sender.stopped", message: "The sender is stopping." });
    const timer = setTimeout(
      () => interrupt({ code: "sender.timeout", message: `No complete response within ${deadlineMs} ms.` }),
      deadlineMs,
    );
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();

    const destination = destinationOf(url);
    if (destination.kind === "refused") return end(destination.failure);
    const { origin, path } = destination;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        request = controller;
        // It was interrupted while it waited for a connection.
        if (isOver) controller.abort(new Error("The request was interrupted."));
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        firstByteMs = sinceStart();
        retryAfter = firstValue(responseHeaders["retry-after"]);
      },
      onResponseData(_controller, chunk) {
        if (isOver) return;
        chunks.push(chunk.subarray(0, roomBytes));
        roomBytes -= chunk.length;
        if (roomBytes >= 0) return;
        const failureMessage = `The response is longer than ${responseLimitBytes} bytes.`;
        interrupt({ code: "sender.answer_too_large", message: failureMessage });
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(toFailure(error)),
    };
    try {
      const agent = agentFor(message.clientCertificate ?? null);
      timeConnecting(phases, () => agent.dispatch({ origin, path, method: "POST", headers, body }, handler));
    } catch (error) {
      end(toFailure(error));
    }
  });
}

function toFailure(error: unknown): ExchangeFailure {
  if (error instanceof errors.HTTPParserError) return { code: "sender.answer_malformed", message: messageOf(error) };
  return { code: toFailureCode(codeOf(error)), message: messageOf(error) };
}

const connectCodes = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"],
  "UND_ERR_CONNECT_TIMEOUT",
]);
const lostCodes = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_ABORTED", "UND_ERR_CLOSED"]);

function toFailureCode(code: string): ExchangeFailureCode {
  if (code === addressErrors.httpsRequired || code === addressErrors.forbidden) return code;
  if (connectCodes.has(code)) return "sender.connect_failed";
  if (lostCodes.has(code)) return "sender.connection_lost";
  if (/^UND_ERR_(HEADERS_OVERFLOW|RES_)/.test(code)) return "sender.answer_malformed";
  if (/CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_/.test(code)) return "sender.tls_failed";
  return "sender.request_failed";
}

function firstValue(header: string | readonly string[] | undefined): string | null {
  return (typeof header === "string" ? header : header?.[0]) ?? null;
}
