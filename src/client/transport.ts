import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, Pool } from "undici";
import { AppError, codeOf } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import { decodeBody } from "./decode-body.ts";
import { GatewayError, gatewayErrorCodes } from "./gateway-error.ts";

/** How to reach one gateway. */
export interface TransportOptions {
  /** Operations are called at `<baseUrl>/<operation>`. A path in it is kept. */
  readonly baseUrl: string;
  /** Sent as the Authorization header as it is: the value is the bare token, without a scheme. */
  readonly accessToken: Secret;
  /** Sent as x-api-key; null for gateways that have none. */
  readonly apiKey: Secret | null;
  /** One deadline for everything: waiting for a connection, connecting, sending, the last byte of the answer. */
  readonly timeoutMs: number;
}

/** One request. */
export interface Sending {
  readonly operation: string;
  readonly body: Buffer;
  /**
   * Whether the operation changes something. It then goes out on a connection of its own: on one that was kept open, the
   * gateway may be closing at the same moment, and a lost request would leave an outcome that nobody knows.
   */
  readonly changesSomething: boolean;
}

/** What came back, whatever its status. */
export interface Answer {
  readonly status: number;
  /** After inflating, byte for byte. */
  readonly body: Buffer;
}

/** The only place where the client does I/O. */
export interface Transport {
  /** Sends once, never twice; rejects with a `GatewayError` whose phase says whether the request may have arrived. */
  send(sending: Sending): Promise<Answer>;
  /** Refuses new calls, ends those that are running, closes the connections. */
  close(): Promise<void>;
}

/** Longest answer in bytes, before and after inflating: about 500 times the size of an order view. */
export const answerBytesMax = 8 * 1024 * 1024;

/** Connections per pool; further calls wait for one within their own deadline. */
const connectionsMax = 32;

export function createTransport(options: TransportOptions): Transport {
  const base = new URL(options.baseUrl);
  const pathPrefix = base.pathname.replace(/\/+$/, "");
  const pooled = {
    connections: connectionsMax,
    connect: { timeout: options.timeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const keptOpen = new Pool(base.origin, { ...pooled, pipelining: 1 });
  // Without pipelining undici says `connection: close` and uses each connection once.
  const usedOnce = new Pool(base.origin, { ...pooled, pipelining: 0 });
  const headers = {
    authorization: options.accessToken.reveal(),
    ...(options.apiKey === null ? {} : { "x-api-key": options.apiKey.reveal() }),
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
  };
  const running = new Set<(error: GatewayError) => void>();
  let closed = false;

  return {
    async send(sending) {
      if (closed) throw closedError(sending.operation, "before-sending");
      const received = await exchange(sending.changesSomething ? usedOnce : keptOpen, {
        operation: sending.operation,
        timeoutMs: options.timeoutMs,
        running,
        request: { method: "POST", path: `${pathPrefix}/${sending.operation}`, headers, body: sending.body },
      });
      const decoded = await decodeBody(received.bytes, received.contentEncoding, answerBytesMax);
      if (!decoded.decoded) throw undecodable(sending.operation, received.status, decoded.reason, decoded.cause);
      return { status: received.status, body: decoded.body };
    },

    async close() {
      closed = true;
      for (const stop of [...running]) stop(closedError("a call", "unknown"));
      await Promise.all([keptOpen.destroy(), usedOnce.destroy()]);
    },
  };
}

interface Received {
  readonly status: number;
  readonly contentEncoding: string | null;
  readonly bytes: Buffer;
}

/**
 * One request and its answer over undici's dispatch handlers, because only they tell the moment at which the request is
 * handed to a socket: before `onRequestStart` no byte can have left, after it anything may have happened. No code of a
 * system error says that as surely: the same ECONNRESET ends a TLS handshake and a request that was half done.
 */
function exchange(
  pool: Pool,
  call: {
    readonly operation: string;
    readonly timeoutMs: number;
    readonly running: Set<(error: GatewayError) => void>;
    readonly request: Dispatcher.DispatchOptions;
  },
): Promise<Received> {
  const { operation } = call;
  return new Promise<Received>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let status = 0;
    let contentEncoding: string | null = null;
    let length = 0;
    const chunks: Buffer[] = [];

    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      clearTimeout(deadline);
      call.running.delete(stop);
      return true;
    };
    const fail = (error: GatewayError): void => {
      if (!settle()) return;
      controller?.abort(error);
      reject(error);
    };
    const stop = (error: GatewayError): void => {
      fail(controller === null ? closedError(operation, "before-sending") : closedError(operation, "unknown", error));
    };
    const endsAt = performance.now() + call.timeoutMs;
    const deadline = setTimeout(
      () => fail(timeoutError(operation, call.timeoutMs, controller === null ? "before-sending" : "unknown")),
      call.timeoutMs,
    );
    call.running.add(stop);

    pool.dispatch(call.request, {
      onRequestStart(started) {
        // Aborting here keeps the request from being written. It is due when the caller has been told that nothing was
        // sent (the deadline passed while waiting for a connection), and when the library would send it a second time.
        // The clock is asked as well as the timer: in a process that was paused the connection may wake up first.
        if (controller === null && performance.now() >= endsAt) {
          fail(timeoutError(operation, call.timeoutMs, "before-sending"));
        }
        if (settled || controller !== null) {
          started.abort(
            new AppError("gateway.not_sent", `${operation} is not sent: its caller no longer waits for it.`),
          );
          return;
        }
        controller = started;
      },
      onResponseStart(_controller, statusCode, headers: IncomingHttpHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        contentEncoding = [headers["content-encoding"] ?? []].flat().join(",") || null;
        if (Number(headers["content-length"] ?? 0) > answerBytesMax) fail(tooLarge(operation, status));
      },
      onResponseData(_controller, chunk) {
        length += chunk.length;
        if (length > answerBytesMax) fail(tooLarge(operation, status));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (settle()) resolve({ status, contentEncoding, bytes: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        fail(controller === null ? unreachable(operation, error) : connectionLost(operation, error));
      },
    });
  });
}

function unreachable(operation: string, cause: unknown): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.unreachable,
    `${operation} was not sent: no connection to the gateway (${codeOf(cause)}). Check GATEWAY_BASE_URL and the network.`,
    { operation, phase: "before-sending", retryable: true, cause },
  );
}

