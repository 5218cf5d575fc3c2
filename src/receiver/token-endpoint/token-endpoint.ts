import { randomUUID } from "node:crypto";
import { type Request, type Response, Router } from "express";
import { importJWK, type JSONWebKeySet, type JWK, SignJWT } from "jose";
import type { ClientAddressOf } from "../../http/client-address.ts";
import { AppError } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createMinuteLimit } from "../../kernel/minute-limit.ts";
import { networkOf } from "../../kernel/networks.ts";
import type { RecognisedCredentials } from "../../kernel/recognised-credentials.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { createRefusalLines } from "../../telemetry/refusal-lines.ts";
import type { VerifyAccessToken } from "../access-token.ts";
import { createJwtVerifier } from "../jwt-access-token.ts";
import { createKeySets, type KeySetTimings } from "../key-sets.ts";
import type { AssertionStore, ReceiverSource, SigningKeyStore } from "../ports.ts";
import { findWay } from "../ways.ts";
import { createClientAuthentication, type KnownClient } from "./client-authentication.ts";
import { makeSigningKey, tokenLifetimeSeconds } from "./signing-key.ts";
import { TokenRefusal } from "./token-errors.ts";
import { readTokenRequest } from "./token-request.ts";

export interface TokenEndpointOptions {
  readonly sources: readonly ReceiverSource[];
  /** Without a trailing slash, never taken from a request. A function: it may be known only once we listen. */
  readonly issuer: () => string;
  readonly keys: SigningKeyStore;
  readonly assertions: AssertionStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly addressOf: ClientAddressOf;
  readonly recognised: RecognisedCredentials;
  readonly rates?: TokenRates;
}

/** Per minute. */
export interface TokenRates {
  /** Tokens last ten minutes, so one a minute is plenty. */
  readonly tokensPerClient: number;
  /** Valid credentials are never refused for failures of others. */
  readonly failuresPerAddress: number;
}

export interface TokenEndpoint {
  /** Serves `POST /oauth/token` and `GET /oauth/jwks.json`. */
  readonly router: Router;
  /** Null for a source without clients. */
  verifierOf(source: string): VerifyAccessToken | null;
  stop(): void;
}

const defaultRates: TokenRates = { tokensPerClient: 120, failuresPerAddress: 60 };

/** Our own database serves the keys, so reloads may be frequent. */
const ownKeyTimings: KeySetTimings = { freshMs: 60_000, usableMs: 10 * 60_000, cooldownMs: 1_000 };

const keySetServesMs = 1_000;

/** Shorter than retired keys are published, longer than a busy verifier needs. */
const keySetMaxAgeSeconds = 300;

/**
 * Client credentials only, RFC 9068 JWTs. A token's audience is the push URL of its client's source.
 * @throws AppError `receiver.unusable_source`, `secret.unusable`
 * @see RFC 6749 sections 4.4 and 5, RFC 7523, RFC 9068
 */
