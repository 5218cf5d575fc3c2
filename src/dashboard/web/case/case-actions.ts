import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseActionParameter } from "../../../cases/case-command.ts";
import { formatInstantLong } from "../labels/moments.ts";
import { describeActor } from "../labels/state-words.ts";

/** An action with its parameters, as the API takes it. */
export type ActionCommand = { readonly action: CaseActionName; readonly note?: string } & GivenParameters;

export type GivenParameters = { readonly [Name in CaseActionParameter]?: string | null | undefined };

/** The values of the fields in the dialog of an action. Times are in the format of `datetime-local`. */
export type ActionDraft = Readonly<Record<CaseActionParameter | "note", string>>;

interface ActionWords {
  /** Ends with an ellipsis when more than a note is asked for. */
  readonly button: string;
  readonly title: string;
  readonly explanation: string;
  readonly confirm: string;
  /** Workers do it: shown only until they have. */
  readonly isRequest?: boolean;
  /** How to take it back. */
  readonly undo?: string;
  readonly look: "filled" | "default" | "danger";
  /** The parameters that its dialog asks for, row by row. */
  readonly fields?: readonly (readonly CaseActionParameter[])[];
  /** Whether a note is required; it is always possible. */
  readonly needsNote?: (draft: ActionDraft) => boolean;
  /** The action with its parameters in one line; null if the title is enough. */
  readonly describe?: (command: GivenParameters) => string | null;
}

export const actionWords: Readonly<Record<CaseActionName, ActionWords>> = {
  accept: {
    button: "Accept",
    title: "Accept the airline's change",
    explanation:
      "We re-check the booking, then accept. If the airline has changed it again, nothing is sent. The airline may treat any later change as voluntary.",
    confirm: "Accept the change",
    isRequest: true,
    undo: "An accept can't be undone once it is sent.",
    look: "filled",
  },
  cancel: {
    button: "Cancel order …",
    title: "Cancel the whole order",
    explanation:
      "This can't be undone. It cancels every flight for every traveller on the order. The refund is known only afterwards.",
    confirm: "Cancel the order",
    isRequest: true,
    undo: "A cancellation can't be undone once it is sent.",
    look: "danger",
    fields: [["confirm"]],
  },
  reschedule: {
    button: "Send to reschedule desk",
    title: "Send to the reschedule desk",
    explanation: "The case moves to the reschedule desk's queue. Nothing is sent to the gateway.",
    confirm: "Send to desk",
    undo: "To take it back, re-check the case: the policy then decides again.",
    look: "default",
  },
  "resolved-elsewhere": {
    button: "Settled with airline",
    title: "Mark as settled with the airline",
    explanation:
      "Use this when the change was settled directly with the airline. The case ends and nothing is sent to the gateway.",
    confirm: "Mark as settled",
    undo: "To take it back, reopen the case.",
    look: "default",
  },
  close: {
    button: "Close …",
    title: "Close without action",
    explanation: "The case ends and nothing is sent to the gateway. A later change opens a new case.",
    confirm: "Close case",
    undo: "To take it back, reopen the case.",
    look: "default",
    fields: [["reasonCode"]],
    needsNote: ({ reasonCode }) => reasonCode === "other",
    describe: ({ reasonCode }) =>
      reasonCode == null ? null : `Close without action: ${labelOf(closeReasons, reasonCode).toLowerCase()}`,
  },
  reopen: {
    button: "Reopen",
    title: "Reopen this order",
    explanation: "This opens a new case for the order and re-checks the booking. This case stays closed.",
    confirm: "Open new case",
    look: "default",
  },
  "traveller-informed": {
    button: "Mark informed …",
    title: "Traveller informed",
    explanation:
      "Counts towards the passenger-rights deadlines, for this proposal only. A task to inform them is done.",
    confirm: "Record",
    look: "default",
    fields: [["channel", "happenedAt"]],
    describe: ({ channel }) => `Traveller informed${byChannel(channel)}`,
  },
  "traveller-asked": {
    button: "Ask traveller …",
    title: "Ask the traveller",
    explanation:
      "Ask by phone or with the text below, then record it here. The case waits for the answer until its deadline.",
    confirm: "Record as asked",
    undo: "To end the wait, record the answer or re-check the case.",
    look: "default",
    fields: [["channel", "happenedAt"]],
    describe: ({ channel }) => `Traveller asked${byChannel(channel)}`,
  },
  "traveller-answered": {
    button: "Record answer …",
    title: "Record the traveller's answer",
    explanation: "The policy then decides with this answer. It counts for this proposal only.",
    confirm: "Record answer",
    look: "default",
    fields: [["answer"], ["channel", "happenedAt"]],
  },
  assign: {
    button: "Assign …",
    title: "Assign the case",
    explanation: "The case stays in its queue. Everyone sees the assignee.",
    confirm: "Assign",
    look: "default",
    fields: [["assignee"]],
    describe: ({ assignee }) => (assignee == null ? "Unassign" : `Assign to ${assignee}`),
  },
  snooze: {
    button: "Snooze …",
    title: "Snooze the case",
    explanation: "We re-check the booking at that time. If the airline changes it again, the snooze ends early.",
    confirm: "Snooze",
    undo: "To end the snooze, re-check the case.",
    look: "default",
    fields: [["until"]],
    describe: ({ until }) => (until == null ? null : `Snooze until ${formatInstantLong(new Date(until))}`),
  },
  note: {
    button: "Add note …",
    title: "Add a note",
    explanation: "The note is shown in the timeline.",
    confirm: "Add note",
    look: "default",
    needsNote: () => true,
  },
  recheck: {
    button: "Re-check",
    title: "Re-check the booking",
    explanation: "We read the booking from the gateway again, and the policy decides again.",
    confirm: "Re-check",
    look: "default",
  },
  reference: {
    button: "Enter reference …",
    title: "Enter the booking reference",
    explanation: "We read the booking with it, and the policy decides. It replaces the references that are known.",
    confirm: "Enter",
    look: "filled",
    fields: [["reference"]],
    describe: ({ reference }) => (reference == null ? null : `Enter the booking reference ${reference}`),
  },
  "confirm-effect": {
    button: "Mark carried out",
    title: "Confirm that it was carried out",
    explanation:
      "Confirm only after checking with the gateway or the airline. Confirm also if it was carried out for only some of the booking references; the others are asked about next.",
    confirm: "Confirm",
    look: "filled",
  },
  "refute-effect": {
    button: "Mark not carried out",
    title: "Confirm that it was not carried out",
    explanation: "Confirm only after checking with the gateway or the airline that nothing was carried out.",
    confirm: "Confirm",
    look: "default",
  },
  stop: {
    button: "Stop",
    title: "Stop before it is sent",
    explanation: "Nothing is sent to the gateway. The case then waits for an agent.",
    confirm: "Stop",
    look: "danger",
  },
  approve: {
    button: "Approve",
    title: "Approve as second person",
    explanation:
      "We re-check the booking, then carry it out. If the airline has changed it again, nothing is sent. A cancellation can't be undone.",
    confirm: "Approve",
    isRequest: true,
    look: "danger",
    fields: [["approvalId"]],
  },
  "refuse-approval": {
    button: "Reject",
    title: "Reject as second person",
    explanation: "Nothing is sent to the gateway. The case waits for an agent, as before.",
    confirm: "Reject",
    look: "default",
    fields: [["approvalId"]],
  },
};

