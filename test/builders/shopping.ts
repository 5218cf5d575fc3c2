import type { showShoppingResponse } from "../../src/gateway/shopping/show-response.ts";
import type { Supply } from "../../src/gateway/supply/supply.ts";
import { exampleEnvelope } from "./examples.ts";
import type { RunningGateway } from "./running-gateway.ts";

/** A search as `POST /control/shopping-responses` returns it. */
export type ShownResponse = ReturnType<typeof showShoppingResponse>;

type Search = Parameters<Supply["shop"]>[0];

/** Two adults, a child and an infant from Lisbon to New York, in euros. */
export function shoppingRequest(overrides: Partial<Search> = {}): Search {
  return {
    journeys: [{ from: "LIS", to: "JFK", date: "2027-03-14" }],
    passengers: ["ADT", "ADT", "CHD", "INF"],
    cabin: "Y",
    owner: null,
    currency: "EUR",
    limit: 10,
    ...overrides,
  };
}

export const roundTrip = [
  { from: "LIS", to: "FRA", date: "2027-03-14" },
  { from: "FRA", to: "LIS", date: "2027-03-20" },
];
export const multiCity = [
  { from: "LIS", to: "FRA", date: "2027-03-14" },
  { from: "FRA", to: "SIN", date: "2027-03-20" },
  { from: "SIN", to: "SYD", date: "2027-03-25" },
];

/** Searches over HTTP. */
export async function searchOver(gateway: RunningGateway, overrides: Partial<Search> = {}): Promise<ShownResponse> {
  const { owner, passengers, ...request } = shoppingRequest(overrides);
  const response = await gateway.control("POST", "/shopping-responses", {
    ...request,
    ...(owner === null ? {} : { owner }),
    passengers: passengers.map((ptc) => ({ ptc })),
  });
  const body: unknown = await response.json();
  if (response.status !== 201) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  return body as ShownResponse;
}

/** Who asks, in requests over HTTP. */
export const envelope = exampleEnvelope;
