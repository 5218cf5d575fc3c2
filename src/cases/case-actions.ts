import type { Proposal } from "../itinerary/proposal.ts";
import type { EffectAction } from "./decision.ts";
import {
  type CaseState,
  caseStates,
  isFinished,
  liveEffectStates,
  type ShownState,
  storedStateOf,
  waitingForSomebody,
} from "./lifecycle.ts";

/*
 * One row per action on a case: who, in which states, under which condition. Its parameters are in `case-command.ts`,
 * its effects in `apply-action.ts`. The pages load this table too, so it imports no library.
 */

interface CaseActionRow {
  readonly does: string;
  /** The lowest role. An action that can't be undone or settles an effect needs a higher one. */
  readonly role: "agent" | "supervisor";
  /** Actions that only add information are also possible while a worker has the case. */
  readonly states: readonly CaseState[];
  readonly isPossible?: (subject: ActionSubject) => boolean;
}

export interface ActionSubject {
  readonly state: CaseState;
  readonly flags: Proposal["flags"] | null;
  readonly proposalDigest: string | null;
  readonly effects: readonly { readonly action: string; readonly state: string; readonly proposalDigest: string }[];
  readonly isApprovalPending: boolean;
  readonly undoUntil: Date | null;
  readonly isPostponed: boolean;
  /** Whether this proposal was answered so recently, in any case, that the status may be stale. */
  readonly isJustCarriedOut: boolean;
  readonly orderHasOpenCase: boolean;
  readonly isBeingRechecked?: boolean;
  /** Whether the status could not be read with the booking references that are known. */
  readonly lacksReference?: boolean;
  readonly now: Date;
}

export const waiting: readonly CaseState[] = [...waitingForSomebody, "snoozed"];
const open: readonly CaseState[] = caseStates.filter((state) => !isFinished(state));
const finished: readonly CaseState[] = caseStates.filter(isFinished);

export const caseActions = {
  accept: {
    does: "accept the airline's change at the gateway",
    role: "agent",
    states: waiting,
    isPossible: (subject) => canSend("accept", subject),
  },
  cancel: {
    does: "cancel the order at the gateway",
    role: "supervisor",
    states: waiting,
    isPossible: (subject) => canSend("cancel", subject) && !subject.isApprovalPending,
  },
  close: { does: "end the case without calling the gateway", role: "agent", states: waiting, isPossible: isSettled },
  recheck: { does: "re-check the booking and decide again", role: "agent", states: open },
  reference: {
    does: "enter the booking reference, when the status cannot be read without it",
    role: "agent",
    states: waiting,
    isPossible: (subject) => subject.lacksReference === true && isSettled(subject),
  },
  "confirm-effect": {
    does: "an unknown outcome: you have checked that it was carried out",
    role: "supervisor",
    states: waiting,
    isPossible: isOutcomeUnknown,
  },
  "refute-effect": {
    does: "an unknown outcome: you have checked that it was not carried out",
    role: "supervisor",
    states: waiting,
    isPossible: isOutcomeUnknown,
  },
  approve: {
    does: "approve, as the second person, what another person asked for",
    role: "supervisor",
    states: waiting,
    isPossible: (subject) => subject.isApprovalPending && isSettled(subject) && !subject.isJustCarriedOut,
  },
  "refuse-approval": {
    does: "reject it as the second person",
    role: "supervisor",
    states: waiting,
    isPossible: ({ isApprovalPending }) => isApprovalPending,
  },
  snooze: { does: "snooze the case until then", role: "agent", states: waiting },
  assign: { does: "assign the case", role: "agent", states: open },
  note: { does: "a note stored with the action; alone, it is added to the case", role: "agent", states: caseStates },
  reschedule: { does: "send it to the reschedule desk", role: "agent", states: waiting, isPossible: isSettled },
  "resolved-elsewhere": {
    does: "you have checked that it is settled with the airline",
    role: "supervisor",
    states: waiting,
    isPossible: isSettled,
  },
  reopen: {
    does: "open the next case of the order",
    role: "agent",
    states: finished,
    isPossible: ({ orderHasOpenCase }) => !orderHasOpenCase,
  },
  stop: {
    does: "stop an automatic accept or cancel before it is sent",
    role: "agent",
    states: ["checking"],
    isPossible: (subject) =>
      isSettled(subject) && (subject.isPostponed || (subject.undoUntil !== null && subject.undoUntil > subject.now)),
  },
  "traveller-informed": { does: "the traveller was informed", role: "agent", states: caseStates },
  "traveller-asked": { does: "the traveller was asked", role: "agent", states: waiting, isPossible: isSettled },
  "traveller-answered": { does: "the traveller has answered", role: "agent", states: open },
} as const satisfies Readonly<Record<string, CaseActionRow>>;

export type CaseActionName = keyof typeof caseActions;
export const caseActionNames = Object.keys(caseActions) as readonly CaseActionName[];

export function caseActionRow(action: CaseActionName): CaseActionRow {
  return caseActions[action];
}

function isSettled({ effects }: ActionSubject): boolean {
  return !effects.some(({ state }) => liveEffectStates.some((live) => live === state));
}

function isOutcomeUnknown({ effects }: ActionSubject): boolean {
  return effects.some(({ state }) => state === "unknown");
}

function canSend(action: EffectAction, subject: ActionSubject): boolean {
  const { flags, proposalDigest, effects, isJustCarriedOut } = subject;
  if (!isSettled(subject) || isJustCarriedOut || flags === null || proposalDigest === null) return false;
  return (
    isOffered(flags, action) &&
    !effects.some(
      (effect) => effect.action === action && effect.state === "succeeded" && effect.proposalDigest === proposalDigest,
    )
  );
}

/** Whether the change can still be accepted, by a person or a rule. */
export function mayBeAccepted({
  state,
  flags,
  proposalDigest,
  effects,
}: Pick<ActionSubject, "flags" | "proposalDigest" | "effects"> & { readonly state: ShownState }): boolean {
  const isAccepted = effects.some(
    (effect) => effect.action === "accept" && effect.state === "succeeded" && effect.proposalDigest === proposalDigest,
  );
  return !isFinished(storedStateOf(state)) && flags !== null && isOffered(flags, "accept") && !isAccepted;
}

/** Whether the gateway offers the effect for the whole order or for some booking references. */
export function isOffered(flags: Proposal["flags"], action: EffectAction): boolean {
  const flag = flags[action];
  return flag.known ? flag.value === "Y" : flag.reason === "differs-by-reference";
}
