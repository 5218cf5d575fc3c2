import type { ActionContext, ActionMove, ActionStep, ActionTerms } from "./action-change.ts";
import {
  accepted,
  decided,
  decisionByPerson,
  event,
  sameQuestion,
  toParked,
  toWorker,
  unsettledRefusal,
} from "./action-step.ts";
import { waiting } from "./case-actions.ts";
import type { CaseAction, ContactAnswer, TravellerCommand } from "./case-command.ts";
import type { ContactKind } from "./decision.ts";
import { type CaseState, isFinished } from "./lifecycle.ts";
import { contactRefusal } from "./possible-actions.ts";

type ContactAction = Extract<CaseAction, { readonly action: TravellerCommand["action"] }>;

const kinds = {
  "traveller-informed": "informed",
  "traveller-asked": "asked",
  "traveller-answered": "answered",
} as const satisfies Record<ContactAction["action"], ContactKind>;

/** Records a contact about the proposal shown now. Asking parks the case until its clock runs out; an answer lets the policy decide again. */
export function recordContact(known: ActionContext, action: ContactAction, terms: ActionTerms): ActionStep {
  const refusal =
    contactRefusal(action.happenedAt, terms.at) ??
    (action.action === "traveller-asked" ? unsettledRefusal(known) : null);
  if (refusal !== null) return { outcome: refusal, change: null };
  const { channel, happenedAt, note } = action;
  const answer = action.action === "traveller-answered" ? action.answer : null;
  const contact = { id: terms.newId(), kind: kinds[action.action], channel, answer, happenedAt };
  const detail = { contactId: contact.id, channel, happenedAt, ...(answer === null ? {} : { answer }), note };
  const recorded = {
    contact,
    events: [event(known, `traveller.${contact.kind}`, detail)],
    // Who knows of this change need not be informed of those before.
    ...(contact.kind === "asked" ? {} : { closesTasks: "inform-traveller" as const }),
  };
  if (action.action !== "traveller-asked") {
    const { state } = known.case;
    const move = moveAfterContact(state, answer === null ? state : stateAfter(answer, state));
    // The worker loses the case only before an effect is sent: afterwards the case is no longer checking.
    return accepted(known, { ...recorded, move, ...(state === "checking" ? { preemptsWorker: true } : {}) });
  }
  const { decision } = known;
  if (decision === null) return accepted(known, { ...recorded, move: { state: known.case.state } });
  const made = decisionByPerson(action, decision, {
    action: "ask-traveller",
    reasons: [{ code: "person-asked-traveller", text: "An agent asked the traveller." }],
    ...sameQuestion(decision),
  });
  const { isOverdue, reviewQueue } = known.case;
  // Nobody would see in time that there is no answer, so an overdue case stays with an agent.
  const move = isOverdue ? toParked("awaiting-agent", reviewQueue ?? "agent") : toParked("awaiting-traveller", null);
  return decided(known, terms, made, move, recorded);
}

/** "Undecided" leaves the case waiting. A worker that already has the case goes on with the answer. */
function stateAfter(answer: ContactAnswer, state: CaseState): CaseState {
  return waiting.includes(state) && answer !== "undecided" ? "checking" : state;
}

function moveAfterContact(before: CaseState, state: CaseState): ActionMove {
  if (isFinished(state)) return { state };
  // The contact is read when the snooze ends or the effect is settled.
  if (state === "snoozed" || state === "accepting" || state === "cancelling") return { state };
  // The case keeps waiting, and a worker checks whether that is still right.
  return state === before ? { state, due: "now" } : toWorker(state);
}
