import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { type AuthorizationServerClient, authorizationServerUnavailable } from "./authorization-server-client.ts";

/** The public keys that may have signed a token. */
export type KeyFinding =
  | { readonly outcome: "found"; readonly keys: readonly CryptoKey[] }
  | { readonly outcome: "none" }
  /** There may be such a key, and nobody can be asked now. */
  | { readonly outcome: "unavailable"; readonly error: unknown };

/** What of a token's header selects its key. */
export interface KeyHint {
  readonly alg: string;
  readonly kid?: string;
}

export interface KeySets {
  /** Never rejects. */
  find(hint: KeyHint): Promise<KeyFinding>;
}

/** How long keys are used and how often they are asked for. */
export interface KeySetTimings {
  /** Keys older than this are fetched again before they are used, if that is possible. */
  readonly freshMs: number;
  /** Keys older than this are not used at all: a key that was withdrawn must not live on behind a dead URL. */
  readonly usableMs: number;
  /** Shortest time between two fetches, whoever asks and however the first one ended. */
  readonly cooldownMs: number;
}

export const defaultKeySetTimings: KeySetTimings = {
  freshMs: 10 * 60_000,
  usableMs: 24 * 60 * 60_000,
  cooldownMs: 30_000,
};

/** Keys tried for a token that names none; an honest server publishes one or two of a kind. */
const keysTriedMax = 8;

/**
 * The key set behind a loader, kept while it is fresh. A key id that it does not hold makes it load again, once in a
 * cooldown, so that a rotated key is known at once and made-up key ids are no way to flood the server. All callers share
 * one load. While loading fails, the keys that are there go on being used.
 */
export function createKeySets(
  load: () => Promise<JSONWebKeySet>,
  clock: Clock,
  timings: KeySetTimings = defaultKeySetTimings,
): KeySets {
  let held: { readonly keySet: ReturnType<typeof createLocalJWKSet>; readonly loadedAt: number } | null = null;
  let lastTry: { readonly at: number; readonly error: unknown } | null = null;
  let loading: Promise<void> | null = null;

  const now = (): number => clock.now().getTime();

  async function loadOnce(): Promise<void> {
    loading ??= (async () => {
      const at = now();
      try {
        held = { keySet: createLocalJWKSet(await load()), loadedAt: at };
        lastTry = { at, error: null };
      } catch (error) {
        lastTry = { at, error };
      } finally {
        loading = null;
      }
    })();
    await loading;
  }

  function mayLoad(): boolean {
    if (loading !== null || lastTry === null) return true;
    const sinceMs = now() - lastTry.at;
    // A clock that was set back must not stop it until that time comes again.
    return sinceMs >= timings.cooldownMs || sinceMs < 0;
  }

  async function look(hint: KeyHint): Promise<readonly CryptoKey[]> {
    if (held === null || now() - held.loadedAt >= timings.usableMs) return [];
    return await selectKeys(held.keySet, hint);
  }

  return {
    async find(hint) {
      const isFresh = held !== null && now() - held.loadedAt < timings.freshMs;
      if (!isFresh && mayLoad()) await loadOnce();
      let keys = await look(hint);
      if (keys.length === 0 && isFresh && mayLoad()) {
        await loadOnce();
        keys = await look(hint);
      }
      if (keys.length > 0) return { outcome: "found", keys };
      // A failed load may hide the very key that is asked for.
      const error = lastTry?.error ?? null;
      return error === null ? { outcome: "none" } : { outcome: "unavailable", error };
    },
  };
}

/** The key set of an authorization server. */
export function createRemoteKeySets(
  url: string,
  client: AuthorizationServerClient,
  clock: Clock,
  timings?: KeySetTimings,
): KeySets {
  const load = async (): Promise<JSONWebKeySet> => {
    const answer = await client.getJson(url);
    const keys: unknown = answer !== null && typeof answer === "object" ? Reflect.get(answer, "keys") : undefined;
    if (Array.isArray(keys)) return { keys: keys.filter((key) => key !== null && typeof key === "object") };
    throw new AppError(
      authorizationServerUnavailable,
      `The key set at ${new URL(url).host} is none: it has no list 'keys'. Check the JWKS URL of the source.`,
    );
  };
  return createKeySets(load, clock, timings);
}

async function selectKeys(
  keySet: ReturnType<typeof createLocalJWKSet>,
  { alg, kid }: KeyHint,
): Promise<readonly CryptoKey[]> {
  try {
    return [await keySet(kid === undefined ? { alg } : { alg, kid })];
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return [];
    const keys: CryptoKey[] = [];
    for await (const key of error) {
      keys.push(key);
      if (keys.length === keysTriedMax) break;
    }
    return keys;
  }
}
