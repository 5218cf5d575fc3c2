import type { ChangeFacts, FactName } from "../itinerary/fact-catalogue.ts";
import type { Assessment } from "./assess.ts";
import { decide, decisionSubject } from "./decide.ts";
import { isByPerson, isEffectAction } from "./decision.ts";
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
  const concerns = newConcerns(decision, assessment);
  if (concerns.length > 0) return { because: "status-says-more", concerns };
  if (context.lastContact !== "answered") return null;
  const choice = travellerStateFor(digest, context.travellerContacts).answer?.choice;
  return choice === (action === "accept" ? "accept" : "refund") ? null : { because: "traveller-answered" };
}

/** Concerns that the status shows now and did not surely show to the person. The digest does not cover them. */
function newConcerns({ facts: before }: DecisionSnapshot, { facts: now }: Assessment): readonly string[] {
  const concerns = concernFacts.filter(({ fact, is }) => {
    const wasSure = before?.[fact]?.known === true && !isConcerned(before, fact, is);
    return wasSure && isConcerned(now, fact, is);
  });
  return concerns.map(({ words }) => words);
}

function isConcerned(facts: Partial<ChangeFacts>, name: FactName, is: unknown): boolean {
  const fact = facts[name];
  return fact === undefined || !fact.known || fact.value === is;
}

/** What a person must know before anything is sent. An unknown fact counts as a concern. */
const concernFacts: readonly { readonly fact: FactName; readonly is: unknown; readonly words: string }[] = [
  { fact: "bookingStands", is: false, words: "the booking may not stand any more" },
  { fact: "scheduleChangeStatus", is: "Rejected", words: "the change is rejected" },
  { fact: "unrecognisedChangeStatus", is: true, words: "the change is in a state that is not known here" },
  { fact: "unreadMember", is: true, words: "there is something that is not read here" },
  { fact: "passengersDiffer", is: true, words: "there are other passengers" },
  { fact: "referencesDiffer", is: true, words: "there are other booking references" },
  { fact: "priceDiffers", is: true, words: "there is another price" },
  { fact: "aircraftClassLowered", is: true, words: "a flight uses a lesser aircraft" },
  { fact: "durationContradicted", is: true, words: "a flight takes another time than its times tell" },
  { fact: "marriageRegrouped", is: true, words: "a flight is sold together with other flights" },
];
