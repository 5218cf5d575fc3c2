/** The texts that were added or asked for most recently; the rest is forgotten. */
export interface RecentSet {
  has(member: string): boolean;
  add(member: string): void;
  delete(member: string): void;
}

export function createRecentSet(sizeMax: number): RecentSet {
  // A Set iterates in insertion order, so the first member is the oldest.
  const members = new Set<string>();
  const add = (member: string): void => {
    members.delete(member);
    members.add(member);
    const [oldest] = members;
    if (members.size > sizeMax && oldest !== undefined) members.delete(oldest);
  };
  return {
    has(member) {
      if (!members.has(member)) return false;
      add(member);
      return true;
    },
    add,
    delete: (member) => void members.delete(member),
  };
}
