import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Envelope } from "../contract/envelope.ts";
import { GatewayError, type GatewayErrorCode, gatewayErrorCodes } from "../contract/failed-call.ts";
import type { Operation, QueryOptions } from "../contract/operations/operation.ts";
import { systemClock } from "../kernel/clock.ts";
import { isRecord } from "../kernel/record.ts";
import type { Secret } from "../kernel/secret.ts";
import { silentLogger } from "../telemetry/logger.ts";
import { noTracer, traceFields } from "../telemetry/tracing.ts";
import { createAccessToken } from "./access-token.ts";
import { checkOptions } from "./check-options.ts";
import {
  defaultConcurrency,
  defaultEnvelope,
  defaultRetries,
  type GatewayClientOptions,
  timeoutMsOf,
} from "./client-options.ts";
import { deadlineIn, remainingMs } from "./deadline.ts";
import { fitsHeader } from "./fits-header.ts";
import { openHosts } from "./hosts.ts";
import { interpretResponse } from "./interpret-response.ts";
import { type PendingCall, waitFor } from "./pending-call.ts";
import { retryWaitMs } from "./retry-rules.ts";

export interface CallOptions {
  /** Ends the call. If the request may have been sent by then, the error's phase is `unknown`. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** W3C trace context of the work that the call is part of: with a tracer, the call becomes a span of it. */
  readonly traceparent?: string | null | undefined;
  /** `MetaData.TraceId` and the trace id in the log. Default: twelve random digits. */
  readonly traceId?: string | undefined;
}

export interface CallResult<Result> {
  readonly result: Result;
  /** The parsed body in the gateway's own spelling. Numbers too long for a double are texts. */
  readonly wire: unknown;
  /** The response after inflating, byte for byte: the evidence for decisions. */
  readonly body: Buffer;
  readonly readAt: Date;
  readonly traceId: string;
}

type SentOperation<Result> = Pick<
  Operation<unknown, Result>,
  "name" | "responseRoot" | "host" | "readOnly" | "resendable" | "optionalService" | "interpret"
>;

export type CallableOperation<Query, Result> = SentOperation<Result> &
  Pick<Operation<Query, Result>, "queryLists" | "request" | "requestSchema" | "readRequest">;

export interface Caller {
  call<Query extends object, Result>(
    operation: CallableOperation<Query, Result>,
    query: Query & QueryOptions,
    options?: CallOptions,
  ): Promise<CallResult<Result>>;
  close(): Promise<void>;
}

export function createCaller(options: GatewayClientOptions): Caller {
  checkOptions(options);
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? silentLogger;
  const random = options.random ?? Math.random;
  const tracer = options.tracer ?? noTracer;
  const retries = options.retries === undefined ? defaultRetries : options.retries;
  const envelope = { ...defaultEnvelope, ...options.envelope };
  const accessToken = createAccessToken(options.accessToken);
  const hosts = openHosts(options, options.concurrency ?? defaultConcurrency, logger);
  const closing = new AbortController();
  // Every waiting call listens, and Node.js reports more than ten listeners as a leak.
  setMaxListeners(0, closing.signal);

  return {
    async call(operation, givenQuery, callOptions = {}) {
      // Callers without types may give anything.
      const query = isRecord(givenQuery) ? givenQuery : ({} as typeof givenQuery);
      const traceId = callOptions.traceId ?? query.traceId ?? newTraceId();
      const span = tracer.start(operation.name, {
        kind: "client",
        parent: callOptions.traceparent ?? null,
        attributes: {
          "http.request.method": "POST",
          "server.address": hosts.of(operation).address,
          "skedchange.order.id": orderIdOf(query).orderId,
        },
      });
      const { traceparent } = span;
      const ids = { operation: operation.name, ...orderIdOf(query), traceId, ...traceFields(traceparent) };
      const startedAt = clock.now();
      const durationMs = (): number => clock.now().getTime() - startedAt.getTime();
      const observe = (outcome: string): void =>
        options.metrics?.gatewaySeconds.observe({ operation: operation.name, outcome }, durationMs() / 1_000);
      try {
        if (options.notOffered?.includes(operation.name) === true) throw notOffered(operation);
        const pending: PendingCall = {
          operation: operation.name,
          deadline: deadlineIn(callOptions.timeoutMs ?? timeoutMsOf(options, operation)),
          signal: callOptions.signal,
          closing: closing.signal,
          traceparent,
        };
        const body = requestBody(operation, { ...query, traceId }, envelope);
        const result = await persist(operation, pending, body, ids);
        observe("ok");
        span.end();
        logger.info({ ...ids, durationMs: durationMs() }, "gateway.called");
        return { ...result, traceId };
      } catch (error) {
        const failure =
          error instanceof GatewayError
            ? { code: error.code, phase: error.phase, httpStatus: error.httpStatus, gatewayCode: error.gatewayCode }
            : { code: "unexpected" };
        observe(failure.code);
        if ("httpStatus" in failure) span.set({ "http.response.status_code": failure.httpStatus });
        span.end(failure.code);
        logger.warn({ ...ids, durationMs: durationMs(), ...failure }, "gateway.call_failed");
        throw error;
      }
    },

    async close() {
      closing.abort();
      await hosts.close();
    },
  };

  /** Repeats attempts until one gets a response or its failure forbids another. */
  async function persist<Result>(operation: SentOperation<Result>, call: PendingCall, body: Buffer, ids: object) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptWithToken(operation, call, body);
      } catch (error) {
        if (!(error instanceof GatewayError) || retries === null) throw error;
        const left = { attempt, timeLeftMs: remainingMs(call.deadline), random: random() };
        const waitMs = retryWaitMs(operation, error, retries, left);
        if (waitMs === null) throw error;
        logger.info({ ...ids, attempt, waitMs, code: error.code }, "gateway.call_repeated");
        await pause(call, waitMs, error);
      }
    }
  }

  /** Repeats the attempt once with a new token if the gateway refused the first. */
  async function attemptWithToken<Result>(operation: SentOperation<Result>, call: PendingCall, body: Buffer) {
    const token = await tokenFor(call);
    try {
      return await attemptOnce(operation, call, body, token);
    } catch (error) {
      const isRefused = error instanceof GatewayError && error.httpStatus === 401 && accessToken.isRenewable;
      if (!isRefused) throw error;
    }
    accessToken.refuse(token);
    return await attemptOnce(operation, call, body, await tokenFor(call));
  }

  async function attemptOnce<Result>(
    operation: SentOperation<Result>,
    call: PendingCall,
    body: Buffer,
    token: Secret,
  ): Promise<Omit<CallResult<Result>, "traceId">> {
    const { transport, slots, circuit } = hosts.of(operation);
    return await slots.run(call, () =>
      circuit.run(operation.name, async () => {
        const response = await transport.send({
          operation: operation.name,
          body,
          accessToken: token,
          changesSomething: !operation.readOnly,
          deadline: call.deadline,
          signal: call.signal,
          traceparent: call.traceparent ?? null,
        });
        const readAt = clock.now();
        return { ...interpretResponse(operation, response, readAt), body: response.body, readAt };
      }),
    );
  }

  async function tokenFor(call: PendingCall): Promise<Secret> {
    const token = accessToken.get().catch((cause: unknown) => {
      throw withoutToken(call, gatewayErrorCodes.noToken, "", cause);
    });
    const given = await waitFor(call, token, {
      late: () => {
        accessToken.giveUp();
        return withoutToken(call, gatewayErrorCodes.timeout, ` within ${call.deadline.timeoutMs} ms`);
      },
    });
    if (fitsHeader(given)) return given;
    accessToken.refuse(given);
    throw unusableToken(call);
  }
}

