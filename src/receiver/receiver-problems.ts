import type { Problem } from "../http/problem-document.ts";

export const receiverErrors = {
  methodNotAllowed: "receiver.method_not_allowed",
  /** `access_token` in the URL, where proxies and logs store it. */
  tokenInUrl: "receiver.token_in_url",
  unauthorized: "receiver.unauthorized",
  severalAuthorizations: "receiver.several_authorizations",
  insufficientScope: "receiver.insufficient_scope",
  tokenUndecided: "receiver.token_undecided",
  tooManyCredentials: "receiver.too_many_credentials",
  /** Only for callers authenticated as the default source. */
  unknownSource: "receiver.unknown_source",
  stopping: "receiver.stopping",
  /** No JSON, and not declared as JSON. Quarantined. */
  unsupportedContentType: "receiver.unsupported_content_type",
  /** No JSON, and encoded in a way that nobody here undoes. Quarantined as received. */
  unsupportedContentEncoding: "receiver.unsupported_content_encoding",
  tooManyRequests: "receiver.too_many_requests",
  /** After inflating. */
  bodyTooLong: "receiver.body_too_long",
  bodyTimeout: "receiver.body_timeout",
  /** The caller disconnected in the middle of its body. Only logged. */
  bodyAborted: "receiver.body_aborted",
  /** Reading failed unexpectedly. Quarantined. */
  bodyNotReadable: "receiver.body_not_readable",
  /** Quarantined as received. */
  bodyNotInflatable: "receiver.body_not_inflatable",
  /** The database can't store a value, such as an OrderID with a NUL. Quarantined. */
  notStorable: "receiver.not_storable",
  backlogFull: "receiver.backlog_full",
  /** The database is unavailable, or the outcome of the commit is unknown. */
  storeUnavailable: "receiver.store_unavailable",
  notRecorded: "receiver.not_recorded",
  malformedPath: "receiver.malformed_path",
  unexpected: "receiver.unexpected",
} as const;

export type ReceiverErrorCode = (typeof receiverErrors)[keyof typeof receiverErrors];

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly retryAfterSeconds?: number;
}

const kinds: Readonly<Record<ReceiverErrorCode, ProblemKind>> = {
  "receiver.method_not_allowed": {
    status: 405,
    title: "Method not allowed",
    detail: "Notifications are sent with POST.",
  },
  "receiver.token_in_url": {
    status: 400,
    title: "Token in the URL",
    detail:
      "The URL holds an access_token. URLs end up in logs: replace that token, and send the new one in the Authorization header.",
  },
  "receiver.unauthorized": {
    status: 401,
    title: "Not authorized",
    detail: "The Authorization header is missing, malformed, or not accepted here. WWW-Authenticate names what is.",
  },
  "receiver.several_authorizations": {
    status: 400,
    title: "Several Authorization headers",
    detail: "A request carries one Authorization header.",
  },
  "receiver.insufficient_scope": {
    status: 403,
    title: "Insufficient scope",
    detail: "The access token is valid, but does not allow pushing notifications. WWW-Authenticate names the scope.",
  },
  "receiver.token_undecided": {
    status: 503,
    title: "Token cannot be checked now",
    detail:
      "The authorization server did not respond, so the access token could be neither accepted nor refused. Send the notification again later.",
    retryAfterSeconds: 10,
  },
  "receiver.too_many_credentials": {
    status: 429,
    title: "Too many credentials to check",
    detail: "Too many unknown credentials are waiting to be checked. Send the notification again later.",
    retryAfterSeconds: 2,
  },
  "receiver.unknown_source": {
    status: 404,
    title: "Unknown source",
    detail: "There is no source of this name. Check the last part of the path.",
  },
  "receiver.stopping": {
    status: 503,
    title: "Stopping",
    detail: "This process is stopping; the notification was not stored. Send it again.",
    retryAfterSeconds: 1,
  },
  "receiver.unsupported_content_type": {
    status: 415,
    title: "Unsupported content type",
    detail: "Notifications are sent as application/json.",
  },
  "receiver.unsupported_content_encoding": {
    status: 415,
    title: "Unsupported content encoding",
    detail: "A body is sent as it is, or compressed once with gzip, br or deflate.",
  },
  "receiver.too_many_requests": {
    status: 429,
    title: "Too many requests at once",
    detail: "Too many notifications of this source are being received. Send this one again later.",
    retryAfterSeconds: 1,
  },
  "receiver.body_too_long": {
    status: 413,
    title: "Body too long",
    detail: "The body is longer than this receiver takes.",
  },
  "receiver.body_timeout": {
    status: 408,
    title: "Body too slow",
    detail: "The body did not arrive in time; nothing was stored.",
  },
  "receiver.body_aborted": {
    status: 400,
    title: "Body cut short",
    detail: "The connection ended before the body did; nothing was stored.",
  },
  "receiver.body_not_readable": {
    status: 422,
    title: "Not readable",
    detail: "Reading the notification failed. The log of the receiver says why.",
  },
  "receiver.body_not_inflatable": {
    status: 400,
    title: "Body cannot be inflated",
    detail: "The body is not compressed as its Content-Encoding says, or it is cut short.",
  },
  "receiver.not_storable": {
    status: 422,
    title: "Not storable",
    detail: "The notification names an order in a way that cannot be stored.",
  },
  "receiver.backlog_full": {
    status: 503,
    title: "Too much waiting",
    detail: "Too many notifications wait to be stored; this one was not stored. Send it again later.",
    retryAfterSeconds: 5,
  },
  "receiver.store_unavailable": {
    status: 503,
    title: "Store unavailable",
    detail: "The notification could not be stored now. Send it again later.",
    retryAfterSeconds: 10,
  },
  "receiver.not_recorded": {
    status: 500,
    title: "Not recorded",
    detail: "The notification could not be stored. The log of the receiver says why.",
  },
  "receiver.malformed_path": {
    status: 400,
    title: "Malformed path",
    detail: "The path cannot be decoded. Check the percent signs in its last part.",
  },
  "receiver.unexpected": {
    status: 500,
    title: "Unexpected error",
    detail: "The notification was not stored. The log of the receiver says why.",
  },
};

export function describeProblem(
  code: ReceiverErrorCode,
  extensions?: Readonly<Record<string, unknown>>,
): { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> } {
  const { status, title, detail, retryAfterSeconds } = kinds[code];
  return {
    problem: { status, code, title, detail, ...(extensions !== undefined && { extensions }) },
    headers: retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) },
  };
}

export function isReceiverError(code: string): code is ReceiverErrorCode {
  return Object.hasOwn(kinds, code);
}
