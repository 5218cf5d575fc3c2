import type { CaseView } from "../api/responses.ts";
import { formatInstant } from "./moments.ts";
import { describeCaseState, isPending } from "./state-words.ts";
import { isTravellerAsked } from "./traveller-words.ts";

/** The effects are the newest first. */
type Standing = Pick<
  CaseView,
  "state" | "dueAt" | "undoUntil" | "decision" | "proposalDigest" | "travellerContacts"
> & {
  readonly effects: readonly Pick<CaseView["effects"][number], "state" | "action" | "finishedAt">[];
};

/** What became of the case, or what it waits for and until when. */
export function describeStanding(subject: Standing, now: Date): string {
  const { state, dueAt, undoUntil, effects } = subject;
  const unknown = effects.find((effect) => effect.state === "unknown");
  if (unknown !== undefined) {
    const what = `It is not known whether the ${unknown.action} was carried out.`;
    if (state === "awaiting-agent")
      return `${what} Ask the gateway or the airline; a supervisor then marks which it is.`;
    if (dueAt === null) return what;
    return `${what} We check the booking again ${dueAt > now.toISOString() ? formatInstant(new Date(dueAt), now) : "now"}.`;
  }
  if (state === "snoozed" && dueAt !== null) return `Snoozed until ${formatInstant(new Date(dueAt), now)}.`;
  if (isPending(state) && undoUntil !== null) {
    const what = state === "cancel-pending" ? "The order is cancelled" : "The change is accepted";
    return `${what} at the gateway ${formatInstant(new Date(undoUntil), now)}, unless an agent stops it.`;
  }
  if (state === "awaiting-agent" && subject.decision?.action === "ask-traveller" && isTravellerAsked(subject)) {
    return "The traveller was asked and has not answered in time.";
  }
  const last = effects.find((effect) => effect.state === "succeeded");
  if (state === "done" && last?.finishedAt != null) {
    const what = last.action === "cancel" ? "Cancelled" : "Accepted";
    return `${what} at the gateway ${formatInstant(new Date(last.finishedAt), now)}.`;
  }
  return describeCaseState(state).meaning;
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
