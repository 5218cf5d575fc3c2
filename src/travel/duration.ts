/** A length of time as gateways write it: `3 H 10 M`. */
export function durationText(minutes: number): string {
  return `${Math.floor(minutes / 60)} H ${minutes % 60} M`;
}

/**
 * Minutes of a duration as gateways write it: `3 H 50 M`, `1 Hrs 0 Min`, `45 M`, `2h`, `3h50`, `03:50`, `PT3H50M`,
 * `PT13800S`, `3 Std. 50 Min.`, `3 heures 50`, or a bare number of minutes. Ignores what stands in brackets behind it.
 * Null when it is none of these.
 */
export function durationMinutes(text: unknown): number | null {
  if (typeof text !== "string") return null;
  const sent = text
    .trim()
    .replace(/\([^()]*\)$/, "")
    .trim();
  if (/^\d{1,5}$/.test(sent)) return Number(sent);
  const seconds = /^PT(\d{1,7})(?:\.0+)?S$/i.exec(sent);
  if (seconds !== null) return Number(seconds[1]) % 60 === 0 ? Number(seconds[1]) / 60 : null;
  const clock = /^(\d{1,3})\s*[:h]\s*([0-5]\d)(?::\d{2})?\s*h?$/i.exec(sent);
  if (clock !== null) return Number(clock[1]) * 60 + Number(clock[2]);
  const words = durationWords.exec(sent);
  if (words === null || words.slice(1).every((part) => part === undefined)) return null;
  const [days = 0, hours = 0, minutes = 0, bareMinutes = 0] = words.slice(1).map((part) => Number(part ?? 0));
  return days * 1440 + hours * 60 + minutes + bareMinutes;
}

const hourWords = "h|hrs?|hours?|hr|std|stdn?|stunden?|heures?|horas?|or[ae]|u|uren|uur|tim(?:me|mar)?|godz|saat";
const minuteWords = "m|mins?|minutes?|minuten?|minutos?|minut[oi]|minuter|dk|dakika";
const between = "\\.?\\s*(?:,|und|and|et|y|e|en|och)?\\s*";

const durationWords = new RegExp(
  `^P?\\s*(?:(\\d{1,2})\\s*(?:d(?:ays?)?|tage?|jours?|d[ií]as?|giorn[oi]))?${between}T?\\s*(?:(\\d{1,3})\\s*(?:${hourWords}))?${between}(?:(\\d{1,4})\\s*(?:${minuteWords})\\.?|(?<=[a-z][.\\s]*)([0-5]\\d))?\\s*(?:0{1,2}(?:\\.0+)?\\s*s)?$`,
  "iu",
);
