import { type CaseActionName, caseActions, waiting } from "../../../cases/case-actions.ts";
import type { Fact } from "../../../kernel/fact.ts";
import { describeUnknown } from "../../../policy/fact-labels.ts";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import type { CaseView } from "../api/responses.ts";
import { describeCaseState, isPending } from "../labels/state-words.ts";
import { actionGroups, hiddenUnlessPossible } from "./case-actions.ts";

export interface PossibleAction {
  readonly action: CaseActionName;
  /** Why it cannot be done now; null if it can. */
  readonly obstacle: string | null;
}

export interface ActionGroup {
  readonly title: string;
  readonly actions: readonly PossibleAction[];
}

export interface ActionSubject extends Pick<CaseView, "state" | "proposalDigest" | "possibleActions"> {
  readonly flags: Pick<NonNullable<CaseView["flags"]>, "accept" | "cancel"> | null;
  readonly effects: readonly Pick<CaseView["effects"][number], "state">[];
  readonly approval: Pick<NonNullable<CaseView["approval"]>, "action"> | null;
}

export const finishedStates: readonly string[] = ["done", "resolved-elsewhere", "closed"];

export function canAct(
  action: CaseActionName,
  subject: Pick<ActionSubject, "possibleActions">,
  role: UserRole,
): boolean {
  return subject.possibleActions.includes(action) && isRoleAtLeast(role, caseActions[action].role);
}

/**
 * The actions to show, by group, without those that the role may never take. On a finished case, and while an outcome is
 * unknown, all impossible actions are left out, because they would all have the same reason.
 */
export function possibleActions(subject: ActionSubject, role: UserRole): readonly ActionGroup[] {
  const onlyPossible = finishedStates.includes(subject.state) || isUnsettled(subject);
  return actionGroups
    .map(({ title, names }) => ({
      title,
      actions: names
        .filter((action) => isRoleAtLeast(role, caseActions[action].role))
        .map((action) => ({ action, obstacle: obstacleOf(action, subject) }))
        .filter(
          ({ action, obstacle }) => obstacle === null || !(onlyPossible || hiddenUnlessPossible.includes(action)),
        ),
    }))
    .filter(({ actions }) => actions.length > 0);
}

function isUnsettled({ effects }: ActionSubject): boolean {
  return effects.some(({ state }) => state === "unknown");
}

/** Why the role cannot do it now, even where no button is shown; null if it can. */
export function obstacleTo(action: CaseActionName, subject: ActionSubject, role: UserRole): string | null {
  const needed = caseActions[action].role;
  if (!isRoleAtLeast(role, needed)) return `Only a user with the role ${needed} or above can do this.`;
  return obstacleOf(action, subject);
}

function obstacleOf(action: CaseActionName, subject: ActionSubject): string | null {
  if (subject.possibleActions.includes(action)) return null;
  if (isPending(subject.state)) {
    return `${describeCaseState(subject.state).label}. Stop it first.`;
  }
  const isWaiting = waiting.some((state) => state === subject.state);
  if (!isWaiting) return "The case is being processed. Wait until it needs action.";
  if (subject.approval?.action === action)
    return "Approval was requested already. A second person can approve or reject it above.";
  if (action === "accept" || action === "cancel") {
    if (subject.flags === null || subject.proposalDigest === null) {
      return "The booking could not be read. Re-check it first.";
    }
    return flagObstacle(action, subject.flags[action]) ?? obstacleOfState(subject.state);
  }
  return obstacleOfState(subject.state);
}

function obstacleOfState(state: string): string {
  return `Not possible while the case is “${describeCaseState(state).label}”.`;
}

function flagObstacle(action: "accept" | "cancel", flag: Fact<"Y" | "N">): string | null {
  const verb = action === "accept" ? "accepting this change" : "cancelling the order";
  if (flag.known) return flag.value === "Y" ? null : `The gateway does not allow ${verb}.`;
  // Some booking references allow it, and the call names only those.
  if (flag.reason === "differs-by-reference") return null;
  return `It is unknown whether the gateway allows ${verb}: ${describeUnknown(flag.reason)}.`;
}
