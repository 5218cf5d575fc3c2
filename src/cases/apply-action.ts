import { apiTokenActor } from "../kernel/actor.ts";
import type { ActionContext, ActionStep, ActionTerms, DecisionBasis } from "./action-change.ts";
import {
  accepted,
  conflict,
  decided,
  decisionByPerson,
  event,
  refuse,
  sameQuestion,
  toParked,
  toWorker,
  unsettledRefusal,
} from "./action-step.ts";
import { recordContact } from "./apply-contact.ts";
import { type CaseActionName, isOffered, waiting } from "./case-actions.ts";
import { type ActionRefusal, type CaseAction, refused } from "./case-command.ts";
import { responseTargetRule } from "./clocks.ts";
import { type EffectAction, isEffectAction, type Reason } from "./decision.ts";
import {
  closeReasonTexts,
  isBeingRechecked,
  lacksReference,
  needsSecondPerson,
  needsWaitingCase,
  obstacleInState,
  snoozeRefusal,
} from "./possible-actions.ts";
import { isInUndoWindow, shownStateOf } from "./undo-window.ts";

type ActionOf<Name extends CaseActionName> = Extract<CaseAction, { readonly action: Name }>;

/** Applies a person's action to a case. Pure: the caller has locked the case and saves the result. */
export function applyAction(known: ActionContext, action: CaseAction, terms: ActionTerms): ActionStep {
  const { liveEffect, decision, case: current } = known;
  const isRecheck = isBeingRechecked(current.state, decision?.action ?? null, liveEffect === null ? [] : [liveEffect]);
  const obstacle = conflictOf(known, action, isRecheck);
  if (obstacle !== null) return conflict(known, obstacle);
  const step = stepOf(known, action, terms);
  if (!isRecheck || !needsWaitingCase(action.action) || step.change === null) return step;
  return { ...step, change: { ...step.change, preemptsWorker: true } };
}

function stepOf(known: ActionContext, action: CaseAction, terms: ActionTerms): ActionStep {
  switch (action.action) {
    case "accept":
    case "cancel":
      return decideEffect(known, action, terms);
    case "approve":
    case "refuse-approval":
      return decideApproval(known, action, terms);
    case "close":
      return closeCase(known, action, terms);
    case "resolved-elsewhere":
      return endCase(known, action, terms, "resolved-elsewhere", [
        { code: "person-resolved-elsewhere", text: "An agent marked the change as settled with the airline." },
      ]);
    case "reopen":
      return reopen(known, action, terms);
    case "reschedule":
      return sendToReschedule(known, action, terms);
    case "stop":
      return stopEffect(known, action, terms);
    case "snooze":
      return snooze(known, action, terms);
    case "assign":
      return assign(known, action);
    case "note":
      return addNote(known, action);
    case "recheck":
      return accepted(known, {
        events: [event(known, "case.recheck_asked", { note: action.note })],
        move: toWorker(known.case.state),
      });
    case "reference":
      return enterReference(known, action);
    case "traveller-informed":
    case "traveller-asked":
    case "traveller-answered":
      return recordContact(known, action, terms);
    case "confirm-effect":
    case "refute-effect":
      return settleEffect(known, action);
  }
}

function conflictOf(known: ActionContext, { action, version }: CaseAction, isRecheck: boolean): string | null {
  const { id, state, version: current } = known.case;
  const obstacle = obstacleInState(action, shownStateOf(known, state), id, isRecheck);
  if (obstacle !== null) return whileSettling(known) ?? obstacle;
  if (version === null || version === current) return null;
  // Each retry of an unreachable gateway changes the version, and `stop` must not lose to that. A needless stop sends
  // nothing and only asks people.
  if (action === "stop") return null;
  return `Case ${id} has changed since you saw it: it is at version ${current}, not ${version}. Look at it again.`;
}

/** Returns what people wait for while a worker finds out what became of an effect; null if none does. */
function whileSettling({ liveEffect, case: { id, state, dueAt } }: ActionContext): string | null {
  if (liveEffect?.state !== "unknown" || waiting.includes(state)) return null;
  const next = dueAt === null ? "" : ` It checks the booking next at ${dueAt.toISOString()}.`;
  return `Skedchange is still finding out whether the ${liveEffect.action} of case ${id} was carried out.${next} If the booking does not show it, an agent is asked: answer then.`;
}

