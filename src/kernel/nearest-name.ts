/**
 * Returns the most similar name: the one with the fewest single-character edits, if at most half of the longer name
 * differs. Ignores case, the most common mistake. Null if nothing is close.
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
