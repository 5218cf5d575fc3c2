import { firstInstantIn, isTimeZone, printedIn } from "../../travel/zones.ts";

/** Returns the date of an instant in an IANA zone, yyyy-mm-dd; in UTC if the zone does not exist. */
export function localDateOf(instant: Date, timeZone: string): string {
  return printedIn(zoneOf(timeZone), instant.getTime()).toISOString().slice(0, 10);
}

/** Returns the first instant of a date in an IANA zone, in milliseconds, even if clocks change at midnight. */
export function startOfDay(date: string, timeZone: string): number {
  return firstInstantIn(zoneOf(timeZone), Date.parse(`${date}T00:00:00Z`));
}

function zoneOf(name: string): string {
  return isTimeZone(name) ? name : "UTC";
}
