import { once } from "node:events";
import { createServer, request as startRequest } from "node:http";
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

export async function startForwarder(): Promise<Forwarder> {
  const requests: ForwardedRequest[] = [];
  let forwardTo: (url: string) => void = () => {};
  const target = new Promise<string>((resolve) => {
    forwardTo = resolve;
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ path: request.url ?? "/", body: body.toString("utf8"), at: Date.now() });
    const { method, headers, url: path } = request;
    const onward = startRequest(new URL(path ?? "/", await target), { method, headers });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
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
