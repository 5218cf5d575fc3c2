import { readNotification } from "../../src/contract/notification.ts";
import type { EncryptionKey } from "../../src/kernel/encryption-keys.ts";
import type { Fact } from "../../src/kernel/fact.ts";
import { createEncryption } from "../../src/store/database/encryption.ts";
import type { FlagReader } from "./evidence.ts";

/** Reads the flags of each booking reference in a notification as it was announced. */
export function readFlags(keys: readonly EncryptionKey[]): FlagReader {
  const encryption = createEncryption(keys);
  return async ({ id, body, body_encoding: bodyEncoding, key_id: keyId }) => {
    const place = { column: "gateway.ocn_bodies.body", row: id } as const;
    const reading = readNotification(await encryption.open({ body, bodyEncoding, keyId }, place));
    if (!reading.ok) return null;
    return new Map(
      reading.view.orders.flatMap(({ gdsBookingReferences, flags }) =>
        gdsBookingReferences.map((reference) => [
          reference,
          { accept: valueOf(flags.accept), cancel: valueOf(flags.cancel) },
        ]),
      ),
    );
  };
}

function valueOf(flag: Fact<"Y" | "N">): string | null {
  return flag.known ? flag.value : null;
}
