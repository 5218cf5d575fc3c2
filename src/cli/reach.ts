import { readFetchFailure } from "../app/fetch-failure.ts";
import { AppError } from "../kernel/app-error.ts";

/** What goes into the Authorization header. */
export interface Credential {
  readonly authorization: string;
  /** The option or setting that it is from: `--token`, `API_TOKEN_FILE`. */
  readonly from: string;
}

const requestTimeoutMs = 30_000;

/** @throws AppError `cli.unreachable`, `cli.timeout`, `cli.bad_url`, `cli.bad_credential` */
export async function reach(
  send: typeof fetch,
  url: string,
  init: RequestInit & { readonly headers: Readonly<Record<string, string>> },
  credential: Credential | null,
): Promise<Response> {
  requireHttpUrl(url, "--url");
  if (credential !== null) requireCarriable(credential);
  const headers = credential === null ? init.headers : { ...init.headers, Authorization: credential.authorization };
  try {
    // Following a redirect would send our credentials to another server.
    return await send(url, { ...init, headers, redirect: "manual", signal: AbortSignal.timeout(requestTimeoutMs) });
  } catch (error) {
    const origin = new URL(url).origin;
    const { code, message } = readFetchFailure(error);
    if (code === "timeout") {
      throw new AppError("cli.timeout", `${origin} did not respond within ${requestTimeoutMs / 1000} s.`, {
        cause: error,
      });
    }
    throw new AppError(
      "cli.unreachable",
      code === "ECONNREFUSED"
        ? `Nothing listens at ${origin}. Start the server with \`npm start\`, or give its address with --url.`
        : `${origin} cannot be reached: ${message}. Check the address given with --url.`,
      { cause: error },
    );
  }
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
