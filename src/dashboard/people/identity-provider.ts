import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { IdentityProviderConfiguration } from "../../config/identity-provider.ts";
import { AppError, codeOf, messageOf } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { VouchedUser } from "./ports.ts";
import { type ProviderClaims, readProviderClaims } from "./provider-claims.ts";

/** What one sign-in must find again when the browser comes back. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An OpenID Connect provider. Both methods reject with an AppError `people.provider_…`, which holds no token. */
export interface IdentityProvider {
  /** As on the sign-in page. */
  readonly name: string;
  readonly issuer: string;
  /** Where the browser must go to sign in. */
  begin(): Promise<{ readonly url: URL; readonly pending: PendingSignIn }>;
  /** @param query of the URL with which the browser has come back */
  finish(query: string, pending: PendingSignIn): Promise<VouchedUser>;
}

/** @see OpenID Connect Core 1.0 section 2 */
const subjectPattern = /^[\x20-\x7e]{1,255}$/;

/** The provider may change its addresses and keys; it is asked for them again after this time. */
const discoveredLifeMs = 60 * 60_000;
const timeoutSeconds = 10;
const clockToleranceSeconds = 60;

/**
 * Uses the authorization code flow with PKCE, state and nonce. The signature of the ID token is always verified, although
 * the token comes from the provider itself.
 *
 * @see OpenID Connect Core 1.0 section 3.1, RFC 7636
 */
export function createIdentityProvider(options: IdentityProviderConfiguration, clock: Clock): IdentityProvider {
  const { name, issuer, redirectUri, scope } = options;
  const discover = rememberFor(discoveredLifeMs, clock, () => discoverProvider(options));

  return {
    name,
    issuer,

    async begin() {
      try {
        const configuration = await discover();
        const pending = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
          code_challenge_method: "S256",
        });
        return { url, pending };
      } catch (error) {
        throw describeFailure(error);
      }
    },

    async finish(query, { state, nonce, codeVerifier }) {
      try {
        const configuration = await discover();
        const url = new URL(redirectUri);
        url.search = query;
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
        });
        // A nonce was expected, so there is an ID token.
        const claims = tokens.claims()!;
        return toVouchedUser(options, await completeClaims(configuration, options, claims, tokens.access_token));
      } catch (error) {
        throw describeFailure(error);
      }
    },
  };
}

async function discoverProvider(options: IdentityProviderConfiguration): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = options;
  const secret = clientSecret.reveal();
  // Providers differ in which of the two they take. Basic is what a provider takes that does not say.
  const authenticateClient: ClientAuth = (server, ...rest) => {
    const takesForm = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true;
    return (takesForm ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...rest);
  };
  const isClear = new URL(issuer).protocol === "http:";
  return await discovery(new URL(issuer), clientId, { [clockTolerance]: clockToleranceSeconds }, authenticateClient, {
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks, ...(isClear ? [allowInsecureRequests] : [])],
  });
}

/** Some providers send groups with userinfo only. */
async function completeClaims(
  configuration: Configuration,
  { rolesClaim }: IdentityProviderConfiguration,
  claims: ProviderClaims,
  accessToken: string,
): Promise<ProviderClaims> {
  if (claims[rolesClaim] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}

function toVouchedUser(options: IdentityProviderConfiguration, claims: ProviderClaims): VouchedUser {
  if (!subjectPattern.test(claims.sub)) {
    throw new AppError("people.provider_response_invalid", "The subject is not 1 to 255 visible ASCII characters.");
  }
  return { identity: { issuer: options.issuer, subject: claims.sub }, ...readProviderClaims(claims, options) };
}

/** Remembers a success for some time and no failure. Calls at the same time share one. */
function rememberFor<T>(lifeMs: number, clock: Clock, make: () => Promise<T>): () => Promise<T> {
  let made: { readonly at: number; readonly value: Promise<T> } | null = null;
  return async () => {
    const now = clock.now().getTime();
    if (made === null || now - made.at >= lifeMs) made = { at: now, value: make() };
    const current = made;
    try {
      return await current.value;
    } catch (error) {
      if (made === current) made = null;
      throw error;
    }
  };
}

/** Without the cause, which can hold tokens. */
function describeFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const { cause, error: sent } = error as { readonly cause?: unknown; readonly error?: string };
  // `sent` is what the provider responds with, such as access_denied.
  if (code === "OAUTH_AUTHORIZATION_RESPONSE_ERROR") {
    return new AppError("people.provider_denied", `The identity provider has denied the sign-in (${plain(sent)}).`);
  }
  const { status } = (cause ?? {}) as { readonly status?: number };
  const unreachable = code === "OAUTH_RESPONSE_IS_NOT_CONFORM" ? `status ${status}` : connectionProblem(error);
  if (unreachable !== null) {
    return new AppError("people.provider_unavailable", `The identity provider cannot be asked: ${unreachable}.`);
  }
  return new AppError(
    "people.provider_response_invalid",
    `What the identity provider sent was refused: ${messageOf(error)} (${sent === undefined ? code : plain(sent)}).`,
  );
}

/** Why `fetch` got no response; null if it got one. openid-client may wrap its error. */
function connectionProblem(error: unknown): string | null {
  if (error === null || typeof error !== "object") return null;
  const { name, message, cause } = error as Partial<Error>;
  if (name === "TimeoutError") return `no response within ${timeoutSeconds} s`;
  return name === "TypeError" && message === "fetch failed" ? codeOf(cause) : connectionProblem(cause);
}

/** Without anything that could mislead a reader of the log. */
function plain(text = ""): string {
  return text.replaceAll(/[^\w.-]/g, "").slice(0, 60);
}
