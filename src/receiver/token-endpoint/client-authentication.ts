import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, errors, type JWK, jwtVerify } from "jose";
import { AppError, codeOf } from "../../kernel/app-error.ts";
import { tooManyCandidates } from "../../kernel/check-queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RecognisedCredentials } from "../../kernel/recognised-credentials.ts";
import type { Secret } from "../../kernel/secret.ts";
import { createSecretVerifier, isHashed, type SecretVerifier, unknownSecret } from "../../kernel/secret-verifier.ts";
import type { AssertionStore, ReceiverSource } from "../ports.ts";
import { unusableSource } from "../source-errors.ts";
import type { OAuthClient } from "../ways/oauth.ts";
import { findWay } from "../ways.ts";
import { TokenRefusal } from "./token-errors.ts";
import type { ClientProof } from "./token-request.ts";

export interface KnownClient {
  readonly id: string;
  readonly source: string;
  readonly scopes: readonly string[];
}

/** @throws TokenRefusal `invalid_client`; also if the server that decides is unavailable */
export type AuthenticateClient = (proof: ClientProof, network: string) => Promise<KnownClient>;

export interface ClientAuthenticationOptions {
  readonly sources: readonly ReceiverSource[];
  readonly assertions: AssertionStore;
  readonly clock: Clock;
  readonly recognised?: RecognisedCredentials;
  /** Values of `aud` that name us: the issuer and the URL of the token endpoint. */
  readonly audiences: () => readonly string[];
}

/** Limited, because each assertion is stored until it expires. */
const assertionLifetimeMaxSeconds = 60 * 60;

const assertionAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

interface RegisteredClient extends KnownClient {
  readonly secrets: SecretVerifier;
  readonly publicKeys: readonly JWK[];
  readonly clockSkewSeconds: number;
}

type VerifierOf = (secrets: readonly Secret[]) => SecretVerifier;

/**
 * RFC 6749 section 2.3, RFC 7523.
 * @throws AppError `receiver.unusable_source` for a duplicate client id, `secret.unusable` for a secret
 */
export function createClientAuthentication(options: ClientAuthenticationOptions): AuthenticateClient {
  const nobody = createSecretVerifier([unknownSecretLike(options.sources)]);
  const verifierOf = (secrets: readonly Secret[]): SecretVerifier =>
    secrets.length === 0 ? nobody : createSecretVerifier(secrets, options);
  const clients = register(options.sources, verifierOf);

  return async (proof, network) => {
    const id = proof.method === "private_key_jwt" ? readSubject(proof.assertion) : proof.clientId;
    const client = clients.get(id);
    switch (proof.method) {
      case "client_secret_basic":
      case "client_secret_post":
        return await checkSecret(client, proof.secret, network);
      case "private_key_jwt":
        if (proof.clientId !== null && proof.clientId !== id) {
          throw new TokenRefusal("invalid_request", "client_id differs from the subject of the assertion.");
        }
        return await checkAssertion(client, proof.assertion);
    }
  };

  async function checkSecret(
    client: RegisteredClient | undefined,
    secret: string,
    network: string,
  ): Promise<KnownClient> {
    let matches: boolean;
    try {
      matches = await (client?.secrets ?? nobody).verify(secret, network);
    } catch (cause) {
      if (codeOf(cause) !== tooManyCandidates) throw cause;
      throw new TokenRefusal("temporarily_unavailable", "Too many secrets are waiting to be checked. Ask again.", {
        status: 429,
        headers: { "Retry-After": "2" },
        cause,
      });
    }
    if (client === undefined || !matches) throw refusal();
    return client;
  }

  async function checkAssertion(client: RegisteredClient | undefined, assertion: string): Promise<KnownClient> {
    if (client === undefined || client.publicKeys.length === 0) throw refusal();
    const now = options.clock.now();
    const { jti, exp } = await verifyAssertion(client, assertion, options.audiences(), now);
    const isNew = await options.assertions.useAssertion({
      clientId: client.id,
      jtiDigest: createHash("sha256").update(jti, "utf8").digest(),
      expiresAt: new Date((exp + client.clockSkewSeconds) * 1_000),
      now,
    });
    if (!isNew) throw refusal("The assertion was used before. Make a new one, with a new jti, for each request.");
    return client;
  }
}

function register(sources: readonly ReceiverSource[], verifierOf: VerifierOf): ReadonlyMap<string, RegisteredClient> {
  const clients = new Map<string, RegisteredClient>();
  for (const { name, authentication } of sources) {
    const { clients: listed = [], scopes = [], clockSkewSeconds = 0 } = findWay(authentication, "oauth")?.clients ?? {};
    for (const client of listed) {
      const taken = clients.get(client.id);
      if (taken !== undefined) {
        throw new AppError(
          unusableSource,
          `OAuth client ${client.id} is defined for source ${taken.source} and for source ${name}. Rename one of them.`,
        );
      }
      clients.set(client.id, registerOne(client, { source: name, scopes, clockSkewSeconds }, verifierOf));
    }
  }
  return clients;
}

function registerOne(
  { id, secrets, publicKeys }: OAuthClient,
  place: Pick<RegisteredClient, "source" | "scopes" | "clockSkewSeconds">,
  verifierOf: VerifierOf,
): RegisteredClient {
  if (secrets.length === 0 && publicKeys.length === 0) {
    throw new AppError(unusableSource, `OAuth client ${id} of source ${place.source} has neither a secret nor a key.`);
  }
  return { id, ...place, publicKeys, secrets: verifierOf(secrets) };
}

/** Clients that are unknown or have no secret are checked against this one, so that timing does not reveal ids. */
function unknownSecretLike(sources: readonly ReceiverSource[]): Secret {
  const secrets = sources
    .flatMap(({ authentication }) => findWay(authentication, "oauth")?.clients?.clients ?? [])
    .flatMap((client) => client.secrets);
  return unknownSecret(secrets.some(isHashed) ? "hash" : "clear");
}

function readSubject(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion);
    if (typeof sub === "string") return sub;
  } catch {
    // Refused like any other invalid assertion.
  }
  throw refusal();
}

async function verifyAssertion(
  client: RegisteredClient,
  assertion: string,
  audiences: readonly string[],
  now: Date,
): Promise<{ readonly jti: string; readonly exp: number }> {
  try {
    const { payload } = await jwtVerify(assertion, createLocalJWKSet({ keys: [...client.publicKeys] }), {
      algorithms: assertionAlgorithms,
      issuer: client.id,
      subject: client.id,
      audience: [...audiences],
      clockTolerance: client.clockSkewSeconds,
      currentDate: now,
      requiredClaims: ["exp", "jti"],
    });
    const { jti, exp } = payload;
    const latest = now.getTime() / 1_000 + assertionLifetimeMaxSeconds + client.clockSkewSeconds;
    if (typeof jti === "string" && jti !== "" && exp !== undefined && exp <= latest) return { jti, exp };
  } catch (error) {
    if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
  }
  throw refusal();
}

function refusal(description = "The client is unknown, or did not prove who it is."): TokenRefusal {
  return new TokenRefusal("invalid_client", description);
}
