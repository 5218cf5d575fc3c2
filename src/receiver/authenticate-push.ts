import type { Authentication } from "./authentication.ts";
import type { KnownSource, SourceDirectory } from "./known-sources.ts";
import { type Push, type Refused, refuse } from "./push.ts";
import type { PushBodies } from "./push-bodies.ts";
import { receiverErrors } from "./receiver-problems.ts";

export type AuthenticatedPush =
  | Refused
  | {
      readonly outcome: "authenticated";
      readonly source: KnownSource;
      /** As received, if it had to be read for its signature. */
      readonly signedBody: Buffer | null;
    };

/** By the headers if they are enough, which saves reading the body of a stranger; else by a signature of the body. */
export async function authenticatePush(
  push: Push,
  name: string,
  { sources, bodies }: { readonly sources: SourceDirectory; readonly bodies: PushBodies },
): Promise<AuthenticatedPush> {
  const source = sources.find(name);
  const authentication = await sources.authenticate(source, push.request, push.response);
  if (authentication.authenticated) {
    if (source === undefined) return refuse(receiverErrors.unknownSource);
    return { outcome: "authenticated", source, signedBody: null };
  }
  if (source === undefined) return refuseUnauthenticated(authentication);
  const reading = await bodies.readSigned(push, source.signatures);
  switch (reading.outcome) {
    case "signed":
      return { outcome: "authenticated", source, signedBody: reading.wireBody };
    case "unsigned":
      return refuseUnauthenticated(authentication);
    default:
      return reading;
  }
}

function refuseUnauthenticated(authentication: Extract<Authentication, { authenticated: false }>): Refused {
  const { refusal, challenges, tokenFault } = authentication;
  return refuse(refusal === "unauthorized" ? receiverErrors.unauthorized : receiverErrors.insufficientScope, {
    headers: { "WWW-Authenticate": challenges },
    ...(tokenFault !== null && { fields: { tokenFault } }),
  });
}
