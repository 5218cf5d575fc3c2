import type { SourceSettings } from "../cases/source-settings.ts";
import type { CaseTiming } from "../cases/timing.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Policy } from "../policy/policy.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { CaseStore, Gateway } from "./ports.ts";

/** What the worker runs with. */
export interface WorkerContext {
  readonly store: CaseStore;
  /** The gateway account of a source; throws `desk.unknown_source` when there is none. */
  readonly gatewayOf: (source: string) => Gateway;
  readonly policyOf: (source: string) => Policy;
  /** Whether the customers of a source have agreed beforehand that changes may be accepted; not given: none have. */
  readonly customerAgreementOf?: (source: string) => boolean;
  /** A version that is only tried beside the one in force; null when there is none. */
  readonly shadowOf: (source: string) => Policy | null;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "decisions" | "effects">;
  /** Names this process in leases. */
  readonly holder: string;
  /** Versions of the data that decisions rest on, kept with each of them. */
  readonly versions: Readonly<Record<string, string>>;
  readonly timing: CaseTiming;
}

export function settingsOf(worker: WorkerContext, source: string): SourceSettings {
  return {
    policy: worker.policyOf(source),
    shadow: worker.shadowOf(source),
    customerAgreement: worker.customerAgreementOf?.(source) ?? false,
    timing: worker.timing,
    versions: worker.versions,
  };
}
