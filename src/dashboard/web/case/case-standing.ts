import { describeStanding as standingOf } from "../../../cases/standing.ts";
import type { CaseView } from "../api/responses.ts";
import { formatInstant } from "../labels/moments.ts";
import { describeCaseState } from "../labels/state-words.ts";

/** What became of the case, or what it waits for and until when. */
export function describeStanding(subject: Parameters<typeof standingOf>[0], now: Date): string {
  const printed = (at: string): string => formatInstant(new Date(at), now);
  return standingOf(subject, now, printed) ?? describeCaseState(subject.state).meaning;
}

interface LatestNote {
  readonly text: string;
  readonly event: CaseView["timeline"][number];
}

/** The newest remark of a person, whatever action it came with. */
export function findLatestNote(timeline: CaseView["timeline"]): LatestNote | null {
  for (const event of timeline.toReversed()) {
    const note = event.detail["note"];
    if (typeof note === "string" && note !== "") return { text: note, event };
  }
  return null;
}
