import { connection, statusesOfProxies } from "./connection.ts";

/** A request that failed: the server's problem document, or one made here if no response came. @see RFC 9457 */
export class ApiProblem extends Error {
  /** 0 if no response came. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;
  /** All members of the problem document. */
  readonly members: Readonly<Record<string, unknown>>;
  /** No response came to a request that is not safe to repeat. */
  readonly isOutcomeUnknown: boolean;

  constructor(
    status: number,
    members: Readonly<Record<string, unknown>>,
    {
      retryAfterSeconds = null,
      isOutcomeUnknown = false,
    }: { readonly retryAfterSeconds?: number | null; readonly isOutcomeUnknown?: boolean } = {},
  ) {
    super(textOf(members["detail"]) ?? textOf(members["title"]) ?? `The server responded with ${status}.`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = textOf(members["code"]) ?? "unknown";
    this.retryAfterSeconds = retryAfterSeconds;
    this.members = members;
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

const timeoutMs = 30_000;

export interface CallOptions {
  /** Doing it twice does no harm. By default only a GET is safe. */
  readonly isSafeToRepeat?: boolean;
  /** Default: gives up after 30 seconds. */
  readonly signal?: AbortSignal;
}

export const safeToRepeat: CallOptions = { isSafeToRepeat: true };

/** Sends a request to one side; rejects with an `ApiProblem`. */
export type SendToSide = (method: string, path: string, body?: unknown, options?: CallOptions) => Promise<Response>;

interface PageRequest extends CallOptions {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to our own server. @throws ApiProblem unless it succeeds */
export async function sendRequest(request: PageRequest): Promise<Response> {
  const { method, url, body, headers = {}, isSafeToRepeat = method === "GET" } = request;
  if (method !== "GET" && connection.outage() !== null) throw notSent();
  const { signal = AbortSignal.timeout(timeoutMs) } = request;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal,
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    connection.doubt();
    throw noResponse(isSafeToRepeat);
  }
  if (statusesOfProxies.has(response.status)) connection.doubt();
  else connection.noteResponse();
  if (!response.ok) throw await readProblem(response);
  return response;
}

function notSent(): ApiProblem {
  const detail = "The server cannot be reached, so nothing was sent. Try again when the connection is back.";
  return new ApiProblem(0, { code: "web.offline", detail });
}

function noResponse(isSafeToRepeat: boolean): ApiProblem {
  const detail = isSafeToRepeat
    ? "The server cannot be reached. Check your connection and try again."
    : "No response came, so it may or may not have been done. Check your connection and look again before you repeat it.";
  return new ApiProblem(0, { code: "web.unreachable", detail }, { isOutcomeUnknown: !isSafeToRepeat });
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const members: unknown = await response.json().catch(() => null);
  return new ApiProblem(
    response.status,
    members !== null && typeof members === "object" ? (members as Record<string, unknown>) : {},
    { retryAfterSeconds: Number.isFinite(seconds) ? seconds : null },
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
