import { needsSecondPerson } from "../../cases/possible-actions.ts";
import { printedDeparture } from "../../cases/printed-departure.ts";
import { isAcceptedOtherwise } from "../../cases/standing.ts";
import type { ItineraryDifference } from "../../itinerary/difference.ts";
import type { CaseChange, CaseDetail, CaseItem, ChangeReader } from "../case-ports.ts";
import { summariseChange } from "../changed-flights.ts";

/** Adds what can be computed from the change of the case. */
export function presentCase<Item extends CaseItem>(item: Item, changes: ChangeReader) {
  const { change, ...shown } = item;
  const difference = differenceOf(shownChange(item), changes);
  const summary = difference === null ? null : summariseChange(difference);
  const severity = change === null || change.facts === null ? null : changes.severityOf(change.facts);
  return {
    ...shown,
    severity: severity?.name ?? null,
    severityFacts: severity?.because ?? [],
    route: summary?.route ?? null,
    times: summary?.times ?? null,
    departure: printedDeparture(item.departureAt, {
      booked: change?.booked ?? null,
      proposed: change?.proposed ?? null,
    }),
  };
}

/** @param secondPersonAbove the value above which a second person agrees to a cancel; null if none has to */
export function presentCaseDetail(found: CaseDetail, changes: ChangeReader, secondPersonAbove: string | null) {
  const change = shownChange(found);
  const difference = differenceOf(change, changes);
  const proposed = change?.proposed ?? null;
  return {
    ...presentCase(found, changes),
    difference,
    cancelNeedsApproval: needsSecondPerson(found.facts, secondPersonAbove),
    journeyTimes:
      difference === null || proposed === null ? null : changes.journeyTimes(difference, proposed, found.facts ?? {}),
  };
}

/** After an accept of other flights than proposed, those that are booked now stand beside those booked before. */
function shownChange({ change, proposalDigest, decision, ...item }: CaseItem & Partial<CaseDetail>): CaseChange | null {
  const decisions = item.decisions ?? (decision === null ? [] : [{ proposalDigest, reasons: decision.reasons }]);
  if (change === null || change.current === null || !isAcceptedOtherwise({ proposalDigest, decisions })) return change;
  return { ...change, proposed: change.current };
}

function differenceOf(change: CaseChange | null, { differenceBetween }: ChangeReader): ItineraryDifference | null {
  if (change === null || change.booked === null || change.proposed === null) return null;
  const { booked, proposed, current, evaluatedAt } = change;
  return differenceBetween(booked, proposed, { current: current ?? undefined, now: evaluatedAt ?? undefined });
}
