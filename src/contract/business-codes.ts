/** An error of the gateway, by number and names. */
export interface BusinessCode {
  readonly number: number;
  /** Never empty. The misspellings are the gateway's own. */
  readonly names: readonly string[];
  /** The second half of a sentence. */
  readonly meaning: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly advice: string;
}

/**
 * The gateway's error codes. A number that is missing here is no broken response: the published table skips 33 and goes
 * on past 39.
 * The interface document shows no codes; these are from the public documentation of gateways of this kind.
 */
export const businessCodes: readonly BusinessCode[] = [
  {
    number: 10,
    names: ["SERVER_ERROR"],
    meaning: "the gateway or the airline behind it failed",
    retryable: true,
    advice: "Read the order's status before anything that changes it is sent again. Reads may be repeated.",
  },
  code(11, "INVAILD_ORG_DES", "origin or destination is not valid", "Send IATA codes of airports or cities."),
  code(12, "INVAILD_TRIP", "the kind of trip is not valid", "Check that the flights fit the kind of trip."),
  code(13, "INVAILD_CABIN", "the cabin is not valid", "Ask for a cabin that the gateway knows."),
  code(14, "INVAILD_FARE_TYPE", "the fare type is not valid", "Ask for a fare type that the gateway knows."),
  code(15, "INVAILD_CURRENCY", "the currency is not valid", "Send an ISO 4217 code that the account is set up for."),
  code(16, "INVAILD_PAX_TYPE", "a passenger type is not valid", "PTC is ADT, CHD or INF."),
  code(
    17,
    "INVAILD_PAX_COUNT",
    "the number of passengers is not allowed",
    "At least one ADT, no more INF than ADT, at most 9 passengers.",
  ),
  code(18, "INVAILD_SEARCH_PREF", "a search preference is not valid", "Leave the preference out or correct it."),
  code(19, "INVAILD_NO_OF_STOPS", "the number of stops is not valid", "Leave it out or send a small number."),
  code(20, "ORG_GRATER_THAN_DES", "a departure lies after its arrival", "Correct the dates of the flights."),
  code(21, "INVALID_LOYALTY_AIRLINEID", "the airline of a loyalty account is not valid", "Correct its airline code."),
  code(22, "INVALID_LOYALTY_ACCOUNT", "a loyalty account is not valid", "Correct the account number or leave it out."),
  code(23, "INVALID_PAX_DOB", "a date of birth is not valid", "It must fit the passenger type on the day of travel."),
  code(24, "INVAILD_SHOPPPING_RES_ID", "the ShoppingResponseId is not valid", "Send it as text, with every digit."),
  code(25, "EXIPRE_SHOPPPING_RES_ID", "the ShoppingResponseId is not valid or has expired", "Search again."),
  code(26, "INVAILD_OFFER_ID", "the OfferID is not valid", "Send it as text, with every digit, or search again."),
  code(27, "OFFER_NOT_MATCH", "the offer is not one of this result set", "Take both ids from the same response."),
  {
    number: 28,
    names: ["PAX_MISMATCH", "PAX_MISMATCH_SEAT", "PAX_MISMATCH_SERVICELIST"],
    meaning: "the passengers are not those of the search",
    retryable: false,
    advice: "Send the passengers that were searched for, by number and type.",
  },
  code(29, "INVALID_BOOKING_INPUT", "the request is not complete or not well formed", "Correct the request."),
  code(30, "INVALID_OFFER_RES_ID", "the OfferResponseId is not valid", "Price the offer again."),
  code(31, "INVALID_ORDER_ITIN", "the itinerary is not that of the order", "Read the order again and start from that."),
  code(32, "INVALID_PRICE_RES_ID", "the id of the pricing response is not valid", "Price the offer again."),
  code(34, "INVALID_PAX", "a passenger is not valid", "Correct the passenger."),
  code(35, "BOOIKN_PAX_MISMATCH", "the passengers are not those of the booking", "Read the order again."),
  code(36, "INVALID_PAYMENT_DETAILS", "the payment details are not valid", "Correct the payment details."),
  code(37, "INVALID_PAYMENT_MODE", "the form of payment is not allowed", "Choose one that FopList allows."),
  code(38, "HOLD_NOT_ALLOWED", "the offer cannot be held", "Pay at once, or choose an offer with AllowHold Y."),
  {
    number: 39,
    names: ["BOOKING_PAX_ERROR", "PASSPORT_REQUIRED", "INVALID_PAX_NAME"],
    meaning: "what is said of a passenger is not enough to book, or not valid",
    retryable: false,
    advice: "Correct or complete the passenger's name and documents.",
  },
];

function code(number: number, name: string, meaning: string, advice: string): BusinessCode {
  return { number, names: [name], meaning, retryable: false, advice };
}

const byNumber = new Map(businessCodes.map((entry) => [String(entry.number), entry]));
const byName = new Map(businessCodes.flatMap((entry) => entry.names.map((name) => [name, entry])));

/** Finds a code by its number (`26`, `"26"`) or by one of its names in any letter case. */
export function findBusinessCode(numberOrName: number | string): BusinessCode | null {
  const text = String(numberOrName).trim();
  return byNumber.get(text) ?? byName.get(text.toUpperCase()) ?? null;
}
