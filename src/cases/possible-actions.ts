import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { compareDecimals } from "../travel/money.ts";
import { type ActionSubject, type CaseActionName, caseActionNames, caseActionRow, waiting } from "./case-actions.ts";
import { type ActionRefusal, type CloseReason, refused } from "./case-command.ts";
import type { DecisionAction } from "./decision.ts";
import { type CaseState, isFinished, type ShownState, storedStateOf } from "./lifecycle.ts";

/** Returns why an action is too late or too early in this state, as a sentence, or null. */
export function obstacleInState(
  action: CaseActionName,
  shown: ShownState,
  caseId: string,
  isBeingRechecked = false,
): string | null {
  const state = storedStateOf(shown);
  if (isPossibleIn(action, state, isBeingRechecked)) return null;
  if (action === "reopen") return `Case ${caseId} is still open (${state}), so it cannot be reopened.`;
  if (isFinished(state)) return `Case ${caseId} is finished (${state}). Use reopen to work on the order again.`;
  if (shown !== state) return `Case ${caseId} is about to be carried out (${shown}). Use stop first.`;
  if (action === "stop") return `Case ${caseId} has nothing to stop (${state}). Check the case.`;
  return `Case ${caseId} is being processed (${state}). Wait until it needs action.`;
}

function isPossibleIn(action: CaseActionName, state: CaseState, isBeingRechecked: boolean): boolean {
  return caseActionRow(action).states.includes(state) || (isBeingRechecked && needsWaitingCase(action));
}

export function needsWaitingCase(action: CaseActionName): boolean {
  return caseActionRow(action).states === waiting;
}

/**
 * Whether a worker only checks a case that already waits for somebody. A person may then take the case from the worker,
 * which has sent nothing.
 */
export function isBeingRechecked(
  state: CaseState,
  decided: DecisionAction | null,
  liveEffects: readonly { readonly state: string }[],
): boolean {
  const isAsked = decided === "review" || decided === "ask-traveller" || decided === "wait";
  return state === "checking" && isAsked && liveEffects.every((effect) => effect.state === "unknown");
}

/** Whether a decision with this rule asks a person because the status could not be read with the known references. */
export function lacksReference(rule: string | null | undefined): boolean {
  return rule === "check:reference" || rule === "check:status";
}

/** Returns the actions possible now by state, flags and effects. Permissions are checked elsewhere. */
export function possibleActions(subject: ActionSubject): readonly CaseActionName[] {
  const { state, isBeingRechecked: isRecheck = false } = subject;
  return caseActionNames.filter(
    (action) => isPossibleIn(action, state, isRecheck) && caseActionRow(action).isPossible?.(subject) !== false,
  );
}

/**
 * Whether the order is worth more than the limit, or its value is unknown.
 * @param limit decimal text in the booking's currency, whichever that is; null means never.
 */
export function needsSecondPerson(facts: Pick<ChangeFacts, "orderValue"> | null, limit: string | null): boolean {
  if (limit === null) return false;
  const value = facts?.orderValue;
  if (value === undefined || !value.known) return true;
  const compared = compareDecimals(value.value, limit);
  return compared === null || compared > 0;
}

const dayMs = 24 * 60 * 60_000;

const snoozeDaysMax = 30;

export interface SnoozeLimits {
  readonly now: Date;
  readonly departureAt: Date | null;
  /** The earliest clock other than the agency SLA, which starts again when the case comes back. */
  readonly dueBy: Date | null;
}

/** Returns the latest time until which a case can be snoozed; not later than now if it cannot be. */
export function latestSnooze({ now, departureAt, dueBy }: SnoozeLimits): Date {
  const ends = [departureAt, dueBy].flatMap((end) => (end === null ? [] : [end.getTime()]));
  return new Date(Math.min(now.getTime() + snoozeDaysMax * dayMs, ...ends));
}

export function snoozeRefusal(until: Date, about: SnoozeLimits & { readonly caseId: string }): ActionRefusal | null {
  const { caseId, now, departureAt, dueBy } = about;
  const instead = "Choose an earlier time, or decide the case now.";
  if (until <= now) {
    return refused(
      "desk.snooze_past",
      `Case ${caseId} cannot be snoozed until ${until.toISOString()}: that time has passed.`,
    );
  }
  if (until.getTime() - now.getTime() > snoozeDaysMax * dayMs) {
    return refused(
      "desk.snooze_too_long",
      `Case ${caseId} can be snoozed for at most ${snoozeDaysMax} days. ${instead}`,
    );
  }
  if (departureAt !== null && until > departureAt) {
    const text = `Case ${caseId} cannot be snoozed beyond its departure at ${departureAt.toISOString()}. ${instead}`;
    return refused("desk.snooze_past_departure", text);
  }
  if (dueBy !== null && until > dueBy) {
    const text = `Case ${caseId} cannot be snoozed beyond its deadline at ${dueBy.toISOString()}. ${instead}`;
    return refused("desk.snooze_past_due", text);
  }
  return null;
}

export function contactRefusal(happenedAt: Date, now: Date): ActionRefusal | null {
  const at = happenedAt.toISOString();
  if (happenedAt > now) {
    return refused("desk.contact_in_future", `${at} is in the future. Record the contact after it has happened.`);
  }
  if (now.getTime() - happenedAt.getTime() > contactDaysMax * dayMs) {
    return refused("desk.contact_too_old", `A contact at ${at} is more than a year ago. Check the date.`);
  }
  return null;
}

const contactDaysMax = 365;

export const closeReasonTexts: Readonly<Record<CloseReason, string>> = {
  duplicate: "It is a duplicate of another case.",
  "no-longer-travelling": "The traveller no longer travels.",
  "handled-by-phone": "It was handled by phone.",
  "agency-error": "Agency error.",
  other: "Other reason, see the note.",
};
