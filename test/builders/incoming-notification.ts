import { systemClock } from "../../src/kernel/clock.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { newId } from "../../src/kernel/ids.ts";
import type { IncomingNotification } from "../../src/receiver/ports.ts";

/** A usable notification of one order. Its body holds the order, so two with the same order have the same digest. */
export function anIncomingNotification(
  overrides: Partial<Omit<IncomingNotification, "body" | "digest">> & {
    readonly body?: string;
    readonly orderId?: string;
  } = {},
): IncomingNotification {
  const { body: text, orderId = "QX7R2M1A", ...rest } = overrides;
  const body = Buffer.from(text ?? JSON.stringify({ OrderViewRS: { Order: [{ OrderID: orderId }] } }));
  return {
    id: newId(systemClock),
    source: "default",
    receivedAt: systemClock.now(),
    body,
    digest: digestOfBytes(body),
    contentType: "application/json",
    problem: null,
    orders: [{ orderId, gdsBookingReferences: ["LHSKD1"] }],
    copies: 1,
    ...rest,
  };
}
