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
  const { now, departureAt } = limits;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  const presets = [
    { label: "4 hours", until: new Date(now.getTime() + 4 * hourMs) },
    { label: "Tomorrow 09:00", until: morning },
    ...(departureAt === null
      ? []
      : [{ label: "24 h before departure", until: new Date(departureAt.getTime() - 24 * hourMs) }]),
  ];
  const latest = latestSnooze(limits);
  return presets.filter(({ until }) => until > now && until <= latest);
}
