import { fitsOffer, type Itinerary, sameFlights } from "../itinerary/itinerary.ts";
import { flightsDecidedBefore } from "./accepted-flights.ts";
import type { Assessment } from "./assess.ts";
import type { Reason } from "./decision.ts";
import type { DecisionInputs, DecisionSubject } from "./new-decision.ts";
import type { OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";

/** What a decision about an assessed change rests on. @param overruled why no rule may decide; null when rules may. */
export function decisionSubject(
  context: Pick<
    OrderContext,
    "source" | "case" | "decision" | "lastSuccess" | "earlierProposals" | "automationStoppedAt"
  >,
  assessment: Assessment,
  { timing }: Pick<SourceSettings, "timing">,
  overruled: Reason | null,
): DecisionSubject {
  const { facts, order, legal, notified, proposal } = assessment;
  const { lastSuccess } = context;
  return {
    source: context.source,
    order,
    facts,
    legal,
    now: assessment.evaluatedAt,
    proposal,
    notified,
    notifiedUnseen: assessment.notifiedShowsChange && notified !== null && !wasOffered(context, notified),
    awaited: context.decision?.proposed ?? null,
    lastSuccess:
      lastSuccess === null
        ? null
        : {
            action: lastSuccess.action,
            proposalDigest: lastSuccess.proposalDigest,
            finishedAt: lastSuccess.finishedAt,
            decidedFlights: flightsDecidedBefore(context, context.case.openedAt, proposal.current, timing.statusLagMs),
          },
    caseOpenedAt: context.case.openedAt,
    notifiedAt: context.case.notifiedAt,
    statusLagMs: timing.statusLagMs,
    overruled,
    automationStoppedAt: context.automationStoppedAt,
  };
}

/** Whether a status has ever shown just this as the new flights, cabins and classes included as far as both state them. */
function wasOffered({ earlierProposals }: Pick<OrderContext, "earlierProposals">, notified: Itinerary): boolean {
  return earlierProposals.some(({ proposed }) => sameFlights(proposed, notified) && fitsOffer(proposed, notified));
}

/** What a subject holds that has no place of its own in a decision. */
export function inputsOf({
  facts: _facts,
  legal: _legal,
  now: _now,
  proposal,
  ...inputs
}: DecisionSubject): DecisionInputs {
  const { referencesAllowing, scheduleChangeStatus, scheduleChangeIndicator, current, suspicions } = proposal;
  const { withdrawnSegmentKeys, showsChange } = proposal;
  return {
    ...inputs,
    proposal: {
      referencesAllowing,
      scheduleChangeStatus,
      scheduleChangeIndicator,
      current,
      withdrawnSegmentKeys,
      showsChange,
      suspicions,
    },
  };
}
