import type { RequestListener, ServerResponse } from "node:http";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import { acknowledgeResponse } from "../contract/acknowledgement.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { type Problem, writeProblem } from "../http/problem-document.ts";
import { AppError, assertNever, codeOf } from "../kernel/app-error.ts";
import { tooManyCandidates } from "../kernel/check-queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { newId } from "../kernel/ids.ts";
import { networkOf } from "../kernel/networks.ts";
import { nothingRecognised, type RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createRefusalLines, isRefused } from "../telemetry/refusal-lines.ts";
import { during, noTracer, type Span, type Tracer, traceFields, traceparentIn } from "../telemetry/tracing.ts";
import { createTokenVerifiers } from "./access-token-verifiers.ts";
import { type Authentication, invalidRequestChallenge } from "./authentication.ts";
import { createAuthorizationServerClient } from "./authorization-server-client.ts";
import { type BodyVerdict, type JudgedBody, judgeBody } from "./judge-body.ts";
import { defaultKeySetTimings, type KeySetTimings } from "./key-sets.ts";
import { createSourceDirectory, defaultSourceName, type KnownSource } from "./known-sources.ts";
import { createNotificationWriter, type NotificationWriter, type Recorded } from "./notification-writer.ts";
import { createOrderReader, type OrderReader } from "./order-reader.ts";
import type {
  AssertionStore,
  IncomingNotification,
  NotificationProblem,
  NotificationStore,
  ReceiverLimits,
  ReceiverSource,
  SigningKeyStore,
} from "./ports.ts";
import {
  acceptedEncodings,
  type BodyEncoding,
  type BodyReading,
  inflateBody,
  readBody,
  readEncoding,
  wireBytesMaxOf,
} from "./read-body.ts";
import { describeProblem, isReceiverError, type ReceiverErrorCode, receiverErrors } from "./receiver-problems.ts";
import { unusableSource } from "./source-errors.ts";
import { createTokenEndpoint, type TokenEndpoint, type TokenRates } from "./token-endpoint/token-endpoint.ts";
import { createUnprovenReads } from "./unproven-reads.ts";
import { findWay } from "./ways.ts";

export interface ReceiverOptions {
  /** The source named `default` is also served on `/ocn`. */
  readonly sources: readonly ReceiverSource[];
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "notifications" | "ackSeconds">;
  readonly tracer?: Tracer;
  readonly limits: ReceiverLimits;
  readonly addressOf: ClientAddressOf;
  /** Required if a source has clients there. */
  readonly tokenEndpoint?: {
    /** Our public URL without a trailing slash; a function, because it may be known only once we listen. */
    readonly issuer: () => string;
    readonly keys: SigningKeyStore;
    readonly assertions: AssertionStore;
    readonly rates?: TokenRates;
  };
  /** Of this receiver and of others; without it a restart forgets which credentials were right. */
  readonly recognised?: RecognisedCredentials;
  readonly authorizationServers?: { readonly timeoutMs?: number; readonly keySets?: Partial<KeySetTimings> };
}

export interface Receiver {
  /** Serves `/ocn`, `/ocn/:source` and, if a source has clients, `/oauth`. Mount it before anything that reads bodies. */
  readonly router: Router;
  /** Attach as "checkContinue" listener. Otherwise Node.js requests bodies of unauthenticated callers itself. */
  createCheckContinue(app: RequestListener): RequestListener;
  /** Refuses new requests, waits shortly for arriving bodies, and resolves when all have their response and committed. */
  drain(): Promise<void>;
  backlogBytes(): number;
}

/** For bodies that still arrive when the process stops; the whole stop must fit into 10 s. */
const drainReadMs = 3_000;

/** How long a refused caller may go on sending, so that it can read the response. */
const lingerMs = 2_000;

/** A slower authorization server would delay gateways, which can retry. */
const authorizationServerTimeoutMs = 5_000;

interface Receipt {
  readonly startedAt: Date;
  /** Null until the sender is authenticated. */
  span: Span | null;
}

interface ReceiverResponse {
  /** For metrics: `new`, `repeated`, `quarantined`, or the problem's code. */
  readonly outcome: string;
  /** Null acknowledges. */
  readonly problem: Problem | null;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly fields?: ResponseFields;
  readonly error?: unknown;
}

