import type { CaseActionName } from "../../../cases/case-actions.ts";

interface ActionWords {
  /** Ends with an ellipsis when more than a note is asked for. */
  readonly button: string;
  readonly title: string;
  readonly explanation: string;
  readonly confirm: string;
  /** What is told once the server has taken it on. */
  readonly taken: string;
  readonly look: "filled" | "default" | "danger";
}

export const actionWords: Readonly<Record<CaseActionName, ActionWords>> = {
  accept: {
    button: "Accept",
    title: "Accept the airline's change",
    explanation:
      "A worker reads the status again and accepts at the gateway, if the proposal is still the one on this page. Afterwards the airline may count another change as voluntary.",
    confirm: "Accept the change",
    taken: "Accept was recorded. A worker reads the status again and then calls the gateway.",
    look: "filled",
  },
  cancel: {
    button: "Cancel order …",
    title: "Cancel the whole order",
    explanation:
      "This cannot be taken back. Every flight and every traveller of the order is cancelled; the refund is known only afterwards.",
    confirm: "Cancel the order",
    taken: "Cancel was recorded. A worker reads the status again and then calls the gateway.",
    look: "danger",
  },
  reschedule: {
    button: "To reschedule desk",
    title: "Hand to the reschedule desk",
    explanation: "The case waits in the queue of those who rebook. Nothing is sent to the gateway.",
    confirm: "Hand it over",
    taken: "The case waits for the reschedule desk.",
    look: "default",
  },
  "resolved-elsewhere": {
    button: "Settled at the airline",
    title: "Mark as settled at the airline",
    explanation:
      "Say this once the change was settled with the airline itself. The case ends and nothing is sent to the gateway.",
    confirm: "It is settled",
    taken: "The case ended: settled at the airline.",
    look: "default",
  },
  close: {
    button: "Close …",
    title: "Close without a call",
    explanation: "The case ends here and nothing is sent to the gateway. A later change opens a new case.",
    confirm: "Close the case",
    taken: "The case was closed.",
    look: "default",
  },
  reopen: {
    button: "Reopen",
    title: "Work on this order again",
    explanation: "A new case of the order is opened, and a worker reads the status at once. This one stays as it is.",
    confirm: "Open a new case",
    taken: "A new case was opened.",
    look: "default",
  },
  "traveller-informed": {
    button: "Informed …",
    title: "The traveller was informed",
    explanation: "It counts for the clocks of passenger rights, and for this proposal only.",
    confirm: "Record it",
    taken: "Recorded: the traveller was informed.",
    look: "default",
  },
  "traveller-asked": {
    button: "Asked …",
    title: "The traveller was asked",
    explanation: "The case waits for the traveller's answer. The clock keeps running.",
    confirm: "Record it",
    taken: "Recorded: the case waits for the traveller's answer.",
    look: "default",
  },
  "traveller-answered": {
    button: "Answered …",
    title: "What the traveller answered",
    explanation: "The policy then decides with this answer, which counts for this proposal only.",
    confirm: "Record the answer",
    taken: "The answer was recorded.",
    look: "default",
  },
  assign: {
    button: "Assign …",
    title: "Who works on this case",
    explanation: "It stays in its queue; everybody sees who has it.",
    confirm: "Assign",
    taken: "The case has somebody else, or nobody, to work on it now.",
    look: "default",
  },
  snooze: {
    button: "Snooze …",
    title: "Put it off",
    explanation: "A worker reads the status again at that time. A new change of the airline ends the rest earlier.",
    confirm: "Put it off",
    taken: "The case rests until then.",
    look: "default",
  },
  note: {
    button: "Note …",
    title: "Add a note",
    explanation: "It stays in the timeline.",
    confirm: "Add the note",
    taken: "The note was added.",
    look: "default",
  },
  recheck: {
    button: "Recheck",
    title: "Read the status again",
    explanation: "A worker reads the reservation's status again and decides anew by the policy.",
    confirm: "Recheck",
    taken: "A worker reads the status again.",
    look: "default",
  },
  "confirm-effect": {
    button: "It happened",
    title: "Confirm the outcome",
    explanation:
      "Say this only after you have seen at the gateway or the airline that the call was carried out, also if only for some booking references: you are asked about what is left.",
    confirm: "Confirm that it happened",
    taken: "Recorded: the call was carried out.",
    look: "filled",
  },
  "refute-effect": {
    button: "It did not happen",
    title: "Refute the outcome",
    explanation: "Say this only after you have seen at the gateway or the airline that the call was not carried out.",
    confirm: "Confirm that it did not happen",
    taken: "Recorded: the call was not carried out. The case is decided anew.",
    look: "default",
  },
  stop: {
    button: "Stop",
    title: "Stop before it is sent",
    explanation: "Nothing is sent to the gateway. The case then waits for a person.",
    confirm: "Stop it",
    taken: "Stopped: nothing was sent. The case waits for a person.",
    look: "danger",
  },
  approve: {
    button: "Approve",
    title: "Approve as the second person",
    explanation:
      "A worker reads the status again and carries it out, if the proposal is still the same. A cancellation cannot be taken back.",
    confirm: "Approve",
    taken: "Approved. A worker reads the status again and then calls the gateway.",
    look: "danger",
  },
  "refuse-approval": {
    button: "Refuse",
    title: "Refuse as the second person",
    explanation: "Nothing is sent to the gateway. The case waits for a person, as before.",
    confirm: "Refuse",
    taken: "Refused: nothing was sent.",
    look: "default",
  },
};

interface Choice {
  readonly value: string;
  readonly label: string;
}

export const channels: readonly Choice[] = [
  { value: "phone", label: "Phone" },
  { value: "email", label: "Email" },
  { value: "sms", label: "Text message" },
  { value: "chat", label: "Chat" },
  { value: "in-person", label: "In person" },
  { value: "letter", label: "Letter" },
  { value: "other", label: "Other" },
];

export const travellerAnswers: readonly Choice[] = [
  { value: "accepts", label: "Accepts the change" },
  { value: "refuses", label: "Refuses the change" },
  { value: "wants-refund", label: "Wants the money back" },
  { value: "wants-rerouting", label: "Wants other flights" },
  { value: "undecided", label: "Has not decided yet" },
];

export const closeReasons: readonly Choice[] = [
  { value: "handled-by-phone", label: "Handled by phone" },
  { value: "no-longer-travelling", label: "No longer travelling" },
  { value: "duplicate", label: "Duplicate" },
  { value: "agency-error", label: "Mistake of the agency" },
  { value: "other", label: "Other; say which in the note" },
];

/** The label of a choice; the value itself when this page does not know it. */
export function labelOf(choices: readonly Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** What can be done with many cases at once: what needs no more than the same answer for all of them. */
export const bulkActionNames = [
  "accept",
  "cancel",
  "assign",
  "snooze",
  "note",
  "recheck",
  "traveller-informed",
  "traveller-asked",
  "reschedule",
  "resolved-elsewhere",
  "close",
] as const satisfies readonly CaseActionName[];
