import type { CaseState } from "../cases/lifecycle.ts";
import type { SeenMembers } from "../cases/observed-members.ts";
import type { OrderKey } from "../cases/order-context.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Lease, StatusReading } from "./ports.ts";

export interface PolledOrder {
  readonly gdsBookingReferences: readonly string[];
  readonly booked: Itinerary | null;
  readonly accepted: Itinerary | null;
  /** The open case, or else the newest one. */
  readonly newestCase: {
    readonly id: string;
    readonly state: CaseState;
    readonly proposalDigest: string | null;
    readonly decidedByPerson: boolean;
  } | null;
  readonly storedDigests: readonly string[];
  readonly hasLiveEffect: boolean;
  readonly lastSuccess: { readonly proposalDigest: string; readonly finishedAt: Date | null } | null;
  /** What the last poll saw; null before the first. */
  readonly pollDigest: string | null;
  /** Consecutive polls that the gateway refused. Negative: those that failed otherwise, which never end polling. */
  readonly failures: number;
}

export interface UnplannedOrder extends OrderKey {
  readonly hasReference: boolean;
  readonly flights: readonly Itinerary[];
}

export interface PollPlanned extends OrderKey {
  readonly nextPollAt: Date | null;
  readonly ended: "travelled" | "no-reference" | null;
}

export interface PollOutcome {
  readonly nextPollAt: Date | null;
  readonly ended: "travelled" | "no-reference" | "refused" | null;
  /** As in {@link PolledOrder}. */
  readonly failures: number;
  /** The code of what failed; null if nothing did, or the order was not in the response. */
  readonly error: string | null;
  /** Null if nothing could be read. */
  readonly seen: {
    readonly reading: StatusReading;
    readonly proposalDigest: string;
    readonly gdsBookingReferences: readonly string[];
    /** Becomes the booked flights if there are none; null if the status may already show the change. */
    readonly booked: Itinerary | null;
  } | null;
  /** `open-case` opens one, due at once; `wake-case` makes the open one due. */
  readonly work: "none" | "open-case" | "wake-case";
}

/** Storage of the polls. Each method is one transaction. */
export interface PollStore {
  listUnplanned(source: string, limit: number): Promise<readonly UnplannedOrder[]>;
  plan(planned: readonly PollPlanned[]): Promise<void>;
  /** Leases an order whose poll is due. Null if there is none, during `gapMs`, or if a case of the source is due. */
  acquirePoll(source: string, holder: string, leaseMs: number, gapMs: number): Promise<Lease | null>;
  /** @returns null if a notification has made the order due since. */
  beginPoll(lease: Lease): Promise<PolledOrder | null>;
  /**
   * @param members what the view stated that was not stored before
   * @throws `desk.lease_lost` if the lease is lost; then nothing has changed.
   */
  endPoll(lease: Lease, outcome: PollOutcome, members?: SeenMembers | null): Promise<void>;
}
