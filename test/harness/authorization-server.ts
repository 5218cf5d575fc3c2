import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

/** A key pair of an authorization server. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly publicJwk: JWK;
}

export async function makeIssuerKey(kid: string, alg: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** Signs claims as they are; nothing is added. */
export function signToken(
  key: IssuerKey,
  claims: JWTPayload,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: "at+jwt", ...header })
    .sign(key.privateKey);
}

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** An authorization server on loopback: a key set and an introspection endpoint, whose responses a test decides. */
export interface TestAuthorizationServer {
  readonly url: string;
  readonly jwksUrl: string;
  readonly introspectionUrl: string;
  /** Requests so far, by path. */
  count(path: string): number;
  /** Introspection requests, as they came. */
  readonly introspections: readonly { readonly authorization: string | undefined; readonly form: URLSearchParams }[];
  serveKeys(handler: Handler): void;
  publish(...keys: readonly IssuerKey[]): void;
  serveIntrospection(handler: (token: string, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export async function startAuthorizationServer(): Promise<TestAuthorizationServer> {
  let keys: Handler = (_request, _body, response) => sendJson(response, { keys: [] });
  let introspect: (token: string, response: ServerResponse) => void = (_token, response) =>
    sendJson(response, { active: false });
  const counts = new Map<string, number>();
  const introspections: { authorization: string | undefined; form: URLSearchParams }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const body = Buffer.concat(chunks).toString("utf8");
      if (path === "/jwks") return keys(request, body, response);
      if (path === "/introspect") {
        const form = new URLSearchParams(body);
        introspections.push({ authorization: request.headers.authorization, form });
        return introspect(form.get("token") ?? "", response);
      }
      response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    jwksUrl: `${url}/jwks`,
    introspectionUrl: `${url}/introspect`,
    count: (path) => counts.get(path) ?? 0,
    introspections,
    serveKeys: (handler) => {
      keys = handler;
    },
    publish: (...published) => {
      keys = (_request, _body, response) => sendJson(response, { keys: published.map(({ publicJwk }) => publicJwk) });
    },
    serveIntrospection: (handler) => {
      introspect = handler;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, document: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(document));
}
