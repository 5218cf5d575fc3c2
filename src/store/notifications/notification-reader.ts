import type { Dialect } from "../../contract/dialect.ts";
import type { OrderView } from "../../contract/order-view.ts";
import {
  type EncryptedRow,
  type Encryption,
  isRepeatable,
  type Place,
  type RepeatedBody,
} from "../database/encryption.ts";
import { tokensOfTravellers } from "../search/name-tokens.ts";

/** Without its body if the parsed notification was cached. */
export interface NotificationRow extends Omit<EncryptedRow, "body"> {
  readonly id: string;
  readonly body: Buffer | null;
  readonly bodyBytes: number;
}

export function notificationPlace(id: string): Place {
  return { column: "skedchange.notifications.body", row: id };
}

/** One of its order views, usually the only one. */
export interface NotifiedView {
  readonly view: OrderView;
  /** The tokens that find its travellers; see `tokensOfTravellers`. */
  readonly nameTokens: readonly string[];
}

export interface NotificationReading {
  /** Its usable order views. */
  readonly views: readonly NotifiedView[];
  /** Its body, if later views of its order may be compressed against it; else null. */
  readonly repeatedBody: RepeatedBody | null;
}

type Readings = ReadonlyMap<string, Promise<NotificationReading>>;

/**
 * Parses and caches notifications, because each order needs the whole and the work would grow with the square of its
 * orders. Results are shared: do not change them. Only the body contains what identifies a traveller.
 */
export interface NotificationReader {
  /** A copy of the cache by notification id. Later evictions do not change it. */
  remembered(): Readings;
  /**
   * @param remembered taken before the row was selected; the row has its body unless it is among them
   * @throws `store.cannot_open`
   */
  read(row: NotificationRow, remembered: Readings): Promise<NotificationReading>;
}

export interface ReaderLimits {
  readonly readings: number;
  /** The total size of the unencrypted bodies. A parsed one takes two to three times as much memory. */
  readonly bodyBytes: number;
}

const defaultLimits: ReaderLimits = { readings: 32, bodyBytes: 16 * 1024 * 1024 };

export function createNotificationReader(
  encryption: Encryption,
  dialect: Dialect,
  limits: ReaderLimits = defaultLimits,
): NotificationReader {
  const cache = new Map<string, { readonly reading: Promise<NotificationReading>; readonly bodyBytes: number }>();
  let storedBytes = 0;

  const forget = (id: string): void => {
    storedBytes -= cache.get(id)?.bodyBytes ?? 0;
    cache.delete(id);
  };

  const remember = (id: string, bodyBytes: number, reading: Promise<NotificationReading>): void => {
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
      const reading = known ?? open(encryption, dialect, { ...row, body: body! });
      remember(id, bodyBytes, reading);
      try {
        return await reading;
      } catch (error) {
        // The next read may succeed: the key may be added, or the bytes restored.
        if (cache.get(id)?.reading === reading) forget(id);
        throw error;
      }
    },
  };
}

async function open(
  encryption: Encryption,
  dialect: Dialect,
  row: NotificationRow & { readonly body: Buffer },
): Promise<NotificationReading> {
  const bytes = await encryption.open(row, notificationPlace(row.id));
  const { views, isOfOneOrder } = dialect.readViews(bytes);
  return {
    views: views.map(({ view, travellers }) => ({ view, nameTokens: tokensOfTravellers(encryption, travellers) })),
    // Erasing one order deletes the body, which must not take views of another order with it.
    repeatedBody: isOfOneOrder && isRepeatable(bytes.length) ? { notificationId: row.id, bytes } : null,
  };
}
