import type { Secret } from "../kernel/secret.ts";

/** Is given the token that the gateway refused, or null, and must return another one. */
export type FetchToken = (refused: Secret | null) => Promise<Secret>;

/** In memory only. */
export interface AccessToken {
  /** Whether another token can be requested if this one is refused. */
  readonly isRenewable: boolean;
  /** Concurrent callers share a request; failures are not cached. */
  get(): Promise<Secret>;
  /** Abandons a slow request for a token, so that the next caller starts a new one. */
  giveUp(): void;
  refuse(token: Secret): void;
}

export function createAccessToken(source: Secret | FetchToken): AccessToken {
  if (typeof source !== "function") {
    return { isRenewable: false, get: async () => source, giveUp: () => {}, refuse: () => {} };
  }
  let refused: Secret | null = null;
  let current: Secret | null = null;
  let fetching: Promise<Secret> | null = null;

  return {
    isRenewable: true,
    get() {
      if (current !== null) return Promise.resolve(current);
      fetching ??= fetchOnce(source);
      return fetching;
    },
    giveUp() {
      fetching = null;
    },
    refuse(token) {
      if (current !== token) return;
      refused = token;
      current = null;
    },
  };

  function fetchOnce(fetch: FetchToken): Promise<Secret> {
    const fetched: Promise<Secret> = fetchToken(fetch).finally(() => {
      // An abandoned request must not end its successor.
      if (fetching === fetched) fetching = null;
    });
    return fetched;
  }

  async function fetchToken(fetch: FetchToken): Promise<Secret> {
    current = await fetch(refused);
    return current;
  }
}
