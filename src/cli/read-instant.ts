import { InvalidArgumentError } from "commander";

export function readInstant(text: string): Date {
  const instant = parseInstant(text);
  if (instant === null) throw new InvalidArgumentError(`Give an instant with its zone, such as ${example}.`);
  return instant;
}

/** An instant, or how long until then. */
export function readLater(text: string, now: Date = new Date()): Date {
  const later = text === "tomorrow" ? tomorrowMorning(now) : addDuration(text, now, 1);
  if (later === null) {
    throw new InvalidArgumentError(
      `Give 30m, 2h, 3d, tomorrow (9:00), or an instant with its zone, such as ${example}.`,
    );
  }
  return later;
}

/** An instant, or how long ago. */
export function readEarlier(text: string, now: Date = new Date()): Date {
  const earlier = addDuration(text, now, -1);
  if (earlier === null) {
    throw new InvalidArgumentError(
      `Give 30m, 2h or 3d for so long ago, or an instant with its zone, such as ${example}.`,
    );
  }
  return earlier;
}

const example = "2027-01-01T00:00:00Z";

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function addDuration(text: string, now: Date, direction: 1 | -1): Date | null {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return count === undefined
    ? parseInstant(text)
    : new Date(now.getTime() + direction * Number(count) * (unitMs[unit] ?? 0));
}

function parseInstant(text: string): Date | null {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(isInstant ? text : Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** In the zone of the terminal. */
function tomorrowMorning(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
}
