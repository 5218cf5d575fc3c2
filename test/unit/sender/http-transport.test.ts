import type { lookup as lookUpName } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createAddressGuard } from "../../../src/sender/address-guard.ts";
import { createHttpTransport, type HttpTransport, type OutgoingPost } from "../../../src/sender/http-transport.ts";

const rules = { allowHttp: true, allowedNetworks: ["127.0.0.0/8"] };

let transport: HttpTransport;
let server: Server | undefined;

afterEach(async () => {
  await transport.close();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  server = undefined;
});

async function listen(respond: RequestListener): Promise<string> {
  const listening = createServer(respond);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/ocn?of=agency`;
}

function postTo(url: string, message: Partial<OutgoingPost> = {}): OutgoingPost {
  return {
    url,
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
    deadlineMs: 10_000,
    responseLimitBytes: 1_024,
    signal: new AbortController().signal,
    ...message,
  };
}

describe("an exchange", () => {
  test("ends at its deadline while the name of the recipient is still looked up, and sends nothing afterwards", async () => {
    let received = 0;
    const url = await listen((_request, response) => {
      received += 1;
      response.end();
    });
    const name = url.replace("127.0.0.1", "agency.example");
    const lookups: (() => void)[] = [];
    const resolve = (_name: string, _options: unknown, found: (error: null, addresses: object[]) => void): void =>
      void lookups.push(() => found(null, [{ address: "127.0.0.1", family: 4 }]));
    transport = createHttpTransport(createAddressGuard(rules, resolve as unknown as typeof lookUpName));

    const exchange = await transport.post(postTo(name, { deadlineMs: 20 }));

    expect(exchange).toMatchObject({ status: null, failure: { code: "sender.timeout" } });
    const next = transport.post(postTo(name));
    for (const endLookup of lookups) endLookup();
    expect(await next).toMatchObject({ status: 200, failure: null });
    expect(received).toBe(1);
  });

  test("has the final response, not the informational one before it", async () => {
    const url = await listen((_request, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeHead(503, { "retry-after": "7" }).end("later");
    });
    transport = createHttpTransport(createAddressGuard(rules));

    const exchange = await transport.post(postTo(url));

    expect(exchange).toMatchObject({ status: 503, retryAfter: "7", failure: null });
    expect(Buffer.from(exchange.body).toString()).toBe("later");
  });

  test("has as much of a response as it may read, and ends there", async () => {
    const url = await listen((_request, response) => void response.end("x".repeat(100_000)));
    transport = createHttpTransport(createAddressGuard(rules));

    const exchange = await transport.post(postTo(url));

    expect(exchange).toMatchObject({ status: 200, failure: { code: "sender.answer_too_large" } });
    expect(exchange.body).toHaveLength(1_024);
  });

  test("ends at once when the sender stops", async () => {
    const stopping = new AbortController();
    const url = await listen(() => stopping.abort());
    transport = createHttpTransport(createAddressGuard(rules));

    const exchange = await transport.post(postTo(url, { signal: stopping.signal }));

    expect(exchange.failure).toEqual({ code: "sender.stopped", message: "The sender is stopping." });
  });

  test("has the path and the query of its URL, each time that it is used", async () => {
    const paths: (string | undefined)[] = [];
    const url = await listen((request, response) => {
      paths.push(request.url);
      response.end();
    });
    transport = createHttpTransport(createAddressGuard(rules));

    await transport.post(postTo(url));
    await transport.post(postTo(url));

    expect(paths).toEqual(["/ocn?of=agency", "/ocn?of=agency"]);
  });

  test("with an address that is not public is refused, each time", async () => {
    transport = createHttpTransport(createAddressGuard({ allowHttp: true, allowedNetworks: [] }));

    for (const _time of ["first", "second"]) {
      const exchange = await transport.post(postTo("http://127.0.0.1:1/ocn"));
      expect(exchange.failure?.code).toBe("sender.address_forbidden");
    }
  });
});
