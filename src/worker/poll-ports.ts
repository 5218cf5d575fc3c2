import type { CaseState } from "../cases/lifecycle.ts";
import type { OrderKey } from "../cases/order-context.ts";
import type { Itinerary } from "../itinerary/itinerary.ts";
import type { Lease, StatusReading } from "./ports.ts";

/** An order that nothing is due for, as a poll finds it. */
export interface PolledOrder {
  readonly gdsBookingReferences: readonly string[];
  readonly booked: Itinerary | null;
  readonly accepted: Itinerary | null;
  /** The open case, or else the newest one. */
  readonly newestCase: {
    readonly id: string;
    readonly state: CaseState;
    readonly proposalDigest: string | null;
    /** Whether a person made the decision in force. */
    readonly decidedByPerson: boolean;
  } | null;
  /** The digests of all proposals that were decided about for this order. */
  readonly storedDigests: readonly string[];
  readonly hasLiveEffect: boolean;
  /** The effect of this order that succeeded last. */
  readonly lastSuccess: { readonly proposalDigest: string; readonly finishedAt: Date | null } | null;
  /** What the last poll saw; null before the first. */
  readonly pollDigest: string | null;
  /**
   * Polls in a row that the gateway refused. Below zero: those in a row that could not be read for another reason, such
   * as a gateway that is away, after which no order is given up.
   */
  readonly failures: number;
}

/** An order whose first poll is to be planned. */
export interface UnplannedOrder extends OrderKey {
  readonly hasReference: boolean;
  readonly flights: readonly Itinerary[];
}

export interface PollPlanned extends OrderKey {
  readonly nextPollAt: Date | null;
  readonly ended: "travelled" | "no-reference" | null;
}

/** What a poll comes to, kept in one transaction. */
export interface PollOutcome {
  readonly nextPollAt: Date | null;
  readonly ended: "travelled" | "no-reference" | "refused" | null;
  /** As in {@link PolledOrder}. */
  readonly failures: number;
  /** What was read; null when nothing could be. */
  readonly seen: {
    readonly reading: StatusReading;
    readonly proposalDigest: string;
    readonly gdsBookingReferences: readonly string[];
    /** Becomes the booked flights when there are none; null when the status may show what was changed already. */
    readonly booked: Itinerary | null;
  } | null;
  /** `open-case` opens one, due at once; `wake-case` makes the open one due. */
  readonly work: "none" | "open-case" | "wake-case";
}

/** Where polls are planned and kept. Each method is one transaction. */
export interface PollStore {
  /** Orders of a source that were never planned, the first of them. */
  listUnplanned(source: string, limit: number): Promise<readonly UnplannedOrder[]>;
  plan(planned: readonly PollPlanned[]): Promise<void>;
  /**
   * The lease on an order of the source whose poll is due; null when there is none, when the source was polled less than
   * `gapMs` ago, or when a case of the source is due, which goes first.
   */
  acquirePoll(source: string, holder: string, leaseMs: number, gapMs: number): Promise<Lease | null>;
  /** @returns null when a notification has made the order due since. */
  beginPoll(lease: Lease): Promise<PolledOrder | null>;
  /** Rejects with `desk.lease_lost` when the lease no longer holds, having changed nothing. */
  endPoll(lease: Lease, outcome: PollOutcome): Promise<void>;
}
