import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseActionParameter } from "../../../cases/case-command.ts";
import { formatInstantLong } from "./moments.ts";
import { describeActor } from "./state-words.ts";

/*
 * All that the pages know of an action besides whether it is possible: its words, what its dialog asks for, and where its
 * button stands.
 */

/** An action with its parameters, as the API takes it. */
export type ActionCommand = { readonly action: CaseActionName; readonly note?: string } & GivenParameters;

export type GivenParameters = { readonly [Name in CaseActionParameter]?: string | null | undefined };

/** What somebody has typed and chosen in the dialog of an action, as the fields hold it: times as `datetime-local` does. */
export type ActionDraft = Readonly<Record<CaseActionParameter | "note", string>>;

interface ActionWords {
  /** Ends with an ellipsis when more than a note is asked for. */
  readonly button: string;
  readonly title: string;
  readonly explanation: string;
  readonly confirm: string;
  /** What is told once the server has taken it on. */
  readonly taken: string;
  readonly look: "filled" | "default" | "danger";
  /** The rows of its dialog: every parameter of the action stands in one of them. */
  readonly fields?: readonly (readonly CaseActionParameter[])[];
  /** Whether it takes a note; everything else may have one. */
  readonly needsNote?: (draft: ActionDraft) => boolean;
  /** One line that tells it with what it was given; null, or left out: the title says all. */
  readonly asGiven?: (command: GivenParameters) => string | null;
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
    fields: [["confirm"]],
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
    fields: [["reasonCode"]],
    needsNote: ({ reasonCode }) => reasonCode === "other",
    asGiven: ({ reasonCode }) =>
      reasonCode == null ? null : `Close without a call: ${labelOf(closeReasons, reasonCode).toLowerCase()}`,
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
    fields: [["channel", "happenedAt"]],
    asGiven: ({ channel }) => `The traveller was informed${byChannel(channel)}`,
  },
  "traveller-asked": {
    button: "Asked …",
    title: "The traveller was asked",
    explanation: "The case waits for the traveller's answer. The clock keeps running.",
    confirm: "Record it",
    taken: "Recorded: the case waits for the traveller's answer.",
    look: "default",
    fields: [["channel", "happenedAt"]],
    asGiven: ({ channel }) => `The traveller was asked${byChannel(channel)}`,
  },
  "traveller-answered": {
    button: "Answered …",
    title: "What the traveller answered",
    explanation: "The policy then decides with this answer, which counts for this proposal only.",
    confirm: "Record the answer",
    taken: "The answer was recorded.",
    look: "default",
    fields: [["answer"], ["channel", "happenedAt"]],
  },
  assign: {
    button: "Assign …",
    title: "Who works on this case",
    explanation: "It stays in its queue; everybody sees who has it.",
    confirm: "Assign",
    taken: "The case has somebody else, or nobody, to work on it now.",
    look: "default",
    fields: [["assignee"]],
    asGiven: ({ assignee }) => (assignee == null ? "Give back" : `Assign to ${assignee}`),
  },
  snooze: {
    button: "Snooze …",
    title: "Put it off",
    explanation: "A worker reads the status again at that time. A new change of the airline ends the rest earlier.",
    confirm: "Put it off",
    taken: "The case rests until then.",
    look: "default",
    fields: [["until"]],
    asGiven: ({ until }) => (until == null ? null : `Put off until ${formatInstantLong(new Date(until))}`),
  },
  note: {
    button: "Note …",
    title: "Add a note",
    explanation: "It stays in the timeline.",
    confirm: "Add the note",
    taken: "The note was added.",
    look: "default",
    needsNote: () => true,
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
    fields: [["approvalId"]],
  },
  "refuse-approval": {
    button: "Refuse",
    title: "Refuse as the second person",
    explanation: "Nothing is sent to the gateway. The case waits for a person, as before.",
    confirm: "Refuse",
    taken: "Refused: nothing was sent.",
    look: "default",
    fields: [["approvalId"]],
  },
};

/** The buttons of a case, in the order in which they are shown. `stop`, `approve` and `refuse-approval` stand beside what they answer. */
export const actionGroups: readonly { readonly title: string; readonly names: readonly CaseActionName[] }[] = [
  { title: "Outcome", names: ["confirm-effect", "refute-effect"] },
  { title: "Decide", names: ["accept", "cancel", "reschedule", "resolved-elsewhere", "close", "reopen"] },
  { title: "Traveller", names: ["traveller-informed", "traveller-asked", "traveller-answered"] },
  { title: "Work on it", names: ["assign", "snooze", "note", "recheck"] },
];

/** Never shown as impossible: each belongs to one situation and would only puzzle in any other. */
export const shownWhenPossible: readonly CaseActionName[] = ["confirm-effect", "refute-effect", "reopen"];

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

/** How the dialog asks for a parameter. */
export type ParameterField =
  /** A list to choose from: `choose` stands in it until something is chosen, `initial` is chosen already. */
  | { readonly kind: "choice"; readonly label: string; readonly choices: readonly Choice[]; readonly choose: string }
  | { readonly kind: "choice"; readonly label: string; readonly choices: readonly Choice[]; readonly initial: string }
  /** When something has happened. */
  | { readonly kind: "past"; readonly label: string }
  /** A time to come, with the usual ones to choose from. */
  | { readonly kind: "future"; readonly label: string }
  | { readonly kind: "person" }
  /** Typed out in full, because it cannot be taken back. */
  | { readonly kind: "confirmation" }
  /** Known already: nothing is asked. */
  | { readonly kind: "approval" };

export const parameterFields: Readonly<Record<CaseActionParameter, ParameterField>> = {
  confirm: { kind: "confirmation" },
  approvalId: { kind: "approval" },
  reasonCode: { kind: "choice", label: "Reason", choices: closeReasons, choose: "Choose a reason" },
  until: { kind: "future", label: "Until" },
  assignee: { kind: "person" },
  channel: { kind: "choice", label: "Channel", choices: channels, initial: "phone" },
  happenedAt: { kind: "past", label: "When" },
  answer: { kind: "choice", label: "Answer", choices: travellerAnswers, choose: "Choose the answer" },
};

/** What the timeline says of what people did, by the kind of the event. */
export const actionEvents: Readonly<Record<string, (detail: Readonly<Record<string, unknown>>) => string>> = {
  "case.recheck_asked": () => "Asked to read the status again",
  "case.assigned": ({ assignee }) =>
    typeof assignee === "string" ? `Assigned to ${describeActor(assignee)}` : "Given back",
  "case.snoozed": () => "Put off by a person",
  "case.noted": () => "Note",
  "case.reopened": () => "Opened again",
  "approval.asked": () => "A second person was asked",
  "approval.given": () => "A second person approved",
  "approval.refused": () => "A second person refused",
  "approval.voided": () => "The question to a second person has lapsed: the proposal changed",
  "traveller.informed": ({ channel }) => `Traveller informed${byChannel(channel)}`,
  "traveller.asked": ({ channel }) => `Traveller asked${byChannel(channel)}`,
  "traveller.answered": ({ channel, answer }) =>
    `Traveller answered${byChannel(channel)}: ${labelOf(travellerAnswers, String(answer)).toLowerCase()}`,
  "effect.confirmed": () => "Outcome confirmed: it happened",
  "effect.refuted": () => "Outcome refuted: it did not happen",
};

/** In brackets, to stand behind what was done; nothing when it is not known. */
function byChannel(channel: unknown): string {
  return typeof channel === "string" && channel !== "" ? ` (${labelOf(channels, channel).toLowerCase()})` : "";
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
