import type { CaseView } from "../api/responses.ts";

export interface FailedRead {
  readonly at: string;
  readonly text: string;
  /** What to do. */
  readonly advice: string;
}

const refused = "Look the order up at the gateway or the airline, then re-check.";
const retried = "It is tried again automatically.";

/** Readings of the booking that failed, newest first. They have no stored response, so decisions and events tell of them. */
export function failedReads({ decisions, timeline }: Pick<CaseView, "decisions" | "timeline">): readonly FailedRead[] {
  const decided = decisions
    .filter(({ rule }) => rule === "check:status" || rule === "check:gateway")
    .map(({ decidedAt, reasons }) => ({
      at: decidedAt,
      text: reasons[0]?.text ?? "No reason is stored.",
      advice: refused,
    }));
  const postponed = timeline
    .filter(({ kind }) => kind === "case.postponed")
    .flatMap(({ at, detail }) => {
      const message = detail["message"];
      return typeof message === "string" ? [{ at, text: message, advice: retried }] : [];
    });
  return [...decided, ...postponed].toSorted((one, other) => other.at.localeCompare(one.at));
}
