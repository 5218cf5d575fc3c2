import type { Clock } from "../kernel/clock.ts";
import { createMinuteLimit } from "../kernel/minute-limit.ts";
import { createRecentSet } from "../kernel/recent-set.ts";

/**
 * The bodies that are read before their signature can be checked. A new one takes the place of the oldest, so slow senders
 * shut nobody out, and networks that have signed rightly have places of their own.
 */
export interface UnprovenReads {
  /** Returns null for a network that has sent too many wrong signatures. */
  begin(network: string): UnprovenRead | null;
}

export interface UnprovenRead {
  /** Aborts when a newer read takes the place. */
  readonly displaced: AbortSignal;
  /** Bytes a second that the sender must reach; 0 for those that have signed rightly before. */
  readonly bytesPerSecondMin: number;
  end(isSigned: boolean): void;
}

const unknownPlaces = { all: 64, perNetwork: 8 };
const knownPlaces = { all: 256, perNetwork: 64 };

/** The slowest line that a gateway may have, about 128 kbit/s. */
const unknownBytesPerSecondMin = 16 * 1024;

const wrongSignaturesPerMinute = 60;
const knownNetworksMax = 10_000;

export function createUnprovenReads(clock: Clock): UnprovenReads {
  const known = createRecentSet(knownNetworksMax);
  const wrongSignatures = createMinuteLimit(wrongSignaturesPerMinute, clock);
  const ofUnknown = createPlaces(unknownPlaces);
  const ofKnown = createPlaces(knownPlaces);

  return {
    begin(network) {
      const isKnown = known.has(network);
      if (!isKnown && wrongSignatures.waitSeconds(network) !== null) return null;
      const place = (isKnown ? ofKnown : ofUnknown).take(network);
      return {
        displaced: place.displaced,
        bytesPerSecondMin: isKnown ? 0 : unknownBytesPerSecondMin,
        end(isSigned) {
          place.leave();
          if (isSigned) known.add(network);
          else wrongSignatures.count(network);
        },
      };
    },
  };
}

interface Place {
  readonly displaced: AbortSignal;
  leave(): void;
}

/** Places in the order in which they were taken. Whoever takes one too many displaces the oldest. */
function createPlaces(limits: { readonly all: number; readonly perNetwork: number }) {
  const taken = new Map<AbortController, string>();

  function displaceOldest(isCandidate: (network: string) => boolean): void {
    for (const [controller, network] of taken) {
      if (!isCandidate(network)) continue;
      taken.delete(controller);
      controller.abort();
      return;
    }
  }

  return {
    take(network: string): Place {
      const ofNetwork = [...taken.values()].filter((other) => other === network).length;
      if (ofNetwork >= limits.perNetwork) displaceOldest((other) => other === network);
      else if (taken.size >= limits.all) displaceOldest(() => true);
      const controller = new AbortController();
      taken.set(controller, network);
      return { displaced: controller.signal, leave: () => void taken.delete(controller) };
    },
  };
}
