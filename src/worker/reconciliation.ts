import { codeOf } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";
import {
  type AcknowledgedProof,
  type Inconsistency,
  type InconsistencyKind,
  inconsistencyKinds,
  type ReconciliationStore,
} from "./reconciliation-ports.ts";

/** `found`: would be repaired, had repairs been asked for. */
export type RepairOutcome = "found" | "repaired" | "needs-person";

export interface TreatedInconsistency extends Inconsistency {
  readonly outcome: RepairOutcome;
}

export interface ReconciliationReport {
  readonly acknowledged: AcknowledgedProof;
  /** Of each kind the first hundred; the counts are of all that was treated, at most 10,000 of a kind. */
  readonly inconsistencies: readonly TreatedInconsistency[];
  readonly counts: Readonly<Record<RepairOutcome, number>>;
}

/** Inconsistencies of one kind that one run treats; the next one goes on. */
const treatedMax = 10_000;
/** Inconsistencies of one kind that a report, and the log, name. */
const namedMax = 100;

/**
 * Compares what is stored with what must hold, and repairs what is safe to repair: a case that nobody would have looked
 * at again becomes due, a missing one is opened, an order is freed. The workers do the rest by their usual path. What no
 * such move can mend is left to a person, and so is what comes back after a repair.
 */
export async function reconcileTables(
  { store, logger }: { readonly store: ReconciliationStore; readonly logger: Logger },
  { repair }: { readonly repair: boolean },
): Promise<ReconciliationReport> {
  const inconsistencies: TreatedInconsistency[] = [];
  const counts: Record<RepairOutcome, number> = { found: 0, repaired: 0, "needs-person": 0 };
  for (const kind of Object.keys(inconsistencyKinds) as InconsistencyKind[]) {
    let named = 0;
    for (const found of await store.findInconsistencies(kind, treatedMax)) {
      const outcome = await treat({ store, logger }, found, repair);
      if (outcome === null) continue;
      counts[outcome] += 1;
      named += 1;
      if (named > namedMax) continue;
      inconsistencies.push({ ...found, outcome });
      logger.warn({ ...found, outcome }, "inconsistency.found");
    }
  }
  // Last, so that it tells how things stand now.
  const acknowledged = await store.proveAcknowledged();
  logger.info({ ...acknowledged, ...counts }, "tables.reconciled");
  return { acknowledged, inconsistencies, counts };
}

/** @returns null when it was no inconsistency any more. */
async function treat(
  { store, logger }: { readonly store: ReconciliationStore; readonly logger: Logger },
  inconsistency: Inconsistency,
  repair: boolean,
): Promise<RepairOutcome | null> {
  if (inconsistencyKinds[inconsistency.kind].needs === "person") return "needs-person";
  if (!repair) return "found";
  try {
    const outcome = await store.repair(inconsistency);
    return outcome === "gone" ? null : outcome;
  } catch (error) {
    // Such as a body that cannot be opened. The rest must be repaired all the same.
    logger.error({ ...inconsistency, code: codeOf(error), error }, "repair.failed");
    return "needs-person";
  }
}
