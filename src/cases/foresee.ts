import type { OrderView } from "../contract/order-view.ts";
import { assess } from "./assess.ts";
import { decide, decisionSubject } from "./decide.ts";
import type { DecisionAction } from "./decision.ts";
import type { OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { reservedFor } from "./waiting.ts";

export interface Foreseen {
  readonly action: DecisionAction;
  /** Whether the view still states something that nobody reads and nobody has marked. */
  readonly isUnread: boolean;
}

/** Returns what a worker would decide on this view with these settings; null if it does not show the order. Pure. */
export function foresee(context: OrderContext, view: OrderView, settings: SourceSettings, now: Date): Foreseen | null {
  const assessment = assess(view, context, settings, now);
  if (assessment === null) return null;
  const subject = decisionSubject(context, assessment, settings, reservedFor(context, assessment));
  const { unreadMembers } = assessment.facts;
  return {
    action: decide(subject, settings.policy).action,
    isUnread: !unreadMembers.known || unreadMembers.value.length > 0,
  };
}
