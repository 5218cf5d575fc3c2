import { compareDecimals } from "../itinerary/decimal.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { type ActionRefusal, type CaseActionName, type CloseReason, caseActionNames, refused } from "./case-command.ts";
import type { DecisionAction, EffectAction } from "./decision.ts";
import { type CaseState, caseStates, isFinished, liveEffectStates } from "./lifecycle.ts";

const waiting: readonly CaseState[] = ["awaiting-agent", "awaiting-traveller", "snoozed"];
const open: readonly CaseState[] = caseStates.filter((state) => !isFinished(state));
const finished: readonly CaseState[] = caseStates.filter(isFinished);

/** In which states each action is possible. What only adds to what is known is possible while a worker has the case. */
const statesOf: Readonly<Record<CaseActionName, readonly CaseState[]>> = {
  accept: waiting,
  cancel: waiting,
  approve: waiting,
  "refuse-approval": waiting,
  close: waiting,
  reschedule: waiting,
  "resolved-elsewhere": waiting,
  snooze: waiting,
  "confirm-effect": waiting,
  "refute-effect": waiting,
  "traveller-asked": waiting,
  "traveller-informed": open,
  "traveller-answered": open,
  assign: open,
  recheck: open,
  note: caseStates,
  stop: ["checking"],
  reopen: finished,
};

/**
 * Why an action is too late or too early in this state, as a sentence; null when it is not.
 *
 * @param isLookedAtAgain as `isLookedAtAgain` says.
 */
export function obstacleInState(
  action: CaseActionName,
  state: CaseState,
  caseId: string,
  isLookedAtAgain = false,
): string | null {
  if (isTakenOnIn(action, state, isLookedAtAgain)) return null;
  if (action === "reopen") return `Case ${caseId} is still open (${state}). Act on it as it is.`;
  if (isFinished(state)) return `Case ${caseId} is finished (${state}). Use reopen to work on the order again.`;
  if (action === "stop") return `Case ${caseId} has nothing left to stop (${state}). Look at it again.`;
  return `Case ${caseId} is being worked on (${state}). Wait until it asks for a person.`;
}

function isTakenOnIn(action: CaseActionName, state: CaseState, isLookedAtAgain: boolean): boolean {
  return statesOf[action].includes(state) || (isLookedAtAgain && isForWaiting(action));
}

/** Whether the action is one for a case that waits. */
export function isForWaiting(action: CaseActionName): boolean {
  return statesOf[action] === waiting;
}

/**
 * Whether a worker only looks again at a case that somebody is asked about already. Whoever acts then takes the case from the
 * worker, which has sent nothing. Never before the first decision, nor while a decided effect is carried out.
 */
export function isLookedAtAgain(
  state: CaseState,
  decided: DecisionAction | null,
  liveEffects: readonly { readonly state: string }[],
): boolean {
  const isAsked = decided === "review" || decided === "ask-traveller" || decided === "wait";
  return state === "checking" && isAsked && liveEffects.every((effect) => effect.state === "unknown");
}

/** What the actions that are possible on a case depend on. */
export interface ActionSubject {
  readonly state: CaseState;
  /** Of the decision in force; null without a proposal. */
  readonly flags: Proposal["flags"] | null;
  readonly proposalDigest: string | null;
  /** Of this case. */
  readonly effects: readonly { readonly action: string; readonly state: string; readonly proposalDigest: string }[];
  /** Whether a first person waits for a second one. */
  readonly approvalAsked: boolean;
  /** An automatic effect is not sent before this. */
  readonly undoUntil: Date | null;
  /** Whether an accept or a cancel is decided that waits until the gateway can be read again. */
  readonly isPutOff: boolean;
  /** Whether this very proposal was answered so lately, in whichever case, that the status may be an old one. */
  readonly isJustAnswered: boolean;
  /** Whether the order has an open case: this one or a later one. */
  readonly orderHasOpenCase: boolean;
  /** As `isLookedAtAgain` says; left out: no. */
  readonly isLookedAtAgain?: boolean;
  readonly now: Date;
}

/** The actions that the worker would take on now, by state, flags and effects; who may take them is another question. */
export function possibleActions(subject: ActionSubject): readonly CaseActionName[] {
  const { state, isLookedAtAgain: isAgain = false } = subject;
  return caseActionNames.filter((action) => isTakenOnIn(action, state, isAgain) && isPossible(action, subject));
}

