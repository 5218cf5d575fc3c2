import type { CaseActionName } from "../../../cases/case-actions.ts";
import { fromLocalInput } from "./moments.ts";

/** What somebody has typed and chosen in the dialog of an action, as the fields hold it. */
export interface ActionDraft {
  readonly note: string;
  /** The confirmation, typed out. */
  readonly typed: string;
  /** As `datetime-local` fields hold it. */
  readonly until: string;
  readonly assignee: string;
  readonly channel: string;
  /** As `datetime-local` fields hold it. */
  readonly happenedAt: string;
  readonly answer: string;
  readonly reasonCode: string;
}

export const emptyDraft: ActionDraft = {
  note: "",
  typed: "",
  until: "",
  assignee: "",
  channel: "phone",
  happenedAt: "",
  answer: "",
  reasonCode: "",
};

/** An action with its parameters, as the API takes it. */
export interface ActionCommand {
  readonly action: CaseActionName;
  readonly note?: string;
  readonly confirm?: string;
  readonly until?: string;
  readonly assignee?: string | null;
  readonly channel?: string;
  readonly happenedAt?: string;
  readonly answer?: string;
  readonly reasonCode?: string;
  readonly approvalId?: string;
}

/** What must be typed to confirm that something cannot be taken back, and the approval that is answered. */
export interface DraftSubject {
  readonly confirmation: string;
  readonly approvalId: string | null;
}

/** The command that a draft stands for; null as long as something is missing. */
export function readDraft(action: CaseActionName, draft: ActionDraft, subject: DraftSubject): ActionCommand | null {
  const note = draft.note.trim();
  const command: ActionCommand = { action, ...(note === "" ? {} : { note }) };
  switch (action) {
    case "cancel":
      return draft.typed.trim() === subject.confirmation ? { ...command, confirm: subject.confirmation } : null;
    case "snooze": {
      const until = fromLocalInput(draft.until);
      return until === null ? null : { ...command, until: until.toISOString() };
    }
    case "assign":
      return { ...command, assignee: draft.assignee.trim() === "" ? null : draft.assignee.trim() };
    case "note":
      return note === "" ? null : command;
    case "close":
      if (draft.reasonCode === "" || (draft.reasonCode === "other" && note === "")) return null;
      return { ...command, reasonCode: draft.reasonCode };
    case "traveller-informed":
    case "traveller-asked":
    case "traveller-answered": {
      const happenedAt = fromLocalInput(draft.happenedAt);
      if (happenedAt === null) return null;
      const contact = { ...command, channel: draft.channel, happenedAt: happenedAt.toISOString() };
      if (action !== "traveller-answered") return contact;
      return draft.answer === "" ? null : { ...contact, answer: draft.answer };
    }
    case "approve":
    case "refuse-approval":
      return subject.approvalId === null ? null : { ...command, approvalId: subject.approvalId };
    default:
      return command;
  }
}
