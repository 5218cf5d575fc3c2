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
      "We re-check the booking, then accept. If the airline has changed it again, nothing is sent. The airline may treat any later change as voluntary.",
    confirm: "Accept the change",
    taken: "Accept requested. We re-check the booking, then accept.",
    look: "filled",
  },
  cancel: {
    button: "Cancel order …",
    title: "Cancel the whole order",
    explanation:
      "This can't be undone. It cancels every flight for every traveller on the order. The refund is known only afterwards.",
    confirm: "Cancel the order",
    taken: "Cancellation requested. We re-check the booking, then cancel.",
    look: "danger",
    fields: [["confirm"]],
  },
  reschedule: {
    button: "Send to reschedule desk",
    title: "Send to the reschedule desk",
    explanation: "The case moves to the reschedule desk's queue. Nothing is sent to the gateway.",
    confirm: "Send to desk",
    taken: "The case is in the reschedule desk's queue.",
    look: "default",
  },
  "resolved-elsewhere": {
    button: "Settled with airline",
    title: "Mark as settled with the airline",
    explanation:
      "Use this when the change was settled directly with the airline. The case ends and nothing is sent to the gateway.",
    confirm: "Mark as settled",
    taken: "The case ended: settled with the airline.",
    look: "default",
  },
  close: {
    button: "Close …",
    title: "Close without action",
    explanation: "The case ends and nothing is sent to the gateway. A later change opens a new case.",
    confirm: "Close case",
    taken: "Case closed.",
    look: "default",
    fields: [["reasonCode"]],
    needsNote: ({ reasonCode }) => reasonCode === "other",
    asGiven: ({ reasonCode }) =>
      reasonCode == null ? null : `Close without action: ${labelOf(closeReasons, reasonCode).toLowerCase()}`,
  },
  reopen: {
    button: "Reopen",
    title: "Reopen this order",
    explanation: "This opens a new case for the order and re-checks the booking. The present case stays closed.",
    confirm: "Open new case",
    taken: "New case opened.",
    look: "default",
  },
  "traveller-informed": {
    button: "Mark informed …",
    title: "Traveller informed",
    explanation: "Counts for the passenger-rights deadlines, and for this proposal only.",
    confirm: "Record",
    taken: "Recorded: traveller informed.",
    look: "default",
    fields: [["channel", "happenedAt"]],
    asGiven: ({ channel }) => `Traveller informed${byChannel(channel)}`,
  },
  "traveller-asked": {
    button: "Mark asked …",
    title: "Traveller asked",
    explanation: "The case waits for the traveller's answer. The deadline still applies.",
    confirm: "Record",
    taken: "Recorded: waiting for the traveller's answer.",
    look: "default",
    fields: [["channel", "happenedAt"]],
    asGiven: ({ channel }) => `Traveller asked${byChannel(channel)}`,
  },
  "traveller-answered": {
    button: "Record answer …",
    title: "Record the traveller's answer",
    explanation: "The policy then decides with this answer. It counts for this proposal only.",
    confirm: "Record answer",
    taken: "Answer recorded.",
    look: "default",
    fields: [["answer"], ["channel", "happenedAt"]],
  },
  assign: {
    button: "Assign …",
    title: "Assign the case",
    explanation: "The case stays in its queue. Everyone sees the assignee.",
    confirm: "Assign",
    taken: "Assignee changed.",
    look: "default",
    fields: [["assignee"]],
    asGiven: ({ assignee }) => (assignee == null ? "Unassign" : `Assign to ${assignee}`),
  },
  snooze: {
    button: "Snooze …",
    title: "Snooze the case",
    explanation: "We re-check the booking at that time. If the airline changes it again, the snooze ends early.",
    confirm: "Snooze",
    taken: "Case snoozed.",
    look: "default",
    fields: [["until"]],
    asGiven: ({ until }) => (until == null ? null : `Snooze until ${formatInstantLong(new Date(until))}`),
  },
  note: {
    button: "Add note …",
    title: "Add a note",
    explanation: "The note is shown in the timeline.",
    confirm: "Add note",
    taken: "Note added.",
    look: "default",
    needsNote: () => true,
  },
  recheck: {
    button: "Re-check",
    title: "Re-check the booking",
    explanation: "We read the booking from the gateway again, and the policy decides again.",
    confirm: "Re-check",
    taken: "Re-check requested.",
    look: "default",
  },
  "confirm-effect": {
    button: "Mark carried out",
    title: "Confirm that it was carried out",
    explanation:
      "Confirm only after checking with the gateway or the airline. If it was carried out for some booking references only, confirm too: you are then asked about the others.",
    confirm: "Confirm",
    taken: "Recorded: it was carried out.",
    look: "filled",
  },
  "refute-effect": {
    button: "Mark not carried out",
    title: "Confirm that it was not carried out",
    explanation: "Confirm only after checking with the gateway or the airline that nothing was carried out.",
    confirm: "Confirm",
    taken: "Recorded: it was not carried out. The case is decided again.",
    look: "default",
  },
  stop: {
    button: "Stop",
    title: "Stop before it is sent",
    explanation: "Nothing is sent to the gateway. The case then waits for an agent.",
    confirm: "Stop",
    taken: "Stopped. Nothing was sent; the case waits for an agent.",
    look: "danger",
  },
  approve: {
    button: "Approve",
    title: "Approve as second person",
    explanation:
      "We re-check the booking, then carry it out. If the airline has changed it again, nothing is sent. A cancellation can't be undone.",
    confirm: "Approve",
    taken: "Approved. We re-check the booking, then carry it out.",
    look: "danger",
    fields: [["approvalId"]],
  },
  "refuse-approval": {
    button: "Reject",
    title: "Reject as second person",
    explanation: "Nothing is sent to the gateway. The case waits for an agent, as before.",
    confirm: "Reject",
    taken: "Rejected. Nothing was sent.",
    look: "default",
    fields: [["approvalId"]],
  },
};

