import { readNotification } from "../../contract/notification.ts";
import type { ReadOrderView } from "../../contract/read-order-view.ts";
import type { Encryption } from "../database/encryption.ts";

/** A stored notification without its body when the reading of it was at hand. */
export interface NotificationRow {
  readonly id: string;
  readonly body: Buffer | null;
  readonly bodyEncoding: string;
  readonly bodyBytes: number;
  readonly keyId: string | null;
}

type Readings = ReadonlyMap<string, Promise<ReadOrderView>>;

/**
 * Reads stored notifications and remembers the newest readings: each order of a notification needs the whole of it, and
 * decrypting and parsing it anew for each would make the work grow with the square of its orders. A reading is shared and
 * not to be changed; it holds nothing that identifies a traveller.
 */
export interface NotificationReader {
  /** What is remembered now, by the id of the notification. Later evictions do not touch it. */
  remembered(): Readings;
  /**
   * @param remembered taken before the row was selected; the row has its body unless it is among them.
   * @throws `store.cannot_open`
   */
  read(row: NotificationRow, remembered: Readings): Promise<ReadOrderView>;
}

export interface ReaderLimits {
  readonly readings: number;
  /** Of the bodies together, before they were sealed. A reading takes about twice as much memory. */
  readonly bodyBytes: number;
}

const defaultLimits: ReaderLimits = { readings: 32, bodyBytes: 16 * 1024 * 1024 };

export function createNotificationReader(
  encryption: Encryption,
  limits: ReaderLimits = defaultLimits,
): NotificationReader {
  /** Least recently used first. */
  const cache = new Map<string, { readonly reading: Promise<ReadOrderView>; readonly bodyBytes: number }>();
  let storedBytes = 0;

  const forget = (id: string): void => {
    storedBytes -= cache.get(id)?.bodyBytes ?? 0;
    cache.delete(id);
  };

  const remember = (id: string, bodyBytes: number, reading: Promise<ReadOrderView>): void => {
    forget(id);
    if (bodyBytes > limits.bodyBytes) return;
    cache.set(id, { reading, bodyBytes });
    storedBytes += bodyBytes;
    for (const oldest of cache.keys()) {
      if (cache.size <= limits.readings && storedBytes <= limits.bodyBytes) return;
      forget(oldest);
    }
  };

  return {
    remembered: () => new Map([...cache].map(([id, { reading }]) => [id, reading])),

    read: async (row, remembered) => {
      const { id, body, bodyBytes } = row;
      const known = remembered.get(id) ?? cache.get(id)?.reading;
      const reading = known ?? open(encryption, { ...row, body: body! });
      remember(id, bodyBytes, reading);
      try {
        return await reading;
      } catch (error) {
        // The key may be added, or the bytes restored from a backup.
        if (cache.get(id)?.reading === reading) forget(id);
        throw error;
      }
    },
  };
}

async function open(encryption: Encryption, row: NotificationRow & { readonly body: Buffer }): Promise<ReadOrderView> {
  return readNotification(await encryption.open(row));
}
