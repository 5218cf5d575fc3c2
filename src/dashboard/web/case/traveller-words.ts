import { newestWord } from "../../../cases/traveller.ts";
import type { CaseView } from "../api/responses.ts";
import { channels, labelOf, travellerAnswers } from "./case-actions.ts";

const passengerTypes: Readonly<Record<string, string>> = {
  ADT: "adult",
  CHD: "child",
  CNN: "child",
  UNN: "unaccompanied child",
  INF: "infant",
  INS: "infant with a seat",
};

export function describePassengerType(type: string | null): string {
  return type === null ? "type not stated" : (passengerTypes[type] ?? type);
}

/** As the gateway states it, for the whole booking: `NOT TICKETED` → `not ticketed`. */
export function describeTicketStatus(status: string | null): string {
  return status === null ? "status not stated" : status.toLowerCase();
}

type Contact = Pick<CaseView["travellerContacts"][number], "kind" | "channel" | "answer">;

export function describeContact({ kind, channel, answer }: Contact): string {
  const by = labelOf(channels, channel).toLowerCase();
  switch (kind) {
    case "informed":
      return `Informed (${by})`;
    case "asked":
      return `Asked (${by})`;
    case "answered":
      return `Answered (${by})${answer === null ? "" : `: ${labelOf(travellerAnswers, answer).toLowerCase()}`}`;
  }
}

/** Whether the traveller was asked about the proposal and has not answered since; "undecided" is no answer. */
export function isTravellerAsked(subject: Pick<CaseView, "proposalDigest" | "travellerContacts">): boolean {
  return newestWord(subject.proposalDigest, subject.travellerContacts)?.kind === "asked";
}
