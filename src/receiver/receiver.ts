import type { RequestListener, ServerResponse } from "node:http";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import { acknowledgeResponse } from "../contract/acknowledgement.ts";
import { readNotification } from "../contract/notification.ts";
import type { OrderRecord } from "../contract/order-view.ts";
import { AppError, assertNever, codeOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { digestOfBytes } from "../kernel/digest.ts";
import { newId } from "../kernel/ids.ts";
import { type Problem, writeProblem } from "../kernel/problem-document.ts";
import { tooManyCandidates } from "../kernel/secret-verifier.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createSourceDirectory, defaultSourceName, type KnownSource } from "./known-sources.ts";
import { createNotificationWriter, type NotificationWriter, type Recorded } from "./notification-writer.ts";
import type {
  IncomingNotification,
  NotificationProblem,
  NotificationStore,
  NotifiedOrder,
  ReceiverLimits,
  ReceiverSource,
} from "./ports.ts";
import { acceptedEncodings, type BodyReading, readBody, readEncoding } from "./read-body.ts";
import { describeProblem, isReceiverError, type ReceiverErrorCode, receiverErrors } from "./receiver-problems.ts";

export interface ReceiverOptions {
  /** All gateway accounts that may push here. The one named `default` also answers on `/ocn`. */
  readonly sources: readonly ReceiverSource[];
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "notifications" | "ackSeconds">;
  readonly limits: ReceiverLimits;
}

/** The push target. */
export interface Receiver {
  /** Serves `/ocn` and `/ocn/:source`. Mount it before anything that reads bodies. */
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
export async function createReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { clock, logger, metrics, limits } = options;
  const directory = await createSourceDirectory(options.sources);
  const writer = createNotificationWriter({ store: options.store, backlogBytes: limits.backlogBytes });
  const awaitingContinue = new WeakSet<object>();
  const underWay = new Set<Promise<void>>();
  const stopReading = new AbortController();
  let isDraining = false;

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
    tell(directory.find(name)?.name ?? null, answer, startedAt);
  }

  async function decideAnswer(name: string, request: Request, response: Response): Promise<Answer> {
    if (request.method !== "POST") return refuse(receiverErrors.methodNotAllowed, { headers: { Allow: "POST" } });
    if (hasTokenInUrl(request)) return refuse(receiverErrors.tokenInUrl);

    const source = directory.find(name);
    const authentication = await directory.authenticate(source, request, response);
    if (!authentication.authenticated) {
      return refuse(receiverErrors.unauthorized, { headers: { "WWW-Authenticate": authentication.challenges } });
    }
    if (source === undefined) return refuse(receiverErrors.unknownSource);
    if (isDraining) return refuse(receiverErrors.stopping, { headers: { Connection: "close" } });

    if (!isJsonType(request.headers["content-type"])) return refuse(receiverErrors.unsupportedContentType);
    const encoding = readEncoding(request.headers["content-encoding"]);
    if (encoding === null) {
      return refuse(receiverErrors.unsupportedContentEncoding, { headers: { "Accept-Encoding": acceptedEncodings } });
    }
    if (source.reads >= limits.readsPerSource) return refuse(receiverErrors.tooManyRequests);

    if (awaitingContinue.delete(request)) response.writeContinue();
    source.reads += 1;
    const reading = await readBody(request, {
      encoding,
      bytesMax: limits.bodyBytes,
      timeoutMs: limits.bodyTimeoutMs,
      stop: stopReading.signal,
    });
    source.reads -= 1;
    return await answerToBody(source, reading, request.headers["content-type"] ?? null);
  }

  async function answerToBody(source: KnownSource, reading: BodyReading, contentType: string | null): Promise<Answer> {
    const fields = { wireBytes: reading.wireBytes };
    switch (reading.outcome) {
      case "too-long":
        return refuse(receiverErrors.bodyTooLong, { fields, extensions: { limitBytes: limits.bodyBytes } });
      case "too-slow":
        return refuse(receiverErrors.bodyTimeout, { fields, headers: { Connection: "close" } });
      case "stopped":
        return refuse(receiverErrors.stopping, { fields, headers: { Connection: "close" } });
      case "aborted":
        return refuse(receiverErrors.bodyAborted, { fields });
      case "not-inflatable": {
        const { problem } = describeProblem(receiverErrors.bodyNotInflatable);
        const verdict = { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
        return await record(source, reading.wireBody, contentType, verdict);
      }
      case "read":
        return await record(source, reading.body, contentType, validate(reading.body, logger));
      default:
        return assertNever(reading);
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
    else writeProblem(response, problem, headers);
  }

  function tell(source: string | null, { outcome, problem, fields, error }: Answer, startedAt: Date): void {
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

  return {
    router,
    createCheckContinue: (app) => (request, response) => {
      if (/^\/ocn(?:[/?]|$)/i.test(request.url ?? "")) awaitingContinue.add(request);
      else response.writeContinue();
      app(request, response);
    },
    async drain() {
      isDraining = true;
      const timer = setTimeout(() => stopReading.abort(), drainReadMs);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
      await writer.flush();
    },
    backlogBytes: () => writer.backlogBytes(),
  };
}

interface Verdict {
  readonly problem: NotificationProblem | null;
  readonly orders: readonly NotifiedOrder[];
}

function validate(body: Buffer, logger: Logger): Verdict {
  try {
    const reading = readNotification(body);
    if (!reading.ok) return { problem: reading.problem, orders: [] };
    return { problem: null, orders: readOrders(reading.view.orders) };
  } catch (error) {
    // A body that nobody thought of, such as one nested ten thousand deep, is evidence and must not be lost.
    logger.error({ error }, "notification.unreadable");
    const { problem } = describeProblem(receiverErrors.bodyNotReadable);
    return { problem: { code: problem.code, path: "", message: problem.detail }, orders: [] };
  }
}

/** Each order once; several elements may carry the same OrderID with different booking references. */
function readOrders(records: readonly OrderRecord[]): readonly NotifiedOrder[] {
  const references = new Map<string, Set<string>>();
  for (const { orderId, gdsBookingReferences } of records) {
    const known = references.get(orderId) ?? new Set();
    for (const reference of gdsBookingReferences) known.add(reference);
    references.set(orderId, known);
  }
  return [...references].map(([orderId, known]) => ({ orderId, gdsBookingReferences: [...known] }));
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

function writeAcknowledgement(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(acknowledgeResponse()));
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
  });
  response.end(body);
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
  const query = request.originalUrl.split("?").slice(1).join("?");
  return [...new URLSearchParams(query).keys()].some((name) => name.toLowerCase() === "access_token");
}

/** JSON by any name. A missing type is no lie: the body is then judged by itself. */
function isJsonType(contentType: string | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";");
  return mediaType.trim() === "" || /^application\/(?:[\w.!#$&^-]+\+)?json$/i.test(mediaType.trim());
}

const answerMalformedPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError) && Reflect.get(Object(error), "status") !== 400) return next(error);
  const { problem } = describeProblem(receiverErrors.malformedPath);
  writeProblem(response, problem);
};