/** For the log, and some for the trace. */
interface ResponseFields {
  readonly notificationId?: string;
  readonly orderIds?: readonly string[];
  readonly bodyBytes?: number;
  readonly [name: string]: unknown;
}

/**
 * Acknowledges only after the commit of the body, its verdict and the mark by which workers open its cases.
 * @throws AppError `receiver.unusable_source` for a source without authentication or with a duplicate name
 * @see interface document, "Events"
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { clock, logger, metrics, limits, addressOf, tracer = noTracer, recognised = nothingRecognised } = options;
  const writeRefusal = createRefusalLines(logger, clock);
  const tokenEndpoint = openTokenEndpoint(options);
  const authorizationServers = createAuthorizationServerClient(
    options.authorizationServers?.timeoutMs ?? authorizationServerTimeoutMs,
  );
  const verifiers = createTokenVerifiers({
    client: authorizationServers,
    clock,
    recognised,
    keySetTimings: { ...defaultKeySetTimings, ...options.authorizationServers?.keySets },
    ofOurOwn: (source) => tokenEndpoint?.verifierOf(source) ?? null,
  });
  const networkOfCaller = (request: Request): string => networkOf(addressOf(request));
  const directory = createSourceDirectory(options.sources, {
    ...{ clock, recognised, verifiers },
    networkOf: networkOfCaller,
  });
  const writer = createNotificationWriter({ store: options.store, backlogBytes: limits.backlogBytes });
  const unprovenReads = createUnprovenReads(clock);
  const orderReader = createOrderReader(limits.orders);
  const awaitingContinue = new WeakSet<object>();
  const underWay = new Set<Promise<void>>();
  const stopReading = new AbortController();
  let isDraining = false;

  async function receive(request: Request, response: Response): Promise<void> {
    const receipt: Receipt = { startedAt: clock.now(), span: null };
    const name = sourceNameOf(request);
    let decided: ReceiverResponse;
    try {
      decided = await decideResponse(name, request, response, receipt);
    } catch (error) {
      decided = responseToError(error);
    }
    send(request, response, decided);
    logOutcome(request, directory.find(name)?.name ?? null, decided, receipt);
  }

  /**
   * Strangers get no span, so that they cannot fill the collector. A sender's own trace is linked and not continued: it
   * must decide neither which traces are exported nor which notifications share one.
   */
  function startTrace(request: Request, { name }: KnownSource, receipt: Receipt): Span {
    const theirs = traceparentIn(request.headers);
    const { startedAt } = receipt;
    const span = tracer.start("POST /ocn", {
      kind: "server",
      startedAt,
      links: theirs === null ? [] : [theirs],
      attributes: { "http.request.method": "POST", "http.route": "/ocn", "skedchange.source": name },
    });
    receipt.span = span;
    tracer.start("authenticate", { parent: span.traceparent, startedAt }).end();
    return span;
  }

  async function decideResponse(
    name: string,
    request: Request,
    response: Response,
    receipt: Receipt,
  ): Promise<ReceiverResponse> {
    if (request.method !== "POST") return refuse(receiverErrors.methodNotAllowed, { headers: { Allow: "POST" } });
    const invalidRequest = { headers: { "WWW-Authenticate": invalidRequestChallenge } };
    if (hasTokenInUrl(request)) return refuse(receiverErrors.tokenInUrl, invalidRequest);
    // Node.js uses the first header; a proxy in between may have checked another.
    if ((request.headersDistinct.authorization?.length ?? 0) > 1) {
      return refuse(receiverErrors.severalAuthorizations, invalidRequest);
    }

    const source = directory.find(name);
    const authentication = await directory.authenticate(source, request, response);
    let signedBody: Buffer | null = null;
    if (!authentication.authenticated) {
      const reading = await readSignedBody(source, request, response);
      if (reading === null) return rejectUnauthenticated(authentication);
      if (!Buffer.isBuffer(reading)) return reading;
      signedBody = reading;
    }
    if (source === undefined) return refuse(receiverErrors.unknownSource);
    const { traceparent } = startTrace(request, source, receipt);
    if (isDraining) return refuse(receiverErrors.stopping, { headers: { Connection: "close" } });

    const knownEncoding = readEncoding(request.headers["content-encoding"]);
    const encoding = knownEncoding ?? "identity";
    const readSpan = tracer.start("read body", { parent: traceparent });
    const reading =
      signedBody === null
        ? await readProvenBody(source, encoding, request, response)
        : await inflateBody(signedBody, { encoding, bytesMax: limits.bodyBytes });
    readSpan.end();
    if (reading === null) return refuse(receiverErrors.tooManyRequests);
    if (reading.outcome !== "read" && reading.outcome !== "not-inflatable") return refuseUnread(reading);
    const contentType = request.headers["content-type"];
    const declared = { contentType, isEncodingKnown: knownEncoding !== null };
    const judged = await judgeBody(reading, declared, (body) => validate(body, orderReader, logger));
    return await record(source, { contentType: contentType ?? null, traceparent, ...judged });
  }

  async function readProvenBody(
    source: KnownSource,
    encoding: BodyEncoding,
    request: Request,
    response: Response,
  ): Promise<BodyReading | null> {
    if (source.reads >= limits.readsPerSource) return null;
    if (awaitingContinue.delete(request)) response.writeContinue();
    source.reads += 1;
    const reading = await readBody(request, {
      encoding,
      bytesMax: limits.bodyBytes,
      timeoutMs: limits.bodyTimeoutMs,
      stop: stopReading.signal,
    });
    source.reads -= 1;
    return reading;
  }

  /**
   * Returns the wire bytes of a signed request, a response if they can't be read, or null. The signature covers the
   * body, so this reads unauthenticated bodies: some at a time, with plausible headers only.
   */
  async function readSignedBody(
    source: KnownSource | undefined,
    request: Request,
    response: Response,
  ): Promise<Buffer | ReceiverResponse | null> {
    const claim = source?.signatures?.readClaim(request.headers) ?? null;
    if (claim === null) return null;
    if (isDraining) return refuse(receiverErrors.stopping, { headers: { Connection: "close" } });
    const read = unprovenReads.begin(networkOfCaller(request));
    if (read === null) return refuse(receiverErrors.tooManyRequests);
    if (awaitingContinue.delete(request)) response.writeContinue();
    const encoding = readEncoding(request.headers["content-encoding"]) ?? "identity";
    const reading = await readBody(request, {
      encoding: "identity",
      bytesMax: wireBytesMaxOf({ encoding, bytesMax: limits.bodyBytes }),
      timeoutMs: limits.bodyTimeoutMs,
      bytesPerSecondMin: read.bytesPerSecondMin,
      stop: AbortSignal.any([stopReading.signal, read.displaced]),
    });
    const isSigned = reading.outcome === "read" && source?.signatures?.isSigned(claim, reading.body) === true;
    read.end(isSigned);
    if (read.displaced.aborted && reading.outcome === "stopped") return refuse(receiverErrors.tooManyRequests);
    if (reading.outcome !== "read") return reading.outcome === "not-inflatable" ? null : refuseUnread(reading);
    return isSigned ? reading.body : null;
  }

  function refuseUnread({ outcome, wireBytes }: UnreadBody): ReceiverResponse {
    const fields = { wireBytes };
    switch (outcome) {
      case "too-long":
        return refuse(receiverErrors.bodyTooLong, { fields, extensions: { limitBytes: limits.bodyBytes } });
      case "too-slow":
        return refuse(receiverErrors.bodyTimeout, { fields, headers: { Connection: "close" } });
      case "stopped":
        return refuse(receiverErrors.stopping, { fields, headers: { Connection: "close" } });
      case "aborted":
        return refuse(receiverErrors.bodyAborted, { fields });
      default:
        return assertNever(outcome);
    }
  }

  async function record(
    source: KnownSource,
    known: JudgedBody & Pick<IncomingNotification, "contentType" | "traceparent">,
  ): Promise<ReceiverResponse> {
    const notification = {
      id: newId(clock),
      source: source.name,
      receivedAt: clock.now(),
      digest: digestOfBytes(known.body),
      ...known,
    };
    const span = tracer.start("store notification", { parent: known.traceparent });
    const { recorded, problem } = await during(span, () => writeOrQuarantine(writer, notification));
    const fields = {
      notificationId: recorded.notificationId,
      receipts: recorded.receipts,
      orderIds: known.orders.map(({ orderId }) => orderId),
      bodyBytes: known.body.length,
    };
    if (problem === null) {
      return { outcome: recorded.receipts === 1 ? "new" : "repeated", problem: null, fields };
    }
    return {
      outcome: "quarantined",
      problem: source.acknowledgeUnusable ? null : describeUnusable(problem, recorded.notificationId),
      ...(problem.code === receiverErrors.unsupportedContentEncoding && {
        headers: { "Accept-Encoding": acceptedEncodings },
      }),
      fields: { ...fields, code: problem.code, path: problem.path },
    };
  }

  function send(request: Request, response: Response, { outcome, problem, headers }: ReceiverResponse): void {
    if (outcome === receiverErrors.bodyAborted) {
      response.destroy();
      return;
    }
    // A caller waiting for 100-continue may send its next request instead of the body; a new connection separates them.
    if (awaitingContinue.delete(request)) response.setHeader("Connection", "close");
    if (!request.complete) cutOffAfterResponse(request, response);
    if (problem === null) writeAcknowledgement(response);
    else writeProblem(response, problem, { ...headers, ...contentSniffingOff });
  }

  function logOutcome(
    request: Request,
    source: string | null,
    { outcome, problem, fields, error }: ReceiverResponse,
    { startedAt, span }: Receipt,
  ): void {
    const durationMs = clock.now().getTime() - startedAt.getTime();
    metrics.notifications.inc({ source: source ?? "unknown", outcome });
    metrics.ackSeconds.observe({ outcome }, durationMs / 1000);
    const status = problem?.status ?? 200;
    const address = addressOf(request);
    span?.set({
      "http.response.status_code": status,
      "skedchange.outcome": outcome,
      "skedchange.notification.id": fields?.notificationId,
      "skedchange.orders": fields?.orderIds?.length,
      "skedchange.body.bytes": fields?.bodyBytes,
    });
    span?.end(problem?.code);
    const trace = traceFields(span?.traceparent ?? null);
    const line = {
      ...{ source, address, status, outcome, ...fields, durationMs, ...trace },
      ...(error !== undefined && { error }),
    };
    // Stored notifications get their own event name, so that they can be found.
    if (outcome === "new" || outcome === "repeated") logger.info(line, "notification.received");
    else if (outcome === "quarantined") logger.warn(line, "notification.received");
    else if (status === 500) logger.error(line, "notification.refused");
    else if (isRefused(status)) writeRefusal(line, "notification.refused");
    else logger.warn(line, "notification.refused");
  }

  const router = Router();
  router.all(["/ocn", "/ocn/:source"], async (request, response) => {
    const receiving = receive(request, response);
    underWay.add(receiving);
    await receiving.finally(() => underWay.delete(receiving));
  });
  router.use("/ocn", refuseMalformedPath);
  if (tokenEndpoint !== null) router.use(tokenEndpoint.router);

  return {
    router,
    createCheckContinue: (app) => (request, response) => {
      if (/^\/ocn(?:[/?]|$)/i.test(request.url ?? "")) awaitingContinue.add(request);
      else response.writeContinue();
      app(request, response);
    },
    async drain() {
      isDraining = true;
      tokenEndpoint?.stop();
      const timer = setTimeout(() => stopReading.abort(), drainReadMs);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
      await authorizationServers.close();
      await orderReader.close();
      await writer.flush();
    },
    backlogBytes: () => writer.backlogBytes(),
  };
}

