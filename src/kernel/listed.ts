/** Joins the parts of a sentence: `a`, `a and b`, `a, b and c`. @param last what stands before the last part. */
export function listed(parts: readonly string[], last = " and "): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")}${last}${parts.at(-1)}`;
}
