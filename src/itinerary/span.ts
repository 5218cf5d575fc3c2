const minutesPerDay = 1440;

/** Prints minutes up to an hour and a half, then hours, and whole or several days. */
export function spanOf(minutes: number): string {
  if (minutes % minutesPerDay === 0 && minutes > 0) {
    const days = minutes / minutesPerDay;
    return days === 1 ? "1 day" : `${days} days`;
  }
  if (minutes <= 90) return `${minutes} min`;
  if (minutes > 2 * minutesPerDay) {
    const rest = minutes % minutesPerDay;
    return `${spanOf(minutes - rest)} ${spanOf(rest)}`;
  }
  const rest = minutes % 60;
  return rest === 0 ? `${(minutes - rest) / 60} h` : `${(minutes - rest) / 60} h ${rest} min`;
}
