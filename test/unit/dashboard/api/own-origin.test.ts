import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createOwnOriginCheck } from "../../../../src/dashboard/api/own-origin.ts";

function request(headers: { origin?: string | string[]; host?: string }, localAddress = "127.0.0.1"): IncomingMessage {
  const origins = headers.origin === undefined ? [] : [headers.origin].flat();
  return {
    headersDistinct: origins.length === 0 ? {} : { origin: origins },
    headers: { origin: origins[0], host: headers.host },
    socket: { localAddress, localPort: 3000 },
  } as unknown as IncomingMessage;
}

describe("with PUBLIC_URL, a request is our own", () => {
  const isOwn = createOwnOriginCheck("https://changes.example.com/agency/");

  test.each([
    ["from there", "https://changes.example.com", true],
    ["not without TLS", "http://changes.example.com", false],
    ["not from another port", "https://changes.example.com:8443", false],
    ["not from a subdomain", "https://evil.changes.example.com", false],
    ["not from a longer name", "https://changes.example.com.evil.test", false],
    ["not from a sandboxed frame", "null", false],
    ["not from the address that it listens on", "http://127.0.0.1:3000", false],
  ])("%s", (_title, origin, expected) => {
    expect(isOwn(request({ origin, host: "127.0.0.1:3000" }))).toBe(expected);
  });

  test("not without an Origin, and not with two", () => {
    expect(isOwn(request({ host: "changes.example.com" }))).toBe(false);
    expect(isOwn(request({ origin: ["https://changes.example.com", "https://evil.test"] }))).toBe(false);
  });
});

describe("without PUBLIC_URL, a request is our own", () => {
  const isOwn = createOwnOriginCheck(undefined);

  test.each([
    ["from the loopback address", "http://127.0.0.1:3000", "127.0.0.1:3000", "127.0.0.1", true],
    ["from localhost", "http://localhost:3000", "localhost:3000", "::ffff:127.0.0.1", true],
    ["from IPv6 loopback", "http://[::1]:3000", "[::1]:3000", "::1", true],
    ["through a tunnel with another port", "http://localhost:8080", "localhost:8080", "127.0.0.1", true],
    ["not from another program on this machine", "http://localhost:8080", "localhost:3000", "127.0.0.1", false],
    ["not from a name pointed at loopback", "http://evil.test:3000", "evil.test:3000", "127.0.0.1", false],
    ["not with a Host that is no host", "http://localhost", "local host", "127.0.0.1", false],
    ["from the address of the network", "http://192.0.2.7:3000", "192.0.2.7:3000", "192.0.2.7", true],
    ["not from a name pointed at that address", "http://evil.test:3000", "evil.test:3000", "192.0.2.7", false],
    ["not from loopback names there", "http://localhost:3000", "localhost:3000", "192.0.2.7", false],
  ])("%s", (_title, origin, host, localAddress, expected) => {
    expect(isOwn(request({ origin, host }, localAddress))).toBe(expected);
  });
});
