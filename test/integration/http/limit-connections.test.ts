import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { limitConnections } from "../../../src/http/limit-connections.ts";
import { toNetworkSet } from "../../../src/kernel/networks.ts";
import { eventually } from "../../harness/eventually.ts";

let server: Server;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function aServer(limits: { connections: number; perNetwork: number; trustedProxies?: string[] }): Promise<void> {
  server = createServer((_request, response) => response.end("served"));
  limitConnections(server, { ...limits, trustedProxies: toNetworkSet(limits.trustedProxies ?? []) });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

/** A connection from one of the loopback addresses, of which Linux has all of 127.0.0.0/8. */
async function aConnection(localAddress: string) {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => {});
  const closed = once(socket, "close").then(() => "closed");
  await once(socket, "connect");
  return {
    closed,
    /** What comes back for a request: the response, or that the connection was closed. */
    async request(): Promise<string> {
      socket.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
      const response = once(socket, "data").then(([data]) => String(data).slice(0, 15));
      return await Promise.race([response, closed]);
    },
  };
}

describe("the limit of connections", () => {
  test("closes the oldest connection of a network that was never served, when one more is opened there", async () => {
    await aServer({ connections: 100, perNetwork: 2 });
    const served = await aConnection("127.0.0.2");
    await served.request();
    const waiting = await aConnection("127.0.0.2");

    const newcomer = await aConnection("127.0.0.2");

    expect(await waiting.closed).toBe("closed");
    expect(await newcomer.request()).toBe("HTTP/1.1 200 OK");
    expect(await served.request()).toBe("HTTP/1.1 200 OK");
    expect(await (await aConnection("127.0.0.3")).request()).toBe("HTTP/1.1 200 OK");
  });

  test("refuses a newcomer of a network whose connections were all served, and serves other networks", async () => {
    await aServer({ connections: 100, perNetwork: 1 });
    const served = await aConnection("127.0.0.2");
    await served.request();

    expect(await (await aConnection("127.0.0.2")).closed).toBe("closed");
    expect(await (await aConnection("127.0.0.3")).request()).toBe("HTTP/1.1 200 OK");
  });

  test("gives a network its place back when a connection ends", async () => {
    await aServer({ connections: 100, perNetwork: 1 });
    const first = await aConnection("127.0.0.2");
    await first.request();
    sockets[0]!.destroy();
    await first.closed;

    await eventually(async () => {
      expect(await (await aConnection("127.0.0.2")).request()).toBe("HTTP/1.1 200 OK");
    });
  });

  test("does not count a trusted proxy, behind which everybody is", async () => {
    await aServer({ connections: 100, perNetwork: 1, trustedProxies: ["127.0.0.2/32"] });
    await aConnection("127.0.0.2");

    expect(await (await aConnection("127.0.0.2")).request()).toBe("HTTP/1.1 200 OK");
  });

  test("closes the oldest connection that was never served when all places are taken", async () => {
    await aServer({ connections: 2, perNetwork: 100 });
    const served = await aConnection("127.0.0.2");
    await served.request();
    const waiting = await aConnection("127.0.0.3");

    const newcomer = await aConnection("127.0.0.4");

    expect(await waiting.closed).toBe("closed");
    expect(await newcomer.request()).toBe("HTTP/1.1 200 OK");
    expect(await served.request()).toBe("HTTP/1.1 200 OK");
  });

  test("refuses a newcomer when every other connection was served", async () => {
    await aServer({ connections: 1, perNetwork: 100 });
    const served = await aConnection("127.0.0.2");
    await served.request();

    expect(await (await aConnection("127.0.0.3")).closed).toBe("closed");
    expect(await served.request()).toBe("HTTP/1.1 200 OK");
  });
});
