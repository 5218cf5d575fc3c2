import { useEffect, useState } from "react";
import { formatExactly, formatInstant, formatInstantLong } from "../labels/moments.ts";

/** An instant in the time zone of the browser; with the zone, and in UTC, on hover. */
export function When({ at, long = false }: { readonly at: string; readonly long?: boolean }) {
  const instant = new Date(at);
  return (
    <time dateTime={at} title={formatExactly(instant)}>
      {long ? formatInstantLong(instant) : formatInstant(instant, new Date())}
    </time>
  );
}

export function useNow(everyMs = 30_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
