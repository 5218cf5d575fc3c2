import { Agent, request } from "undici";
import { clientCredentials } from "../http/basic-credentials.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";

/** The server is unreachable, slow, or its response is invalid. */
export const authorizationServerUnavailable = "receiver.authorization_server_unavailable";

/** Redirects are failures, because only the settings decide which server is trusted. */
export interface AuthorizationServerClient {
  /** @throws AppError `receiver.authorization_server_unavailable`, retryable */
  getJson(url: string): Promise<unknown>;
  /** @throws AppError `receiver.authorization_server_unavailable`, retryable */
  postForm(
    url: string,
    form: Readonly<Record<string, string>>,
    credentials: { readonly id: string; readonly secret: string },
  ): Promise<unknown>;
  close(): Promise<void>;
}

/** A set of a hundred keys is far smaller; more is a mistake or an attack. */
const responseBytesMax = 256 * 1024;

/** Per server. */
const connectionsMax = 16;

/** @param timeoutMs for the whole exchange, from connecting to the last byte */
export function createAuthorizationServerClient(timeoutMs: number): AuthorizationServerClient {
  const agent = new Agent({ connections: connectionsMax, headersTimeout: 0, bodyTimeout: 0 });
  let closing: Promise<void> | null = null;

  async function exchange(
    url: string,
    message: { method: "GET" | "POST"; headers: Record<string, string>; body?: string },
  ): Promise<unknown> {
    try {
      const response = await request(url, {
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
        ...message,
        headers: { accept: "application/json", ...message.headers },
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > responseBytesMax) throw new Error(`the response is longer than ${responseBytesMax} bytes`);
        chunks.push(chunk);
      }
      if (response.statusCode !== 200) throw new Error(`the response is ${response.statusCode}`);
      return JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch (error) {
      // The message names only the host, because some servers require a key in the path or query.
      throw new AppError(
        authorizationServerUnavailable,
        `The authorization server at ${new URL(url).host} gave no usable response: ${describe(error, timeoutMs)}. Check its URL and credentials in the settings of the source.`,
        { retryable: true, cause: error },
      );
    }
  }

  return {
    getJson: (url) => exchange(url, { method: "GET", headers: {} }),
    postForm: (url, form, { id, secret }) =>
      exchange(url, {
        method: "POST",
        headers: {
          authorization: `Basic ${clientCredentials(id, secret)}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(form).toString(),
      }),
    close: () => {
      closing ??= agent.close();
      return closing;
    },
  };
}

function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") return `none within ${timeoutMs} ms`;
  if (error instanceof SyntaxError) return "it is no JSON";
  const code = codeOf(error);
  return code === "unexpected" ? messageOf(error) : code;
}
