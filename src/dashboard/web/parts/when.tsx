import { useEffect, useState } from "react";
import { formatInstant, formatInstantLong, formatUtc } from "../words/moments.ts";

/** An instant of the system, in the zone of the person who looks; UTC on hover and for assistive technology. */
export function When({ at, long = false }: { readonly at: string; readonly long?: boolean }) {
  const instant = new Date(at);
  return (
    <time dateTime={at} title={formatUtc(instant)}>
      {long ? formatInstantLong(instant) : formatInstant(instant, new Date())}
    </time>
  );
}

/** The time, renewed often enough for texts such as "in 5 min". */
export function useNow(everyMs = 30_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
