import type { BulkActionRow, BulkCommandView, ListedBulkAction } from "../api/responses.ts";
import { actionWords } from "./case-actions.ts";
import type { Tone } from "./state-words.ts";

interface Words {
  readonly label: string;
  readonly tone: Tone;
}

export const bulkStateWords: Readonly<Record<ListedBulkAction["state"], Words>> = {
  running: { label: "Running", tone: "busy" },
  stopped: { label: "Stopped", tone: "warn" },
  finished: { label: "Finished", tone: "good" },
};

export const outcomeWords: Readonly<Record<NonNullable<BulkActionRow["outcome"]>, Words>> = {
  accepted: { label: "Accepted", tone: "good" },
  conflict: { label: "Changed meanwhile", tone: "warn" },
  refused: { label: "Not possible", tone: "bad" },
  "not-found": { label: "Not found", tone: "bad" },
};

/** What was asked for, in one line and with what it was given: `Assign to ana`. The note is shown beside it. */
export function describeBulkCommand(command: BulkCommandView): string {
  const { title, asGiven } = actionWords[command.action];
  return asGiven?.(command) ?? title;
}

/** How many were skipped, by reason: `2 changed meanwhile`. Empty when none was. */
export function describeMisses(counts: ListedBulkAction["counts"]): readonly string[] {
  return (
    [
      [counts.refused, outcomeWords.refused],
      [counts.conflict, outcomeWords.conflict],
      [counts.notFound, outcomeWords["not-found"]],
    ] as const
  ).flatMap(([count, { label }]) => (count === 0 ? [] : [`${count.toLocaleString("en")} ${label.toLowerCase()}`]));
}
