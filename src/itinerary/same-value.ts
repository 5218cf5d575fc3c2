import { isSameAircraft } from "./aircraft.ts";
import { isSameCabin } from "./cabins.ts";
import { isSameTerminal } from "./terminals.ts";

/** Returns how two stated values of a flight's member are compared: what only is spelled otherwise is the same. */
export function comparisonOf(member: string): (a: unknown, b: unknown) => boolean {
  const isSameText = spelledVariously[member];
  return (a, b) =>
    a === b || (isSameText !== undefined && typeof a === "string" && typeof b === "string" && isSameText(a, b));
}

const spelledVariously: Readonly<Partial<Record<string, (a: string, b: string) => boolean>>> = {
  aircraftCode: isSameAircraft,
  cabinType: isSameCabin,
  "departure.terminal": isSameTerminal,
  "arrival.terminal": isSameTerminal,
};
