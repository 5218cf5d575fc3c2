import type { IncomingMessage, ServerResponse } from "node:http";

/** The cookie that holds the token of a session. */
export interface SessionCookie {
  /** The token that the request carries; null when it has none, or several that differ. */
  read(request: IncomingMessage): string | null;
  /** Sets it until the session ends at the latest. */
  write(response: ServerResponse, token: string, lifeSeconds: number): void;
  clear(response: ServerResponse): void;
}

/**
 * A cookie that scripts cannot read and other sites cannot send. Behind HTTPS it is `Secure`, and the prefix `__Host-`
 * makes browsers refuse one that another host of the domain, or a page without TLS, would plant. Browsers do not tell
 * ports apart: another side on the same host needs another name.
 *
 * @see RFC 6265bis sections 4.1.3 and 5.6
 */
export function createSessionCookie(options: {
  /** Whether people reach this side by HTTPS: all of them, or who makes this request. */
  readonly secure: boolean | ((request: IncomingMessage) => boolean);
  readonly name?: string;
}): SessionCookie {
  const { name: bareName = "skedchange_session", secure } = options;
  const isSecure = typeof secure === "boolean" ? () => secure : secure;
  const nameFor = (request: IncomingMessage) => (isSecure(request) ? `__Host-${bareName}` : bareName);
  const set = (response: ServerResponse<IncomingMessage>, token: string, lifeSeconds: number) => {
    const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure(response.req) ? "; Secure" : ""}`;
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
