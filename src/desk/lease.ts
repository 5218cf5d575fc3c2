import type { DeskContext } from "./desk-context.ts";
import type { Lease, OrderKey } from "./ports.ts";

/**
 * Runs `work` while holding the lease on an order, renewing it until the work ends, then gives it back.
 *
 * @returns null when another worker holds the order, or nothing is due for it.
 */
export async function withLease<T>(
  desk: DeskContext,
  key: OrderKey,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const lease = await desk.store.acquireLease(key, desk.holder, desk.timing.leaseMs);
  if (lease === null) return null;
  // A renewal that fails needs no reaction here: the next write of this worker is refused by the database.
  const heartbeat = setInterval(() => {
    desk.store.renewLease(lease, desk.timing.leaseMs).catch((error: unknown) => {
      desk.logger.warn({ source: key.source, orderId: key.orderId, error }, "lease.renewal_failed");
    });
  }, desk.timing.renewMs);
  try {
    return await work(lease);
  } finally {
    clearInterval(heartbeat);
    await desk.store.releaseLease(lease);
  }
}
