import type { Learning } from "../cases/learning.ts";
import type { SourceSettings } from "../cases/source-settings.ts";
import type { CaseTiming } from "../cases/timing.ts";
import { noOwnAddresses, type OwnAddresses } from "../contract/addressee.ts";
import type { GatewayCapabilities } from "../contract/gateway-capabilities.ts";
import { type MemberMarks, shippedMarks } from "../itinerary/member-marks.ts";
import type { Clock } from "../kernel/clock.ts";
import { defaultInformChoice, type InformChoice } from "../policy/inform.ts";
import type { Policy } from "../policy/policy.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Tracer } from "../telemetry/tracing.ts";
import type { Gateway } from "./gateway-ports.ts";
import type { MemberRecorder } from "./member-recorder.ts";
import type { CaseStore } from "./ports.ts";

export interface WorkerContext {
  readonly store: CaseStore;
  /** @throws `desk.unknown_source` if there is no such source. */
  readonly gatewayOf: (source: string) => Gateway;
  /** What the gateway of a source promises, also one that is never called. */
  readonly capabilitiesOf: (source: string) => GatewayCapabilities;
  readonly policyOf: (source: string) => Policy;
  /** Whether a source's customers have agreed in advance that changes may be accepted; defaults to false. */
  readonly customerAgreementOf?: (source: string) => boolean;
  /** Who tells travellers of accepted and cancelled changes, where the rule that decided does not say; defaults to a task. */
  readonly informChoiceOf?: (source: string) => InformChoice;
  /** At which addresses no traveller of a source is reached; defaults to none. */
  readonly ownAddressesOf?: (source: string) => OwnAddresses;
  /** What of a source's views nobody reads and is harmless; defaults to the shipped marks. */
  readonly marksOf?: (source: string) => MemberMarks;
  /** How far a source has learned; null if it does not. Defaults to null. */
  readonly learningOf?: (source: string) => Learning | null;
  /** How many automatic effects of a source may be sent within an hour; null if there is no limit. Defaults to null. */
  readonly hourlyLimitOf?: (source: string) => number | null;
  /** Notes what nobody reads; without it, nothing of it is stored. */
  readonly recorder?: MemberRecorder;
  /** A version that is only compared with the active one; null if there is none. */
  readonly shadowOf: (source: string) => Policy | null;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "decisions" | "effects">;
  readonly tracer?: Tracer;
  /** Names this process in leases. */
  readonly holder: string;
  /** Versions of the data behind decisions, stored with each of them. */
  readonly versions: Readonly<Record<string, string>>;
  readonly timing: CaseTiming;
}

/** What decides about the orders of each source. */
export type DecidingParts = Pick<
  WorkerContext,
  | "capabilitiesOf"
  | "policyOf"
  | "customerAgreementOf"
  | "informChoiceOf"
  | "ownAddressesOf"
  | "marksOf"
  | "learningOf"
  | "shadowOf"
  | "versions"
  | "timing"
>;

export function settingsOf(worker: DecidingParts, source: string): SourceSettings {
  return {
    gateway: worker.capabilitiesOf(source),
    policy: worker.policyOf(source),
    shadow: worker.shadowOf(source),
    customerAgreement: worker.customerAgreementOf?.(source) ?? false,
    inform: worker.informChoiceOf?.(source) ?? defaultInformChoice,
    ownAddresses: worker.ownAddressesOf?.(source) ?? noOwnAddresses,
    marks: worker.marksOf?.(source) ?? shippedMarks,
    learning: worker.learningOf?.(source) ?? null,
    timing: worker.timing,
    versions: worker.versions,
  };
}
