import type { Request, Response } from "express";
import type { ClientAddressOf } from "../http/client-address.ts";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { RecognisedCredentials } from "../kernel/recognised-credentials.ts";
import type { Secret } from "../kernel/secret.ts";
import { unknownSecret } from "../kernel/secret-verifier.ts";
import {
  type AccessTokenVerifiers,
  type Authenticate,
  type Authentication,
  createAuthenticate,
  signatureChallenge,
} from "./authentication.ts";
import type { ReceiverSource, SourceAuthentication } from "./ports.ts";
import { unusableSource } from "./source-errors.ts";
import { createSignatureCheck, type SignatureCheck } from "./webhook-signature.ts";

export const defaultSourceName = "default";

export interface KnownSource {
  readonly name: string;
  readonly acknowledgeUnusable: boolean;
  readonly authenticate: Authenticate;
  readonly signatures: SignatureCheck | null;
  reads: number;
}

export interface SourceDirectory {
  find(name: string): KnownSource | undefined;
  /**
   * Checks an unknown source like the default one, so that callers get the same 401 and can't probe for names.
   * Different challenges may still reveal a source, but names are no secrets.
   */
  authenticate(source: KnownSource | undefined, request: Request, response: Response): Promise<Authentication>;
}

/** @throws AppError `receiver.unusable_source`, or `secret.unusable` for one of its secrets */
export function createSourceDirectory(
  sources: readonly ReceiverSource[],
  context: {
    readonly clock: Clock;
    readonly addressOf: ClientAddressOf;
    readonly accessTokensOf: (source: ReceiverSource) => AccessTokenVerifiers;
    readonly recognised: RecognisedCredentials;
  },
): SourceDirectory {
  const known = new Map<string, KnownSource>();
  for (const source of sources) {
    const { name, authentication, acknowledgeUnusable } = source;
    if (known.has(name)) throw new AppError(unusableSource, `Source ${name} is defined twice. Rename one of them.`);
    if (!hasAnyWay(authentication)) {
      throw new AppError(
        unusableSource,
        `Source ${name} has no credentials, so nobody could push to it. Give it a user name and password, a token, OAuth, or a signing secret.`,
      );
    }
    const { signingSecrets = [] } = authentication;
    const signatures = signingSecrets.length === 0 ? null : createSignatureCheck(signingSecrets, context.clock);
    const ofHeader = createAuthenticate(
      { ...authentication, accessTokens: context.accessTokensOf(source) },
      context.addressOf,
      context.recognised,
    );
    const authenticate = signatures === null ? ofHeader : withSignatureChallenge(ofHeader);
    known.set(name, { name, acknowledgeUnusable, authenticate, signatures, reads: 0 });
  }
  const standIn = known.get(defaultSourceName)?.authenticate ?? createAuthenticate(nobody(), context.addressOf);
  return {
    find: (name) => known.get(name),
    authenticate: (source, request, response) => (source?.authenticate ?? standIn)(request, response),
  };
}

function hasAnyWay(ways: SourceAuthentication): boolean {
  const { basic, bearerTokens = [], exactValues = [], signingSecrets = [], accessTokens, clients } = ways;
  return (
    (basic !== undefined && basic.passwords.length > 0) ||
    [bearerTokens, exactValues, signingSecrets, clients?.clients ?? []].some((list) => list.length > 0) ||
    accessTokens !== undefined
  );
}

function withSignatureChallenge(authenticate: Authenticate): Authenticate {
  return async (request, response) => {
    const authentication = await authenticate(request, response);
    if (authentication.authenticated || authentication.refusal !== "unauthorized") return authentication;
    return { ...authentication, challenges: [...authentication.challenges, signatureChallenge] };
  };
}

function nobody(): Pick<SourceAuthentication, "basic" | "bearerTokens"> {
  const secret = (): Secret => unknownSecret("clear");
  return { basic: { username: secret().reveal(), passwords: [secret()] }, bearerTokens: [secret()] };
}
