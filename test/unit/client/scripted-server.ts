import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../../harness/eventually.ts";

/** One request as it arrived. */
export interface Arrived {
  /** The path without its first slash. */
  readonly operation: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A gateway on HTTP that responds as a test tells it, and counts what arrives. */
export interface ScriptedServer {
  readonly url: string;
  readonly arrived: readonly Arrived[];
  /** Resolves when this many requests have arrived. */
  untilArrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export type Respond = (response: ServerResponse, request: Arrived, count: number) => unknown;

export async function startScriptedServer(respond: Respond): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((read) => {
      arrived.push(read);
      respond(response, read, arrived.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    untilArrived: (count) =>
      eventually(() => {
        if (arrived.length < count) throw new Error(`${arrived.length} of ${count} requests arrived.`);
      }),
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<Arrived> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return { operation: (request.url ?? "").slice(1), headers: request.headers, body };
}

/** Responds with JSON. */
export function respondJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
