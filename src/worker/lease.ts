import type { OrderKey } from "../cases/order-context.ts";
import type { CaseStore, Lease } from "./ports.ts";
import type { WorkerContext } from "./worker-context.ts";

/**
 * Runs `work` while holding the lease on an order, renewing it until the work ends, then gives it back.
 *
 * @returns null when another worker holds the order, or nothing is due for it.
 */
export async function withLease<T>(
  worker: WorkerContext,
  key: OrderKey,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const lease = await worker.store.acquireLease(key, worker.holder, worker.timing.leaseMs);
  return lease === null ? null : await holdingLease(worker, lease, work);
}

/** Runs `work` under a lease that is held already, renewing it until the work ends, then gives it back. */
export async function holdingLease<T>(
  worker: Pick<WorkerContext, "timing" | "logger"> & { readonly store: Pick<CaseStore, "renewLease" | "releaseLease"> },
  lease: Lease,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  // A renewal that fails needs no reaction here: the next write of this worker is refused by the database.
  const heartbeat = setInterval(() => {
    worker.store.renewLease(lease, worker.timing.leaseMs).catch((error: unknown) => {
      worker.logger.warn({ source: lease.source, orderId: lease.orderId, error }, "lease.renewal_failed");
    });
  }, worker.timing.renewMs);
  try {
    return await work(lease);
  } finally {
    clearInterval(heartbeat);
    await worker.store.releaseLease(lease);
  }
}
