import type { Secret } from "../kernel/secret.ts";

/**
 * Where the access token comes from: one that is always the same, or a function that gets one. The function is told which
 * token the gateway refused, so that it does not give the same again; null when there was none before.
 */
export type AccessTokenSource = Secret | TokenFetcher;

type TokenFetcher = (refused: Secret | null) => Promise<Secret>;

/** The access token of a client, in memory only. */
export interface AccessToken {
  /** Whether another token can be had when this one is refused. */
  readonly isRenewable: boolean;
  /** The token in use, or a new one. Whoever asks while one is being fetched waits for that one; a failure is not kept. */
  get(): Promise<Secret>;
  /** Says that the token that is being fetched took too long: whoever asks next has one fetched anew. */
  giveUp(): void;
  /** Says that the gateway refused a token. Does nothing when another one has taken its place already. */
  refuse(token: Secret): void;
}

export function createAccessToken(source: AccessTokenSource): AccessToken {
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

  function fetchOnce(fetch: TokenFetcher): Promise<Secret> {
    const fetched: Promise<Secret> = fetchToken(fetch).finally(() => {
      // One that was given up must not end the one that took its place.
      if (fetching === fetched) fetching = null;
    });
    return fetched;
  }

  async function fetchToken(fetch: TokenFetcher): Promise<Secret> {
    current = await fetch(refused);
    return current;
  }
}
