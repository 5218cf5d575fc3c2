/** What the agency tells other systems of. `ping` is a test and tells of nothing. */
export const outgoingEventTypes = [
  "case.opened",
  "case.decided",
  "case.overdue",
  "case.done",
  "case.closed",
  "effect.succeeded",
  "effect.failed",
  "effect.unknown",
  "task.opened",
] as const;
export type OutgoingEventType = (typeof outgoingEventTypes)[number];

/** The agency's own events. */
export interface EventKind {
  readonly input: {
    /** The events that it is sent; null: all of them. */
    readonly eventTypes: readonly OutgoingEventType[] | null;
    /** The sources whose cases it is told of; null: all of them. */
    readonly sources: readonly string[] | null;
  };
  readonly shown: {
    /** `id` in the body; a replay of the event has the same. */
    readonly eventId: string;
    readonly eventType: OutgoingEventType;
    readonly source: string;
    readonly caseId: string;
  };
  readonly found: { readonly eventType?: OutgoingEventType; readonly source?: string };
}
