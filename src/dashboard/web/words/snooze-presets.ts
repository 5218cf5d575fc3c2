export interface SnoozeLimits {
  readonly now: Date;
  readonly departureAt: Date | null;
  readonly dueByAt: Date | null;
}

const hourMs = 3_600_000;
const snoozeMaxMs = 30 * 24 * hourMs;

/** The server accepts at most 30 days, and no time after the departure or the deadline. */
export function latestSnooze({ now, departureAt, dueByAt }: SnoozeLimits): Date {
  // A deadline that has passed is no limit here; the server decides.
  const ends = [departureAt, dueByAt].filter((end): end is Date => end !== null && end > now);
  return new Date(Math.min(now.getTime() + snoozeMaxMs, ...ends.map((end) => end.getTime())));
}

export function snoozePresets(limits: SnoozeLimits): readonly { readonly label: string; readonly until: Date }[] {
  const { now, dueByAt } = limits;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  const presets = [
    { label: "1 h", until: new Date(now.getTime() + hourMs) },
    { label: "4 h", until: new Date(now.getTime() + 4 * hourMs) },
    ...(dueByAt === null ? [] : [{ label: "1 h before the deadline", until: new Date(dueByAt.getTime() - hourMs) }]),
    { label: "Tomorrow 9:00", until: morning },
  ];
  const latest = latestSnooze(limits);
  return presets.filter(({ until }) => until > now && until <= latest);
}
