import { type Inconsistency, type InconsistencyKind, inconsistencyKinds } from "../cases/inconsistency.ts";
import { codeOf } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { AcknowledgedCheck, ReconciliationStore } from "./reconciliation-ports.ts";

/** What became of an inconsistency. `found`: repairs were not requested. */
export type InconsistencyOutcome = "found" | "repaired" | "needs-person";

export interface HandledInconsistency extends Inconsistency {
  readonly outcome: InconsistencyOutcome;
}

export interface ReconciliationReport {
  readonly acknowledged: AcknowledgedCheck;
  /** The first hundred of each kind; the counts cover at most 10,000 of a kind. */
  readonly inconsistencies: readonly HandledInconsistency[];
  readonly counts: Readonly<Record<InconsistencyOutcome, number>>;
}

/** The most inconsistencies of one kind per run; the next run goes on. */
const handledMax = 10_000;
/** The most inconsistencies of one kind in a report and in the log. */
const reportedMax = 100;

/**
 * Compares the tables with their invariants and makes safe repairs: an abandoned case becomes due, a missing one is
 * opened, an order is freed; the workers do the rest. What such a move cannot repair, or what comes back, is left to a
 * person.
 */
export async function reconcileTables(
  { store, logger }: { readonly store: ReconciliationStore; readonly logger: Logger },
  { repair }: { readonly repair: boolean },
): Promise<ReconciliationReport> {
  const inconsistencies: HandledInconsistency[] = [];
  const counts: Record<InconsistencyOutcome, number> = { found: 0, repaired: 0, "needs-person": 0 };
  for (const kind of Object.keys(inconsistencyKinds) as InconsistencyKind[]) {
    let reported = 0;
    for (const found of await store.findInconsistencies(kind, handledMax)) {
      const outcome = await handleInconsistency({ store, logger }, found, repair);
      if (outcome === null) continue;
      counts[outcome] += 1;
      reported += 1;
      if (reported > reportedMax) continue;
      inconsistencies.push({ ...found, outcome });
      logger.warn({ ...found, outcome }, "inconsistency.found");
    }
  }
  // Last, so that it describes the current state.
  const acknowledged = await store.checkAcknowledged();
  logger.info({ ...acknowledged, ...counts }, "tables.reconciled");
  return { acknowledged, inconsistencies, counts };
}

/** @returns null if the inconsistency is gone. */
async function handleInconsistency(
  { store, logger }: { readonly store: ReconciliationStore; readonly logger: Logger },
  inconsistency: Inconsistency,
  repair: boolean,
): Promise<InconsistencyOutcome | null> {
  if (inconsistencyKinds[inconsistency.kind].needs === "person") return "needs-person";
  if (!repair) return "found";
  try {
    const outcome = await store.repair(inconsistency);
    return outcome === "gone" ? null : outcome;
  } catch (error) {
    // For example a body that cannot be decrypted. The other repairs go on.
    logger.error({ ...inconsistency, code: codeOf(error), error }, "repair.failed");
    return "needs-person";
  }
}
