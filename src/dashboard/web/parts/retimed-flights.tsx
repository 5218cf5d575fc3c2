import { VisuallyHidden } from "@mantine/core";
import type { ChangedFlight } from "../../changed-flights.ts";
import { formatLocalDate } from "../words/moments.ts";

/** More flights than this are counted instead of listed: a row stays a row. */
const listedMax = 3;

/** Old and new local times of each flight that changes. */
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
              <Move what="dep" was={change.bookedDeparture} is={change.proposedDeparture} />
              <Move what="arr" was={change.bookedArrival} is={change.proposedArrival} />
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
  readonly was: string | null;
  readonly is: string | null;
}

function Move({ what, was, is }: MoveProps) {
  const spoken = what === "dep" ? "departs" : "arrives";
  const label = (
    <>
      <span aria-hidden="true" className="quiet">
        {what}
      </span>
      <VisuallyHidden>{spoken}</VisuallyHidden>
    </>
  );
  if (was === is) {
    return (
      <span>
        {label} {timeOf(was)}
      </span>
    );
  }
  const isOtherDay = was !== null && is !== null && was.slice(0, 10) !== is.slice(0, 10);
  return (
    <span>
      {label} <s>{timeOf(was)}</s> <span aria-hidden="true">→</span>
      <VisuallyHidden>now</VisuallyHidden> <strong>{timeOf(is)}</strong>
      {isOtherDay && is !== null ? <span className="day"> {formatLocalDate(is.slice(0, 10))}</span> : null}
    </span>
  );
}

function timeOf(local: string | null): string {
  return local === null ? "?" : local.slice(11, 16);
}
