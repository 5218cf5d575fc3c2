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

export interface EventKind {
  readonly input: {
    /** Null means all events. */
    readonly eventTypes: readonly OutgoingEventType[] | null;
    /** Null means all. */
    readonly sources: readonly string[] | null;
  };
  readonly shown: {
    /** `id` in the body; a resent event has the same. */
    readonly eventId: string;
    readonly eventType: OutgoingEventType;
    readonly source: string;
    readonly caseId: string;
  };
  readonly found: { readonly eventType?: OutgoingEventType; readonly source?: string };
}
