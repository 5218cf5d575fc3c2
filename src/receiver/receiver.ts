import type { RequestListener } from "node:http";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import type { Dialect } from "../contract/dialect.ts";
import type { ClientAddressOf } from "../http/client-address.ts";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { networkOf } from "../kernel/networks.ts";
import { nothingRecognised, type RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import { createTokenVerifiers } from "./access-token-verifiers.ts";
import { authenticatePush } from "./authenticate-push.ts";
import { createAuthorizationServerClient } from "./authorization-server-client.ts";
import { checkRequest } from "./check-request.ts";
import { createConnections } from "./connections.ts";
import { defaultKeySetTimings, type KeySetTimings } from "./key-sets.ts";
import { createSourceDirectory, defaultSourceName } from "./known-sources.ts";
import { createNotificationWriter } from "./notification-writer.ts";
import { createOrderReader } from "./order-reader.ts";
import type { AssertionStore, NotificationStore, ReceiverLimits, ReceiverSource, SigningKeyStore } from "./ports.ts";
import { type Push, type PushResponse, refuseError, refuseStopping } from "./push.ts";
import { createPushBodies } from "./push-bodies.ts";
import { createPushReport, startTrace } from "./push-trace.ts";
import { describeProblem, receiverErrors } from "./receiver-problems.ts";
import { recordPush } from "./record-push.ts";
import { sendResponse, writeReceiverProblem } from "./send-response.ts";
import { unusableSource } from "./source-errors.ts";
import { createTokenEndpoint, type TokenEndpoint, type TokenRates } from "./token-endpoint/token-endpoint.ts";
import { findWay } from "./ways.ts";

export interface ReceiverOptions {
  /** The source named `default` is also served on `/ocn`. */
  readonly sources: readonly ReceiverSource[];
  readonly dialect: Dialect;
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
  /** What this receiver and others have recognised; without it a restart forgets which credentials were right. */
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

/** A slower authorization server would delay gateways, which can retry. */
const authorizationServerTimeoutMs = 5_000;

/**
 * Acknowledges only after the commit of the body, its verdict and the mark by which workers open its cases.
 * @throws AppError `receiver.unusable_source` for a source without authentication or with a duplicate name
 * @see interface document, "Events"
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { clock, limits, tracer = noTracer, recognised = nothingRecognised } = options;
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
  const networkOfCaller = (request: Request): string => networkOf(options.addressOf(request));
  const sources = createSourceDirectory(options.sources, { clock, recognised, verifiers, networkOf: networkOfCaller });
  const connections = createConnections();
  const bodies = createPushBodies({ limits, connections, clock, networkOf: networkOfCaller });
  const orderReader = createOrderReader(options.dialect, limits.orders);
  const writer = createNotificationWriter({ store: options.store, backlogBytes: limits.backlogBytes });
  const report = createPushReport(options);
  const recording = { clock, logger: options.logger, tracer, orderReader, writer };

  async function receive(request: Request, response: Response): Promise<void> {
    const push: Push = { request, response, startedAt: clock.now(), span: null };
    const name = sourceNameOf(request);
    const decided = await decideResponse(push, name).catch((error: unknown) => refuseError(error).response);
    sendResponse(push, decided, connections);
    report(push, sources.find(name)?.name ?? null, decided);
  }

  async function decideResponse(push: Push, name: string): Promise<PushResponse> {
    const checked = checkRequest(push.request);
    if (checked.outcome === "refused") return checked.response;
    const authenticated = await authenticatePush(push, name, { sources, bodies });
    if (authenticated.outcome === "refused") return authenticated.response;
    const { source, signedBody } = authenticated;
    const { traceparent } = startTrace(push, source.name, tracer);
    if (connections.isStopping()) return refuseStopping().response;
    const readSpan = tracer.start("read body", { parent: traceparent });
    const read = await (signedBody === null ? bodies.read(push, source) : bodies.inflate(push, signedBody));
    readSpan.end();
    if (read.outcome === "refused") return read.response;
    return await recordPush(push, source, read.body, recording);
  }

  const router = Router();
  router.all(["/ocn", "/ocn/:source"], (request, response) => connections.track(receive(request, response)));
  router.use("/ocn", refuseMalformedPath);
  if (tokenEndpoint !== null) router.use(tokenEndpoint.router);

  return {
    router,
    createCheckContinue: connections.createCheckContinue,
    async drain() {
      tokenEndpoint?.stop();
      await connections.drain();
      await authorizationServers.close();
      await orderReader.close();
      await writer.flush();
    },
    backlogBytes: () => writer.backlogBytes(),
  };
}

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

function sourceNameOf(request: Request): string {
  const { source } = request.params;
  return typeof source === "string" ? source : defaultSourceName;
}

const refuseMalformedPath: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof URIError) && Reflect.get(Object(error), "status") !== 400) return next(error);
  writeReceiverProblem(response, describeProblem(receiverErrors.malformedPath).problem);
};
