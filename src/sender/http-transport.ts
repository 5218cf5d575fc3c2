import { performance } from "node:perf_hooks";
import { Agent, errors, request } from "undici";
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
  return {
    post: (message) => exchange(agentFor, guard, message),
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

async function exchange(
  agentFor: (certificate: ClientCertificate | null) => Agent,
  guard: AddressGuard,
  message: OutgoingPost,
): Promise<HttpExchange> {
  const startedAt = performance.now();
  const sinceStart = (): number => Math.round(performance.now() - startedAt);
  const abort = new AbortController();
  const stop = (): void => abort.abort("sender.stopped");
  const timer = setTimeout(() => abort.abort("sender.timeout"), message.deadlineMs);
  message.signal.addEventListener("abort", stop, { once: true });
  if (message.signal.aborted) stop();

  const chunks: Uint8Array[] = [];
  let status: number | null = null;
  let retryAfter: string | null = null;
  let failure: ExchangeFailure | null = null;
  let firstByteMs: number | null = null;
  const phases: ConnectPhases = { lookupMs: null, connectMs: null, tlsMs: null };
  try {
    const refusal = guard.refuse(new URL(message.url));
    if (refusal !== null) throw refusal;
    const dispatcher = agentFor(message.clientCertificate ?? null);
    const { url, headers, body, signal } = { ...message, signal: abort.signal };
    const response = await timeConnecting(phases, () =>
      request(url, { dispatcher, method: "POST", headers, body, signal }),
    );
    firstByteMs = sinceStart();
    status = response.statusCode;
    retryAfter = firstValue(response.headers["retry-after"]);
    failure = await readUpTo(message.responseLimitBytes, response.body, chunks);
  } catch (error) {
    failure = describeFailure(error, abort.signal, message.deadlineMs);
  } finally {
    clearTimeout(timer);
    message.signal.removeEventListener("abort", stop);
  }
  const timings = { ...phases, firstByteMs };
  return { status, retryAfter, body: Buffer.concat(chunks), failure, durationMs: sinceStart(), timings };
}

async function readUpTo(
  limitBytes: number,
  body: AsyncIterable<Uint8Array>,
  chunks: Uint8Array[],
): Promise<ExchangeFailure | null> {
  let room = limitBytes;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room < 0)
      return { code: "sender.answer_too_large", message: `The response is longer than ${limitBytes} bytes.` };
  }
  return null;
}

function describeFailure(error: unknown, signal: AbortSignal, deadlineMs: number): ExchangeFailure {
  if (signal.aborted && signal.reason === "sender.timeout") {
    return { code: "sender.timeout", message: `No complete response within ${deadlineMs} ms.` };
  }
  if (signal.aborted) return { code: "sender.stopped", message: "The sender is stopping." };
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
