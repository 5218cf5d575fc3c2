/** An adult and a child fly LIS–FRA–JFK. */
export const exampleOfferQuery = {
  shoppingResponseId: "1724067361311310318",
  offerIds: ["1724067361311310318100"],
  passengers: [
    { passengerId: "T1", ptc: "ADT" as const },
    { passengerId: "T2", ptc: "CHD" as const },
  ],
  traceId: "482910377561",
};
