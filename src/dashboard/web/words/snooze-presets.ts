/** The rest that a case can be given at most, and what ends before it: the departure and the clock. */
export interface SnoozeLimits {
  readonly now: Date;
  readonly departureAt: Date | null;
  readonly dueByAt: Date | null;
}

const hourMs = 3_600_000;
const restMaxMs = 30 * 24 * hourMs;

/** The latest moment that the server takes: 30 days, the departure, or when somebody must have decided. */
export function latestSnooze({ now, departureAt, dueByAt }: SnoozeLimits): Date {
  // A clock that has run out does not forbid a rest for ever; the server decides then.
  const ends = [departureAt, dueByAt].filter((end): end is Date => end !== null && end > now);
  return new Date(Math.min(now.getTime() + restMaxMs, ...ends.map((end) => end.getTime())));
}

/** The usual rests, in the zone of the person who looks; without those that would end too late. */
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
