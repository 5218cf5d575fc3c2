import { severityOf } from "../itinerary/severity.ts";
import { isMarkBeforeDeparture } from "../policy/legal/clock-catalogue.ts";
import type { DecisionSubject } from "./new-decision.ts";

type PrioritySubject = Pick<DecisionSubject, "facts" | "legal" | "now">;

/** An overdue case is at least this urgent. Departures in the next hours still come first. */
export const overduePriority = 1;

/**
 * Returns how urgent a change is, from 0 (most urgent) to 5: the first line of `priorities` that holds.
 * A rule of the policy can only make a case more urgent.
 */
export function priorityOf(subject: PrioritySubject): number {
  return priorities.find(({ holds }) => holds(subject))!.priority;
}

/** In order. `when` completes "Priority 0 if …", and stands in `docs/clocks.md`. */
export const priorities: readonly {
  readonly priority: number;
  readonly when: string;
  readonly holds: (subject: PrioritySubject) => boolean;
}[] = [
  {
    priority: 5,
    when: "every flight of the trip has left",
    holds: ({ facts: { tripDeparted } }) => tripDeparted.known && tripDeparted.value,
  },
  {
    priority: 0,
    when: "the first flight leaves within 24 hours",
    holds: (subject) => departsWithinHours(subject, 24),
  },
  {
    priority: 1,
    when: "the first flight leaves within 72 hours, or a law wants the traveller informed within the next 24 hours",
    holds: (subject) => departsWithinHours(subject, 72) || mustInformWithinHours(subject, 24),
  },
  {
    priority: 2,
    when: "the change is critical, such as a cancellation or a missed connection, or the departure is not known",
    holds: ({ facts }) => severityOf(facts).name === "critical" || !facts.minutesToDeparture.known,
  },
  {
    priority: 3,
    when: "the first flight leaves within 7 days, or a law wants the traveller informed within the next 72 hours",
    holds: (subject) => departsWithinHours(subject, 7 * 24) || mustInformWithinHours(subject, 72),
  },
  { priority: 4, when: "the change is major", holds: ({ facts }) => severityOf(facts).name === "major" },
  { priority: 5, when: "anything else", holds: () => true },
];

function departsWithinHours({ facts: { minutesToDeparture } }: PrioritySubject, hours: number): boolean {
  return minutesToDeparture.known && minutesToDeparture.value < hours * 60;
}

function mustInformWithinHours({ legal: { verdicts }, now }: PrioritySubject, hours: number): boolean {
  return verdicts
    .flatMap(({ clocks }) => clocks)
    .flatMap(({ name, dueAt }) => (dueAt !== null && isMarkBeforeDeparture(name) ? [Date.parse(dueAt)] : []))
    .some((at) => at > now.getTime() && at - now.getTime() < hours * 3_600_000);
}
