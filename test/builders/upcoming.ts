import { firstInstantIn } from "../../src/travel/zones.ts";

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** The day on which the fixtures were written: their flights of March 2027 left sixteen weeks later. */
const writtenAt = Date.UTC(2026, 10, 22);

const movedByMs = Math.floor((Date.now() - writtenAt) / weekMs) * weekMs;

/**
 * Moves every date in a text, such as 2027-03-14, by the weeks that have passed since the fixtures were written. A flight
 * keeps its day of the week and stays as far ahead, whenever the tests run. For tests against a real database, which has
 * the machine's date; the others have a clock of their own and leave the dates as they are.
 */
export function upcoming(text: string): string {
  return text.replace(/\b\d{4}-\d{2}-\d{2}/g, (date) =>
    new Date(Date.parse(`${date}T00:00:00Z`) + movedByMs).toISOString().slice(0, 10),
  );
}

/** The moment of a local time such as 2027-03-14T07:10 in a time zone, which is in winter or in summer time when moved. */
export function momentIn(zone: string, localTime: string): Date {
  return new Date(firstInstantIn(zone, Date.parse(`${localTime}Z`)));
}
