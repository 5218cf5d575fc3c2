import type { ChangedFlight } from "../../changed-flights.ts";
import { formatLocalDate } from "../labels/moments.ts";

interface RetimedFlightsProps {
  readonly route: string | null;
  readonly times: readonly ChangedFlight[];
}

/** Two lines: where it goes and which flights change, and how the first of them moves. */
export function RetimedFlights({ route, times }: RetimedFlightsProps) {
  const [first, ...others] = times;
  if (first === undefined) return <span className="route">{route}</span>;
  return (
    <>
      <div className="one-line">
        <span className="route">{route}</span> {first.flight}
        {others.length === 0 ? null : (
          <span className="quiet" title={others.map(({ flight }) => flight).join(", ")}>
            {" "}
            and {others.length} more
          </span>
        )}
      </div>
      {isWithdrawn(first) ? (
        <div className="moves">
          <s>{timeOf(first.bookedDeparture)}</s> <strong>withdrawn</strong>
        </div>
      ) : (
        <div className="moves">
          <Move what="dep" before={first.bookedDeparture} after={first.proposedDeparture} />
          <Move what="arr" before={first.bookedArrival} after={first.proposedArrival} />
        </div>
      )}
    </>
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
      <span className="visually-hidden">{spoken}</span>
    </>
  );
  if (before === after) {
    return (
      <span>
        {label} {timeOf(before)}
      </span>
    );
  }
  const days = before === null || after === null ? 0 : daysBetween(before, after);
  return (
    <span>
      {label} <s>{timeOf(before)}</s> <span aria-hidden="true">→</span>
      <span className="visually-hidden">now</span> <strong>{timeOf(after)}</strong>
      {days === 0 || after === null ? null : (
        <span className="day" title={formatLocalDate(after.slice(0, 10))}>
          <span aria-hidden="true"> {days > 0 ? `+${days}` : `−${-days}`}</span>
          <span className="visually-hidden">on {formatLocalDate(after.slice(0, 10))}</span>
        </span>
      )}
    </span>
  );
}

/** From the one date to the other, as printed. */
function daysBetween(before: string, after: string): number {
  return Math.round((Date.parse(after.slice(0, 10)) - Date.parse(before.slice(0, 10))) / 86_400_000);
}

function timeOf(local: string | null): string {
  return local === null ? "?" : local.slice(11, 16);
}
