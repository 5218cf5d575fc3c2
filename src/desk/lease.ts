import type { OrderKey } from "../cases/order-context.ts";
import type { DeskContext } from "./desk-context.ts";
import type { CaseStore, Lease } from "./ports.ts";

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
  return lease === null ? null : await holdingLease(desk, lease, work);
}

/** Runs `work` under a lease that is held already, renewing it until the work ends, then gives it back. */
export async function holdingLease<T>(
  desk: Pick<DeskContext, "timing" | "logger"> & { readonly store: Pick<CaseStore, "renewLease" | "releaseLease"> },
  lease: Lease,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  // A renewal that fails needs no reaction here: the next write of this worker is refused by the database.
  const heartbeat = setInterval(() => {
    desk.store.renewLease(lease, desk.timing.leaseMs).catch((error: unknown) => {
      desk.logger.warn({ source: lease.source, orderId: lease.orderId, error }, "lease.renewal_failed");
    });
  }, desk.timing.renewMs);
  try {
    return await work(lease);
  } finally {
    clearInterval(heartbeat);
    await desk.store.releaseLease(lease);
  }
}
