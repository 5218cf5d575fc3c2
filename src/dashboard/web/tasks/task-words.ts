import type { TaskRow } from "../api/responses.ts";
import { formatLocalDate } from "../labels/moments.ts";
import { toLabel, usernameOf } from "../labels/state-words.ts";

export const taskKinds = [
  { value: "check-ticket", label: "Check the ticket" },
  { value: "check-refund", label: "Check the refund" },
  { value: "check-services", label: "Check seats and services" },
  { value: "inform-traveller", label: "Inform the traveller" },
] as const;

export function describeTaskKind(kind: string): string {
  return taskKinds.find(({ value }) => value === kind)?.label ?? toLabel(kind);
}

/** What is due. */
export function taskVerb(kind: string): "check" | "inform" {
  return kind === "inform-traveller" ? "inform" : "check";
}

/** Describes a flight such as `LH1167/2027-03-14`. */
export function describeTouchedFlight(flight: string): string {
  const [number = flight, date] = flight.split("/");
  return date === undefined ? number : `${number}, ${formatLocalDate(date)}`;
}

export type TaskGrouping = "none" | "flight" | "assignee" | "kind";

interface TaskGroup {
  /** Empty if there is one group only. */
  readonly title: string;
  readonly tasks: readonly TaskRow[];
}

/** In the order of their first task, so that the soonest due is at the top. */
export function taskGroups(tasks: readonly TaskRow[], grouping: TaskGrouping): readonly TaskGroup[] {
  if (grouping === "none") return [{ title: "", tasks }];
  const groups = Map.groupBy(tasks, (task) => titleOf[grouping](task));
  return [...groups].map(([title, those]) => ({ title, tasks: those }));
}

const titleOf: Readonly<Record<Exclude<TaskGrouping, "none">, (task: TaskRow) => string>> = {
  flight: ({ flights }) => flights.map(describeTouchedFlight).join(" and ") || "No flight known",
  assignee: ({ assignee }) => usernameOf(assignee) ?? "Unassigned",
  kind: ({ kind }) => describeTaskKind(kind),
};

interface RefundWords {
  readonly label: string;
  readonly tone: "good" | "warn" | "bad" | "plain";
}

const refundWords: Readonly<Record<string, RefundWords>> = {
  "as-expected": { label: "As expected", tone: "good" },
  higher: { label: "More than expected", tone: "warn" },
  lower: { label: "Less than expected", tone: "bad" },
  unknown: { label: "Can't be compared", tone: "plain" },
};

const basisWords: Readonly<Record<string, string>> = {
  "unused-price": "price of the unused flights",
  "not-paid": "nothing was paid",
};

/** What the expected refund is. */
export function describeRefundBasis(basis: string): string {
  return basisWords[basis] ?? toLabel(basis);
}

export function describeRefundCheck(check: string): RefundWords {
  return refundWords[check] ?? { label: toLabel(check), tone: "plain" };
}

/** Of an open task that an event asks for: whether a recipient gets it, the pages of events say. */
export const leftToSystem = "An event leaves this to a system, and is not acknowledged yet.";
