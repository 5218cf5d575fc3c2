import type { Request, Response } from "express";
import { AppError } from "../kernel/app-error.ts";
import { unknownSecret } from "../kernel/secret-verifier.ts";
import { type Authenticate, type Authentication, createAuthenticate } from "./authentication.ts";
import type { ReceiverSource } from "./ports.ts";
import { unusableSource } from "./source-errors.ts";
import type { Check, CheckContext } from "./ways/way.ts";
import { definitionOf, type Way } from "./ways.ts";
import type { ReadSignature } from "./webhook-signature.ts";

export const defaultSourceName = "default";

export interface KnownSource {
  readonly name: string;
  readonly acknowledgeUnusable: boolean;
  readonly authenticate: Authenticate;
  /** By which its bodies may be signed. */
  readonly signatures: readonly ReadSignature[];
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
  context: Omit<CheckContext, "name">,
): SourceDirectory {
  const known = new Map<string, KnownSource>();
  for (const { name, authentication, acknowledgeUnusable } of sources) {
    if (known.has(name)) throw new AppError(unusableSource, `Source ${name} is defined twice. Rename one of them.`);
    if (authentication.length === 0) {
      throw new AppError(
        unusableSource,
        `Source ${name} has no credentials, so nobody could push to it. Give it a user name and password, a token, OAuth, or a signing secret.`,
      );
    }
    const checks = checksOf(authentication, { ...context, name });
    const signatures = checks.flatMap((check) => (check.reads === "body" ? [check.readSignature] : []));
    const authenticate = createAuthenticate(checks, context.networkOf);
    known.set(name, { name, acknowledgeUnusable, authenticate, signatures, reads: 0 });
  }
  const standIn =
    known.get(defaultSourceName)?.authenticate ??
    createAuthenticate(checksOf(nobody(), { ...context, name: "nobody" }), context.networkOf);
  return {
    find: (name) => known.get(name),
    authenticate: (source, request, response) => (source?.authenticate ?? standIn)(request, response),
  };
}

function checksOf(ways: readonly Way[], context: CheckContext): readonly Check[] {
  return ways.flatMap((way) => definitionOf(way).createChecks(way, context));
}

function nobody(): readonly Way[] {
  const [username, password, token] = [unknownSecret("clear"), unknownSecret("clear"), unknownSecret("clear")];
  return [
    { kind: "basic", username: username.reveal(), passwords: [password] },
    { kind: "bearer_tokens", tokens: [token] },
  ];
}
