import type { z } from "zod";
import type { caseEffect } from "./case-record.ts";
import type { Reason } from "./decision.ts";
import { isFinished, type ShownState, storedStateOf } from "./lifecycle.ts";
import {
  acceptedOtherCode,
  describeParts,
  describeRest,
  describeSettlement,
  describeUnknownOutcome,
  doubtCodes,
  howToSettle,
  partsOf,
} from "./outcome-words.ts";
import { describeChoice, newestWord, type Word } from "./traveller.ts";

/** A case as people see it. Instants are text, ISO 8601. */
export interface StandingCase {
  readonly state: ShownState;
  readonly dueAt: string | null;
  readonly undoUntil: string | null;
  readonly decision: { readonly action: string } | null;
  readonly proposalDigest: string | null;
  readonly travellerContacts: readonly Word[];
  readonly decisions: readonly { readonly proposalDigest: string | null; readonly reasons: readonly Reason[] }[];
  /** The newest first. */
  readonly effects: readonly StandingEffect[];
  readonly tasks: readonly { readonly closedAt: string | null; readonly reasons: readonly Reason[] }[];
}

interface StandingEffect
  extends Pick<z.infer<typeof caseEffect>, "action" | "state" | "proposalDigest" | "finishedAt" | "settled"> {
  readonly results: readonly unknown[] | null;
}

/**
 * Says what became of a case, or what it waits for and until when. Null if its state says all.
 * @param printed an instant in words.
 */
export function describeStanding(subject: StandingCase, now: Date, printed: (at: string) => string): string | null {
  const { state, dueAt, undoUntil, effects } = subject;
  const unknown = effects.find((effect) => effect.state === "unknown");
  if (unknown !== undefined) {
    const what = describeUnknownOutcome(unknown.action);
    if (state === "awaiting-agent") return `${what} ${howToSettle}`;
    if (dueAt === null) return what;
    return `${what} We check the booking again ${dueAt > now.toISOString() ? printed(dueAt) : "now"}.`;
  }
  if (isFinished(storedStateOf(state))) return describeEnd(subject, printed);
  if (state === "snoozed" && dueAt !== null) return `Snoozed until ${printed(dueAt)}.`;
  if (undoUntil !== null && (state === "accept-pending" || state === "cancel-pending")) {
    const what = state === "cancel-pending" ? "The order is cancelled" : "The change is accepted";
    return `${what} at the gateway ${printed(undoUntil)}, unless an agent stops it.`;
  }
  return state === "awaiting-agent" ? describeQuestion(subject, printed) : null;
}

/** Whether other flights are booked than those proposed when the change was accepted. */
export function isAcceptedOtherwise({
  proposalDigest,
  decisions,
}: Pick<StandingCase, "proposalDigest" | "decisions">): boolean {
  return decisions.some(
    (decision) =>
      decision.proposalDigest === proposalDigest && decision.reasons.some(({ code }) => code === acceptedOtherCode),
  );
}

/** Returns what contradicts that an effect was carried out, as sentences, until somebody has checked it. */
export function openDoubts(tasks: StandingCase["tasks"]): readonly string[] {
  return tasks
    .filter(({ closedAt }) => closedAt === null)
    .flatMap(({ reasons }) => reasons.filter(({ code }) => doubtCodes.includes(code)))
    .map(({ text }) => text);
}

/** What the two columns of flights are. */
export function flightColumns(subject: Pick<StandingCase, "proposalDigest" | "decisions">): readonly [string, string] {
  return isAcceptedOtherwise(subject) ? ["Booked before", "Booked now"] : ["Booked", "Proposed"];
}

/** Returns null if nothing was carried out. */
function describeEnd(subject: StandingCase, printed: (at: string) => string): string | null {
  const { state, effects, tasks } = subject;
  const carriedOut = describeCarriedOut(effects, printed);
  if (carriedOut === null) return state === "resolved-elsewhere" ? describeContradicted(effects, printed) : null;
  return [
    carriedOut,
    ...(isAcceptedOtherwise(subject) ? ["Other flights are booked than were proposed."] : []),
    ...openDoubts(tasks),
    ...(state === "closed" ? ["Closed after that."] : []),
    ...(state === "resolved-elsewhere" ? ["Settled elsewhere after that."] : []),
  ].join(" ");
}

function describeCarriedOut(effects: readonly StandingEffect[], printed: (at: string) => string): string | null {
  const last = effects.find(({ state }) => state === "succeeded");
  if (last?.settled != null) return describeSettlement(last.settled, printed(last.settled.at));
  if (last?.finishedAt != null) {
    return `${last.action === "cancel" ? "Cancelled" : "Accepted"} at the gateway ${printed(last.finishedAt)}.`;
  }
  const [newest] = effects;
  const parts = newest === undefined ? null : partsOf(newest.results);
  return newest === undefined || parts === null ? null : `${describeParts(newest.action, parts)}.`;
}

/** A person said that nothing was carried out, and the booking then was settled all the same. */
function describeContradicted([newest]: readonly StandingEffect[], printed: (at: string) => string): string | null {
  if (newest?.settled == null) return null;
  return `${describeSettlement(newest.settled, printed(newest.settled.at))} The booking read afterwards shows nothing open any more.`;
}

/** What a person has to know of a case that waits for them; null if the reasons of its decision say it. */
function describeQuestion(subject: StandingCase, printed: (at: string) => string): string | null {
  const { decision, proposalDigest, travellerContacts, effects } = subject;
  if (isAcceptedOtherwise(subject)) {
    return "Nothing is left to accept. Check the booking with the airline, then inform the travellers.";
  }
  const word = newestWord(proposalDigest, travellerContacts);
  if (word?.answer != null && word.answer !== "undecided") return describeChoice(word.answer);
  if (word?.kind === "asked" && decision?.action === "ask-traveller")
    return "The traveller was asked and has not answered in time.";
  const [newest] = effects;
  if (newest === undefined || newest.state !== "failed" || newest.proposalDigest !== proposalDigest) return null;
  if (newest.settled !== null) {
    return `${describeSettlement(newest.settled, printed(newest.settled.at))} Decide what to do next.`;
  }
  const parts = partsOf(newest.results);
  return parts === null ? null : `${describeParts(newest.action, parts)}. ${describeRest(newest.action)}`;
}
