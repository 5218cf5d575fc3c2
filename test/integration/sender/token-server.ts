import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TokenRequest {
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
}

type TokenScript = (response: ServerResponse, request: TokenRequest) => void | Promise<void>;

/** A real token endpoint on the loopback. Unless a test says otherwise, it grants `granted-1`, `granted-2` and so on. */
export interface TokenServer {
  readonly url: string;
  readonly requests: readonly TokenRequest[];
  script: TokenScript;
  close(): Promise<void>;
}

export async function startTokenServer(): Promise<TokenServer> {
  const requests: TokenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8")));
    requests.push({ headers: request.headers, form });
    await tokenServer.script(response, requests.at(-1)!);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const tokenServer: TokenServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/token`,
    requests,
    script: (response) => grant(response, `granted-${requests.length}`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return tokenServer;
}

export function grant(response: ServerResponse, token: string, expiresIn: number | string = 3_600): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: expiresIn }));
}
