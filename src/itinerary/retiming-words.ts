import type { Fact } from "../kernel/fact.ts";
import type { Counterpart } from "./align.ts";
import type { Range } from "./fact-logic.ts";
import { flightNames } from "./flight-names.ts";
import { type End, endOf, shiftsOf } from "./shifts.ts";
import { spanOf } from "./span.ts";

/**
 * Describes how each remaining flight moves: `LH98 FRA-MUC departs and arrives 31 min later`. Moves are between
 * instants; an unknown one is named as such. Omits withdrawn, added and unmoved flights.
 */
export function describeRetimings(flights: readonly Counterpart[]): readonly string[] {
  const booked = flights.flatMap(({ before }) => before);
  return flights.flatMap((pair) => {
    const moves = describeMoves(pair);
    return moves === null ? [] : [`${flightNames(pair.before, booked)} ${moves}`];
  });
}

function describeMoves(pair: Counterpart): string | null {
  const departs = describeMove(pair, "departure");
  const arrives = describeMove(pair, "arrival");
  if (departs !== null && departs === arrives) return `departs and arrives ${departs}`;
  const parts = [
    ...(departs === null ? [] : [`departs ${departs}`]),
    ...(arrives === null ? [] : [`arrives ${arrives}`]),
  ];
  return parts.length === 0 ? null : parts.join(" and ");
}

function describeMove(pair: Counterpart, end: End): string | null {
  const was = endOf(pair.before, end);
  const is = endOf(pair.after, end);
  const [shift] = shiftsOf([pair], end);
  if (was === null || is === null || shift === undefined) return null;
  return was.date === is.date && was.time === is.time && was.airport === is.airport ? null : describeShift(shift);
}

function describeShift(shift: Fact<Range>): string {
  if (!shift.known || shift.value.low !== shift.value.high) return "at a time that cannot be compared";
  const minutes = shift.value.low;
  if (minutes === 0) return "at the same moment";
  return `${spanOf(Math.abs(minutes))} ${minutes > 0 ? "later" : "earlier"}`;
}
