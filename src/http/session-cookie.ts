import type { IncomingMessage, ServerResponse } from "node:http";

export interface SessionCookie {
  /** Returns the token of the request; null if it has none, or several different ones. */
  read(request: IncomingMessage): string | null;
  write(response: ServerResponse, token: string, lifeSeconds: number): void;
  clear(response: ServerResponse): void;
}

/**
 * Stores the token of a session in a cookie that scripts cannot read and other sites cannot send. With HTTPS the cookie
 * is `Secure`, and its prefix `__Host-` prevents other hosts of the domain and pages without TLS from setting it. Servers
 * on other ports of a host share its cookies, so each needs another `name`.
 *
 * @see RFC 6265bis sections 4.1.3 and 5.6
 */
export function createSessionCookie(options: {
  /** Whether browsers use HTTPS: always, or for this request. */
  readonly secure: boolean | ((request: IncomingMessage) => boolean);
  readonly name?: string;
  /** `Lax` is also sent when another site leads the browser here. Default: `Strict`. */
  readonly sameSite?: "Strict" | "Lax";
}): SessionCookie {
  const { name: bareName = "skedchange_session", secure, sameSite = "Strict" } = options;
  const isSecure = typeof secure === "boolean" ? () => secure : secure;
  const nameFor = (request: IncomingMessage) => (isSecure(request) ? `__Host-${bareName}` : bareName);
  const set = (response: ServerResponse<IncomingMessage>, token: string, lifeSeconds: number) => {
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure(response.req) ? "; Secure" : ""}`;
    response.appendHeader("Set-Cookie", `${nameFor(response.req)}=${token}; Max-Age=${lifeSeconds}; ${attributes}`);
  };
  return {
    read(request) {
      const name = nameFor(request);
      const values = new Set(
        (request.headers.cookie ?? "")
          .split(";")
          .map((pair) => pair.trim())
          .filter((pair) => pair.startsWith(`${name}=`))
          .map((pair) => pair.slice(name.length + 1)),
      );
      const [value = "", ...others] = values;
      return value === "" || others.length > 0 ? null : value;
    },
    write: set,
    clear: (response) => set(response, "", 0),
  };
}
