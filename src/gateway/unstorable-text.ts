/**
 * Whether a JSON value contains, in a key or a text at any depth, NUL or half of a surrogate pair, which PostgreSQL
 * cannot store.
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