/** Records a person's accept or cancel for a worker, or asks a second person about an expensive cancel. */
function decideEffect(known: ActionContext, action: ActionOf<EffectAction>, terms: ActionTerms): ActionStep {
  const { id, orderId, reviewQueue } = known.case;
  if (action.action === "cancel" && action.confirm !== orderId) {
    return refuse(
      "desk.confirmation_missing",
      `A cancel can't be undone. To cancel case ${id}, give its OrderID exactly as 'confirm'.`,
    );
  }
  const basis = basisFor(known, action.action, terms);
  if ("outcome" in basis) return { outcome: basis, change: null };
  if (action.action === "accept" || !needsSecondPerson(basis.facts, terms.secondPersonAbove)) {
    return carryOut(known, action, action.action, basis, terms);
  }
  if (action.actor === apiTokenActor) return refuseApiToken(`ask for the expensive cancel of case ${id}`);
  if (known.pendingApproval !== null) {
    return refuse(
      "desk.approval_asked",
      `${known.pendingApproval.askedBy} already asked to cancel case ${id}. Another person must approve or reject it.`,
    );
  }
  const approvalId = terms.newId();
  const { proposalDigest } = basis;
  const state = "awaiting-agent";
  return {
    outcome: { outcome: "accepted", caseId: id, state, decisionId: null, approvalId },
    change: {
      pendingApproval: { id: approvalId, action: action.action, proposalDigest },
      events: [event(known, "approval.asked", { approvalId, action: action.action, note: action.note })],
      move: toParked(state, reviewQueue ?? "agent"),
    },
  };
}

/** Anybody may hold API_TOKEN, so the same person could be on both sides of it. */
function refuseApiToken(what: string): ActionStep {
  return refuse(
    "desk.user_needed",
    `API_TOKEN cannot ${what}: two people must agree, and it does not say who uses it. Do it in the dashboard or with a personal token.`,
  );
}

function carryOut(
  known: ActionContext,
  by: Pick<CaseAction, "actor" | "note">,
  effect: EffectAction,
  basis: DecisionBasis,
  terms: ActionTerms,
  more: readonly Reason[] = [],
): ActionStep {
  const made = decisionByPerson(by, basis, {
    action: effect,
    reasons: [{ code: "person-decided", text: `An agent decided to ${effect}.` }, ...more],
  });
  return decided(known, terms, made, toWorker("checking"));
}

function basisFor(
  known: ActionContext,
  effect: EffectAction,
  terms: ActionTerms,
): (DecisionBasis & { readonly proposalDigest: string }) | ActionRefusal {
  const { decision } = known;
  const refusal = unsettledRefusal(known) ?? repetitionRefusal(known, effect, terms);
  if (refusal !== null) return refusal;
  if (decision === null || decision.proposalDigest === null || decision.flags === null) {
    return refused(
      "desk.no_proposal",
      `Case ${known.case.id} has no proposal to ${effect}, because the gateway's status could not be read. Re-check it first.`,
    );
  }
  if (!isOffered(decision.flags, effect)) {
    const flag = decision.flags[effect];
    return refused(
      "desk.flag_not_set",
      `The gateway does not allow to ${effect} this change (flag ${flag.known ? flag.value : `unknown: ${flag.reason}`}). Use another action, or re-check the case.`,
    );
  }
  return { ...decision, proposalDigest: decision.proposalDigest };
}

/**
 * Refuses an effect that succeeded for the same proposal of the case, and both effects on any case of the order while a
 * status may still show the proposal answered last.
 */
function repetitionRefusal(
  { case: { id }, decision, succeeded }: ActionContext,
  effect: EffectAction,
  { statusLagMs }: ActionTerms,
): ActionRefusal | null {
  const ofThis = succeeded.filter(({ proposalDigest }) => proposalDigest === decision?.proposalDigest);
  const repeated = ofThis.find(({ caseId, action }) => caseId === id && action === effect);
  const lastAt = Math.max(...succeeded.map(({ finishedAt }) => finishedAt.getTime()));
  const lagging = ofThis.find((done) => done.finishedAt.getTime() === lastAt && done.finishedAgoMs < statusLagMs);
  const done = repeated ?? lagging;
  if (done === undefined) return null;
  const sentence = `The gateway already responded with SUCCESS to the ${done.action} of this change (case ${done.caseId})`;
  const lagEnds = new Date(done.finishedAt.getTime() + statusLagMs).toISOString();
  return refused(
    "desk.already_carried_out",
    done === repeated
      ? `${sentence}. Settle it with the airline, then close the case.`
      : `${sentence}, and its status may still show the change until ${lagEnds}. Check the case again then.`,
  );
}

