import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { Secret } from "../kernel/secret.ts";
import { toClientHeader, withoutCredentials } from "./authorization.ts";
import { makeClientAssertion } from "./client-assertion.ts";
import type { HttpExchange, HttpTransport } from "./http-transport.ts";
import type { OAuthAuthorization } from "./ports.ts";

/** Stored with attempts. */
export type TokenFailureCode =
  /** The token endpoint was unreachable, failed, or its response has no valid token. */
  | "sender.token_unavailable"
  /** The token endpoint refused the client, grant or scope: 4xx other than 408 and 429. */
  | "sender.token_refused"
  | "sender.stopped";

export interface TokenFailure {
  readonly code: TokenFailureCode;
  readonly message: string;
  readonly retryAfter: string | null;
}

export type TokenResponse =
  | { readonly kind: "granted"; readonly token: Secret; readonly lifetimeMs: number }
  | { readonly kind: "failed"; readonly failure: TokenFailure };

export interface TokenRequestOptions {
  readonly clock: Clock;
  readonly http: HttpTransport;
  readonly deadlineMs: number;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/** RFC 6749 sets no limit for tokens, but a header line does. */
const responseLimitBytes = 64 * 1024;

/** Without `expires_in`, which RFC 6749 section 5.1 only recommends. */
const assumedLifetimeMs = 300_000;

/** Fits a header line of common servers. Broader than RFC 6750, because recipients invent tokens. */
const tokenPattern = /^[\x21-\x7e]{1,8000}$/;

/**
 * Never rejects, and never follows redirects.
 * @see RFC 6749 sections 2.3.1 (client authentication), 4.4 (the grant), 5 (the response)
 */
export async function requestToken(
  authorization: OAuthAuthorization,
  options: TokenRequestOptions,
): Promise<TokenResponse> {
  const form = await toForm(authorization, options.clock.now()).catch(readProblem);
  if (typeof form !== "string") return failedAt(authorization, "sender.token_unavailable", form.problem);
  const exchange = await options.http.post({
    url: authorization.tokenUrl,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": options.userAgent,
      ...(authorization.clientAuthentication === "basic" ? { authorization: toClientHeader(authorization) } : {}),
    },
    body: Buffer.from(form, "utf8"),
    deadlineMs: options.deadlineMs,
    responseLimitBytes,
    signal: options.signal,
  });
  return readTokenResponse(exchange, authorization);
}

async function toForm(authorization: OAuthAuthorization, now: Date): Promise<string> {
  const { clientId, clientSecret, clientAuthentication, scope, audience } = authorization;
  return new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
    ...(clientAuthentication === "post" ? { client_id: clientId, client_secret: clientSecret.reveal() } : {}),
    ...(clientAuthentication === "private-key-jwt"
      ? {
          client_id: clientId,
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: await makeClientAssertion(authorization, now),
        }
      : {}),
  }).toString();
}

/** Drops the text of unexpected errors, which may quote the key. */
function readProblem(error: unknown): { readonly problem: string } {
  const reason = error instanceof AppError ? error.message : "The private key cannot sign.";
  return { problem: `not asked, as the client cannot prove who it is. ${reason}` };
}

function failedAt(
  authorization: OAuthAuthorization,
  code: TokenFailureCode,
  what: string,
  retryAfter: string | null = null,
): TokenResponse {
  const { origin, pathname } = new URL(authorization.tokenUrl);
  const message = withoutCredentials(`Token endpoint ${origin}${pathname}: ${what}`, authorization);
  return { kind: "failed", failure: { code, message, retryAfter } };
}

/** Strict, because the recipient would refuse a wrong token later and less clearly. */
export function readTokenResponse(exchange: HttpExchange, authorization: OAuthAuthorization): TokenResponse {
  const failed = (code: TokenFailureCode, what: string): TokenResponse =>
    failedAt(authorization, code, what, exchange.retryAfter);
  const { status, failure } = exchange;
  if (failure?.code === "sender.stopped") return failed("sender.stopped", failure.message);
  if (status === null) return failed("sender.token_unavailable", failure?.message ?? "no response.");
  if (status === 200 && failure === null) {
    const grant = readGrant(readObject(exchange.body));
    return typeof grant === "string" ? failed("sender.token_unavailable", grant) : { kind: "granted", ...grant };
  }
  if (status === 200) return failed("sender.token_unavailable", `the response was cut off: ${failure?.message}`);
  if (status >= 300 && status <= 399) {
    return failed("sender.token_unavailable", `it responded with ${status}, and redirects are not followed.`);
  }
  const reason = readError(readObject(exchange.body), authorization);
  const mayPass = status < 400 || status > 499 || status === 408 || status === 429;
  return failed(mayPass ? "sender.token_unavailable" : "sender.token_refused", `it responded with ${status}${reason}.`);
}

function readGrant(
  body: Record<string, unknown> | null,
): { readonly token: Secret; readonly lifetimeMs: number } | string {
  if (body === null) return "the response is no JSON object.";
  const { access_token: token, token_type: type } = body;
  if (typeof token !== "string" || !tokenPattern.test(token)) {
    return "access_token is not a text of visible ASCII characters that fits into a header.";
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") return "token_type is not 'Bearer'.";
  const lifetimeMs = readLifetimeMs(body["expires_in"]);
  if (lifetimeMs === null) return "expires_in is no number of seconds.";
  return { token: new Secret(token), lifetimeMs };
}

function readLifetimeMs(expiresIn: unknown): number | null {
  if (expiresIn === undefined || expiresIn === null) return assumedLifetimeMs;
  // Several well-known servers send the number as text.
  const seconds =
    typeof expiresIn === "string" && /^\d{1,10}(\.\d{1,6})?$/.test(expiresIn) ? Number(expiresIn) : expiresIn;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** ` invalid_client: …`, limited to the characters that RFC 6749 section 5.2 allows. */
function readError(body: Record<string, unknown> | null, authorization: OAuthAuthorization): string {
  const read = (member: string, lengthMax: number): string | null => {
    const text = readPrintable(body?.[member]);
    // A secret cut in two would not be found.
    return text === null ? null : withoutCredentials(text, authorization).slice(0, lengthMax);
  };
  const code = read("error", 100);
  const description = read("error_description", 300);
  return `${code === null ? "" : ` ${code}`}${description === null ? "" : `: ${description.replace(/\.$/, "")}`}`;
}

function readPrintable(value: unknown): string | null {
  return typeof value === "string" && /^[\x20-\x7e]+$/.test(value) ? value : null;
}

function readObject(body: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