/** If ended early, the error has the phase of the attempt before. */
async function pause(call: PendingCall, waitMs: number, failure: GatewayError): Promise<void> {
  const timer = new AbortController();
  try {
    const phase = failure.phase === "before-sending" ? "before-sending" : "unknown";
    await waitFor(call, sleep(waitMs, undefined, { signal: timer.signal }), { late: () => failure, phase });
  } finally {
    timer.abort();
  }
}

type RequestedOperation<Query> = Pick<
  Operation<Query>,
  "name" | "queryLists" | "request" | "requestSchema" | "readRequest"
>;

/** @throws `gateway.invalid_query` if the contract allows no such request */
function requestBody<Query>(operation: RequestedOperation<Query>, query: Query, envelope: Envelope): Buffer {
  const missing = findMissingList(query, operation);
  if (missing !== null) throw invalidQuery(operation, `${missing} (invalid_type)`);
  const request = operation.request(query, envelope);
  // Path and rule only, because the message may quote the value.
  const checked = operation.requestSchema.safeParse(request);
  if (!checked.success) {
    const places = checked.error.issues.map((issue) => `/${issue.path.map(String).join("/")} (${issue.code})`);
    throw invalidQuery(operation, places.join(", "));
  }
  // The schema is met; now the limits that the gateway enforces.
  const read = operation.readRequest(request);
  if (!read.ok) throw invalidQuery(operation, `${read.problem.path} (${read.problem.code})`);
  return Buffer.from(JSON.stringify(request));
}

/** Requests are built from the elements of these lists; the schema of the request finds what else is missing. */
function findMissingList(query: unknown, { queryLists }: Pick<Operation, "queryLists">): string | null {
  for (const name of queryLists) {
    const given = isRecord(query) ? query[name] : undefined;
    if (!Array.isArray(given)) return `/${name}`;
    const position = given.findIndex((element) => element === null || element === undefined);
    if (position >= 0) return `/${name}/${position}`;
  }
  return null;
}

function invalidQuery({ name }: Pick<Operation, "name">, where: string): GatewayError {
  const message = `${name} was not sent: the query makes no valid request at ${where}.`;
  return new GatewayError(gatewayErrorCodes.invalidQuery, message, {
    operation: name,
    phase: "before-sending",
    retryable: false,
  });
}

function withoutToken(
  { operation }: PendingCall,
  code: GatewayErrorCode,
  inTime: string,
  cause?: unknown,
): GatewayError {
  const message = `${operation} was not sent: the token source gave no access token${inTime}.`;
  return new GatewayError(code, message, { operation, phase: "before-sending", retryable: true, cause });
}

function unusableToken({ operation }: PendingCall): GatewayError {
  const message = `${operation} was not sent: the access token has characters that no HTTP header can carry.`;
  return new GatewayError(gatewayErrorCodes.noToken, message, {
    operation,
    phase: "before-sending",
    retryable: false,
  });
}

function notOffered({ name }: Pick<Operation, "name">): GatewayError {
  const message = `${name} was not sent: the option notOffered says that this gateway does not offer it.`;
  return new GatewayError(gatewayErrorCodes.notOffered, message, {
    operation: name,
    phase: "before-sending",
    retryable: false,
  });
}

function orderIdOf(query: object): { readonly orderId?: string } {
  return "orderId" in query && typeof query.orderId === "string" ? { orderId: query.orderId } : {};
}

function newTraceId(): string {
  return Array.from({ length: 2 }, () => String(randomInt(1_000_000)).padStart(6, "0")).join("");
}
