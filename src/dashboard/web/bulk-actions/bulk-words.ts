import type { BulkActionRow, BulkCommandView, ListedBulkAction } from "../api/responses.ts";
import { actionWords } from "../case/case-actions.ts";
import type { Words } from "../labels/state-words.ts";

type BulkWords = Pick<Words, "label" | "tone">;

export const bulkStateWords: Readonly<Record<ListedBulkAction["state"], BulkWords>> = {
  running: { label: "Running", tone: "busy" },
  stopped: { label: "Stopped", tone: "warn" },
  finished: { label: "Finished", tone: "good" },
};

export const outcomeWords: Readonly<Record<NonNullable<BulkActionRow["outcome"]>, BulkWords>> = {
  accepted: { label: "Done", tone: "good" },
  conflict: { label: "Changed meanwhile", tone: "warn" },
  refused: { label: "Not possible", tone: "bad" },
  "not-found": { label: "Not found", tone: "bad" },
};

/** Describes an accept or a cancel that a worker carries out later. */
export function queuedWords(code: string | null): BulkWords {
  return code === "desk.second_person_needed"
    ? { label: "Needs approval", tone: "warn" }
    : { label: "Queued", tone: "good" };
}

export type GatewayOutcomeName = NonNullable<BulkActionRow["gateway"]>["outcome"];

export const gatewayWords: Readonly<Record<GatewayOutcomeName, BulkWords>> = {
  waiting: { label: "Waiting", tone: "busy" },
  sent: { label: "Sent", tone: "busy" },
  succeeded: { label: "Succeeded", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  unknown: { label: "Outcome unknown", tone: "warn" },
  "not-sent": { label: "Not sent", tone: "plain" },
};

/** The action with its parameters: `Assign to ana`. The note is shown separately. */
export function describeBulkCommand(command: BulkCommandView): string {
  const { title, describe } = actionWords[command.action];
  return describe?.(command) ?? title;
}

/** By reason: `2 changed meanwhile`. */
export function describeSkipped(counts: ListedBulkAction["counts"]): readonly string[] {
  return (
    [
      [counts.refused, outcomeWords.refused],
      [counts.conflict, outcomeWords.conflict],
      [counts.notFound, outcomeWords["not-found"]],
    ] as const
  ).flatMap(([count, { label }]) => (count === 0 ? [] : [`${count.toLocaleString("en")} ${label.toLowerCase()}`]));
}
