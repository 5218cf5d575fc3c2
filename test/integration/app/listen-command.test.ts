import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../../bin/skedchange.js", import.meta.url));

describe("skedchange listen, ended from outside,", () => {
  let gateway: Server;
  let called: string[];

  beforeEach(async () => {
    called = [];
    gateway = createServer((request, response) => {
      request.resume();
      called.push(`${request.method} ${request.url}`);
      response.setHeader("Connection", "close");
      if (request.method === "POST") response.writeHead(201).end('{"id":"r1"}');
      else response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    await once(gateway, "listening");
  });
  afterEach(() => void gateway.close());

  // SIGHUP is what closing the window of a terminal sends.
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("removes its address from the recipients: %s", async (signal) => {
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [bin, "listen", "--url", url], { stdio: ["ignore", "ignore", "pipe"] });
    await once(child.stderr, "data");
    child.kill(signal);

    expect(await once(child, "close")).toEqual([0, null]);
    expect(called).toEqual(["POST /control/recipients", "DELETE /control/recipients/r1"]);
  });
});
