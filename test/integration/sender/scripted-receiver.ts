import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPost {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Tells connections apart. */
  readonly remotePort: number;
}

export type Script = (response: ServerResponse, post: ReceivedPost) => void | Promise<void>;

/** A real HTTP endpoint on the loopback that does what a test tells it to. */
export interface ScriptedReceiver {
  readonly url: string;
  /** Everything it was sent, in the order of arrival. */
  readonly posts: readonly ReceivedPost[];
  /** What it does from now on. */
  script: Script;
  close(): Promise<void>;
}

export async function startReceiver(script: Script = acknowledge): Promise<ScriptedReceiver> {
  const posts: ReceivedPost[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const post: ReceivedPost = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(chunks),
      remotePort: request.socket.remotePort ?? 0,
    };
    posts.push(post);
    await receiver.script(response, post);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: ScriptedReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`,
    posts,
    script,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

export function acknowledge(response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ AcknowledgeResponse: { Status: "OK", Message: "received" } }));
}

/** Responds with the status and text, whatever comes. */
export function respondWith(status: number, text = "", headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, headers).end(text);
  };
}
