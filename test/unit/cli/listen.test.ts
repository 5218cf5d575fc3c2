import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { runCaptured } from "./captured-terminal.ts";
import { listen } from "./listening.ts";

describe("skedchange listen without a gateway", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test("forwards the exact bytes to a program, whose response goes back", async () => {
    const received: { body: string; authorization: string | undefined }[] = [];
    const program = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ body: Buffer.concat(chunks).toString(), authorization: request.headers.authorization });
        response.writeHead(503).end("busy");
      });
    });
    const listening = start("--forward-to", program, "--authorization", "Bearer mine");
    const body = '{"OrderViewRS": {"Order": {"OrderID": "A1"}}}';

    const response = await fetch(await listening.address(), {
      method: "POST",
      body,
      headers: { Authorization: "Bearer theirs" },
    });

    expect({ status: response.status, text: await response.text() }).toEqual({ status: 503, text: "busy" });
    expect(received).toEqual([{ body, authorization: "Bearer mine" }]);
    await listening.until("503 in");
  });

  test("refuses a body that no order can be read from, and says what is wrong with it", async () => {
    const listening = start();
    const address = await listening.address();

    expect((await fetch(address, { method: "POST", body: "{}" })).status).toBe(422);
    await listening.until("cannot be used: ocn.");
    expect((await fetch(address)).status).toBe(405);
  });

  test("goes on after a gateway that breaks off in the middle of a body", async () => {
    const listening = start();
    const { port, pathname } = new URL(await listening.address());
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"OrderViewRS"`);
    await once(socket, "connect");
    socket.end();

    await listening.until("The gateway broke off in the middle of a notification.");
    expect((await fetch(await listening.address(), { method: "POST", body: "{}" })).status).toBe(422);
  });

  test("goes on after a program that breaks off in the middle of its response", async () => {
    const program = await serve((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("{", () => response.destroy());
    });
    const listening = start("--forward-to", program);

    const response = await fetch(await listening.address(), { method: "POST", body: "{}" });

    expect(response.status).toBe(502);
    await listening.until("502 in");
    expect(listening.printed()).toContain(
      "broke off before its response was complete. The request may have been carried out.",
    );
  });

  test.each([
    ["says how to give a program its token when it refuses the listener's", [], true],
    ["does not say so when the token was given", ["--authorization", "Bearer mine"], false],
  ])("%s", async (_, args, isExplained) => {
    const program = await serve((_request, response) => void response.writeHead(401).end());
    const listening = start("--forward-to", program, ...args);

    await fetch(await listening.address(), { method: "POST", body: "{}", headers: { Authorization: "Bearer theirs" } });

    await listening.until("401 in");
    expect(listening.printed().includes("Give the one that it takes: --authorization 'Bearer …'\n")).toBe(isExplained);
  });

  test("says that the program of --forward-to does not run, and refuses what is no address", async () => {
    const listening = start("--forward-to", "http://127.0.0.1:24001/");

    expect((await fetch(await listening.address(), { method: "POST", body: "{}" })).status).toBe(502);
    expect(listening.printed()).toContain(
      "Nothing listens at http://127.0.0.1:24001. Start your program, or correct --forward-to.\n",
    );
    expect(await runCaptured(["listen", "--no-register", "--forward-to", "foo"])).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "Error: 'foo' is no http or https URL. Write --forward-to as http://127.0.0.1:3000.\n",
    });
  });

  test("names the port that another program has", async () => {
    const taken = new URL(await serve((_request, response) => void response.end())).port;

    expect(await runCaptured(["listen", "--no-register", "--port", taken])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `Error: Port ${taken} on 127.0.0.1 is in use. Stop what uses it, or choose another --port.\n`,
    });
  });

  function start(...args: readonly string[]) {
    const listening = listen(["--no-register", ...args]);
    ends.push(() => listening.interrupt());
    return listening;
  }

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
});
