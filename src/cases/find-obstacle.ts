import type { Fact } from "../kernel/fact.ts";
import type { Assessment } from "./assess.ts";
import { decide, decisionSubject } from "./decide.ts";
import { isByPerson, isEffectAction } from "./decision.ts";
import type { SearchedFactName, SearchedFacts } from "./decision-document.ts";
import type { DecisionSnapshot, OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { travellerStateFor } from "./traveller.ts";

export type Obstacle =
  | { readonly because: "proposal-changed" | "rules-changed" | "traveller-answered" }
  /** `concerns` follow the words "the status says that". */
  | { readonly because: "status-says-more"; readonly concerns: readonly string[] };

/**
 * Returns what prevents sending a decided effect, or null. The proposal must be the decided one and offer the action. A
 * rule's decision must still be the same now: departure is nearer and the policy may have changed. A person's decision
 * must not contradict the traveller's answer since, and the status must show no new concern.
 */
export function findObstacle(
  context: OrderContext,
  decision: DecisionSnapshot,
  assessment: Assessment,
  settings: SourceSettings,
): Obstacle | null {
  const { action, proposalDigest } = decision;
  const { digest, referencesAllowing } = assessment.proposal;
  const isOffered = isEffectAction(action) && referencesAllowing[action].length > 0;
  if (!isOffered || digest !== proposalDigest) return { because: "proposal-changed" };
  if (!isByPerson(decision)) {
    const subject = decisionSubject(context, assessment, settings, null);
    return decide(subject, settings.policy).action === action ? null : { because: "rules-changed" };
  }
  const found = newConcerns(decision, assessment);
  if (found.length > 0) return { because: "status-says-more", concerns: found };
  if (context.lastContact !== "answered") return null;
  const choice = travellerStateFor(digest, context.travellerContacts).answer?.choice;
  return choice === (action === "accept" ? "accept" : "refund") ? null : { because: "traveller-answered" };
}

/**
 * Returns the concerns that the status shows now, and that were certainly none when the person decided. The digest of
 * the proposal does not cover them.
 */
function newConcerns({ facts: before }: DecisionSnapshot, { facts: now }: Assessment): readonly string[] {
  if (before === null) return [];
  const found = concerns.filter((concern) => !mayHold(concern, before) && mayHold(concern, now));
  const stops = listIn(before.ordersToStop);
  const isStopped = stops !== null && (listIn(now.ordersToStop) ?? []).some((order) => !stops.includes(order));
  return [...(isStopped ? ["a person must look at something new in it"] : []), ...found.map(({ words }) => words)];
}

/** Returns null if it is not known, as in decisions that were made before there was such a fact. */
function listIn(fact: Fact<readonly string[]> | undefined): readonly string[] | null {
  return fact?.known === true ? fact.value : null;
}

/** Whether the fact has the value or is unknown. */
function mayHold({ fact: name, is }: Concern, facts: SearchedFacts): boolean {
  const fact = facts[name];
  return fact === undefined || !fact.known || fact.value === is;
}

interface Concern {
  readonly fact: SearchedFactName;
  readonly is: unknown;
  readonly words: string;
}

/** What a person must know before anything is sent. */
const concerns: readonly Concern[] = [
  { fact: "bookingStands", is: false, words: "the booking may not stand any more" },
  { fact: "scheduleChangeStatus", is: "Rejected", words: "the change is rejected" },
  { fact: "unrecognisedChangeStatus", is: true, words: "the change is in an unknown state" },
  { fact: "unreadMember", is: true, words: "it states something that Skedchange does not read" },
  { fact: "passengersDiffer", is: true, words: "there are other passengers" },
  { fact: "referencesDiffer", is: true, words: "there are other booking references" },
  { fact: "priceDiffers", is: true, words: "there is another price" },
  { fact: "aircraftClassLowered", is: true, words: "a flight uses an aircraft of a lower class" },
  { fact: "durationContradicted", is: true, words: "the stated duration of a flight contradicts its times" },
  { fact: "marriageRegrouped", is: true, words: "a flight is sold together with other flights" },
];
