import { findOrders, orderIdOf } from "./find-orders.ts";
import { readTravellerWords, type TravellerWords } from "./read-data-lists.ts";

/**
 * Returns what the travellers of an order view are found by. Nothing if it names several orders, as a notification may:
 * its travellers are not all of the same one.
 */
export function findTravellerWords(json: unknown): TravellerWords {
  const found = findOrders(json);
  if (!found.ok || new Set(found.orders.map(orderIdOf)).size > 1) return noTravellerWords;
  return readTravellerWords(found.view);
}

export const noTravellerWords: TravellerWords = { names: [], ticketNumbers: [] };
