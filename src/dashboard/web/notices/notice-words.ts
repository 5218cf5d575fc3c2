import { counted } from "../../../kernel/counted.ts";
import type { NoticeRow } from "../api/responses.ts";

export const channelWords = { email: "E-mail", slack: "Slack", teams: "Microsoft Teams" } as const;

const weekdayWords = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export const weekdayChoices = weekdayWords.map((label, index) => ({ value: String(index + 1), label }));

export function describeTiming({ when, timeZone }: Pick<NoticeRow, "when" | "timeZone">): string {
  switch (when.type) {
    case "at-once":
      return "At once";
    case "before-deadline":
      return `${describeMinutes(when.minutes)} before the deadline`;
    case "digest":
      return `Digest at ${when.times.toSorted().join(", ")}, ${describeWeekdays(when.weekdays)} (${timeZone})`;
  }
}

export function describeScope({ queues, sources, priorityMax }: NoticeRow): string {
  const parts = [
    queues === null ? "All queues" : `Queue ${queues.join(", ")}`,
    ...(sources === null ? [] : [`source ${sources.join(", ")}`]),
    ...(priorityMax >= 9 ? [] : [priorityMax === 0 ? "priority 0" : `priority 0 to ${priorityMax}`]),
  ];
  return parts.join(", ");
}

function describeMinutes(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} min`;
  return counted(minutes / 60, "hour");
}

function describeWeekdays(weekdays: readonly number[]): string {
  const sorted = weekdays.toSorted();
  if (sorted.length === 7) return "every day";
  if (sorted.join("") === "12345") return "Mon to Fri";
  return sorted.map((day) => weekdayWords[day - 1]).join(", ");
}
