import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JWTPayload } from "jose";
import { type IssuerKey, makeIssuerKey, sendJson, signToken } from "./authorization-server.ts";

/** Who signs in at the provider. */
export interface ProviderUser {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** An OpenID Connect provider on loopback. It checks what a provider must check, and signs what a test decides. */
export interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The requests so far, by path. */
  count(path: string): number;
  /** Signs in this user at once, or asks with a page for null. */
  signInAs(user: ProviderUser | null): void;
  /** Changes the ID token that the next sign-ins get. */
  changeIdToken(change: ((claims: JWTPayload) => JWTPayload) | null): void;
  /** Signs with a key that is not published. */
  signWith(key: "published" | "other"): void;
  /** How it wants the client secret; it says so only for the form, because Basic is the default. */
  takeSecretIn(place: "header" | "form"): void;
  /** What userinfo adds to the subject. */
  serveUserInfo(claims: Readonly<Record<string, unknown>>): void;
  setAvailable(isAvailable: boolean): void;
  close(): Promise<void>;
}

interface Grant {
  readonly user: ProviderUser;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
}

const clientId = "skedchange";
const clientSecret = "a secret: of the clïent";

/** @param host another site than the dashboard's for a browser, if the dashboard is at 127.0.0.1: `localhost` */
export async function startIdentityProvider(host = "127.0.0.1"): Promise<TestIdentityProvider> {
  const [key, otherKey] = await Promise.all([makeIssuerKey("key-1", "RS256"), makeIssuerKey("key-1", "RS256")]);
  const grants = new Map<string, Grant>();
  const subjects = new Map<string, string>();
  const counts = new Map<string, number>();
  let user: ProviderUser | null = null;
  let changeClaims: (claims: JWTPayload) => JWTPayload = (claims) => claims;
  let signingKey: IssuerKey = key;
  let userInfo: Readonly<Record<string, unknown>> = {};
  let secretPlace: "header" | "form" = "header";
  let isAvailable = true;

  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", issuer);
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    if (!isAvailable) {
      request.socket.destroy();
      return;
    }
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return sendJson(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          code_challenge_methods_supported: ["S256"],
          ...(secretPlace === "form" && { token_endpoint_auth_methods_supported: ["client_secret_post"] }),
        });
      case "/keys":
        return sendJson(response, { keys: [key.publicJwk] });
      case "/authorize":
        return authorize(searchParams, response);
      case "/token":
        return await exchange(request, response);
      case "/userinfo": {
        const sub = subjects.get(request.headers.authorization?.slice("Bearer ".length) ?? "");
        return sub === undefined ? sendJson(response, {}, 401) : sendJson(response, { ...userInfo, sub });
      }
      default:
        response.writeHead(404).end();
    }
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const isRight =
      query.get("client_id") === clientId &&
      query.get("response_type") === "code" &&
      query.get("code_challenge_method") === "S256" &&
      (query.get("scope") ?? "").split(" ").includes("openid");
    if (!isRight) {
      response.writeHead(400).end("not an authorization request");
      return;
    }
    if (user === null && query.get("user") === null) {
      const page = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Identity provider</h1>
        <a href="/authorize?${query}&amp;user=ines">Continue as Ines</a></main></html>`;
      response.writeHead(200, { "content-type": "text/html" }).end(page);
      return;
    }
    const code = randomUUID();
    grants.set(code, {
      user: user ?? { sub: "ines-1", preferred_username: "ines", name: "Inês Prata", groups: ["desk"] },
      redirectUri: query.get("redirect_uri") ?? "",
      challenge: query.get("code_challenge") ?? "",
      nonce: query.get("nonce") ?? "",
    });
    const back = new URL(query.get("redirect_uri") ?? "");
    back.search = String(new URLSearchParams({ code, state: query.get("state") ?? "" }));
    response.writeHead(302, { location: back.href }).end();
  }

  /** Client, code, redirect URI and PKCE must all be right; a code works once. */
  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
    const encode = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);
    const basic = `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
    const isClient =
      secretPlace === "header"
        ? request.headers.authorization === basic
        : form.get("client_id") === clientId && form.get("client_secret") === clientSecret;
    if (!isClient) return sendJson(response, { error: "invalid_client" }, 401);
    const grant = grants.get(form.get("code") ?? "");
    grants.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (grant?.redirectUri !== form.get("redirect_uri") || grant.challenge !== challenge) {
      return sendJson(response, { error: "invalid_grant" }, 400);
    }
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce: grant.nonce, ...grant.user };
    const accessToken = randomUUID();
    subjects.set(accessToken, grant.user.sub);
    sendJson(response, {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 300,
      id_token: await signToken(signingKey, changeClaims(claims), { typ: "JWT" }),
    });
  }

  return {
    issuer,
    clientId,
    clientSecret,
    count: (path) => counts.get(path) ?? 0,
    signInAs: (next) => {
      user = next;
    },
    changeIdToken: (change) => {
      changeClaims = change ?? ((claims) => claims);
    },
    signWith: (which) => {
      signingKey = which === "published" ? key : otherKey;
    },
    takeSecretIn: (place) => {
      secretPlace = place;
    },
    serveUserInfo: (claims) => {
      userInfo = claims;
    },
    setAvailable: (next) => {
      isAvailable = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
