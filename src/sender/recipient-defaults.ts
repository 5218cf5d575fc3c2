/** What applies to a recipient that has no limits of its own. */
export const recipientDefaults = {
  /** For a whole attempt. */
  deadlineMs: 15_000,
  /** Orders that are delivered at the same time. */
  lanes: 4,
  /** The most while it responds quickly. More would wait in this process instead of on the way. */
  lanesWhenQuick: 32,
} as const;

/** For the API and the pages. */
export const defaultLanesText = `${recipientDefaults.lanes}, and up to ${recipientDefaults.lanesWhenQuick} while it responds quickly`;
