import type { TravellerAnswer } from "../policy/legal/legal-input.ts";
import type { ContactAnswer } from "./case-command.ts";
import type { TravellerContact } from "./order-context.ts";

export interface TravellerState {
  /** When they were first informed; null if nobody has recorded it. */
  readonly informedAt: Date | null;
  /** Whether they were asked and have not answered since; "undecided" is no answer. */
  readonly isAsked: boolean;
  /** Their newest answer; null if there is none or it was "undecided". */
  readonly answer: TravellerAnswer | null;
  /** Since when they have wanted a refund; null if that is not their newest answer. */
  readonly refundWantedSince: Date | null;
}

/** A contact, as far as it says whether the traveller has answered. */
export interface Word {
  readonly kind: "informed" | "asked" | "answered";
  readonly proposalDigest: string | null;
  readonly answer: ContactAnswer | null;
}

/**
 * Returns the newest of asking and answering about a proposal; null if there is none. "Undecided" is no answer.
 * @param contacts oldest first.
 */
export function newestWord<Contact extends Word>(
  proposalDigest: string | null,
  contacts: readonly Contact[],
): Contact | null {
  const isWord = ({ kind, answer }: Word): boolean => kind === "asked" || (answer !== null && answer !== "undecided");
  return contacts.findLast((contact) => contact.proposalDigest === proposalDigest && isWord(contact)) ?? null;
}

/** Says what the traveller wants, and what to do about it. */
export function describeChoice(answer: Exclude<ContactAnswer, "undecided">): string {
  return choiceTexts[answer];
}

const choiceTexts = {
  accepts: "The traveller accepts the change.",
  refuses: "The traveller refuses the change. Arrange other flights, or cancel the order.",
  "wants-refund": "The traveller wants a refund. Cancel the order, or claim the refund from the airline.",
  "wants-rerouting": "The traveller wants other flights. Arrange them with the airline.",
} as const satisfies Record<Exclude<ContactAnswer, "undecided">, string>;

/** Returns the answer as people record it. */
export function recordedAs(choice: TravellerAnswer["choice"]): Exclude<ContactAnswer, "undecided"> {
  return recordedChoices[choice];
}

const recordedChoices = {
  accept: "accepts",
  refuse: "refuses",
  refund: "wants-refund",
  reroute: "wants-rerouting",
} as const satisfies Record<TravellerAnswer["choice"], ContactAnswer>;

/**
 * Reads the contacts about one proposal. Contacts about another one do not count: the traveller must answer each anew.
 * Asking does not count as informing, because nobody recorded what was said.
 * @param contacts oldest first; of two at the same time the later one counts.
 */
export function travellerStateFor(
  proposalDigest: string | null,
  contacts: readonly TravellerContact[],
): TravellerState {
  const about = contacts.filter((contact) => contact.proposalDigest === proposalDigest);
  const noticeTimes = about.filter(({ kind }) => kind !== "asked").map(({ happenedAt }) => happenedAt.getTime());
  const answered = about
    .filter(({ kind }) => kind === "answered")
    .sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime());
  const newest = answered.at(-1);
  const choice = newest === undefined || newest.answer === null ? null : choiceOf[newest.answer];
  const beforeRefund = answered.findLastIndex(({ answer }) => answer !== "wants-refund");
  return {
    informedAt: noticeTimes.length === 0 ? null : new Date(Math.min(...noticeTimes)),
    isAsked: newestWord(proposalDigest, contacts)?.kind === "asked",
    answer: newest === undefined || choice === null ? null : { choice, at: newest.happenedAt },
    refundWantedSince: answered[beforeRefund + 1]?.happenedAt ?? null,
  };
}

const choiceOf: Readonly<Record<ContactAnswer, TravellerAnswer["choice"] | null>> = {
  accepts: "accept",
  refuses: "refuse",
  "wants-refund": "refund",
  "wants-rerouting": "reroute",
  undecided: null,
};
