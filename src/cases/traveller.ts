import type { TravellerAnswer } from "../policy/legal/legal-input.ts";
import type { ContactAnswer } from "./case-command.ts";
import type { TravellerContact } from "./order-context.ts";

/** What the traveller knows and wants of one proposal. */
export interface TravellerStanding {
  /** When they were first told; null when nobody has recorded that they were. */
  readonly informedAt: Date | null;
  /** Their newest answer; null when there is none, or it was that they have not decided. */
  readonly answer: TravellerAnswer | null;
  /** Since when they want a refund, without having said anything else after; null when that is not their newest answer. */
  readonly refundWantedSince: Date | null;
}

/**
 * Reads what was recorded about one proposal. What was said of another proposal does not count: an airline that changes
 * its mind has to be answered anew. Asking alone does not count as telling, because nobody recorded what was told.
 *
 * @param contacts oldest first; of two that happened at the same time the later one counts.
 */
export function travellerOn(proposalDigest: string, contacts: readonly TravellerContact[]): TravellerStanding {
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
    answer: newest === undefined || choice === null ? null : { choice, at: newest.happenedAt },
    refundWantedSince: answered[beforeRefund + 1]?.happenedAt ?? null,
  };
}

/** In the words of policies and presets. */
const choiceOf: Readonly<Record<ContactAnswer, TravellerAnswer["choice"] | null>> = {
  accepts: "accept",
  refuses: "refuse",
  "wants-refund": "refund",
  "wants-rerouting": "reroute",
  undecided: null,
};
