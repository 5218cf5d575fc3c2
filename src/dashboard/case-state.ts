/** The states that a case may be asked for by. The desk owns their transitions; a test compares the two lists. */
export const caseStateNames = [
  "received",
  "checking",
  "accepting",
  "cancelling",
  "awaiting-agent",
  "awaiting-traveller",
  "snoozed",
  "done",
  "resolved-elsewhere",
  "closed",
] as const;

export const notificationStateNames = ["accepted", "quarantined", "released"] as const;
