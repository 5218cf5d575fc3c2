import type { Fact } from "../../../kernel/fact.ts";
import { neededCaseActionRoles } from "../../people/needed-roles.ts";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import type { CaseActionName } from "../../ports.ts";
import { describeUnknown } from "./fact-words.ts";

/** What a person could do with a case, and why not. The server decides again; this keeps people from trying in vain. */
export interface PossibleAction {
  readonly action: CaseActionName;
  /** Why it cannot be done now; null when it can. */
  readonly obstacle: string | null;
}

export interface ActionSubject {
  readonly state: string;
  readonly flags: { readonly accept: Fact<"Y" | "N">; readonly cancel: Fact<"Y" | "N"> } | null;
  readonly proposalDigest: string | null;
  readonly effects: readonly { readonly state: string }[];
}

const finishedStates = ["done", "resolved-elsewhere", "closed"];
const waitingStates = ["awaiting-agent", "awaiting-traveller", "snoozed"];

/** The actions to show: none on a finished case and none that the role may never take. */
export function possibleActions(subject: ActionSubject, role: UserRole): readonly PossibleAction[] {
  if (finishedStates.includes(subject.state)) return [];
  const isUnsettled = subject.effects.some(({ state }) => state === "unknown");
  const names: readonly CaseActionName[] = isUnsettled
    ? ["confirm-effect", "refute-effect", "recheck"]
    : ["accept", "cancel", "close", "recheck"];
  return names
    .filter((action) => isRoleAtLeast(role, neededCaseActionRoles[action]))
    .map((action) => ({ action, obstacle: obstacleOf(action, subject) }));
}

function obstacleOf(action: CaseActionName, subject: ActionSubject): string | null {
  if (action === "recheck") return null;
  if (!waitingStates.includes(subject.state)) return "The case is being worked on. Wait until it asks for a person.";
  if (action === "accept" || action === "cancel") {
    if (subject.flags === null || subject.proposalDigest === null) {
      return "The reservation's status could not be read. Recheck first.";
    }
    return flagObstacle(action, subject.flags[action]);
  }
  return null;
}

function flagObstacle(action: "accept" | "cancel", flag: Fact<"Y" | "N">): string | null {
  const verb = action === "accept" ? "accept this change" : "cancel";
  if (flag.known) return flag.value === "Y" ? null : `The gateway does not offer to ${verb}.`;
  // Offered for some of the booking references: the call names only those.
  if (flag.reason === "differs-by-reference") return null;
  return `Whether the gateway offers to ${verb} is unknown: ${describeUnknown(flag.reason)}.`;
}
