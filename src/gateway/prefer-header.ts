export type Handling = "strict" | "lenient";

/**
 * Returns how a request prefers that its mistakes are handled, or null if it does not say. The first preference counts.
 * @param header the value of Prefer, such as `handling=strict`.
 * @see RFC 7240 section 4.4, Handling
 */
export function handlingOf(header: string | undefined): Handling | null {
  const preferences = (header ?? "").toLowerCase().split(",");
  for (const preference of preferences) {
    const [, handling] = /^\s*handling\s*=\s*"?(strict|lenient)"?\s*(?:;.*)?$/.exec(preference) ?? [];
    if (handling !== undefined) return handling as Handling;
  }
  return null;
}