type UnreadBody = Exclude<BodyReading, { readonly outcome: "read" } | { readonly outcome: "not-inflatable" }>;

function openTokenEndpoint(options: ReceiverOptions): TokenEndpoint | null {
  const withClients = options.sources.find(
    ({ authentication }) => (findWay(authentication, "oauth")?.clients ?? null) !== null,
  );
  if (withClients === undefined) return null;
  if (options.tokenEndpoint === undefined) {
    throw new AppError(unusableSource, `Source ${withClients.name} has OAuth clients, and there is no token endpoint.`);
  }
  const { sources, clock, logger, addressOf, tokenEndpoint, recognised = nothingRecognised } = options;
  return createTokenEndpoint({ sources, clock, logger, addressOf, recognised, ...tokenEndpoint });
}

function rejectUnauthenticated(authentication: Extract<Authentication, { authenticated: false }>): ReceiverResponse {
  const { refusal, challenges, tokenFault } = authentication;
  return refuse(refusal === "unauthorized" ? receiverErrors.unauthorized : receiverErrors.insufficientScope, {
    headers: { "WWW-Authenticate": challenges },
    ...(tokenFault !== null && { fields: { tokenFault } }),
  });
}

async function validate(body: Buffer, orderReader: OrderReader, logger: Logger): Promise<BodyVerdict> {
  try {
    const reading = await orderReader.read(body);
    return reading.ok ? { problem: null, orders: reading.orders } : { problem: reading.problem, orders: [] };
  } catch (error) {
    // Only a fault of ours gets here; the body is stored as evidence.
    logger.error({ error }, "notification.unreadable");
    const { problem } = describeProblem(receiverErrors.bodyNotReadable);
    return { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
  }
}

/** If the database refuses the content, quarantines the bytes, so that no notification is lost. */
async function writeOrQuarantine(
  writer: NotificationWriter,
  notification: Omit<IncomingNotification, "copies">,
): Promise<{ readonly recorded: Recorded; readonly problem: NotificationProblem | null }> {
  try {
    return { recorded: await writer.write(notification), problem: notification.problem };
  } catch (error) {
    if (codeOf(error) !== receiverErrors.notRecorded || notification.orders.length === 0) throw error;
    const { code, detail } = describeProblem(receiverErrors.notStorable).problem;
    const problem = { code, path: "", message: detail };
    return { recorded: await writer.write({ ...notification, problem, orders: [] }), problem };
  }
}

function refuse(
  code: ReceiverErrorCode,
  more: Pick<ReceiverResponse, "headers" | "fields" | "error"> & {
    readonly extensions?: Readonly<Record<string, unknown>>;
  } = {},
): ReceiverResponse {
  const { extensions, headers, ...rest } = more;
  const described = describeProblem(code, extensions);
  return { outcome: code, problem: described.problem, headers: { ...described.headers, ...headers }, ...rest };
}

function responseToError(error: unknown): ReceiverResponse {
  const code = codeOf(error);
  if (code === tooManyCandidates) return refuse(receiverErrors.tooManyCredentials);
  if (error instanceof AppError && isReceiverError(code)) return refuse(code, { error });
  return refuse(receiverErrors.unexpected, { error });
}

function describeUnusable({ code, path, message }: NotificationProblem, notificationId: string): Problem {
  const isJson = code !== "ocn.not_json";
  return {
    status: isJson ? 422 : 400,
    code,
    title: isJson ? "No usable notification" : "Not JSON",
    ...(isReceiverError(code) ? describeProblem(code).problem : {}),
    detail: `${message} It is kept in quarantine.`,
    extensions: { path, notificationId },
  };
}

const contentSniffingOff = { "X-Content-Type-Options": "nosniff" };

const acknowledgement = JSON.stringify(acknowledgeResponse());
const acknowledgementHeaders = {
  ...contentSniffingOff,
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(acknowledgement),
  "Cache-Control": "no-store",
};

function writeAcknowledgement(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, acknowledgementHeaders);
  // Node.js sends a text together with the headers, a buffer separately.
  response.end(acknowledgement);
}

/** Closing at once would reset the connection before a sending caller reads the response. */
function cutOffAfterResponse(request: Request, response: Response): void {
  response.once("finish", () => {
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs).unref();
  });
}

function sourceNameOf(request: Request): string {
  const { source } = request.params;
  return typeof source === "string" ? source : defaultSourceName;
}

function hasTokenInUrl(request: Request): boolean {
  const queryAt = request.originalUrl.indexOf("?");
  if (queryAt === -1) return false;
  return [...new URLSearchParams(request.originalUrl.slice(queryAt + 1)).keys()].some(
    (name) => name.toLowerCase() === "access_token",
  );
}

const refuseMalformedPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError) && Reflect.get(Object(error), "status") !== 400) return next(error);
  const { problem } = describeProblem(receiverErrors.malformedPath);
  writeProblem(response, problem, contentSniffingOff);
};
