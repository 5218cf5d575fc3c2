import type { CaseStore, Lease } from "./ports.ts";
import type { WorkerContext } from "./worker-context.ts";

/** Runs `work` under an acquired lease, and renews the lease until the work ends. */
export async function whileRenewing<T>(
  worker: Pick<WorkerContext, "timing" | "logger"> & { readonly store: Pick<CaseStore, "renewLease"> },
  lease: Lease,
  work: () => Promise<T>,
): Promise<T> {
  // A failed renewal needs no reaction: the database refuses the next write of this worker.
  const heartbeat = setInterval(() => {
    worker.store.renewLease(lease, worker.timing.leaseMs).catch((error: unknown) => {
      worker.logger.warn({ source: lease.source, orderId: lease.orderId, error }, "lease.renewal_failed");
    });
  }, worker.timing.renewMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
  }
}
