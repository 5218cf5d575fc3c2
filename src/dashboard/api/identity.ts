import type { IncomingMessage } from "node:http";
import type { Caller } from "../../cases/visible-sources.ts";
import { AppError } from "../../kernel/app-error.ts";
import type { User } from "../people/ports.ts";

/** Who asks. Of a token, what it may; nothing is needed of one before anything else, because a program cannot do it. */
export interface Identity
  extends Pick<
    User,
    | "username"
    | "displayName"
    | "role"
    | "sources"
    | "passwordChangeNeeded"
    | "hasSecondFactor"
    | "secondFactorNeeded"
    | "issuer"
  > {
  /** `person:` and the user name, or `person:api` for API_TOKEN. Decisions and timelines record it. */
  readonly actor: string;
  readonly via: "session" | "personal-token" | "api-token";
  /** The id of the personal token with which they act; null in a browser and for API_TOKEN. */
  readonly tokenId: string | null;
  /** Null for API_TOKEN. */
  readonly userId: string | null;
  /** Whether they may change nothing, whatever their role: a token for reading. */
  readonly readOnly: boolean;
}

/** Not a property of the request, so that nothing that a caller sends can end up here. */
const identities = new WeakMap<IncomingMessage, Identity>();

/** The caller. Known on every route behind `authenticate`. */
export function identityOf(request: IncomingMessage): Identity {
  const identity = identities.get(request);
  if (identity === undefined) {
    throw new AppError("api.not_authenticated", "A route asks for an identity but does not stand behind authenticate.");
  }
  return identity;
}

/** As the ports of the store take it. */
export function toCaller({ actor, tokenId, sources }: Identity): Caller {
  return { actor, ...(tokenId === null ? {} : { tokenId }), visible: sources };
}

/** For the log, also of requests that `authenticate` refused. */
export function userIdOf(request: IncomingMessage): string | null {
  return identities.get(request)?.userId ?? null;
}

/** Called by `authenticate`. */
export function setIdentity(request: IncomingMessage, identity: Identity): void {
  identities.set(request, identity);
}
