import { sameFlights } from "../itinerary/itinerary.ts";
import { compareAcceptedFlights, flightsOfLastAccept } from "./accepted-flights.ts";
import type { Assessment } from "./assess.ts";
import { isByPerson } from "./decision.ts";
import { isNothingOpen } from "./open-change.ts";
import type { OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { type AssessedStatus, end, move, type Step } from "./step.ts";
import type { CaseTiming } from "./timing.ts";

/** Reads a finished case that was notified again. If the status shows unhandled work, another case is opened. */
export function recheckFinishedCase(
  context: OrderContext,
  { assessment }: AssessedStatus,
  { timing }: SourceSettings,
): Step {
  const found = assessment === null ? "nothing" : findNewWork(context, assessment, timing);
  if (found === "new-work") return end("next-case", { kind: "next-case" }, "decided");
  return endWithoutNewWork(context, found === "nothing" ? null : found.recheckAt);
}

export function endWithoutNewWork(context: OrderContext, dueAt: Date | null): Step {
  return end("no-new-work", move(context, { state: context.case.state, reviewQueue: null, dueAt }), "unchanged");
}

/** A status that still shows the accepted change may hide the notified one, so it is read again after the lag. */
function findNewWork(
  context: OrderContext,
  assessment: Assessment,
  timing: CaseTiming,
): "nothing" | "new-work" | { readonly recheckAt: Date } {
  const { lastSuccess, decision } = context;
  const { digest } = assessment.proposal;
  // A change that a person has settled stays settled, however long the gateway shows it.
  const isSettled =
    context.case.state === "closed" ||
    (context.case.state === "resolved-elsewhere" && decision !== null && isByPerson(decision));
  if (isSettled && decision?.proposalDigest === digest) return noWorkYet(context, assessment, timing);
  const lagEnds = new Date((lastSuccess?.finishedAt ?? assessment.evaluatedAt).getTime() + timing.statusLagMs);
  const newWorkAfterLag = assessment.evaluatedAt >= lagEnds ? "new-work" : { recheckAt: lagEnds };
  if (isNothingOpen(assessment.proposal)) {
    // The effect of this case may have accepted the notified change instead of the decided one.
    const shown = mayBeOurAccept(context, assessment, timing)
      ? compareAcceptedFlights(assessment.proposal, context, assessment.evaluatedAt)
      : "match";
    if (shown === "match") return noWorkYet(context, assessment, timing);
    return shown === "mismatch" ? "new-work" : newWorkAfterLag;
  }
  return lastSuccess?.proposalDigest === digest ? newWorkAfterLag : "new-work";
}

/** Nothing to do, or a read after the lag: a status without the newest notification's flights may be stale. */
function noWorkYet(
  { case: { notifiedAt } }: OrderContext,
  { notified, proposal, evaluatedAt }: Assessment,
  timing: CaseTiming,
): "nothing" | { readonly recheckAt: Date } {
  const isShown =
    notified === null || sameFlights(proposal.current, notified) || sameFlights(proposal.proposed, notified);
  if (isShown || notifiedAt === null) return "nothing";
  const lagEnds = new Date(notifiedAt.getTime() + timing.statusLagMs);
  return evaluatedAt < lagEnds ? { recheckAt: lagEnds } : "nothing";
}

/** Whether the effect that ended this case may have caused the accepted flights that are shown. */
function mayBeOurAccept(context: OrderContext, { proposal, evaluatedAt }: Assessment, timing: CaseTiming): boolean {
  if (context.case.state !== "done" || context.lastSuccess?.caseId !== context.case.id) return false;
  return flightsOfLastAccept(context, evaluatedAt, proposal.current, timing.statusLagMs) !== null;
}