/** In display order. `stop`, `approve` and `refuse-approval` are shown in their own notices instead. */
export const actionGroups: readonly { readonly title: string; readonly names: readonly CaseActionName[] }[] = [
  { title: "Outcome", names: ["confirm-effect", "refute-effect"] },
  { title: "Decide", names: ["accept", "cancel", "reschedule", "resolved-elsewhere", "close", "reopen"] },
  { title: "Traveller", names: ["traveller-informed", "traveller-asked", "traveller-answered"] },
  { title: "Case", names: ["assign", "snooze", "note", "recheck", "reference"] },
];

/** Shown only while possible, because outside their one situation a disabled button would confuse. */
export const hiddenUnlessPossible: readonly CaseActionName[] = [
  "confirm-effect",
  "refute-effect",
  "reopen",
  "reference",
];

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

export function labelOf(choices: readonly Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** How the dialog asks for a parameter. */
export type ParameterField =
  /** `choose` is the placeholder; `initial` is selected from the start. */
  | { readonly kind: "choice"; readonly label: string; readonly choices: readonly Choice[]; readonly choose: string }
  | { readonly kind: "choice"; readonly label: string; readonly choices: readonly Choice[]; readonly initial: string }
  | { readonly kind: "past"; readonly label: string }
  | { readonly kind: "future"; readonly label: string }
  | { readonly kind: "person" }
  | { readonly kind: "text"; readonly label: string; readonly description: string }
  | { readonly kind: "confirmation" }
  /** The id of the approval is known, so nothing is asked. */
  | { readonly kind: "approval" };

export const parameterFields: Readonly<Record<CaseActionParameter, ParameterField>> = {
  confirm: { kind: "confirmation" },
  approvalId: { kind: "approval" },
  reasonCode: { kind: "choice", label: "Reason", choices: closeReasons, choose: "Select a reason" },
  until: { kind: "future", label: "Until" },
  assignee: { kind: "person" },
  channel: { kind: "choice", label: "Channel", choices: channels, initial: "phone" },
  happenedAt: { kind: "past", label: "When" },
  reference: { kind: "text", label: "Booking reference", description: "Such as ABC123. Several with blanks between." },
  answer: { kind: "choice", label: "Answer", choices: travellerAnswers, choose: "Select an answer" },
};

/** Timeline texts of what people did, by the kind of event. */
export const actionEvents: Readonly<Record<string, (detail: Readonly<Record<string, unknown>>) => string>> = {
  "case.recheck_asked": () => "Re-check requested",
  "case.reference_entered": ({ reference }) => `Booking reference entered: ${String(reference)}`,
  "case.assigned": ({ assignee }) =>
    typeof assignee === "string" ? `Assigned to ${describeActor(assignee)}` : "Unassigned",
  "case.snoozed": () => "Snoozed",
  "case.noted": () => "Note added",
  "case.reopened": () => "Reopened",
  "approval.asked": () => "Approval by a second person requested",
  "approval.given": () => "Approved by a second person",
  "approval.approver_set_up_by_asker": ({ askedBy }) =>
    `${describeActor(String(askedBy))}, who asked, has added or changed the account of the second person`,
  "approval.refused": () => "Rejected by a second person",
  "approval.voided": () => "Approval request lapsed: the proposal changed",
  "traveller.informed": ({ channel }) => `Traveller informed${byChannel(channel)}`,
  "traveller.asked": ({ channel }) => `Traveller asked${byChannel(channel)}`,
  "traveller.answered": ({ channel, answer }) =>
    `Traveller answered${byChannel(channel)}: ${labelOf(travellerAnswers, String(answer)).toLowerCase()}`,
  "effect.confirmed": () => "Outcome confirmed: carried out",
  "effect.refuted": () => "Outcome confirmed: not carried out",
};

function byChannel(channel: unknown): string {
  return typeof channel === "string" && channel !== "" ? ` (${labelOf(channels, channel).toLowerCase()})` : "";
}

/** Actions whose parameters can be the same for many cases. */
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
