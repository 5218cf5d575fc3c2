import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createClientAddress } from "../../../src/http/client-address.ts";

function aRequest(remoteAddress: string | undefined, forwardedFor?: string): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { "x-forwarded-for": forwardedFor };
  const connection = { remoteAddress };
  return { headers, socket: connection, connection } as unknown as IncomingMessage;
}

describe("the address of a client", () => {
  test.each([
    ["a client without a proxy is the connection's", "192.0.2.7", undefined, "192.0.2.7"],
    ["an IPv4 client on an IPv6 socket is written as IPv4", "::ffff:192.0.2.7", undefined, "192.0.2.7"],
    ["a client that claims to be a proxy is not believed", "192.0.2.7", "203.0.113.9", "192.0.2.7"],
    ["a trusted proxy's client is the one that the proxy names", "10.0.0.5", "203.0.113.9", "203.0.113.9"],
    [
      "a client that adds a name in front of the proxy's is not believed",
      "10.0.0.5",
      "1.2.3.4, 203.0.113.9",
      "203.0.113.9",
    ],
    ["a chain of trusted proxies ends at the first other address", "10.0.0.5", "203.0.113.9, 10.0.0.6", "203.0.113.9"],
    ["a trusted proxy that names nobody is the proxy itself", "10.0.0.5", undefined, "10.0.0.5"],
    ["a connection that has gone is unknown", undefined, undefined, "unknown"],
  ])("of %s", (_title, remoteAddress, forwardedFor, expected) => {
    const addressOf = createClientAddress(["10.0.0.0/24"]);

    expect(addressOf(aRequest(remoteAddress, forwardedFor))).toBe(expected);
  });

  test.each([
    ["a proxy that is not trusted", "::ffff:10.0.1.5", "203.0.113.9", ["10.0.1.5"]],
    ["a trusted proxy", "10.0.0.5", "203.0.113.9", []],
    ["a client that names nobody", "192.0.2.7", undefined, []],
  ])(
    "of %s is reported only if it names a client and is not trusted",
    (_title, remoteAddress, forwardedFor, expected) => {
      const untrusted: string[] = [];
      const addressOf = createClientAddress(["10.0.0.0/24"], (address) => untrusted.push(address));

      addressOf(aRequest(remoteAddress, forwardedFor));

      expect(untrusted).toEqual(expected);
    },
  );
});
