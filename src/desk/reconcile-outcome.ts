/** What became of one look at an order, for the log. */
export type ReconcileOutcome =
  | "not-due"
  | "decided"
  | "unchanged"
  | "carried-out"
  | "postponed"
  | "settling"
  | "held-back"
  | "lease-lost";
