import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { createSessionCookie } from "../../../src/http/session-cookie.ts";

const withCookie = (cookie?: string): IncomingMessage => ({ headers: { cookie } }) as IncomingMessage;

function written(secure: boolean): string[] {
  const lines: string[] = [];
  const response = { appendHeader: (_name: string, value: string) => lines.push(value) } as unknown as ServerResponse;
  const cookie = createSessionCookie({ secure });
  cookie.write(response, "TOKEN", 60);
  cookie.clear(response);
  return lines;
}

describe("the cookie of a session", () => {
  test("behind HTTPS is Secure and bound to the host", () => {
    expect(written(true)).toEqual([
      "__Host-skedchange_session=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
      "__Host-skedchange_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure",
    ]);
  });

  test("on loopback does without TLS", () => {
    expect(written(false)[0]).toBe("skedchange_session=TOKEN; Max-Age=60; Path=/; HttpOnly; SameSite=Strict");
  });

  test.each([
    [undefined, null],
    ["", null],
    ["skedchange_session=A", "A"],
    ["theme=dark; skedchange_session=A;other=1", "A"],
    ["skedchange_session=A; skedchange_session=A", "A"],
    ["skedchange_session=A; skedchange_session=B", null],
    ["skedchange_session=", null],
    ["xskedchange_session=A", null],
    ["__Host-skedchange_session=A", null],
  ])("is read from %j as %j", (header, token) => {
    expect(createSessionCookie({ secure: false }).read(withCookie(header))).toBe(token);
  });
});
