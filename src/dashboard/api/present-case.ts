import { summariseChange } from "../changed-flights.ts";
import type { CaseDetail, CaseItem, ChangeReader } from "../ports.ts";

/** A case as lists show it: what can be told from its change is told. */
export function presentCase<Item extends CaseItem>(item: Item, changes: ChangeReader) {
  const { change, ...shown } = item;
  const summary =
    change === null || change.booked === null || change.proposed === null
      ? null
      : summariseChange(change.booked, change.proposed);
  const severity = change === null || change.facts === null ? null : changes.severityOf(change.facts);
  return {
    ...shown,
    severity: severity?.name ?? null,
    severityFacts: severity?.because ?? [],
    route: summary?.route ?? null,
    times: summary?.times ?? null,
  };
}

/** A case with everything behind it, and what differs between its flights. */
export function presentCaseDetail(found: CaseDetail, changes: ChangeReader) {
  const { booked, proposed } = found.itineraries;
  return {
    ...presentCase(found, changes),
    difference: booked === null || proposed === null ? null : changes.differenceBetween(booked, proposed),
  };
}
