/**
 * Whether a value out of JSON holds, in a key or in a text, what PostgreSQL keeps neither as text nor in JSON: NUL, or half
 * of a surrogate pair. It may be nested to any depth.
 */
export function holdsUnstorableText(value: unknown): boolean {
  const unseen: unknown[] = [value];
  while (unseen.length > 0) {
    const next = unseen.pop();
    if (typeof next === "string" && unstorable.test(next)) return true;
    if (next === null || typeof next !== "object") continue;
    for (const [key, member] of Object.entries(next)) unseen.push(key, member);
  }
  return false;
}

const unstorable = /[\0\p{Surrogate}]/u;
