import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, Pool } from "undici";
import type { GatewayError } from "../contract/failed-call.ts";
import type { OperationName } from "../contract/operations/operation.ts";
import { AppError } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import { type Deadline, remainingMs } from "./deadline.ts";
import { decodeBody, responseBytesMax } from "./decode-body.ts";
import { createFreshConnections } from "./fresh-connections.ts";
import { aborted, closed, connectionLost, timedOut, tooLarge, undecodable, unreachable } from "./transport-errors.ts";

export interface TransportOptions {
  /** A path in it is kept. */
  readonly baseUrl: string;
  /** Sent as x-api-key; null for gateways without one. */
  readonly apiKey: Secret | null;
  /** For reads. Changes are as many as callers send at a time. */
  readonly connectionsMax: number;
  /** In milliseconds, from any point on. */
  readonly now?: () => number;
}

export interface Sending {
  readonly operation: OperationName;
  readonly body: Buffer;
  /** Without a scheme. */
  readonly accessToken: Secret;
  /**
   * Changes use a new connection, or one that responded to a change within the last second: an older one may be closing,
   * and a lost request would have an unknown outcome.
   */
  readonly changesSomething: boolean;
  /** For the whole exchange. */
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  /** Sent as a header of this name; null without tracing. */
  readonly traceparent?: string | null;
}

export interface TransportResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Buffer;
}

/** The only place where the client does I/O. */
export interface Transport {
  /** @throws GatewayError whose phase says whether the request may have arrived; never sends twice */
  send(sending: Sending): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** For TCP and TLS. Otherwise a hanging connection would block its place in the pool for ever. */
const connectTimeoutMs = 10_000;

export function createTransport(options: TransportOptions): Transport {
  const base = new URL(options.baseUrl);
  const pathPrefix = base.pathname.replace(/\/+$/, "");
  const pool = new Pool(base.origin, {
    connections: options.connectionsMax,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
  });
  const now = options.now ?? (() => performance.now());
  const fresh = createFreshConnections({ origin: base.origin, connectTimeoutMs, now });
  const commonHeaders = {
    ...(options.apiKey === null ? {} : { "x-api-key": options.apiKey.reveal() }),
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
  };
  const running = new Set<() => void>();
  let isClosed = false;

  return {
    async send(sending) {
      const { operation, body, accessToken, traceparent = null } = sending;
      if (isClosed) throw closed(operation, "before-sending");
      const headers = {
        authorization: accessToken.reveal(),
        ...commonHeaders,
        ...(traceparent !== null && { traceparent }),
      };
      const call: Call = {
        sending,
        running,
        request: { method: "POST", path: `${pathPrefix}/${operation}`, headers, body },
      };
      const received = sending.changesSomething ? await exchangeFresh(call) : await exchange(pool, call);
      const decoded = await decodeBody(received.bytes, received.contentEncoding, responseBytesMax);
      const { status, retryAfter } = received;
      if (decoded.decoded) return { status, retryAfter, body: decoded.body };
      if (isSuccess(status)) throw undecodable(operation, status, decoded.reason, decoded.cause);
      // Failures are judged by status. Refusing proxies may declare a coding for a body that they omit.
      return { status, retryAfter, body: Buffer.alloc(0) };
    },

    async close() {
      isClosed = true;
      for (const stop of [...running]) stop();
      await Promise.all([pool.destroy(), fresh.destroy()]);
    },
  };

  async function exchangeFresh(call: Call): Promise<Received> {
    const connection = fresh.take();
    try {
      const received = await exchange(connection, call);
      fresh.giveBack(connection);
      return received;
    } catch (error) {
      fresh.lose(connection);
      throw error;
    }
  }
}

interface Call {
  readonly sending: Sending;
  readonly running: Set<() => void>;
  readonly request: Dispatcher.DispatchOptions;
}

interface Received {
  readonly status: number;
  readonly contentEncoding: string | null;
  readonly retryAfter: string | null;
  readonly bytes: Buffer;
}

/**
 * Undici's dispatch handlers alone show when the request reaches a socket: before `onRequestStart` no byte was sent.
 * Error codes can't tell: ECONNRESET ends a TLS handshake as well as a half-sent request.
 */
function exchange(dispatcher: Dispatcher, call: Call): Promise<Received> {
  const { operation, deadline, signal } = call.sending;
  return new Promise<Received>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let status = 0;
    let responseHeaders: IncomingHttpHeaders = {};
    let length = 0;
    const chunks: Buffer[] = [];

    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      call.running.delete(stop);
      return true;
    };
    const fail = (error: GatewayError): void => {
      if (!settle()) return;
      controller?.abort(error);
      reject(error);
    };
    const phase = () => (controller === null ? "before-sending" : "unknown");
    const stop = (): void => fail(closed(operation, phase()));
    const onAbort = (): void => fail(aborted(operation, phase()));
    const timer = setTimeout(() => fail(timedOut(operation, deadline.timeoutMs, phase())), remainingMs(deadline));
    call.running.add(stop);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) {
      onAbort();
      return;
    }

    dispatcher.dispatch(call.request, {
      onRequestStart(started) {
        // Aborting here prevents the write, if the caller has already got `before-sending` or the library would send
        // twice. Checks the clock as well as the timer: after a pause of the process, the connection may come first.
        if (controller === null && remainingMs(deadline) === 0) {
          fail(timedOut(operation, deadline.timeoutMs, "before-sending"));
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
        responseHeaders = headers;
        if (Number(headers["content-length"] ?? 0) > responseBytesMax) fail(tooLarge(operation, status));
      },
      onResponseData(_controller, chunk) {
        length += chunk.length;
        if (length > responseBytesMax) fail(tooLarge(operation, status));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (!settle()) return;
        resolve({
          status,
          contentEncoding: headerOf(responseHeaders, "content-encoding"),
          retryAfter: headerOf(responseHeaders, "retry-after"),
          bytes: Buffer.concat(chunks),
        });
      },
      onResponseError(_controller, error) {
        fail(controller === null ? unreachable(operation, error) : connectionLost(operation, error));
      },
    });
  });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  return [headers[name] ?? []].flat().join(",") || null;
}
