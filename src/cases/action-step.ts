import type {
  ActionChange,
  ActionContext,
  ActionEvent,
  ActionMove,
  ActionStep,
  ActionTerms,
  DecisionBasis,
} from "./action-change.ts";
import { type ActionRefusal, type CaseAction, refused } from "./case-command.ts";
import type { Question, Reason } from "./decision.ts";
import type { CaseState } from "./lifecycle.ts";
import type { NewDecision } from "./new-decision.ts";
import { shownStateOf } from "./undo-window.ts";

export function accepted(known: ActionContext, change: ActionChange & { readonly move: ActionMove }): ActionStep {
  const state = shownStateOf(known, change.move.state);
  return { outcome: { outcome: "accepted", caseId: known.case.id, state, decisionId: null }, change };
}

export function decided(
  known: ActionContext,
  { newId }: ActionTerms,
  made: NewDecision,
  move: ActionMove,
  more: ActionChange = {},
): ActionStep {
  const id = newId();
  return {
    outcome: { outcome: "accepted", caseId: known.case.id, state: move.state, decisionId: id },
    change: { ...more, decision: { id, made }, move },
  };
}

export function refuse(code: string, message: string): ActionStep {
  return { outcome: refused(code, message), change: null };
}

export function conflict(known: ActionContext, message: string): ActionStep {
  const { state, version } = known.case;
  return { outcome: { outcome: "conflict", state: shownStateOf(known, state), version, message }, change: null };
}

export function unsettledRefusal({ liveEffect, case: { id } }: ActionContext): ActionRefusal | null {
  if (liveEffect === null) return null;
  return refused(
    "desk.effect_unsettled",
    `Whether the earlier ${liveEffect.action} of case ${id} was carried out is unknown. Find out at the gateway or the airline, then use confirm-effect or refute-effect.`,
  );
}

/** Makes the case due at once, without the failures of earlier attempts. */
export function toWorker(state: CaseState): ActionMove {
  return state === "checking"
    ? { state, due: "now", sets: { reviewQueue: null }, clears: ["failures", "last-error"] }
    : { state, due: "now", clears: ["failures"] };
}

export function toParked(state: CaseState, reviewQueue: string | null): ActionMove {
  return { state, sets: { reviewQueue }, due: null, clears: ["failures", "last-error", "undo-window"] };
}

export function event({ case: { id } }: ActionContext, kind: string, detail: object): ActionEvent {
  return { caseId: id, kind, detail };
}

/** Returns a person's decision, with the basis of the decision in force. */
export function decisionByPerson(
  by: Pick<CaseAction, "actor" | "note">,
  seen: DecisionBasis | null,
  made: Pick<NewDecision, "action"> & {
    readonly reasons: readonly [Reason, ...Reason[]];
    readonly reviewQueue?: string | null;
    readonly question?: Question | null;
  },
): NewDecision {
  return {
    action: made.action,
    decidedBy: by.actor,
    reviewQueue: made.reviewQueue ?? null,
    rule: "person",
    question: made.question ?? null,
    reasons: made.reasons,
    note: by.note,
    proposalDigest: seen?.proposalDigest ?? null,
    flags: seen?.flags ?? null,
    facts: seen?.facts ?? null,
    itineraries: seen?.itineraries ?? null,
    trace: [],
    statusViewId: seen?.statusViewId ?? null,
    evaluatedAt: seen?.evaluatedAt ?? null,
    versions: seen?.versions ?? {},
    legal: seen?.legal ?? null,
    priority: null,
    inputs: null,
    shadow: null,
  };
}

/** Keeps the question about an effect's outcome, so that no policy decides it. */
export function sameQuestion({ question }: DecisionBasis): Partial<Pick<DecisionBasis, "question">> {
  return question === "effect-outcome" ? { question } : {};
}
