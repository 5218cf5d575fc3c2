export interface Sameness<Item> {
  /** Equal for items that are the same in every detail. */
  readonly keyOf: (item: Item) => string;
  /** Need not be transitive: Müller is MUELLER and MULLER, but these two are not the same. */
  readonly isSame: (a: Item, b: Item) => boolean;
}

/**
 * Whether each item of one list can be paired with another one of the other list. Items that are the same in every
 * detail pair first, so that what is left over is not explained by them.
 */
export function pairsOneToOne<Item>(
  items: readonly Item[],
  others: readonly Item[],
  { keyOf, isSame }: Sameness<Item>,
): boolean {
  if (items.length !== others.length) return false;
  const [left, right] = withoutEqual(items, others, keyOf);
  return left.length <= looselyPairedMax && isPairable(left, right, isSame);
}

/** More than a large group has. It keeps a hostile body from costing seconds. */
const looselyPairedMax = 100;

function withoutEqual<Item>(
  items: readonly Item[],
  others: readonly Item[],
  keyOf: (item: Item) => string,
): [readonly Item[], readonly Item[]] {
  const unpaired = new Map<string, Item[]>();
  for (const other of others) {
    const key = keyOf(other);
    const same = unpaired.get(key);
    if (same === undefined) unpaired.set(key, [other]);
    else same.push(other);
  }
  const left = items.filter((item) => unpaired.get(keyOf(item))?.pop() === undefined);
  return [left, [...unpaired.values()].flat()];
}

/** Finds a perfect matching by augmenting paths (Kuhn's algorithm). */
function isPairable<Item>(
  items: readonly Item[],
  others: readonly Item[],
  isSame: (a: Item, b: Item) => boolean,
): boolean {
  const partnerOf = new Map<Item, Item>();
  const findPartner = (item: Item, tried: Set<Item>): boolean =>
    others.some((other) => {
      if (tried.has(other) || !isSame(item, other)) return false;
      tried.add(other);
      const rival = partnerOf.get(other);
      if (rival !== undefined && !findPartner(rival, tried)) return false;
      partnerOf.set(other, item);
      return true;
    });
  return items.every((item) => findPartner(item, new Set()));
}
