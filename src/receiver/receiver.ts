import type { RequestListener, ServerResponse } from "node:http";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import { acknowledgeResponse } from "../contract/acknowledgement.ts";
import { readNotifiedOrders } from "../contract/notified-orders.ts";
import { type Problem, writeProblem } from "../http/problem-document.ts";
import { AppError, assertNever, codeOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { newId } from "../kernel/ids.ts";
import { tooManyCandidates } from "../kernel/secret-verifier.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createVerifierMaker } from "./access-token-verifiers.ts";
import { type Authentication, invalidRequestChallenge } from "./authentication.ts";
import { createAuthorizationServerClient } from "./authorization-server-client.ts";
import { defaultKeySetTimings, type KeySetTimings } from "./key-sets.ts";
import { createSourceDirectory, defaultSourceName, type KnownSource } from "./known-sources.ts";
import { createNotificationWriter, type NotificationWriter, type Recorded } from "./notification-writer.ts";
import type {
  AssertionStore,
  IncomingNotification,
  NotificationProblem,
  NotificationStore,
  NotifiedOrder,
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

export interface ReceiverOptions {
  /** All gateway accounts that may push here. The one named `default` also answers on `/ocn`. */
  readonly sources: readonly ReceiverSource[];
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "notifications" | "ackSeconds">;
  readonly limits: ReceiverLimits;
  /** Our own token endpoint; needed as soon as a source has clients there. */
  readonly tokenEndpoint?: {
    /** Our public URL without a slash at its end; a function, because it may be known only once we listen. */
    readonly issuer: () => string;
    readonly keys: SigningKeyStore;
    readonly assertions: AssertionStore;
    readonly rates?: TokenRates;
  };
  /** How authorization servers are asked; for tests, which cannot wait. */
  readonly authorizationServers?: { readonly timeoutMs?: number; readonly keySets?: Partial<KeySetTimings> };
}

/** The push target. */
export interface Receiver {
  /**
   * Serves `/ocn` and `/ocn/:source`, and, when a source has clients of our own token endpoint, `/oauth/token` and
   * `/oauth/jwks.json`. Mount it before anything that reads bodies; it needs no application around it.
   */
  readonly router: Router;
  /**
   * Attach it to the server: `server.on("checkContinue", receiver.createCheckContinue(app))`. Without it Node.js answers
   * `Expect: 100-continue` itself, and asks for bodies of callers who have not proved who they are.
   */
  createCheckContinue(app: RequestListener): RequestListener;
  /**
   * Refuses what comes from now on, gives bodies on their way a short time to arrive, and resolves when every request is
   * answered and everything taken is committed.
   */
  drain(): Promise<void>;
  /** Bytes of notifications that wait for their commit. */
  backlogBytes(): number;
}

/** Bodies that are still arriving when the process stops get this long; the whole stop must fit into 10 s. */
const drainReadMs = 3_000;

/** A refused caller that goes on sending is listened to for so long, so that it can read its answer, and then cut off. */
const lingerMs = 2_000;

/** Bodies read at the same time from senders who have yet to prove, by the signature of that body, who they are. */
const unprovenReadsMax = 16;

/** An authorization server that takes longer keeps gateways waiting that could try again. */
const authorizationServerTimeoutMs = 5_000;

/** What is answered, and what is told about it. */
interface Answer {
  /** For metrics: `new`, `repeated`, `quarantined`, or the code of the problem. */
  readonly outcome: string;
  /** Null acknowledges. */
  readonly problem: Problem | null;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Ids and sizes for the log. */
  readonly fields?: object;
  readonly error?: unknown;
}

/**
 * The receiver: authenticate, read, validate, record, acknowledge. An acknowledgement is sent only after the commit of
 * the body, its verdict and the due times of its cases; whatever else happens, the caller is told that it was not kept.
 *
 * @throws AppError `receiver.unusable_source` for a source without a way to authenticate or with a name that is taken.
 * @see interface document, "Events"
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { clock, logger, metrics, limits } = options;
  const tokenEndpoint = openTokenEndpoint(options);
  const authorizationServers = createAuthorizationServerClient(
    options.authorizationServers?.timeoutMs ?? authorizationServerTimeoutMs,
  );
  const accessTokensOf = createVerifierMaker({
    client: authorizationServers,
    clock,
    keySetTimings: { ...defaultKeySetTimings, ...options.authorizationServers?.keySets },
    verifyOwn: (source) => tokenEndpoint?.verifierOf(source) ?? null,
  });
  const directory = createSourceDirectory(options.sources, { clock, accessTokensOf });
  const writer = createNotificationWriter({ store: options.store, backlogBytes: limits.backlogBytes });
  const awaitingContinue = new WeakSet<object>();
  const underWay = new Set<Promise<void>>();
  const stopReading = new AbortController();
  let isDraining = false;
  let unprovenReads = 0;

  async function receive(request: Request, response: Response): Promise<void> {
    const startedAt = clock.now();
    const name = sourceNameOf(request);
    let answer: Answer;
    try {
      answer = await decideAnswer(name, request, response);
    } catch (error) {
      answer = answerToError(error);
    }
    send(request, response, answer);
    logOutcome(directory.find(name)?.name ?? null, answer, startedAt);
  }

  async function decideAnswer(name: string, request: Request, response: Response): Promise<Answer> {
    if (request.method !== "POST") return refuse(receiverErrors.methodNotAllowed, { headers: { Allow: "POST" } });
    const invalidRequest = { headers: { "WWW-Authenticate": invalidRequestChallenge } };
    if (hasTokenInUrl(request)) return refuse(receiverErrors.tokenInUrl, invalidRequest);
    // Node.js keeps the first and drops the others; a proxy in between may have judged another one.
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
    if (isDraining) return refuse(receiverErrors.stopping, { headers: { Connection: "close" } });

    if (!isJsonType(request.headers["content-type"])) return refuse(receiverErrors.unsupportedContentType);
    const encoding = readEncoding(request.headers["content-encoding"]);
    if (encoding === null) {
      return refuse(receiverErrors.unsupportedContentEncoding, { headers: { "Accept-Encoding": acceptedEncodings } });
    }
    const reading =
      signedBody === null
        ? await readProvenBody(source, encoding, request, response)
        : await inflateBody(signedBody, { encoding, bytesMax: limits.bodyBytes });
    if (reading === null) return refuse(receiverErrors.tooManyRequests);
    return await answerToBody(source, reading, request.headers["content-type"] ?? null);
  }

  /** The body of a caller who has proved who it is; null when too many of its source are being read. */
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
   * The body of a request that is proved by its signature, as it came over the wire; an answer when it could not be read;
   * null when there is no such proof. A signature is over the body, so this one way needs the body of a stranger: few at
   * a time, and only with headers that could be right.
   */
  async function readSignedBody(
    source: KnownSource | undefined,
    request: Request,
    response: Response,
  ): Promise<Buffer | Answer | null> {
    const claim = source?.signatures?.readClaim(request.headers) ?? null;
    if (claim === null) return null;
    if (isDraining) return refuse(receiverErrors.stopping, { headers: { Connection: "close" } });
    if (unprovenReads >= unprovenReadsMax) return refuse(receiverErrors.tooManyRequests);
    if (awaitingContinue.delete(request)) response.writeContinue();
    unprovenReads += 1;
    const encoding = readEncoding(request.headers["content-encoding"]) ?? "identity";
    const reading = await readBody(request, {
      encoding: "identity",
      bytesMax: wireBytesMaxOf({ encoding, bytesMax: limits.bodyBytes }),
      timeoutMs: limits.bodyTimeoutMs,
      stop: stopReading.signal,
    });
    unprovenReads -= 1;
    if (reading.outcome !== "read") return reading.outcome === "not-inflatable" ? null : refuseUnread(reading);
    return source?.signatures?.isSigned(claim, reading.body) === true ? reading.body : null;
  }

  function refuseUnread({ outcome, wireBytes }: UnreadBody): Answer {
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

  async function answerToBody(source: KnownSource, reading: BodyReading, contentType: string | null): Promise<Answer> {
    switch (reading.outcome) {
      case "not-inflatable": {
        const { problem } = describeProblem(receiverErrors.bodyNotInflatable);
        const verdict = { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
        return await record(source, reading.wireBody, contentType, verdict);
      }
      case "read":
        return await record(source, reading.body, contentType, validate(reading.body, limits.orders, logger));
      default:
        return refuseUnread(reading);
    }
  }

  async function record(
    source: KnownSource,
    body: Buffer,
    contentType: string | null,
    verdict: Verdict,
  ): Promise<Answer> {
    const notification = {
      id: newId(clock),
      source: source.name,
      receivedAt: clock.now(),
      body,
      digest: digestOfBytes(body),
      contentType,
      ...verdict,
    };
    const { recorded, problem } = await writeOrQuarantine(writer, notification);
    const fields = {
      notificationId: recorded.notificationId,
      receipts: recorded.receipts,
      orderIds: verdict.orders.map(({ orderId }) => orderId),
      bodyBytes: body.length,
    };
    if (problem === null) {
      return { outcome: recorded.receipts === 1 ? "new" : "repeated", problem: null, fields };
    }
    return {
      outcome: "quarantined",
      problem: source.acknowledgeUnusable ? null : describeVerdict(problem, recorded.notificationId),
      fields: { ...fields, code: problem.code, path: problem.path },
    };
  }

  function send(request: Request, response: Response, { outcome, problem, headers }: Answer): void {
    if (outcome === receiverErrors.bodyAborted) {
      response.destroy();
      return;
    }
    // A caller still waiting to be asked for its body may send the next request in its place: only a new connection
    // keeps the two apart.
    if (awaitingContinue.delete(request)) response.setHeader("Connection", "close");
    if (!request.complete) cutOffAfterAnswer(request, response);
    if (problem === null) writeAcknowledgement(response);
    else writeProblem(response, problem, { ...headers, ...contentSniffingOff });
  }

  function logOutcome(source: string | null, { outcome, problem, fields, error }: Answer, startedAt: Date): void {
    const durationMs = clock.now().getTime() - startedAt.getTime();
    metrics.notifications.inc({ source: source ?? "unknown", outcome });
    metrics.ackSeconds.observe({ outcome }, durationMs / 1000);
    const status = problem?.status ?? 200;
    const line = { source, status, outcome, ...fields, durationMs, ...(error !== undefined && { error }) };
    // One name for what was kept, another for what was not: the first is what must be found again later.
    if (outcome === "new" || outcome === "repeated") logger.info(line, "notification.received");
    else if (outcome === "quarantined") logger.warn(line, "notification.received");
    else if (status === 500) logger.error(line, "notification.refused");
    else logger.warn(line, "notification.refused");
  }

  const router = Router();
  router.all(["/ocn", "/ocn/:source"], async (request, response) => {
    const receiving = receive(request, response);
    underWay.add(receiving);
    await receiving.finally(() => underWay.delete(receiving));
  });
  router.use("/ocn", answerMalformedPath);
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
      await writer.flush();
    },
    backlogBytes: () => writer.backlogBytes(),
  };
}

/** A body of which not enough came to be judged. */
type UnreadBody = Exclude<BodyReading, { readonly outcome: "read" } | { readonly outcome: "not-inflatable" }>;

function openTokenEndpoint(options: ReceiverOptions): TokenEndpoint | null {
  const withClients = options.sources.find(({ authentication }) => (authentication.clients?.clients.length ?? 0) > 0);
  if (withClients === undefined) return null;
  if (options.tokenEndpoint === undefined) {
    throw new AppError(unusableSource, `Source ${withClients.name} has OAuth clients, and there is no token endpoint.`);
  }
  const { sources, clock, logger, tokenEndpoint } = options;
  return createTokenEndpoint({ sources, clock, logger, ...tokenEndpoint });
}

function rejectUnauthenticated(authentication: Extract<Authentication, { authenticated: false }>): Answer {
  const { refusal, challenges, tokenFault } = authentication;
  return refuse(refusal === "unauthorized" ? receiverErrors.unauthorized : receiverErrors.insufficientScope, {
    headers: { "WWW-Authenticate": challenges },
    ...(tokenFault !== null && { fields: { tokenFault } }),
  });
}

interface Verdict {
  readonly problem: NotificationProblem | null;
  readonly orders: readonly NotifiedOrder[];
}

function validate(body: Buffer, ordersMax: number, logger: Logger): Verdict {
  try {
    const reading = readNotifiedOrders(body, ordersMax);
    return reading.ok ? { problem: null, orders: reading.orders } : { problem: reading.problem, orders: [] };
  } catch (error) {
    // Only a fault of ours gets here. The body is evidence all the same and must not be lost.
    logger.error({ error }, "notification.unreadable");
    const { problem } = describeProblem(receiverErrors.bodyNotReadable);
    return { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
  }
}

/**
 * Records the notification. When the database refuses it for what it says, and not for being away, the bytes are kept in
 * quarantine instead: a usable notification must not be lost for an OrderID that no column can hold.
 */
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
  more: Pick<Answer, "headers" | "fields" | "error"> & { readonly extensions?: Readonly<Record<string, unknown>> } = {},
): Answer {
  const { extensions, headers, ...rest } = more;
  const described = describeProblem(code, extensions);
  return { outcome: code, problem: described.problem, headers: { ...described.headers, ...headers }, ...rest };
}

function answerToError(error: unknown): Answer {
  const code = codeOf(error);
  if (code === tooManyCandidates) return refuse(receiverErrors.tooManyCredentials);
  if (error instanceof AppError && isReceiverError(code)) return refuse(code, { error });
  return refuse(receiverErrors.unexpected, { error });
}

function describeVerdict({ code, path, message }: NotificationProblem, notificationId: string): Problem {
  const extensions = { path, notificationId };
  if (isReceiverError(code)) return describeProblem(code, extensions).problem;
  const isJson = code !== "ocn.not_json";
  return {
    status: isJson ? 422 : 400,
    code,
    title: isJson ? "No usable notification" : "Not JSON",
    detail: `${message} It is kept in quarantine.`,
    extensions,
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
  // A text leaves in one piece with the headers, a buffer in a second one.
  response.end(acknowledgement);
}

/** Closing at once would reset the connection and take the answer from a caller that is still sending. */
function cutOffAfterAnswer(request: Request, response: Response): void {
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

/** JSON by any name. A missing type is no lie: the body is then judged by itself. */
function isJsonType(contentType: string | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";");
  return mediaType.trim() === "" || /^application\/(?:[\w.!#$&^-]+\+)?json$/i.test(mediaType.trim());
}

const answerMalformedPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError) && Reflect.get(Object(error), "status") !== 400) return next(error);
  const { problem } = describeProblem(receiverErrors.malformedPath);
  writeProblem(response, problem, contentSniffingOff);
};
