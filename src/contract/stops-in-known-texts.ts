import { member, textOf } from "./lenient-value.ts";
import {
  isNeed,
  isNeutral,
  namedBelow,
  nothingNamed,
  orderInProductName,
  orderInProperName,
  orderInValue,
} from "./orders-to-stop.ts";
import type { StatementClass } from "./statement-class.ts";
import { remembered, wordsIn } from "./words-in.ts";

/**
 * Finds orders to stop in texts of members that the contract knows, such as a terminal named `CANCELLED`. What is read
 * as a fact is left to the fact.
 */

/** Returns the word of the order to stop, unless {@link holdsAnyWords}; null if there is none. */
export function orderInKnownText(name: string, text: string): string | null {
  const reading = readingOf(name);
  // Numbers and codes, which most texts are, hold no words.
  return reading !== null && /\p{L}{4}/u.test(text) ? reading(text) : null;
}

/** Whether the member is part of what may hold any words, such as the texts of a fare. */
export function holdsAnyWords(trail: readonly string[]): boolean {
  return trail.some((part) => partsOfAnyWords.has(part));
}

type Reading = (text: string) => string | null;

/** Null for a member that may hold any words. */
const readingOf: (name: string) => Reading | null = remembered((name) => {
  if (freeTexts.has(name)) return orderInFreeText(name);
  if (productTexts.has(name)) return orderInProductName;
  return anyWords.has(name) || /(?:ID|Id|Refs?|Keys?|References?)$/.test(name) ? null : orderInProperName;
});

/** Texts that say how things stand, or what is wanted. */
const freeTexts: ReadonlySet<string> = new Set(["Type", "TicketDocNbr", "SeatPreference", "threeDsResponse"]);

/** A fact tells of needs that are asked for. */
function orderInFreeText(name: string): Reading {
  const named = namedBelow(nothingNamed, name);
  return (text) => {
    const word = orderInValue(text, named);
    return word !== null && isNeed(word) ? null : word;
  };
}

const productTexts: ReadonlySet<string> = new Set(["ServiceName", "ServiceType", "ServiceCode", "BrandId"]);

/** States of tickets, seats and offer items, which the contract knows and no fact takes for an order to stop. */
export const statusNames: ReadonlySet<string> = new Set(["Status", "TicketStatus", "OptionalServiceStatus"]);

/** People, addresses, cards and the texts of fares may hold any word, and statuses are read by themselves. */
const anyWords: ReadonlySet<string> = new Set([
  ...statusNames,
  ...["OrderStatus", "PaymentStatus", "PnrStatus", "ScheduleChangeStatus"],
  ...["FirstName", "MiddleName", "LastName", "NameTitle", "PTC", "PassengerType"],
  ...["contactEmail", "contactNumber", "ContactAddress", "CardHolderName", "CardNumber", "SeriesCode"],
  ...["FareCode", "FareBasisCode", "FeeType", "PromoCode", "OfferID"],
]);

const partsOfAnyWords: ReadonlySet<string> = new Set([
  ...["Document", "Party", "TravelDocument", "LoyaltyProgramAccount", "PaymentCard"],
  ...["Descriptions", "BaggageAllowanceList", "FopList", "PriceClass"],
]);

/**
 * Classes such a state: an order to stop, or a `code` if it is not known to stand. Null if it stands. That a seat or a
 * service was never booked, or that a ticket is still to be issued, says nothing of the change.
 */
export function classOfStatus(
  name: string,
  value: unknown,
  item: { readonly [key: string]: unknown },
): { readonly class: StatementClass; readonly word: string | null } | null {
  const text = textOf(value);
  if (text === null) return null;
  const isFare = ["FareComponent", "FareDetail", "PassengerType"].some((of) => member(item, of) !== undefined);
  if (!isFare && neverDone.test(text)) return null;
  const word = orderInValue(text, namedBelow(nothingNamed, name));
  if (word !== null) return { class: "stop", word };
  // A fact says that another TicketStatus is not known.
  const isStanding = name === "TicketStatus" || isNeutral(text) || standing.has(wordsIn(text));
  return isStanding ? null : { class: "code", word };
}

const neverDone = /^(?:failed|not[ _]?ticketed|unticketed)$/i;

const standing: ReadonlySet<string> = new Set([
  ...["booked", "ticketed", "issued", "reserved", "active", "open", "paid", "approved", "accepted", "fulfilled"],
  ...["delivered", "done", "ready", "available", "valid", "live", "true", "y", "yes", "on", "new"],
  ...["modified", "changed", "updated", "schedule changed", "schedule change", "unchanged", "ss"],
]);
