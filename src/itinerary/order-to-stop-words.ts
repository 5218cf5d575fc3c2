import { isEnd, isNeed, isText, isToContact, isToRefrain, isToWait } from "../contract/orders-to-stop.ts";
import { listed } from "../kernel/listed.ts";

/** More would hide the rest of a dialog. */
const namedMax = 5;

/** What an order asks for, as far as its word tells; the first that fits. */
const meanings: readonly { readonly words: string; readonly fits: (word: string) => boolean }[] = [
  { words: "asks to call or contact somebody", fits: isToContact },
  { words: "says what not to do", fits: isToRefrain },
  { words: "names somebody's need", fits: isNeed },
  { words: "says that something is cancelled, refused, refunded or not confirmed", fits: isEnd },
  { words: "says to wait, or that something is pending", fits: isToWait },
  { words: "has a text for people", fits: isText },
];

/** Such as a warning, or a member that only its name gives away. */
const otherMeaning = "tells to do something, or warns";

interface OrderToStop {
  readonly path: string;
  readonly word: string | null;
}

/**
 * Says what the orders of the fact `ordersToStop` ask for and where they stand. Of the texts themselves only words of the
 * dictionary are kept, because a text may name a traveller, so it sends the reader to what was received.
 */
export function describeOrdersToStop(entries: readonly string[]): string {
  const { orders, more } = readEntries(entries);
  const named = orders.slice(0, namedMax);
  const others = orders.length - named.length + more;
  const byMeaning = new Map<string, string[]>();
  for (const order of named) {
    const meaning = meaningOf(order);
    byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), placeOf(order)]);
  }
  const clauses = [
    ...[...byMeaning].map(([meaning, places]) => `${meaning} (${places.join(", ")})`),
    ...(others === 0 ? [] : [`states ${others} more of this kind`]),
  ];
  const phone = orders.some(isToContactOf) ? " Phone the airline first if it asks for that." : "";
  return `The gateway ${listed(clauses)}. Only what is in brackets was recognised: read what stands there, as received, before you answer the change.${phone}`;
}

/** Whether one of them tells to speak with somebody, as far as its word tells. */
export function isAnyToContact(entries: readonly string[]): boolean {
  return readEntries(entries).orders.some(isToContactOf);
}

/** An entry is a path, and usually the word that makes it an order: `Order.Remarks: cancel`. The last may count others. */
function readEntries(entries: readonly string[]): { readonly orders: readonly OrderToStop[]; readonly more: number } {
  const [, more = null] = /^and (\d+) more$/.exec(entries.at(-1) ?? "") ?? [];
  const orders = (more === null ? entries : entries.slice(0, -1)).map((entry) => {
    const at = entry.lastIndexOf(": ");
    return at < 0 ? { path: entry, word: null } : { path: entry.slice(0, at), word: entry.slice(at + 2) };
  });
  return { orders, more: Number(more ?? 0) };
}

function meaningOf({ path, word }: OrderToStop): string {
  if (word === null) return otherMeaning;
  // What is required stands in the name: WheelchairRequired.
  if (wordsOfName(path).some(isNeed)) return "names somebody's need";
  return meanings.find(({ fits }) => fits(word))?.words ?? otherMeaning;
}

/** The words of the last name in a path, in small letters. */
function wordsOfName(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return name.split(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/).map((part) => part.toLowerCase());
}

function isToContactOf({ word }: OrderToStop): boolean {
  return word !== null && isToContact(word);
}

function placeOf({ path, word }: OrderToStop): string {
  return word === null ? path : `“${word}” in ${path}`;
}
