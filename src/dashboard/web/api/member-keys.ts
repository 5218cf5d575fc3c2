/** Of all that the pages read about members that nobody knows. */
export const memberKeys = {
  all: ["members"],
  sources: ["members", "sources"],
  of: (source: string) => ["members", "of", source],
  changes: (source: string) => ["members", "changes", source],
} as const;