function decideApproval(
  known: ActionContext,
  action: ActionOf<"approve" | "refuse-approval">,
  terms: ActionTerms,
): ActionStep {
  const { id, state } = known.case;
  const asked = known.pendingApproval;
  if (asked === null || asked.id !== action.approvalId) {
    return refuse(
      "desk.approval_not_open",
      `Case ${id} is not waiting for the approval ${action.approvalId}. Check the case; the approval may have to be requested again.`,
    );
  }
  const ended = (end: "given" | "refused" | "void") => ({
    endedApproval: { id: asked.id, state: end },
    events: [
      event(known, end === "void" ? "approval.voided" : `approval.${end}`, {
        approvalId: asked.id,
        action: asked.action,
        note: action.note,
      }),
    ],
  });
  if (action.action === "refuse-approval") return accepted(known, { ...ended("refused"), move: { state } });
  if (asked.askedBy === action.actor) {
    return refuse(
      "desk.second_person_needed",
      `You asked to ${asked.action} case ${id} yourself. Someone else must approve it.`,
    );
  }
  if (action.actor === apiTokenActor) return refuseApiToken(`approve for case ${id}`);
  // From before API_TOKEN was refused.
  if (asked.askedBy === apiTokenActor) {
    return refuse(
      "desk.user_needed",
      `API_TOKEN asked to ${asked.action} case ${id}, and it does not say who used it. Reject the request; a user must ask for it again.`,
    );
  }
  const basis = basisFor(known, asked.action, terms);
  if ("outcome" in basis) return { outcome: basis, change: null };
  if (basis.proposalDigest !== asked.proposalDigest) {
    const refusal = refused(
      "desk.approval_void",
      `The proposal of case ${id} has changed since ${asked.askedBy} asked to ${asked.action} it. Check the new proposal, and ask again if it still applies.`,
    );
    return { outcome: refusal, change: { ...ended("void"), move: { state } } };
  }
  const by = { actor: action.actor, note: action.note ?? asked.note };
  const together = { code: "second-person", text: "One person asked for it and another approved it." };
  const { outcome, change } = carryOut(known, by, asked.action, basis, terms, [together]);
  const given = ended("given");
  const { askedBy } = asked;
  const mark = event(known, "approval.approver_set_up_by_asker", {
    approvalId: asked.id,
    action: asked.action,
    askedBy,
  });
  const events = known.isApproverSetUpByAsker ? [...given.events, mark] : given.events;
  return { outcome, change: { ...change, ...given, events } };
}

/** Ends the case without an effect. Older clients give no reason. */
function closeCase(known: ActionContext, action: ActionOf<"close">, terms: ActionTerms): ActionStep {
  const { reasonCode, note } = action;
  if (reasonCode === "other" && note === null) {
    return refuse("desk.note_missing", `To close case ${known.case.id} with the reason 'other', explain it in a note.`);
  }
  return endCase(known, action, terms, "closed", [
    { code: "person-closed", text: "An agent closed the case without accepting or cancelling." },
    ...(reasonCode === undefined ? [] : [{ code: reasonCode, text: closeReasonTexts[reasonCode] }]),
  ]);
}

function endCase(
  known: ActionContext,
  action: CaseAction,
  terms: ActionTerms,
  state: "closed" | "resolved-elsewhere",
  reasons: readonly [Reason, ...Reason[]],
): ActionStep {
  const unsettled = unsettledRefusal(known);
  if (unsettled !== null) return { outcome: unsettled, change: null };
  const made = decisionByPerson(action, known.decision, { action: "none", reasons });
  return decided(known, terms, made, toParked(state, null));
}

function reopen(known: ActionContext, { note }: CaseAction, { newId }: ActionTerms): ActionStep {
  const { id, orderId } = known.case;
  if (known.orderHasOpenCase) {
    return conflict(known, `Order ${orderId} of case ${id} already has an open case. Use that one.`);
  }
  const nextId = newId();
  return {
    outcome: { outcome: "accepted", caseId: nextId, state: "received", decisionId: null },
    change: {
      nextCase: { id: nextId },
      events: [
        event(known, "case.reopened", { as: nextId, note }),
        { caseId: nextId, kind: "case.opened", detail: { after: id } },
      ],
    },
  };
}

function snooze(known: ActionContext, { until, note }: ActionOf<"snooze">, { at }: ActionTerms): ActionStep {
  const { id, departureAt, firmDueBy, dueByRule } = known.case;
  const refusal = snoozeRefusal(until, { caseId: id, now: at, departureAt, dueBy: firmDueBy });
  if (refusal !== null) return { outcome: refusal, change: null };
  return accepted(known, {
    events: [event(known, "case.snoozed", { until: until.toISOString(), note })],
    move: {
      state: "snoozed",
      due: { inMs: until.getTime() - at.getTime() },
      // Snoozing restarts the agency SLA when the case comes back.
      clears: dueByRule === responseTargetRule ? ["due-by"] : [],
    },
  });
}

