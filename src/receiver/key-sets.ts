import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { type AuthorizationServerClient, authorizationServerUnavailable } from "./authorization-server-client.ts";

export type KeyFinding =
  | { readonly outcome: "found"; readonly keys: readonly CryptoKey[] }
  | { readonly outcome: "none" }
  | { readonly outcome: "unavailable"; readonly error: unknown };

export interface KeyHint {
  readonly alg: string;
  readonly kid?: string;
}

export interface KeySets {
  /** Never rejects. */
  find(hint: KeyHint): Promise<KeyFinding>;
}

export interface KeySetTimings {
  /** Older keys are reloaded before use, if possible. */
  readonly freshMs: number;
  /** Older keys are never used: a revoked key must not stay valid behind a dead URL. */
  readonly usableMs: number;
  /** Shortest time between two loads, also after a failed one. */
  readonly cooldownMs: number;
}

export const defaultKeySetTimings: KeySetTimings = {
  freshMs: 10 * 60_000,
  usableMs: 24 * 60 * 60_000,
  cooldownMs: 30_000,
};

/** Limits the work for a token without `kid`; real servers publish one or two keys of a kind. */
const keysTriedMax = 8;

/**
 * An unknown key id causes a reload, once per cooldown, so rotated keys are found and made-up ids can't flood the
 * server. Concurrent callers share one load. If loading fails, existing keys stay in use.
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
    // A clock that was set back must not block reloads until it catches up.
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
      // A failed load may be the reason why the key is missing.
      const error = lastTry?.error ?? null;
      return error === null ? { outcome: "none" } : { outcome: "unavailable", error };
    },
  };
}

export function createRemoteKeySets(
  url: string,
  client: AuthorizationServerClient,
  clock: Clock,
  timings?: KeySetTimings,
): KeySets {
  const load = async (): Promise<JSONWebKeySet> => {
    const body = await client.getJson(url);
    const keys: unknown = body !== null && typeof body === "object" ? Reflect.get(body, "keys") : undefined;
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
