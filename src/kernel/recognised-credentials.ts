import type { Clock } from "./clock.ts";
import type { KeyedDigest } from "./keyed-digest.ts";
import { createRecentSet } from "./recent-set.ts";

/**
 * Credentials that were right before, in any process and before any restart. Recognising one costs no check, so a flood
 * of wrong ones delays nobody who was let in before.
 */
export interface RecognisedCredentials {
  /** @param checkedBy what judged it, such as the hash that it fits: a credential is unknown to another judge */
  includes(checkedBy: string, credential: string): Promise<boolean>;
  add(checkedBy: string, credential: string): void;
}

/** Where digests of them are kept. */
export interface RecognisedStore {
  /** The newest `limit` of those that were added since then, by the clock of the store. */
  readAdded(since: Date | null, limit: number): Promise<readonly { readonly digest: Buffer; readonly at: Date }[]>;
  add(digest: Buffer): Promise<void>;
}

const rememberedMax = 10_000;

/** What another process has recognised is known here after this time. */
const readAgainMs = 1_000;

/** A commit may take a while after the time that its rows state. */
const commitMaxMs = 60_000;

/** Recognises nothing from before, as where nothing is stored. */
export const nothingRecognised: RecognisedCredentials = { includes: async () => false, add: () => {} };

/** @param onError a store that is away costs checks, nothing else */
export function createRecognisedCredentials(options: {
  readonly digest: KeyedDigest;
  readonly store: RecognisedStore;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}): RecognisedCredentials {
  const { digest, store, clock, onError } = options;
  const known = createRecentSet(rememberedMax);
  let newest: Date | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readNew(): Promise<void> {
    const since = newest === null ? null : new Date(newest.getTime() - commitMaxMs);
    for (const { digest: added, at } of await store.readAdded(since, rememberedMax)) {
      known.add(nameOf(added));
      if (newest === null || at > newest) newest = at;
    }
  }

  function readAgain(): Promise<void> {
    if (reading === null && clock.now().getTime() - readAt >= readAgainMs) {
      readAt = clock.now().getTime();
      reading = readNew()
        .catch(onError)
        .finally(() => {
          reading = null;
        });
    }
    return reading ?? Promise.resolve();
  }

  function remember(added: Buffer): void {
    known.add(nameOf(added));
    store.add(added).catch(onError);
  }

  return {
    async includes(checkedBy, credential) {
      const digests = digest.allOf([checkedBy, credential]);
      const isKnown = (): boolean => digests.some((each) => known.has(nameOf(each)));
      if (!isKnown()) {
        await readAgain();
        if (!isKnown()) return false;
      }
      // Again, because what is used is not forgotten, and under the key of today, so that those of before can go.
      remember(digests[0]!);
      return true;
    },
    add: (checkedBy, credential) => remember(digest.of([checkedBy, credential])),
  };
}

function nameOf(digest: Buffer): string {
  return digest.toString("base64");
}
