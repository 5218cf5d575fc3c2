import type { Database } from "../database/database.ts";
import { spellingsOf } from "../search/name-tokens.ts";
import { readSearchedBodies, type SearchedBody } from "./stored-bodies-search.ts";

export interface FoundOrder {
  readonly source: string;
  readonly orderId: string;
  /** What names the traveller, and how often. */
  readonly named: Readonly<Record<string, number>>;
  /** Only notifications that name several orders do so: it may be a traveller of another one. */
  readonly isUncertain: boolean;
}

export interface FoundTraveller {
  readonly orders: readonly FoundOrder[];
  /** Notifications in quarantine. They belong to no order. */
  readonly quarantined: readonly { readonly source: string; readonly id: string }[];
  readonly searched: number;
  /** Damaged, or with a key that this process lacks. */
  readonly unreadable: number;
}

/**
 * Decrypts every stored body and looks for all words of the text in it, in any order, without regard to case and
 * accents: gateways write MUELLER or MULLER for Müller.
 * @param onProgress called with the number of bodies searched so far
 */
export async function findTraveller(
  database: Pick<Database, "connection" | "encryption">,
  text: string,
  onProgress: (searched: number) => void,
): Promise<FoundTraveller> {
  const names = createMatcher(text);
  const orders = new Map<
    string,
    { source: string; orderId: string; named: Record<string, number>; certain: boolean }
  >();
  const quarantined: { readonly source: string; readonly id: string }[] = [];
  let searched = 0;
  let unreadable = 0;
  for await (const body of readSearchedBodies(database)) {
    searched += 1;
    if (searched % progressEvery === 0) onProgress(searched);
    if (body.text === null) unreadable += 1;
    else if (names(body.text)) note(body);
  }
  return {
    orders: [...orders.values()].map(({ certain, ...order }) => ({ ...order, isUncertain: !certain })),
    quarantined,
    searched,
    unreadable,
  };

  function note({ what, id, source, orderIds }: SearchedBody): void {
    if (orderIds.length === 0) quarantined.push({ source, id });
    for (const orderId of orderIds) {
      const key = `${source}\0${orderId}`;
      const order = orders.get(key) ?? { source, orderId, named: {}, certain: false };
      orders.set(key, order);
      order.named[what] = (order.named[what] ?? 0) + 1;
      order.certain ||= orderIds.length === 1;
    }
  }
}

const progressEvery = 10_000;

/** Returns whether a text contains every word of `wanted`. */
export function createMatcher(wanted: string): (text: string) => boolean {
  const words = wanted
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(spellingsOf);
  return (text) => {
    const haystacks = spellingsOf(text);
    return (
      words.length > 0 &&
      words.every((spellings) => spellings.some((word) => haystacks.some((haystack) => haystack.includes(word))))
    );
  };
}
