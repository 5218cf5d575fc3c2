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
export function createSessionCookie(options: { readonly secure: boolean; readonly name?: string }): SessionCookie {
  const { name: bareName = "skedchange_session" } = options;
  const name = options.secure ? `__Host-${bareName}` : bareName;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${options.secure ? "; Secure" : ""}`;
  return {
    read(request) {
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
    write(response, token, lifeSeconds) {
      response.appendHeader("Set-Cookie", `${name}=${token}; Max-Age=${lifeSeconds}; ${attributes}`);
    },
    clear(response) {
      response.appendHeader("Set-Cookie", `${name}=; Max-Age=0; ${attributes}`);
    },
  };
}
