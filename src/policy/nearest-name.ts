/**
 * The name that was most likely meant: the one with the fewest single-character edits, when at most half of the longer
 * name differs. Upper and lower case count as equal, because that is the commonest slip. Null when nothing is close.
 */
export function nearestName(written: string, names: readonly string[]): string | null {
  let nearest: string | null = null;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance < nearestDistance && distance * 2 <= Math.max(written.length, name.length)) {
      nearest = name;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
