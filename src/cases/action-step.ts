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

/*
 * What the steps of all actions are made of.
 */

/** The action is taken on, without a decision. */
export function accepted(known: ActionContext, change: ActionChange & { readonly move: ActionMove }): ActionStep {
  const { state } = change.move;
  return { outcome: { outcome: "accepted", caseId: known.case.id, state, decisionId: null }, change };
}

/** The action is taken on as a decision. */
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

/** The case is no longer what the person saw. */
export function conflict({ case: { state, version } }: ActionContext, message: string): ActionStep {
  return { outcome: { outcome: "conflict", state, version, message }, change: null };
}

/** Nothing else may be decided while nobody knows what became of an effect. */
export function unsettledRefusal({ liveEffect, case: { id } }: ActionContext): ActionRefusal | null {
  if (liveEffect === null) return null;
  return refused(
    "desk.effect_unsettled",
    `Whether the earlier ${liveEffect.action} of case ${id} was carried out is unknown. Find out at the gateway or the airline, then use confirm-effect or refute-effect.`,
  );
}

/** A worker looks at the case at once, with nothing of what was tried before. */
export function toWorker(state: CaseState): ActionMove {
  return state === "checking"
    ? { state, due: "now", sets: { reviewQueue: null }, clears: ["failures", "last-error"] }
    : { state, due: "now", clears: ["failures"] };
}

/** The case waits where only people, the traveller or a notification move it, or is over. */
export function toParked(state: CaseState, reviewQueue: string | null): ActionMove {
  return { state, sets: { reviewQueue }, due: null, clears: ["failures", "last-error", "undo-window"] };
}

export function event({ case: { id } }: ActionContext, kind: string, detail: object): ActionEvent {
  return { caseId: id, kind, detail };
}

/** A person's decision about what the one in force was made on. */
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

/** No policy may overtake the question what to do after an effect that did not go well, whoever has it. */
export function sameQuestion({ question }: DecisionBasis): Partial<Pick<DecisionBasis, "question">> {
  return question === "effect-outcome" ? { question } : {};
}
