import { summariseChange } from "../changed-flights.ts";
import type { CaseItem } from "../ports.ts";
import { severityOf } from "../severity.ts";

/** A case, or a case with everything behind it, as the API shows it: what can be told from its change is told. */
export function presentCase<Item extends CaseItem>(item: Item, now: Date) {
  const { change, ...shown } = item;
  const summary =
    change === null || change.booked === null || change.proposed === null
      ? null
      : summariseChange(change.booked, change.proposed);
  return {
    ...shown,
    severity: severityOf(item, now),
    route: summary?.route ?? null,
    times: summary?.times ?? null,
  };
}
