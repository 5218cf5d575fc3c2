/**
 * Selects or deselects `to`, whichever it was not, and does the same to every row from `from` on, in either direction. Null,
 * or a row that is no longer there, stands for no other row.
 */
export function toggleRange(
  ids: readonly string[],
  selected: ReadonlySet<string>,
  from: string | null,
  to: string,
): ReadonlySet<string> {
  const next = new Set(selected);
  const isAdded = !next.has(to);
  const begin = from === null ? -1 : ids.indexOf(from);
  const end = ids.indexOf(to);
  const reached = begin === -1 || end === -1 ? [to] : ids.slice(Math.min(begin, end), Math.max(begin, end) + 1);
  for (const id of reached) {
    if (isAdded) next.add(id);
    else next.delete(id);
  }
  return next;
}

export function toggle(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return toggleRange([], selected, null, id);
}
