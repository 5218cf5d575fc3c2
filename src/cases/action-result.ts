import type { CaseActionName } from "./case-actions.ts";

/** What an action was given, as far as its result repeats it. Instants are text, ISO 8601. */
export interface ActionInput {
  readonly assignee?: string | null | undefined;
  readonly until?: string | null | undefined;
}

/**
 * Says what the server has done, or what a worker does next, once an action was taken on. Pages and the command line
 * show it.
 * @param printed an instant in words.
 */
export function describeActionResult(
  action: CaseActionName,
  given: ActionInput,
  printed: (at: string) => string,
): string {
  switch (action) {
    case "assign":
      return given.assignee == null ? "Unassigned." : `Assigned to ${given.assignee}.`;
    case "snooze":
      return `Snoozed until ${given.until == null ? "later" : printed(given.until)}.`;
    default:
      return results[action];
  }
}

const results: Readonly<Record<Exclude<CaseActionName, "assign" | "snooze">, string>> = {
  accept: "Accept requested. We re-check the booking, then accept.",
  cancel: "Cancellation requested. We re-check the booking, then cancel.",
  reschedule: "The case is in the reschedule desk's queue.",
  "resolved-elsewhere": "The case ended: settled with the airline.",
  close: "Case closed.",
  reopen: "New case opened.",
  "traveller-informed": "Recorded: traveller informed.",
  "traveller-asked": "Recorded: waiting for the traveller's answer.",
  "traveller-answered": "Answer recorded.",
  note: "Note added.",
  recheck: "Re-check requested.",
  reference: "Reference entered. We read the booking with it, and the policy decides.",
  "confirm-effect": "Recorded: it was carried out. We re-check the booking, then the case ends.",
  "refute-effect": "Recorded: it was not carried out. We re-check the booking, then decide what to do next.",
  stop: "Stopped. Nothing was sent; the case waits for an agent.",
  approve: "Approved. We re-check the booking, then carry it out.",
  "refuse-approval": "Rejected. Nothing was sent.",
};
