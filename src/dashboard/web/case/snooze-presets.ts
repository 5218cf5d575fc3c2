export interface SnoozeLimits {
  readonly now: Date;
  /** The deadline of the case, the agency SLA included; null without one. */
  readonly dueByAt: Date | null;
  /** The latest time until which the case can be snoozed. Null for many cases, which have different ones. */
  readonly latest: Date | null;
}

const hourMs = 3_600_000;

/** Times before the deadline. One that has passed limits nothing, and `latest` may be after the agency SLA. */
export function snoozePresets(limits: SnoozeLimits): readonly { readonly label: string; readonly until: Date }[] {
  const { now, dueByAt, latest } = limits;
  const morning = new Date(now);
  morning.setDate(morning.getDate() + 1);
  morning.setHours(9, 0, 0, 0);
  const presets = [
    { label: "1 h", until: new Date(now.getTime() + hourMs) },
    { label: "4 h", until: new Date(now.getTime() + 4 * hourMs) },
    ...(dueByAt === null ? [] : [{ label: "1 h before the deadline", until: new Date(dueByAt.getTime() - hourMs) }]),
    { label: "Tomorrow 9:00", until: morning },
  ];
  const ends = [latest, dueByAt !== null && dueByAt > now ? dueByAt : null].filter((end) => end !== null);
  return presets.filter(({ until }) => until > now && ends.every((end) => until <= end));
}

/** Says until when a case can be snoozed, as the server takes it. @param printed the latest time. */
export function describeSnoozeLimit(
  { now, latest }: Omit<SnoozeLimits, "dueByAt">,
  printed: (at: Date) => string,
): string {
  if (latest !== null && latest <= now) return "Its departure or a deadline has passed, so it cannot be snoozed.";
  const limit =
    latest === null
      ? "At most 30 days, and not after the departure or a deadline."
      : `Until ${printed(latest)} at the latest.`;
  return `${limit} The agency SLA does not limit it: it starts again when the case comes back.`;
}