function connectionLost(operation: string, cause: unknown): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.connectionLost,
    `The connection ended before ${operation} was answered (${codeOf(cause)}). Whether the gateway acted on it is unknown.`,
    { operation, phase: "unknown", retryable: true, cause },
  );
}

function timeoutError(operation: string, timeoutMs: number, phase: "before-sending" | "unknown"): GatewayError {
  const message =
    phase === "before-sending"
      ? `${operation} was not sent: no connection to the gateway within ${timeoutMs} ms.`
      : `${operation} was not answered within ${timeoutMs} ms. Whether the gateway acted on it is unknown.`;
  return new GatewayError(gatewayErrorCodes.timeout, message, { operation, phase, retryable: true });
}

function tooLarge(operation: string, httpStatus: number): GatewayError {
  return new GatewayError(
    gatewayErrorCodes.answerTooLarge,
    `The answer of ${operation} is longer than ${answerBytesMax} bytes and was not read.`,
    { operation, phase: "unknown", retryable: false, httpStatus },
  );
}

function undecodable(
  operation: string,
  httpStatus: number,
  reason: "too-large" | "corrupt" | "unknown-encoding",
  cause: unknown,
): GatewayError {
  if (reason === "too-large") return tooLarge(operation, httpStatus);
  const what = reason === "corrupt" ? "does not inflate" : "has a Content-Encoding other than gzip, deflate and br";
  return new GatewayError(gatewayErrorCodes.malformedAnswer, `The answer of ${operation} ${what}.`, {
    operation,
    phase: "unknown",
    retryable: true,
    httpStatus,
    cause,
  });
}

function closedError(operation: string, phase: "before-sending" | "unknown", cause?: unknown): GatewayError {
  return new GatewayError(gatewayErrorCodes.closed, `${operation} was ended: the gateway client is being closed.`, {
    operation,
    phase,
    retryable: true,
    cause,
  });
}
