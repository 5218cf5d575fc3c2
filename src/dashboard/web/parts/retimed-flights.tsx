import { VisuallyHidden } from "@mantine/core";
import type { ChangedFlight } from "../../changed-flights.ts";
import { formatLocalDate } from "../words/moments.ts";

/** More flights than this are only counted, so that the row stays low. */
const listedMax = 3;

export function RetimedFlights({ times }: { readonly times: readonly ChangedFlight[] }) {
  return (
    <ul className="retimed">
      {times.slice(0, listedMax).map((change) => (
        <li key={`${change.flight}${change.bookedDeparture ?? change.proposedDeparture ?? ""}`}>
          <span className="flight">{change.flight}</span>
          {isWithdrawn(change) ? (
            <span>
              <s>{timeOf(change.bookedDeparture)}</s> <strong>withdrawn</strong>
            </span>
          ) : (
            <span className="moves">
              <Move what="dep" before={change.bookedDeparture} after={change.proposedDeparture} />
              <Move what="arr" before={change.bookedArrival} after={change.proposedArrival} />
            </span>
          )}
        </li>
      ))}
      {times.length > listedMax ? <li className="quiet">and {times.length - listedMax} more</li> : null}
    </ul>
  );
}

function isWithdrawn({ bookedDeparture, proposedDeparture, proposedArrival }: ChangedFlight): boolean {
  return bookedDeparture !== null && proposedDeparture === null && proposedArrival === null;
}

interface MoveProps {
  readonly what: "dep" | "arr";
  readonly before: string | null;
  readonly after: string | null;
}

function Move({ what, before, after }: MoveProps) {
  const spoken = what === "dep" ? "departs" : "arrives";
  const label = (
    <>
      <span aria-hidden="true" className="quiet">
        {what}
      </span>
      <VisuallyHidden>{spoken}</VisuallyHidden>
    </>
  );
  if (before === after) {
    return (
      <span>
        {label} {timeOf(before)}
      </span>
    );
  }
  const isOtherDay = before !== null && after !== null && before.slice(0, 10) !== after.slice(0, 10);
  return (
    <span>
      {label} <s>{timeOf(before)}</s> <span aria-hidden="true">→</span>
      <VisuallyHidden>now</VisuallyHidden> <strong>{timeOf(after)}</strong>
      {isOtherDay && after !== null ? <span className="day"> {formatLocalDate(after.slice(0, 10))}</span> : null}
    </span>
  );
}

function timeOf(local: string | null): string {
  return local === null ? "?" : local.slice(11, 16);
}
