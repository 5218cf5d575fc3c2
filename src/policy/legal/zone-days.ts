/** Returns the date of an instant in an IANA zone, yyyy-mm-dd; in UTC if the zone does not exist. */
export function localDateOf(instant: Date, timeZone: string): string {
  return printed(instant.getTime(), timeZone).slice(0, 10);
}

/** Returns the first instant of a date in an IANA zone, in milliseconds, even if clocks change at midnight. */
export function startOfDay(date: string, timeZone: string): number {
  const asUtc = Date.parse(`${date}T00:00:00Z`);
  // No zone is further than 14 hours from UTC, and every offset in use is a multiple of 15 minutes.
  let low = asUtc - 15 * hourMs;
  let high = asUtc + 15 * hourMs;
  while (high - low > quarterMs) {
    const middle = low + Math.floor((high - low) / quarterMs / 2) * quarterMs;
    if (localDateOf(new Date(middle), timeZone) < date) low = middle;
    else high = middle;
  }
  return high;
}

const quarterMs = 900_000;
const hourMs = 4 * quarterMs;

function printed(instant: number, timeZone: string): string {
  const [date = ""] = formatterOf(timeZone).format(instant).split(",");
  return date;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** `en-CA` prints dates as ISO 8601. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached !== undefined) return cached;
  const formatter = makeFormatter(timeZone);
  formatters.set(timeZone, formatter);
  return formatter;
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat {
  const options = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("en-CA", { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-CA", { ...options, timeZone: "UTC" });
  }
}
