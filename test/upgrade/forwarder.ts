import { once } from "node:events";
import { createServer, type IncomingMessage, request as startRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that went through a forwarder. */
export interface ForwardedRequest {
  readonly path: string;
  readonly body: string;
  readonly at: number;
}

/** Stands before a server and writes down what it is asked. Until it has a target, requests wait. */
export interface Forwarder {
  readonly url: string;
  readonly requests: readonly ForwardedRequest[];
  forwardTo(url: string): void;
  close(): Promise<void>;
}

/** Another request to ask the target instead, and what to make of its response. */
export interface Detour {
  readonly body: string;
  readonly readResponse: (text: string) => string;
}

/** @param detourOf null for a request that is passed on as it is. */
export async function startForwarder(
  detourOf: (request: ForwardedRequest) => Detour | null = () => null,
): Promise<Forwarder> {
  const requests: ForwardedRequest[] = [];
  let forwardTo: (url: string) => void = () => {};
  const target = new Promise<string>((resolve) => {
    forwardTo = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = (await readAll(request)).toString("utf8");
    const path = request.url ?? "/";
    const asked = { path, body, at: Date.now() };
    requests.push(asked);
    const detour = detourOf(asked);
    const { "content-length": _, "accept-encoding": __, ...headers } = request.headers;
    const onward = startRequest(new URL(path, await target), { method: request.method, headers });
    onward.on("response", async (incoming) => {
      const text = (await readAll(incoming)).toString("utf8");
      const { "content-length": ___, "transfer-encoding": ____, ...responseHeaders } = incoming.headers;
      response.writeHead(incoming.statusCode ?? 502, responseHeaders);
      response.end(detour === null ? text : detour.readResponse(text));
    });
    onward.on("error", () => response.destroy());
    onward.end(detour?.body ?? body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    forwardTo,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
