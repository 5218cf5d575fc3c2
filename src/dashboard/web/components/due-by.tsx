import type { DueBy } from "../api/responses.ts";
import { describeClockRule } from "../labels/clock-words.ts";
import { formatDuration, formatExactly } from "../labels/moments.ts";
import { toLabel } from "../labels/state-words.ts";
import { ClockIcon } from "./icons.tsx";

interface DueByProps {
  readonly dueBy: DueBy;
  readonly now: Date;
  readonly verb?: "decide" | "check" | "inform";
}

/** The colour becomes a warning this long before the deadline. */
const soonSeconds = 4 * 3_600;

export function DueByChip({ dueBy, now, verb = "decide" }: DueByProps) {
  const at = new Date(dueBy.at);
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const isOver = dueBy.overdue || seconds < 0;
  const tone = isOver ? "bad" : seconds < soonSeconds ? "warn" : "plain";
  const left = formatDuration(Math.abs(seconds));
  return (
    <span className={`badge chip tone-${tone}`} title={`${toLabel(verb)} by ${formatExactly(at)}`}>
      <ClockIcon />
      <span>
        {isOver ? (
          `${left} overdue`
        ) : (
          <>
            <span className="visually-hidden">{verb} within </span>
            {left} left
          </>
        )}
      </span>
    </span>
  );
}

export function DueByWithRule(due: DueByProps) {
  return (
    <span className="due-by">
      <DueByChip {...due} /> <span className="quiet">{describeClockRule(due.dueBy.rule)}</span>
    </span>
  );
}