function sendToReschedule(known: ActionContext, action: CaseAction, terms: ActionTerms): ActionStep {
  const unsettled = unsettledRefusal(known);
  if (unsettled !== null) return { outcome: unsettled, change: null };
  return requestReview(known, action, terms, "reschedule", {
    code: "person-handed-to-reschedule",
    text: "An agent sent the case to the reschedule desk.",
  });
}

function stopEffect(known: ActionContext, action: CaseAction, terms: ActionTerms): ActionStep {
  const { id, failures } = known.case;
  // Whether the effect is delayed because the gateway could not be read.
  const isPostponed = failures > 0 && known.decision !== null && isEffectAction(known.decision.action);
  if (known.liveEffect !== null || !(isInUndoWindow(known) || isPostponed)) {
    return conflict(
      known,
      `Nothing can be stopped on case ${id}: it was already sent, or nothing was waiting. Check the case.`,
    );
  }
  return requestReview(known, action, terms, "agent", {
    code: "person-stopped",
    text: "An agent stopped the decision before it was sent.",
  });
}

/** Records a review that only people or the traveller's answer move on. An open question about an effect stays open. */
function requestReview(
  known: ActionContext,
  action: CaseAction,
  terms: ActionTerms,
  reviewQueue: string,
  reason: Reason,
): ActionStep {
  const { decision } = known;
  if (decision === null) {
    return refuse("desk.no_decision", `Case ${known.case.id} has not been decided yet. Wait until it is processed.`);
  }
  const made = decisionByPerson(action, decision, {
    action: "review",
    reviewQueue,
    reasons: [reason],
    ...sameQuestion(decision),
  });
  return decided(known, terms, made, toParked("awaiting-agent", reviewQueue));
}

function assign(known: ActionContext, { assignee, note }: ActionOf<"assign">): ActionStep {
  if (assignee !== null && !known.assigneeMayAct) {
    return refuse(
      "desk.assignee_unknown",
      `There is no user '${assignee}' who can act on cases. Choose an enabled user with the role agent or above.`,
    );
  }
  const who = assignee === null ? null : `person:${assignee}`;
  return accepted(known, {
    events: [event(known, "case.assigned", { assignee: who, note })],
    move: { state: known.case.state, sets: { assignee: who } },
  });
}

function addNote(known: ActionContext, { note }: CaseAction): ActionStep {
  const { id, state } = known.case;
  if (note === null) {
    return refuse("desk.note_missing", `The note for case ${id} is empty. Give its text as 'note'.`);
  }
  return accepted(known, { events: [event(known, "case.noted", { note })], move: { state } });
}

/** The case goes on with these references as if the notification had stated them. */
function enterReference(known: ActionContext, { reference, note }: ActionOf<"reference">): ActionStep {
  const unsettled = unsettledRefusal(known);
  if (unsettled !== null) return { outcome: unsettled, change: null };
  if (!lacksReference(known.decision?.rule)) {
    return refuse(
      "desk.reference_known",
      `The status of case ${known.case.id} can be read, so its booking references are known. Re-check it instead.`,
    );
  }
  return accepted(known, {
    references: reference.split(" "),
    events: [event(known, "case.reference_entered", { reference, note })],
    move: toWorker(known.case.state),
  });
}

function settleEffect(known: ActionContext, action: ActionOf<"confirm-effect" | "refute-effect">): ActionStep {
  const { liveEffect } = known;
  if (liveEffect === null || liveEffect.state !== "unknown") {
    return refuse(
      "desk.no_unknown_effect",
      `Case ${known.case.id} has no effect whose outcome is unknown, so there is nothing to confirm or refute.`,
    );
  }
  const detail = { effectId: liveEffect.id, note: action.note };
  const toChecking = toWorker("checking");
  if (action.action === "refute-effect") {
    return accepted(known, {
      settledEffect: { id: liveEffect.id, state: "failed", acceptedBy: null },
      events: [event(known, "effect.refuted", detail)],
      move: toChecking,
    });
  }
  const isAccept = liveEffect.action === "accept";
  return accepted(known, {
    settledEffect: { id: liveEffect.id, state: "succeeded", acceptedBy: isAccept ? liveEffect.decisionId : null },
    events: [event(known, "effect.confirmed", detail)],
    move: { ...toChecking, state: isAccept ? "accepting" : "cancelling", via: "checking" },
  });
}
