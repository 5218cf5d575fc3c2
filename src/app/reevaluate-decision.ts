import { type CaseVerdict, decide } from "../cases/decide.ts";
import type { DecisionInputs, DecisionSubject, NewDecision } from "../cases/new-decision.ts";
import { engineVersion } from "../cases/record-decision.ts";
import { factCatalogue } from "../itinerary/fact-catalogue.ts";
import { unknownFacts } from "../itinerary/fact-definition.ts";
import { digestOfValue } from "../kernel/digest.ts";
import type { Policy } from "../policy/policy.ts";
import type { TimeZones } from "../travel/zone-table.ts";
import { activeTimeZones, withTimeZones } from "../travel/zones.ts";

export type StoredDecision = Omit<NewDecision, "question" | "note" | "statusViewId" | "inputs" | "shadow"> & {
  /** From JSON: dates are text. */
  readonly inputs: unknown;
};

export type Reevaluation = { readonly because: readonly string[] } & (
  | { readonly outcome: "same" | "different" | "other-engine"; readonly verdict: CaseVerdict }
  | { readonly outcome: "not-replayable" }
);

/**
 * Compares action, queue, rule, reasons, priority and trace. A difference is no error for another engine version.
 * @param timeZones those that it names; null if they are not kept, as of decisions before tables were.
 */
export function reevaluateDecision(
  stored: StoredDecision,
  policy: Policy | null,
  timeZones: TimeZones | null = null,
): Reevaluation {
  const subject = subjectOf(stored);
  if (subject === null) return { outcome: "not-replayable", because: [notReplayableReason(stored)] };
  if (policy === null) {
    return { outcome: "not-replayable", because: ["The version of the policy that it names is not kept here."] };
  }
  const verdict = withTimeZones(timeZones ?? activeTimeZones(), () => decide(subject, policy));
  const because = differencesBetween(stored, verdict);
  const engine = stored.versions["engine"];
  if (engine !== engineVersion) {
    const made = engine === undefined ? "before engines had versions" : `by version ${engine} of the engine`;
    const text = `It was made ${made}; this is version ${engineVersion}, which may decide otherwise.`;
    return { outcome: "other-engine", because: [text, ...because], verdict };
  }
  return { outcome: because.length === 0 ? "same" : "different", because, verdict };
}

/** Returns null if no rule made the decision. */
export function subjectOf(stored: StoredDecision): DecisionSubject | null {
  const { proposalDigest, flags, facts, itineraries, legal, evaluatedAt } = stored;
  if (stored.inputs === null || stored.inputs === undefined) return null;
  if (proposalDigest === null || flags === null || facts === null || itineraries === null) return null;
  if (legal === null || evaluatedAt === null) return null;
  const inputs = stored.inputs as StoredInputs;
  const { order, lastSuccess } = inputs;
  return {
    ...inputs,
    manualReviewReason: inputs.manualReviewReason ?? inputs.overruled ?? null,
    facts: Object.assign({}, notComputed, facts),
    legal,
    now: evaluatedAt,
    order: { ...order, changeSeenAt: readDate(order.changeSeenAt) },
    lastSuccess: lastSuccess && {
      ...lastSuccess,
      decidedFlights: lastSuccess.decidedFlights ?? null,
      finishedAt: readDate(lastSuccess.finishedAt),
    },
    airlineDeadline: inputs.airlineDeadline ?? null,
    caseOpenedAt: new Date(inputs.caseOpenedAt),
    notifiedUnseen: inputs.notifiedUnseen ?? false,
    notifiedAt: readDate(inputs.notifiedAt ?? null),
    automationStoppedAt: readDate(inputs.automationStoppedAt ?? null),
    proposal: {
      ...inputs.proposal,
      digest: proposalDigest,
      flags,
      proposed: itineraries.proposed,
      pnrStatus: facts.pnrStatus,
    },
  };
}

/** Decisions of earlier versions may lack some inputs. */
type StoredInputs = Omit<DecisionInputs, LaterInputs> &
  Partial<Pick<DecisionInputs, LaterInputs>> & {
    /** The name of `manualReviewReason` before version 0.2.0. */
    readonly overruled?: DecisionInputs["manualReviewReason"];
  };
type LaterInputs = "manualReviewReason" | "notifiedUnseen" | "notifiedAt" | "automationStoppedAt" | "airlineDeadline";

const notComputed = unknownFacts(factCatalogue, "not-computed");

function readDate(date: Date | null): Date | null {
  return date === null ? null : new Date(date);
}

function notReplayableReason({ decidedBy }: StoredDecision): string {
  return decidedBy === "policy"
    ? "No rules were asked for it: it was made without a readable status, or about an effect."
    : "A person made it, not the rules.";
}

function differencesBetween(stored: StoredDecision, made: CaseVerdict): readonly string[] {
  const pairs: readonly (readonly [what: string, before: unknown, now: unknown])[] = [
    ["action", stored.action, made.action],
    ["queue", stored.reviewQueue, made.reviewQueue],
    ["rule", stored.rule, made.rule],
    ["priority", stored.priority, made.priority],
    ["reasons", stored.reasons, made.reasons],
    ["trace", stored.trace, made.trace],
  ];
  return pairs
    .filter(([, before, now]) => digestOfValue(before) !== digestOfValue(now))
    .map(([what, before, now]) =>
      typeof before === "object" && before !== null
        ? `The ${what} differ from what is kept.`
        : `The ${what} was ${String(before ?? "none")} and is ${String(now ?? "none")} now.`,
    );
}
