import { performance } from "node:perf_hooks";
import { assertNever } from "../kernel/app-error.ts";
import { rememberedFor } from "../kernel/remembered-for.ts";
import type { Secret } from "../kernel/secret.ts";
import { readWebhookKey, signWebhook } from "../kernel/webhook-signature.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { toBasicHeader, toBearerHeader, withoutCredentials } from "./authorization.ts";
import type { HttpExchange, HttpTransport } from "./http-transport.ts";
import { type ExchangeVerdict, judgeExchange } from "./judge-exchange.ts";
import type { BegunAttempt, ExchangeTimings, ReadableMessage, RecipientAuthorization } from "./ports.ts";
import type { TokenFailure } from "./token-request.ts";

export interface SentAttempt {
  readonly verdict: ExchangeVerdict;
  readonly httpStatus: number | null;
  /** The header `Retry-After` of the recipient, or of the token endpoint. */
  readonly retryAfter: string | null;
  readonly answerExcerpt: string | null;
  readonly errorMessage: string | null;
  readonly durationMs: number;
  readonly timings: ExchangeTimings | null;
}

export interface SendOptions {
  readonly http: HttpTransport;
  readonly tokens: AccessTokens;
  /** For the access token and the request together. */
  readonly deadlineMs: number;
  readonly responseLimitBytes: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

type OutgoingAttempt = Pick<BegunAttempt, "startedAt" | "url" | "rules" | "message"> & {
  /** Its id is the `webhook-id`. */
  readonly delivery: Pick<BegunAttempt["delivery"], "id">;
  /** Sent as a header of this name; absent without tracing. */
  readonly traceparent?: string | null;
};

/** The database's limits. */
const excerptCharactersMax = 2_048;
const messageCharactersMax = 1_000;

/** Never rejects. Drops an access token that got a 401; the caller decides about another attempt. */
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
    // The stored bytes, because serialising the JSON again would change numbers.
    body: message.body,
    deadlineMs: Math.max((attempt.rules.deadlineMs ?? options.deadlineMs) - tokenMs, 1),
    responseLimitBytes: options.responseLimitBytes,
    signal: options.signal,
    clientCertificate: message.clientCertificate,
  });

  const { accessToken } = authorized;
  // If we interrupted the exchange, even a 401 is no verdict.
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

export function notSent(
  failure: {
    readonly code: NonNullable<ExchangeVerdict["errorCode"]>;
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

const webhookKeyOf = rememberedFor(readWebhookKey);

function toHeaders(
  attempt: OutgoingAttempt,
  { signingSecrets, body }: ReadableMessage,
  authorization: string | null,
  userAgent: string,
): Readonly<Record<string, string>> {
  const { delivery, traceparent = null } = attempt;
  const { id } = delivery;
  const timestamp = String(Math.floor(attempt.startedAt.getTime() / 1_000));
  const signatures = signingSecrets.map(
    (secret) => `v1,${signWebhook(webhookKeyOf(secret), id, timestamp, body).toString("base64")}`,
  );
  return {
    "content-type": "application/json",
    accept: "application/json",
    // Uncompressed, so that compression can't bypass the size limit.
    "accept-encoding": "identity",
    ...(authorization === null ? {} : { authorization }),
    "user-agent": userAgent,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(traceparent !== null && { traceparent }),
    ...(signatures.length === 0 ? {} : { "webhook-signature": signatures.join(" ") }),
  };
}

const utf8 = new TextDecoder();

function toExcerpt(
  exchange: HttpExchange,
  { authorization, signingSecrets }: ReadableMessage,
  accessToken: Secret | null,
): string | null {
  if (exchange.body.length === 0) return null;
  const text = utf8.decode(exchange.body);
  // PostgreSQL text allows no NUL. Truncated last, because a secret cut in two would not be found.
  const safe = withoutCredentials(text, authorization, accessToken, ...signingSecrets);
  return safe.replaceAll("\0", "").slice(0, excerptCharactersMax);
}