function isPossible(action: CaseActionName, subject: ActionSubject): boolean {
  const { flags, proposalDigest, effects, approvalAsked, undoUntil, isPutOff, isJustAnswered, now } = subject;
  const isUnsettled = effects.some(({ state }) => liveEffectStates.some((live) => live === state));
  switch (action) {
    case "accept":
    case "cancel": {
      if (isUnsettled || isJustAnswered || flags === null || proposalDigest === null) return false;
      if (!isOffered(flags, action)) return false;
      const isDone = effects.some(
        (effect) =>
          effect.action === action && effect.state === "succeeded" && effect.proposalDigest === proposalDigest,
      );
      return !isDone && !(action === "cancel" && approvalAsked);
    }
    case "approve":
      return approvalAsked && !isUnsettled && !isJustAnswered;
    case "refuse-approval":
      return approvalAsked;
    case "close":
    case "resolved-elsewhere":
    case "reschedule":
    case "traveller-asked":
      return !isUnsettled;
    case "confirm-effect":
    case "refute-effect":
      return effects.some(({ state }) => state === "unknown");
    case "stop":
      return (isPutOff || (undoUntil !== null && undoUntil > now)) && !isUnsettled;
    case "reopen":
      return !subject.orderHasOpenCase;
    default:
      return true;
  }
}

/** Whether the gateway offers the effect, for the whole order or for some of its references. */
export function isOffered(flags: Proposal["flags"], action: EffectAction): boolean {
  const flag = flags[action];
  return flag.known ? flag.value === "Y" : flag.reason === "differs-by-reference";
}

/**
 * Whether a cancel takes a second person: the order is worth more than the limit, or nobody knows what it is worth.
 *
 * @param limit decimal text in the currency of the booking, whichever that is; null: never.
 */
export function needsSecondPerson(facts: Pick<ChangeFacts, "orderValue"> | null, limit: string | null): boolean {
  if (limit === null) return false;
  const value = facts?.orderValue;
  if (value === undefined || !value.known) return true;
  const compared = compareDecimals(value.value, limit);
  return compared === null || compared > 0;
}

const dayMs = 24 * 60 * 60_000;

/** Longest that a case may rest. */
const snoozeDaysMax = 30;

/** Why a case may not rest until then; null when it may. */
export function snoozeRefusal(
  until: Date,
  about: {
    readonly caseId: string;
    readonly now: Date;
    readonly departureAt: Date | null;
    readonly dueBy: Date | null;
  },
): ActionRefusal | null {
  const { caseId, now, departureAt, dueBy } = about;
  const instead = "Choose an earlier time, or decide the case now.";
  if (until <= now) {
    return refused("desk.snooze_past", `Case ${caseId} cannot rest until ${until.toISOString()}: that has passed.`);
  }
  if (until.getTime() - now.getTime() > snoozeDaysMax * dayMs) {
    return refused("desk.snooze_too_long", `Case ${caseId} may rest for at most ${snoozeDaysMax} days. ${instead}`);
  }
  if (departureAt !== null && until > departureAt) {
    const text = `Case ${caseId} may not rest beyond its departure at ${departureAt.toISOString()}. ${instead}`;
    return refused("desk.snooze_past_departure", text);
  }
  if (dueBy !== null && until > dueBy) {
    const text = `Case ${caseId} may not rest beyond ${dueBy.toISOString()}, by when it must be decided. ${instead}`;
    return refused("desk.snooze_past_due", text);
  }
  return null;
}

/** Why a contact cannot have happened then; null when it can. */
export function contactRefusal(happenedAt: Date, now: Date): ActionRefusal | null {
  const at = happenedAt.toISOString();
  if (happenedAt > now) {
    return refused("desk.contact_in_future", `A contact at ${at} has not happened yet. Record it when it has.`);
  }
  if (now.getTime() - happenedAt.getTime() > contactDaysMax * dayMs) {
    return refused("desk.contact_too_old", `A contact at ${at} is more than a year ago. Check the date.`);
  }
  return null;
}

const contactDaysMax = 365;

/** Words for the reasons of people who close a case. */
export const closeReasonTexts: Readonly<Record<CloseReason, string>> = {
  duplicate: "It is a duplicate of another case.",
  "no-longer-travelling": "The traveller does not travel any more.",
  "handled-by-phone": "It was handled by phone.",
  "agency-error": "The agency made a mistake.",
  other: "Another reason; the note says which.",
};