export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { issuer, keys, clock, logger, addressOf, rates = defaultRates } = options;
  const tokenUrl = (): string => `${issuer()}/oauth/token`;
  const authenticateClient = createClientAuthentication({
    ...options,
    audiences: () => [issuer(), tokenUrl()],
  });
  const tokensOf = createMinuteLimit(rates.tokensPerClient, clock);
  const failuresFrom = createMinuteLimit(rates.failuresPerAddress, clock);
  const writeRefusal = createRefusalLines(logger, clock);
  const stopReading = new AbortController();

  async function serveTokenRequest(request: Request, response: Response): Promise<void> {
    const startedAt = clock.now();
    const durationMs = (): number => clock.now().getTime() - startedAt.getTime();
    try {
      const { proof, grantType, scopes, resource } = await readTokenRequest(request, stopReading.signal);
      const client = await authenticateClient(proof, networkOf(addressOf(request)));
      const granted = decideGrant(client, { grantType, scopes, resource });
      limitTokens(client);
      const accessToken = await issueToken(client, granted);
      writeJson(response, 200, {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: tokenLifetimeSeconds,
        scope: granted.join(" "),
      });
      const who = { clientId: client.id, source: client.source, method: proof.method };
      logger.info({ ...who, durationMs: durationMs() }, "access_token.issued");
    } catch (error) {
      const refusal = error instanceof TokenRefusal ? error : toServerRefusal(error);
      const { oauthCode, status, headers } = limitFailures(refusal, request);
      if (status === 401)
        response.setHeader("WWW-Authenticate", 'Basic realm="skedchange token endpoint", charset="UTF-8"');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (!request.complete) response.setHeader("Connection", "close");
      writeJson(response, status, { error: oauthCode, error_description: refusal.message });
      const line = {
        ...{ status, code: oauthCode, address: addressOf(request) },
        ...{ reason: refusal.message, error: refusal.cause, durationMs: durationMs() },
      };
      if (status >= 500) logger.error(line, "access_token.refused");
      else writeRefusal(line, "access_token.refused");
    }
  }

  function limitTokens(client: KnownClient): void {
    const waitSeconds = tokensOf.count(client.id);
    if (waitSeconds !== null)
      throw tooMany("This client asks for too many tokens. Use each one until it expires.", waitSeconds);
  }

  /** After the credentials check, so that failures never block another caller's valid credentials. */
  function limitFailures(refusal: TokenRefusal, request: Request): TokenRefusal {
    if (refusal.oauthCode !== "invalid_client") return refusal;
    const waitSeconds = failuresFrom.count(networkOf(addressOf(request)));
    return waitSeconds === null ? refusal : tooMany("Too many failed requests from this address.", waitSeconds);
  }

  function decideGrant(
    client: KnownClient,
    asked: { grantType: string | null; scopes: readonly string[] | null; resource: string | null },
  ): readonly string[] {
    if (asked.grantType === null) throw new TokenRefusal("invalid_request", "grant_type is missing.");
    if (asked.grantType !== "client_credentials") {
      throw new TokenRefusal("unsupported_grant_type", "Only client_credentials is supported.");
    }
    if (asked.resource !== null && !resourcesOf(client.source).includes(asked.resource)) {
      throw new TokenRefusal("invalid_target", "The resource is none that this client may push to.");
    }
    const scopes = asked.scopes ?? client.scopes;
    if (scopes.every((scope) => client.scopes.includes(scope))) return scopes;
    throw new TokenRefusal("invalid_scope", "The scope holds something that this client may not have.");
  }

  function audienceOf(source: string): string {
    return `${issuer()}/ocn/${source}`;
  }

  function resourcesOf(source: string): readonly string[] {
    return source === "default" ? [audienceOf(source), `${issuer()}/ocn`] : [audienceOf(source)];
  }

  async function issueToken(client: KnownClient, scopes: readonly string[]): Promise<string> {
    // Read per token, so that a new key signs at once in every process.
    const { kid, privateJwk } = await readOrMakeKey();
    const key = await importJWK(JSON.parse(privateJwk.reveal()) as JWK, "ES256");
    const issuedAt = Math.floor(clock.now().getTime() / 1_000);
    return await new SignJWT({ client_id: client.id, scope: scopes.join(" ") })
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
      .setIssuer(issuer())
      .setSubject(client.id)
      .setAudience(audienceOf(client.source))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + tokenLifetimeSeconds)
      .setJti(randomUUID())
      .sign(key);
  }

  async function readOrMakeKey(): ReturnType<typeof readKey> {
    return (await keys.readSigningKey()) ?? (await makeFirstKey());
  }

  async function makeFirstKey(): ReturnType<typeof readKey> {
    await keys.addFirstKey(await makeSigningKey(clock.now()));
    return await readKey();
  }

  /** Another process may have added the first key, so read the stored one. */
  async function readKey() {
    const key = await keys.readSigningKey();
    if (key !== null) return key;
    throw new AppError("receiver.no_signing_key", "There is no key to sign tokens with. Run `skedchange keys rotate`.");
  }

  async function readKeySet(): Promise<JSONWebKeySet> {
    const published = await keys.listPublishedKeys(clock.now());
    return { keys: published.map(({ publicJwk }) => publicJwk) };
  }

  let served: { readonly at: number; readonly keySet: Promise<JSONWebKeySet> } | null = null;

  /** What comes within a second is given the same keys, so that strangers cost no statement each. */
  async function serveKeySet(_request: Request, response: Response): Promise<void> {
    const now = clock.now().getTime();
    if (served === null || now - served.at >= keySetServesMs) served = { at: now, keySet: readKeySet() };
    try {
      const keySet = await served.keySet;
      response.setHeader("Content-Type", "application/jwk-set+json");
      response.setHeader("Cache-Control", `public, max-age=${keySetMaxAgeSeconds}`);
      response.end(JSON.stringify(keySet));
    } catch (error) {
      const refusal = toServerRefusal(error);
      for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
      writeJson(response, refusal.status, { error: refusal.oauthCode, error_description: refusal.message });
      logger.warn({ error }, "key_set.unavailable");
    }
  }

  const router = Router();
  router.post("/oauth/token", serveTokenRequest);
  router.all("/oauth/token", (_request, response) => refuseMethod(response, "POST"));
  router.get("/oauth/jwks.json", serveKeySet);
  router.all("/oauth/jwks.json", (_request, response) => refuseMethod(response, "GET, HEAD"));

  const ownKeys = createKeySets(readKeySet, clock, ownKeyTimings);
  return {
    router,
    verifierOf(name) {
      const { authentication = [] } = options.sources.find((source) => source.name === name) ?? {};
      const clients = findWay(authentication, "oauth")?.clients ?? null;
      if (clients === null) return null;
      const ids: ReadonlySet<unknown> = new Set(clients.clients.map(({ id }) => id));
      const trust = {
        issuer,
        keys: ownKeys,
        audiences: [],
        scopes: clients.scopes,
        clockSkewSeconds: clients.clockSkewSeconds,
        requireProfile: true,
        // Refuses a client removed from the settings from the next start on, even with an unexpired token.
        acceptsClient: (clientId: unknown) => ids.has(clientId),
      };
      return (token, network) => createJwtVerifier({ ...trust, audiences: [audienceOf(name)] }, clock)(token, network);
    },
    stop: () => stopReading.abort(),
  };
}

function tooMany(description: string, waitSeconds: number): TokenRefusal {
  return new TokenRefusal("temporarily_unavailable", description, {
    status: 429,
    headers: { "Retry-After": String(waitSeconds) },
  });
}

function toServerRefusal(cause: unknown): TokenRefusal {
  return new TokenRefusal("temporarily_unavailable", "No token can be issued now. Ask again.", {
    status: 503,
    headers: { "Retry-After": "5" },
    cause,
  });
}

function refuseMethod(response: Response, allowed: string): void {
  response.setHeader("Allow", allowed);
  writeJson(response, 405, { error: "invalid_request", error_description: `Only ${allowed} is possible here.` });
}

function writeJson(response: Response, status: number, document: object): void {
  if (response.headersSent || response.destroyed) return;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Pragma", "no-cache");
  response.statusCode = status;
  response.end(JSON.stringify(document));
}
