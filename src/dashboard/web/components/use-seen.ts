import { useState } from "react";

/** The values that the list has shown so far. A filter offers these without asking the server for all there are. */
export function useSeen(values: readonly (string | null)[], always: readonly string[]): readonly string[] {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const all = [...new Set([...always, ...seen, ...values])].filter(
    (value): value is string => value !== null && value !== "",
  );
  if (all.some((value) => !seen.includes(value))) setSeen(all);
  return all.toSorted();
}
