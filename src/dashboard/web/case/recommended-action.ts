import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { UserRole } from "../../people/role.ts";
import type { CaseView } from "../api/responses.ts";
import { acceptDangerNamesOf, acceptDangers } from "./accept-dangers.ts";
import { type ActionGroup, type ActionSubject, finishedStates, possibleActions } from "./possible-actions.ts";
import { isTravellerAsked } from "./traveller-words.ts";

export interface ArrangedActions {
  /** Possible now. The first is the recommended one, if there is one. */
  readonly main: readonly CaseActionName[];
  readonly recommended: CaseActionName | null;
  /** The others, by group, with the impossible ones. */
  readonly more: readonly ActionGroup[];
}

type Subject = ActionSubject &
  Pick<
    CaseView,
    "decision" | "decisions" | "journeyTimes" | "facts" | "reviewQueue" | "travellerContacts" | "proposalDigest"
  >;

/** After the recommended one. */
const usualOrder: readonly CaseActionName[] = [
  "confirm-effect",
  "refute-effect",
  "reference",
  "accept",
  "traveller-asked",
  "cancel",
  "reschedule",
  "traveller-answered",
  "reopen",
  "recheck",
  "note",
];

export function arrangeActions(subject: Subject, role: UserRole, mainMax = 3): ArrangedActions {
  const groups = possibleActions(subject, role);
  const possible = groups.flatMap(({ actions }) => actions.filter(({ obstacle }) => obstacle === null));
  const isPossible = (name: CaseActionName): boolean => possible.some(({ action }) => action === name);
  const wanted = recommend(subject);
  const recommended = wanted !== null && isPossible(wanted) ? wanted : null;
  const order = recommended === null ? usualOrder : [recommended, ...usualOrder.filter((name) => name !== recommended)];
  const main = order.filter(isPossible).slice(0, mainMax);
  const more = groups
    .map(({ title, actions }) => ({ title, actions: actions.filter(({ action }) => !main.includes(action)) }))
    .filter(({ actions }) => actions.length > 0);
  return { main, recommended, more };
}

/**
 * What the answer of the traveller, the policy and the dangers speak for. Null while nothing is to be decided, and while
 * somebody has to look at what the gateway tells to do.
 */
function recommend(subject: Subject): CaseActionName | null {
  const { state, flags, decision, proposalDigest } = subject;
  if (finishedStates.includes(state)) return null;
  if (subject.effects.some((effect) => effect.state === "unknown")) return "recheck";
  if (decision?.rule === "check:reference") return "reference";
  if (flags === null || isBookingUnread(subject)) return "recheck";
  const answer = subject.travellerContacts.findLast(
    (contact) => contact.kind === "answered" && contact.proposalDigest === proposalDigest,
  )?.answer;
  if (answer === "accepts") return "accept";
  if (answer === "wants-refund") return "cancel";
  if (answer === "refuses" || answer === "wants-rerouting") return otherFlights(subject);
  if (decision?.action === "ask-traveller" && isTravellerAsked(subject)) return "traveller-answered";
  if (decision?.action === "ask-traveller") return "traveller-asked";
  if (isHeldForRights(subject)) return "traveller-asked";
  if (acceptDangerNamesOf(subject).includes("order-to-stop")) return null;
  const isAcceptable = flags.accept.known && flags.accept.value === "Y" && acceptDangers(subject).length === 0;
  return isAcceptable ? "accept" : otherFlights(subject);
}

/** The case may be at the reschedule desk already. */
function otherFlights({ reviewQueue }: Subject): CaseActionName {
  return reviewQueue === "reschedule" ? "resolved-elsewhere" : "reschedule";
}

export function isBookingUnread({ decision }: Pick<CaseView, "decision">): boolean {
  return decision?.rule === "check:status";
}

export function isHeldForRights({ decision, decisions }: Pick<CaseView, "decision" | "decisions">): boolean {
  return decisions.find(({ id }) => id === decision?.id)?.legal?.hold.held === true;
}