/** The buttons of a case, in the order in which they are shown. `stop`, `approve` and `refuse-approval` stand beside what they answer. */
export const actionGroups: readonly { readonly title: string; readonly names: readonly CaseActionName[] }[] = [
  { title: "Outcome", names: ["confirm-effect", "refute-effect"] },
  { title: "Decide", names: ["accept", "cancel", "reschedule", "resolved-elsewhere", "close", "reopen"] },
  { title: "Traveller", names: ["traveller-informed", "traveller-asked", "traveller-answered"] },
  { title: "Case", names: ["assign", "snooze", "note", "recheck"] },
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
  { value: "wants-refund", label: "Wants a refund" },
  { value: "wants-rerouting", label: "Wants other flights" },
  { value: "undecided", label: "Undecided" },
];

export const closeReasons: readonly Choice[] = [
  { value: "handled-by-phone", label: "Handled by phone" },
  { value: "no-longer-travelling", label: "No longer travelling" },
  { value: "duplicate", label: "Duplicate" },
  { value: "agency-error", label: "Agency error" },
  { value: "other", label: "Other (explain in the note)" },
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
  reasonCode: { kind: "choice", label: "Reason", choices: closeReasons, choose: "Select a reason" },
  until: { kind: "future", label: "Until" },
  assignee: { kind: "person" },
  channel: { kind: "choice", label: "Channel", choices: channels, initial: "phone" },
  happenedAt: { kind: "past", label: "When" },
  answer: { kind: "choice", label: "Answer", choices: travellerAnswers, choose: "Select an answer" },
};

/** What the timeline says of what people did, by the kind of the event. */
export const actionEvents: Readonly<Record<string, (detail: Readonly<Record<string, unknown>>) => string>> = {
  "case.recheck_asked": () => "Re-check requested",
  "case.assigned": ({ assignee }) =>
    typeof assignee === "string" ? `Assigned to ${describeActor(assignee)}` : "Unassigned",
  "case.snoozed": () => "Snoozed",
  "case.noted": () => "Note added",
  "case.reopened": () => "Reopened",
  "approval.asked": () => "Approval by a second person requested",
  "approval.given": () => "Approved by a second person",
  "approval.refused": () => "Rejected by a second person",
  "approval.voided": () => "Approval request lapsed: the proposal changed",
  "traveller.informed": ({ channel }) => `Traveller informed${byChannel(channel)}`,
  "traveller.asked": ({ channel }) => `Traveller asked${byChannel(channel)}`,
  "traveller.answered": ({ channel, answer }) =>
    `Traveller answered${byChannel(channel)}: ${labelOf(travellerAnswers, String(answer)).toLowerCase()}`,
  "effect.confirmed": () => "Outcome confirmed: carried out",
  "effect.refuted": () => "Outcome confirmed: not carried out",
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
