import { performance } from "node:perf_hooks";
import { Agent, errors, request } from "undici";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { digestOfValue } from "../kernel/digest.ts";
import { type AddressGuard, addressErrors } from "./address-guard.ts";
import type { ClientCertificate, ExchangeTimings } from "./ports.ts";
import { type ConnectPhases, createTimedConnector, timeConnecting } from "./timed-connector.ts";

/** Sends one body and reads what comes back. Never rejects: whatever goes wrong is part of the exchange. */
export interface HttpTransport {
  post(message: OutgoingPost): Promise<HttpExchange>;
  /** Closes idle connections at once, and the others when what runs on them has ended. */
  close(): Promise<void>;
}

export interface OutgoingPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** For everything together: name lookup, connecting, sending, headers and body of the answer. */
  readonly deadlineMs: number;
  /** Reading stops, and the connection is closed, beyond this. */
  readonly answerLimitBytes: number;
  /** Cuts the exchange short. */
  readonly signal: AbortSignal;
  /** Shown to a server that asks for one; absent: none. */
  readonly clientCertificate?: ClientCertificate | null;
}

/** What happened on the wire. */
export interface HttpExchange {
  /** Null when no answer began. */
  readonly status: number | null;
  /** The Retry-After header as it came. */
  readonly retryAfter: string | null;
  /** As much of the answer's body as was read. */
  readonly body: Uint8Array;
  /** Null when the answer was read to its end. */
  readonly failure: ExchangeFailure | null;
  readonly durationMs: number;
  readonly timings: ExchangeTimings;
}

/** How an exchange ends early; stable, kept with the attempt. */
export type ExchangeFailureCode =
  /** The URL is http, and only https is allowed. */
  | "sender.https_required"
  /** The URL leads to an address that is not public. */
  | "sender.address_forbidden"
  /** No connection: the name is unknown, the port is closed, the network is down. */
  | "sender.connect_failed"
  /** The recipient's certificate is not valid for its URL, or no TLS could be agreed on. */
  | "sender.tls_failed"
  /** The deadline passed. */
  | "sender.timeout"
  /** The connection broke before the answer ended. */
  | "sender.connection_lost"
  /** The answer is not HTTP. */
  | "sender.answer_malformed"
  /** The answer is longer than anything that acknowledges. */
  | "sender.answer_too_large"
  /** This process is stopping. */
  | "sender.stopped"
  /** The request could not be made at all. */
  | "sender.request_failed";

export interface ExchangeFailure {
  readonly code: ExchangeFailureCode;
  readonly message: string;
}

/** Connections to one origin; more attempts than that wait for one, on their own deadline. */
const connectionsPerOriginMax = 64;
const keepAliveMs = 30_000;

/** Certificates whose connections are kept. Those of the one that was used least lately are closed to make room. */
const certificatesMax = 200;

/**
 * Deliveries over kept-alive connections, one pool for each origin and client certificate. Redirects are answers, never
 * followed.
 *
 * @param guard says where connections may be made.
 */
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
    // The one deadline rules over both.
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
    const answer = await timeConnecting(phases, () =>
      request(url, { dispatcher, method: "POST", headers, body, signal }),
    );
    firstByteMs = sinceStart();
    status = answer.statusCode;
    retryAfter = firstValue(answer.headers["retry-after"]);
    failure = await readUpTo(message.answerLimitBytes, answer.body, chunks);
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
    // Leaving the loop destroys the stream, and with it the connection: the rest is never read.
    if (room < 0) return { code: "sender.answer_too_large", message: `The answer is longer than ${limitBytes} bytes.` };
  }
  return null;
}

function describeFailure(error: unknown, signal: AbortSignal, deadlineMs: number): ExchangeFailure {
  if (signal.aborted && signal.reason === "sender.timeout") {
    return { code: "sender.timeout", message: `No complete answer within ${deadlineMs} ms.` };
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
