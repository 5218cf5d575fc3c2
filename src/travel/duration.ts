/** A length of time as gateways write it: `3 H 10 M`. */
export function durationText(minutes: number): string {
  return `${Math.floor(minutes / 60)} H ${minutes % 60} M`;
}

/**
 * Minutes of a duration as gateways write it: `3 H 50 M`, `1 Hrs 0 Min`, `45 M`, `2h`, `3h50`, `03:50`, `PT3H50M`, or a
 * bare number of minutes. Null when it is none of these.
 */
export function durationMinutes(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const sent = text.trim();
  if (/^\d{1,5}$/.test(sent)) return Number(sent);
  const clock = /^(\d{1,3})\s*[:h]\s*([0-5]\d)(?::\d{2})?\s*h?$/i.exec(sent);
  if (clock !== null) return Number(clock[1]) * 60 + Number(clock[2]);
  const words = durationWords.exec(sent);
  if (words === null || words.slice(1).every((part) => part === undefined)) return null;
  const [days = 0, hours = 0, minutes = 0] = words.slice(1).map((part) => Number(part ?? 0));
  return days * 1440 + hours * 60 + minutes;
}

const durationWords =
  /^P?\s*(?:(\d{1,2})\s*d(?:ays?)?)?\s*T?\s*(?:(\d{1,3})\s*h(?:(?:ou)?rs?)?)?\.?\s*(?:(\d{1,4})\s*m(?:in(?:ute)?s?)?)?\.?\s*(?:0{1,2}\s*s)?$/i;
