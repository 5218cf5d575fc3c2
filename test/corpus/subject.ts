/**
 * What a decision is made from, in the words of the wire and of the people who work with the program. Nothing here follows
 * the types of the program, so that these files stay as they are when the program is built otherwise.
 */
export interface Subject {
  /** Family and parameters: `retime/departure+31m/cautious/far`. Unique in the corpus. */
  readonly id: string;
  readonly source: string;
  readonly orderId: string;
  /** A shipped policy, or a file of `test/corpus/policies` without its ending. */
  readonly policy: string;
  /** When it is decided; all times are ISO 8601 in UTC. */
  readonly now: string;
  /** Name of the newest notification's body; null when none came, as when a poll found the change. */
  readonly notification: string | null;
  /** When that came. Left out: now. */
  readonly notifiedAt?: string;
  /**
   * What AirReservationStatus returns: the name of a body, or a failure. Null: what the notification says is taken for it,
   * as in a backtest.
   */
  readonly status: string | StatusFailure | null;
  /** When the case was opened. Left out: when the notification came. */
  readonly openedAt?: string;
  readonly settings?: Settings;
  /** What happened to the order before, oldest first. Left out: nothing is known of it. */
  readonly history?: readonly PastEvent[];
}

/** Why no status can be read, and for how long it has been like that. */
export interface StatusFailure {
  /** `refused`: the gateway says no. `unreachable`: it says nothing. `internal`: Skedchange itself fails. */
  readonly failure: "refused" | "unreachable" | "internal";
  /** What the gateway says. */
  readonly text: string;
  /** Failures in a row before this one. */
  readonly failuresBefore: number;
  /** When the first of them was; null when there was none. */
  readonly failingSince: string | null;
}

/** Settings that the decision depends on. What is left out is as the program comes. */
export interface Settings {
  readonly statusLagSeconds?: number;
  readonly undoWindowMinutes?: number;
  /** By when a person must have answered, by priority. */
  readonly responseTargets?: readonly { readonly priority: number; readonly hours: number }[];
  /** Whether the customers of the source have agreed beforehand that changes may be accepted. */
  readonly customerAgreement?: boolean;
}

export type PastEvent = { readonly at: string } & (
  | {
      readonly event: "decided";
      readonly action: "accept" | "cancel" | "review" | "ask-traveller" | "wait" | "none";
      readonly queue: string | null;
      readonly by: "rules" | "person";
      /** When the status was looked at. Left out: `at`. */
      readonly evaluatedAt?: string;
      /** Why a person was asked, where it was not by the rules of the policy. */
      readonly question?: Question;
      /** The body that it was decided on: a status, or the notification when no status could be read. */
      readonly view: string | null;
      readonly viewIs?: "notification";
      /** The newest notification at that time; left out: that of the subject. */
      readonly notification?: string | null;
      /** Left out: that of the subject. */
      readonly policy?: string;
      /** Until when a person may stop it. */
      readonly stoppableUntil?: string;
    }
  /** The accept or cancel that was decided last was sent and carried out. */
  | { readonly event: "carried-out"; readonly action: "accept" | "cancel"; readonly sentAt: string }
  /** It was sent, and the gateway refused it. */
  | { readonly event: "refused"; readonly action: "accept" | "cancel"; readonly reason: string }
  /** A person asked the traveller, told them, or wrote down what they said, about the change that was decided on last. */
  | { readonly event: "traveller-asked" | "traveller-informed"; readonly about?: string }
  | {
      readonly event: "traveller-answered";
      readonly answer: "accepts" | "refuses" | "wants-refund" | "wants-rerouting" | "undecided";
      /** Body of the view that shows the change, when nothing has been decided yet. */
      readonly about?: string;
    }
  | { readonly event: "snoozed"; readonly until: string }
  /** The agency states the booked flights: those that this view lists. */
  | { readonly event: "booking-stated"; readonly view: string }
  | { readonly event: "case-ended"; readonly as: "done" | "resolved-elsewhere" | "closed" }
  | { readonly event: "case-opened" }
);

/** Why a person was asked other than by the rules of the policy. */
export type Question =
  | "effect-outcome"
  | "unreadable-status"
  | "gateway-unreachable"
  | "processing-failed"
  | "no-booking-reference"
  | "changed-proposal"
  | "person-decided-before"
  | "traveller-answered";

/** What is decided about a subject. */
export interface Outcome {
  /**
   * A decision: `accept`, `cancel`, `review`, `ask-traveller`, `wait`, `none`. Or what happens without one: `unchanged` (who
   * is asked stays asked), `send-accept` and `send-cancel` (what was decided is sent now), `hold` (it may still be
   * stopped), `retry` (the status cannot be read), `open-case` (a finished order shows new work), `unreadable`
   * (the notification or the status is none: the one is quarantined, the other refused).
   */
  readonly action: string;
  readonly queue: string | null;
  /** The code of the deciding reason first. */
  readonly reasonCodes: readonly string[];
  /** A rule of the policy by its name, or `default`; `guard` or `check` when the program itself decides; null: neither. */
  readonly rule: string | null;
  /** 0 (most urgent) to 9. */
  readonly priority: number | null;
  /** By when a person must have decided, by which clock, and the same without the agency's own target when it differs. */
  readonly dueBy: { readonly at: Date; readonly clock: string; readonly firmAt: Date | null } | null;
  /** When the program looks again by itself: the end of a wait, of a snooze or of the time to stop an effect. */
  readonly againAt: Date | null;
  readonly severity: string | null;
  /** Rights that the traveller has, or may have (with `?`), as `preset:right`, with the amount where it can be told. */
  readonly rights: readonly string[];
}
