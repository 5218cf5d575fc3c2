import { readFetchFailure } from "../app/fetch-failure.ts";
import { AppError } from "../kernel/app-error.ts";

/** What goes into the Authorization header. */
export interface Credential {
  readonly authorization: string;
  /** The option or setting that it is from: `--token`, `API_TOKEN_FILE`. */
  readonly from: string;
}

/** The program that is called, for what is said when it cannot be. */
export interface Target {
  /** The option that names its address. */
  readonly option: string;
  /** Who starts it how, as a sentence. */
  readonly start: string;
  readonly credential: Credential | null;
  /** The command that shows whether the request was carried out; null if it changes nothing or no command shows it. */
  readonly commandToCheck: string | null;
}

export interface HttpReply {
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
}

export interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const requestTimeoutMs = 30_000;

/** @throws AppError `cli.unreachable`, `cli.broken_off`, `cli.timeout`, `cli.bad_url`, `cli.bad_credential` */
export async function reach(send: typeof fetch, url: string, request: SentRequest, target: Target): Promise<HttpReply> {
  const { option, credential } = target;
  requireHttpUrl(url, option);
  if (credential !== null) requireCarriable(credential);
  const authorization = credential === null ? {} : { Authorization: credential.authorization };
  try {
    const response = await send(url, {
      ...request,
      headers: { ...request.headers, ...authorization },
      // Following a redirect would send our credentials to another server.
      redirect: "manual",
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  } catch (error) {
    throw explainFailure(error, new URL(url).origin, request, target);
  }
}

/** What went wrong after the request was sent. */
const brokenOff = /^(ECONNRESET|EPIPE|HPE_\w+|UND_ERR_(SOCKET|ABORTED|CLOSED|HEADERS_\w+|BODY_TIMEOUT|RES_\w+))$/;

/** What a server that speaks http says to one that speaks TLS. */
const notTls = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;

function explainFailure(
  cause: unknown,
  origin: string,
  { method }: SentRequest,
  { option, start, commandToCheck }: Target,
): AppError {
  const { code, message } = readFetchFailure(cause);
  const failed = (appCode: string, text: string) => new AppError(appCode, `${origin} ${text}`, { cause });
  const look = commandToCheck === null ? "" : ` See: npx skedchange ${commandToCheck}`;
  const then = method === "GET" ? "Try again." : `The request may have been carried out.${look}`;
  if (code === "timeout") return failed("cli.timeout", `did not respond within ${requestTimeoutMs / 1000} s. ${then}`);
  if (brokenOff.test(code)) return failed("cli.broken_off", `broke off before its response was complete. ${then}`);
  if (code === "ECONNREFUSED")
    return new AppError("cli.unreachable", `Nothing listens at ${origin}. ${start}`, { cause });
  if (notTls.test(code)) {
    return failed("cli.unreachable", `does not speak https. Write the URL of ${option} with http.`);
  }
  const reason = (message.split("\n")[0] ?? "").replace(/\.+$/, "");
  return failed("cli.unreachable", `cannot be reached: ${reason}. Check the address given with ${option}.`);
}

/**
 * What fetch says about such a URL contains its password.
 * @throws AppError `cli.bad_url`
 */
export function requireHttpUrl(url: string, option: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isHttp = parsed !== null && /^https?:$/.test(parsed.protocol);
  if (isHttp && parsed.username === "" && parsed.password === "") return;
  throw new AppError(
    "cli.bad_url",
    url.includes("@")
      ? `The URL of ${option} must be http or https, without a user name and a password.`
      : `'${url}' is no http or https URL. Write ${option} as http://127.0.0.1:3000.`,
  );
}

/**
 * What fetch says about such a header contains its value.
 * @throws AppError `cli.bad_credential`
 * @see RFC 9110 section 5.5
 */
export function requireCarriable({ authorization, from }: Credential): void {
  if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(authorization)) return;
  throw new AppError(
    "cli.bad_credential",
    `${from} has a character that no header can carry, such as a line break or …. Correct it there.`,
  );
}
