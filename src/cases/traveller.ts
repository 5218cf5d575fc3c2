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
  const isAnswer = ({ answer }: TravellerContact): boolean => answer !== null && choiceOf[answer] !== null;
  const choice = newest === undefined || newest.answer === null ? null : choiceOf[newest.answer];
  const beforeRefund = answered.findLastIndex(({ answer }) => answer !== "wants-refund");
  return {
    informedAt: noticeTimes.length === 0 ? null : new Date(Math.min(...noticeTimes)),
    isAsked: about.findLast((contact) => contact.kind === "asked" || isAnswer(contact))?.kind === "asked",
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
