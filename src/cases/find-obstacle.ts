import type { ChangeFacts, FactName } from "../itinerary/fact-catalogue.ts";
import type { Assessment } from "./assess.ts";
import { decide, decisionSubject } from "./decide.ts";
import { isByPerson, isEffectAction } from "./decision.ts";
import type { DecisionSnapshot, OrderContext } from "./order-context.ts";
import type { SourceSettings } from "./source-settings.ts";
import { travellerOn } from "./traveller.ts";

/** Why nothing may be sent for a decision any more. */
export type Obstacle =
  | { readonly because: "proposal-changed" | "rules-changed" | "traveller-answered" }
  /** `says`: what, as words that follow "the status says that". */
  | { readonly because: "status-says-more"; readonly concerns: readonly string[] };

/**
 * What stands against sending what was decided; null when nothing does. The proposal must be the one that was decided on
 * and offer the action. What a rule decided must hold now as well: the departure has come nearer since, and the policy may
 * be another one. What a person decided must not be against what the traveller has answered since, and the status must not
 * say more against it than they were shown.
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
  const choice = travellerOn(digest, context.travellerContacts).answer?.choice;
  return choice === (action === "accept" ? "accept" : "refund") ? null : { because: "traveller-answered" };
}

/**
 * What the status says against a decision that it did not say, or not surely, when a person made it: what is no part of the
 * proposal's digest.
 */
function newConcerns({ facts: before }: DecisionSnapshot, { facts: now }: Assessment): readonly string[] {
  const concerns = concerning.filter(({ fact, is }) => {
    const wasSure = before?.[fact]?.known === true && !isConcerned(before, fact, is);
    return wasSure && isConcerned(now, fact, is);
  });
  return concerns.map(({ words }) => words);
}

function isConcerned(facts: Partial<ChangeFacts>, name: FactName, is: unknown): boolean {
  const fact = facts[name];
  return fact === undefined || !fact.known || fact.value === is;
}

/** What a person wants to know before anything is sent; what is unknown may be so. */
const concerning: readonly { readonly fact: FactName; readonly is: unknown; readonly words: string }[] = [
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
