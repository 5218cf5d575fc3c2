import { performance } from "node:perf_hooks";
import { assertNever } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import { readWebhookKey, signWebhook } from "../kernel/webhook-signature.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { toBasicHeader, toBearerHeader, withoutCredentials } from "./authorization.ts";
import type { HttpExchange, HttpTransport } from "./http-transport.ts";
import { judgeExchange, type Verdict } from "./judge-exchange.ts";
import type { BegunAttempt, ExchangeTimings, ReadableMessage, RecipientAuthorization } from "./ports.ts";
import type { TokenFailure } from "./token-request.ts";

/** What became of one try. */
export interface SentAttempt {
  readonly verdict: Verdict;
  /** The recipient's; null when it was not reached. */
  readonly httpStatus: number | null;
  /** The Retry-After header of whoever answered last, recipient or token endpoint. */
  readonly retryAfter: string | null;
  /** The beginning of the recipient's answer, without credentials. */
  readonly answerExcerpt: string | null;
  /** What went wrong, in words without credentials; null when code and status say it all. */
  readonly errorMessage: string | null;
  readonly durationMs: number;
  /** Of the exchange with the recipient; null when it was not called. */
  readonly timings: ExchangeTimings | null;
}

export interface SendOptions {
  readonly http: HttpTransport;
  readonly tokens: AccessTokens;
  /** For everything: getting an access token, connecting, sending, reading the answer. */
  readonly deadlineMs: number;
  readonly answerLimitBytes: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** What of an attempt goes out. */
type OutgoingAttempt = Pick<BegunAttempt, "startedAt" | "url" | "rules" | "message"> & {
  /** Its id is the `webhook-id`. */
  readonly delivery: Pick<BegunAttempt["delivery"], "id">;
};

/** As long as the database allows an excerpt and a message to be. */
const excerptCharactersMax = 2_048;
const messageCharactersMax = 1_000;

/**
 * Sends one attempt and judges what came of it. Never rejects. An access token that the recipient answers with 401 is
 * dropped here; whether the attempt is followed by another one is for the caller to decide.
 */
export async function sendAttempt(
  recipientId: string,
  attempt: OutgoingAttempt,
  options: SendOptions,
): Promise<SentAttempt> {
  const { message } = attempt;
  if (message.kind === "unreadable") return notSent({ ...message.reason, retryAfter: null }, 0);
  const startedAt = performance.now();
  const authorized = await authorize(recipientId, message.authorization, options.tokens);
  const tokenMs = Math.round(performance.now() - startedAt);
  if (authorized.kind === "failed") return notSent(authorized.failure, tokenMs);

  const exchange = await options.http.post({
    url: attempt.url,
    headers: toHeaders(attempt, message, authorized.header, options.userAgent),
    // The stored bytes as they are: writing the JSON anew would change numbers.
    body: message.body,
    deadlineMs: Math.max((attempt.rules.deadlineMs ?? options.deadlineMs) - tokenMs, 1),
    answerLimitBytes: options.answerLimitBytes,
    signal: options.signal,
    clientCertificate: message.clientCertificate,
  });

  const { accessToken } = authorized;
  // Cut short by ourselves, even a 401 is no verdict.
  const isTokenRejected =
    accessToken !== null && exchange.status === 401 && exchange.failure?.code !== "sender.stopped";
  if (isTokenRejected) options.tokens.drop(recipientId, accessToken);
  return {
    verdict: isTokenRejected
      ? { outcome: "refused", errorCode: "sender.token_rejected" }
      : judgeExchange(exchange, attempt.rules.acknowledgement),
    httpStatus: exchange.status,
    retryAfter: exchange.retryAfter,
    answerExcerpt: toExcerpt(exchange, message, accessToken),
    errorMessage: exchange.failure?.message.slice(0, messageCharactersMax) ?? null,
    durationMs: tokenMs + exchange.durationMs,
    timings: exchange.timings,
  };
}

type Authorized =
  | { readonly kind: "authorized"; readonly header: string | null; readonly accessToken: Secret | null }
  | { readonly kind: "failed"; readonly failure: TokenFailure };

async function authorize(
  recipientId: string,
  authorization: RecipientAuthorization,
  tokens: AccessTokens,
): Promise<Authorized> {
  switch (authorization.type) {
    case "none":
      return { kind: "authorized", header: null, accessToken: null };
    case "basic": {
      const header = toBasicHeader(authorization.username, authorization.password);
      return { kind: "authorized", header, accessToken: null };
    }
    case "bearer":
      return { kind: "authorized", header: toBearerHeader(authorization.token), accessToken: null };
    case "oauth": {
      const outcome = await tokens.get(recipientId, authorization);
      if (outcome.kind === "failed") return outcome;
      return { kind: "authorized", header: toBearerHeader(outcome.token), accessToken: outcome.token };
    }
    default:
      return assertNever(authorization);
  }
}

/** An attempt that ended before anything could be sent to the recipient. */
export function notSent(
  failure: {
    readonly code: NonNullable<Verdict["errorCode"]>;
    readonly message: string;
    readonly retryAfter: string | null;
  },
  durationMs: number,
): SentAttempt {
  return {
    verdict: { outcome: "failed", errorCode: failure.code },
    httpStatus: null,
    retryAfter: failure.retryAfter,
    answerExcerpt: null,
    errorMessage: failure.message.slice(0, messageCharactersMax),
    durationMs,
    timings: null,
  };
}

function toHeaders(
  attempt: OutgoingAttempt,
  { signingSecrets, body }: ReadableMessage,
  authorization: string | null,
  userAgent: string,
): Readonly<Record<string, string>> {
  const { id } = attempt.delivery;
  const timestamp = String(Math.floor(attempt.startedAt.getTime() / 1_000));
  const signatures = signingSecrets.map(
    (secret) => `v1,${signWebhook(readWebhookKey(secret), id, timestamp, body).toString("base64")}`,
  );
  return {
    "content-type": "application/json",
    accept: "application/json",
    // The answer is read as it comes, so that its size limit cannot be tricked by compression.
    "accept-encoding": "identity",
    ...(authorization === null ? {} : { authorization }),
    "user-agent": userAgent,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signatures.length === 0 ? {} : { "webhook-signature": signatures.join(" ") }),
  };
}

function toExcerpt(
  exchange: HttpExchange,
  { authorization, signingSecrets }: ReadableMessage,
  accessToken: Secret | null,
): string | null {
  if (exchange.body.length === 0) return null;
  const text = new TextDecoder().decode(exchange.body);
  // PostgreSQL text holds no NUL. Cut last: a secret that is cut in two would no longer be found.
  const safe = withoutCredentials(text, authorization, accessToken, ...signingSecrets);
  return safe.replaceAll("\0", "").slice(0, excerptCharactersMax);
}
