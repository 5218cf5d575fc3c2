import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import { AppError } from "../kernel/app-error.ts";
import { Secret } from "../kernel/secret.ts";
import { type Authenticate, type Authentication, createAuthenticate } from "./authentication.ts";
import type { ReceiverSource, SourceAuthentication } from "./ports.ts";

/** The source that `/ocn` stands for. */
export const defaultSourceName = "default";

/** Code of a source that cannot be served. */
export const unusableSource = "receiver.unusable_source";

export interface KnownSource {
  readonly name: string;
  readonly acknowledgeUnusable: boolean;
  readonly authenticate: Authenticate;
  /** Requests whose bodies are being read now. */
  reads: number;
}

export interface SourceDirectory {
  find(name: string): KnownSource | undefined;
  /**
   * Checks a request's credentials. A request to a source that does not exist is checked like one to the default source,
   * so that strangers get the same 401 for both and cannot try out names; only who holds the default source's credentials
   * learns that a name is wrong. A source that accepts other ways than the default one can still be told apart by its
   * challenges, which it must list: names are no secrets, and nothing rests on them.
   */
  authenticate(source: KnownSource | undefined, request: Request, response: Response): Promise<Authentication>;
}

/** @throws AppError `receiver.unusable_source`, or `secret.unusable` for one of its secrets. */
export async function createSourceDirectory(sources: readonly ReceiverSource[]): Promise<SourceDirectory> {
  const known = new Map<string, KnownSource>();
  for (const { name, authentication, acknowledgeUnusable } of sources) {
    if (known.has(name)) throw new AppError(unusableSource, `Source ${name} is defined twice. Rename one of them.`);
    if (!hasAnyWay(authentication)) {
      throw new AppError(
        unusableSource,
        `Source ${name} has no credentials, so nobody could push to it. Give it a user name and password, or a token.`,
      );
    }
    known.set(name, { name, acknowledgeUnusable, authenticate: await createAuthenticate(authentication), reads: 0 });
  }
  const standIn = known.get(defaultSourceName)?.authenticate ?? (await createAuthenticate(nobody()));
  return {
    find: (name) => known.get(name),
    authenticate: (source, request, response) => (source?.authenticate ?? standIn)(request, response),
  };
}

function hasAnyWay({ basic, bearerTokens = [], exactValues = [] }: SourceAuthentication): boolean {
  return (basic !== undefined && basic.passwords.length > 0) || bearerTokens.length > 0 || exactValues.length > 0;
}

/** Credentials that nobody has. */
function nobody(): SourceAuthentication {
  const secret = (): Secret => new Secret(randomBytes(32).toString("base64url"));
  return { basic: { username: secret().reveal(), passwords: [secret()] }, bearerTokens: [secret()] };
}
