/** `11:35 UTC, and FRA is at +1` @param own the offsets that the airport's clock may have then, in minutes */
export function describeContradiction(
  { airport, time }: { readonly airport: string | null; readonly time: string | null },
  stated: number,
  own: readonly number[],
): string {
  const shown = `${time} ${stated === 0 ? "UTC" : `at ${offsetText(stated)}`}`;
  return `${shown}, and ${airport} is at ${own.map(offsetText).join(" or ")}`;
}

/** `+1`, `-3:30` */
function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return `${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${rest}`;
}

/**
 * Returns the local times that such words may mean: the time as it stands, if its offset is wrong, and the same moment on
 * the airport's own clock, if the offset is right: `11:35 or 12:35`, `23:40 or 00:40 a day later`. Null for other words.
 */
export function readingsOf(contradiction: string): string | null {
  const found = /^(\d\d):(\d\d) (?:UTC|at (\S+)), and \S+ is at (.+)$/.exec(contradiction);
  if (found === null) return null;
  const [, hours = "", minutes = "", stated = "+0", own = ""] = found;
  const printed = Number(hours) * 60 + Number(minutes);
  const moved = own.split(" or ").map((offset) => clockText(printed + offsetOf(offset) - offsetOf(stated)));
  return [...new Set([clockText(printed), ...moved])].join(" or ");
}

function offsetOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.slice(1).split(":");
  return (text.startsWith("-") ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const minutesPerDay = 1440;

function clockText(minutes: number): string {
  const ofDay = (minutes + minutesPerDay) % minutesPerDay;
  const [hour, minute] = [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, "0"));
  const day = minutes < 0 ? " a day earlier" : minutes >= minutesPerDay ? " a day later" : "";
  return `${hour}:${minute}${day}`;
}
