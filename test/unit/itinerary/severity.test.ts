import { describe, expect, test } from "vitest";
import { type SeverityFacts, severityOf } from "../../../src/itinerary/severity.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";
import { aSmallDelay } from "../../builders/severity-facts.ts";

function judge(facts: SeverityFacts) {
  return severityOf({ ...aSmallDelay(), ...facts });
}

describe("the severity of a change", () => {
  test("is none when no flight changes", () => {
    const still = { departureLaterMinutes: known(0), arrivalLaterMinutes: known(0) };

    expect(judge({ ...still, changedFlightCount: known(0) })).toEqual({ name: "none", because: [] });
    expect(judge({ ...still, changedFlightCount: known(1) }).name).toBe("minor");
    expect(judge({ ...still, changedFlightCount: known(0), addedFlightCount: known(1) }).name).toBe("major");
  });

  test("is not none when nothing changes as far as is known", () => {
    expect(judge({ changedFlightCount: known(0), dataSuspect: unknown("unlisted-segment") })).toEqual({
      name: "major",
      because: ["dataSuspect"],
    });
    expect(judge({ changedFlightCount: known(0), cancelled: unknown("removed-or-unknown") }).name).toBe("major");
  });

  test("names what a minor change consists of", () => {
    expect(judge({}).because).toEqual(["departureLaterMinutes", "arrivalLaterMinutes"]);
    expect(judge({ departureLaterMinutes: known(0), terminalChanged: known(true) }).because).toEqual([
      "arrivalLaterMinutes",
      "terminalChanged",
    ]);
  });

  test.each(["cancelled", "partiallyCancelled", "connectionBroken"] as const)("is critical for %s", (name) => {
    expect(judge({ [name]: known(true) })).toEqual({ name: "critical", because: [name] });
  });

  test("is critical when the way back leaves before the way out arrives", () => {
    expect(judge({ returnCoherent: known(false) })).toEqual({ name: "critical", because: ["returnCoherent"] });
    expect(judge({ returnCoherent: unknown("unknown-arrival") }).name).toBe("major");
  });

  test.each([
    "replaced",
    "airportChanged",
    "connectionsAdded",
    "connectionTight",
    "selfTransferShorter",
    "stopsAdded",
    "flightsReordered",
    "marriageBroken",
    "cabinDowngraded",
    "dateChanged",
    "overnightAdded",
    "dataSuspect",
  ] as const)("is major for %s", (name) => {
    expect(judge({ [name]: known(true) })).toEqual({ name: "major", because: [name] });
  });

  test.each([
    ["removedFlightCount", 0],
    ["addedFlightCount", 0],
    ["departureEarlierMinutes", 60],
    ["departureLaterMinutes", 89],
    ["arrivalLaterMinutes", 89],
    ["sinceAcceptedDepartureEarlierMinutes", 60],
    ["sinceAcceptedDepartureLaterMinutes", 89],
    ["sinceAcceptedArrivalLaterMinutes", 89],
  ] as const)("is minor for %s up to %i, major above and while it is unknown", (name, limit) => {
    expect(judge({ [name]: known(limit) }).name).toBe("minor");
    expect(judge({ [name]: known(limit + 1) })).toEqual({ name: "major", because: [name] });
    expect(judge({ [name]: unknown("unknown-departure") })).toEqual({ name: "major", because: [name] });
  });

  test("is an improvement when the traveller is better off", () => {
    expect(judge({ improvement: known(true) })).toEqual({ name: "improvement", because: ["improvement"] });
    expect(judge({ improvement: known(true), dateChanged: known(true) }).name).toBe("major");
    expect(judge({ improvement: known(true), stopsAdded: unknown("unknown-stops") }).name).toBe("major");
  });

  test("is an improvement when all flights are back as booked, unless the way back is far", () => {
    const back = { changedFlightCount: known(0), backToOriginal: known(true) };

    expect(judge(back)).toEqual({ name: "improvement", because: ["backToOriginal"] });
    expect(judge({ ...back, sinceAcceptedDepartureEarlierMinutes: known(61) })).toEqual({
      name: "major",
      because: ["sinceAcceptedDepartureEarlierMinutes"],
    });
  });

  test("is minor for an earlier arrival, however early", () => {
    expect(judge({ arrivalEarlierMinutes: known(300) }).name).toBe("minor");
  });

  test.each(["cancelled", "partiallyCancelled", "connectionBroken", "replaced", "dateChanged", "dataSuspect"] as const)(
    "is major while %s is unknown, and says so",
    (name) => {
      expect(judge({ [name]: unknown("removed-or-unknown") })).toEqual({ name: "major", because: [name] });
    },
  );

  const renumbered = { replaced: known(true), flightNumberChanged: known(true) };

  test.each(["flightNumberOnly", "replaced"] as const)(
    "is minor for another flight number, alone or with a small move, although it counts as replaced: %s",
    (name) => {
      expect(judge({ ...renumbered, [name]: known(true) }).name).toBe("minor");
    },
  );

  test.each(["marketingCarrierChanged", "airportChanged", "connectionsAdded", "connectingAirportsChanged"] as const)(
    "is major for another flight number when %s is true or unknown, because other flights replace it then",
    (name) => {
      expect(judge({ ...renumbered, [name]: known(true) })).toMatchObject({ name: "major" });
      expect(judge({ ...renumbered, [name]: unknown("unknown-carrier") })).toMatchObject({ name: "major" });
    },
  );

  test("is major for another flight number with a large move", () => {
    expect(judge({ ...renumbered, departureLaterMinutes: known(90) }).name).toBe("major");
  });

  test("is critical for a major change at most 72 hours before departure", () => {
    const moved = { dateChanged: known(true) };

    expect(judge({ ...moved, minutesToDeparture: known(72 * 60) })).toEqual({
      name: "critical",
      because: ["dateChanged", "minutesToDeparture"],
    });
    expect(judge({ ...moved, minutesToDeparture: known(72 * 60 + 1) }).name).toBe("major");
    expect(judge({ ...moved, minutesToDeparture: unknown("unknown-departure") }).name).toBe("major");
  });

  test("of a small change does not grow as the departure comes near", () => {
    expect(judge({ minutesToDeparture: known(60) }).name).toBe("minor");
  });

  test("names the gravest facts only", () => {
    expect(judge({ cancelled: known(true), dateChanged: known(true), replaced: unknown("withdrawn") }).because).toEqual(
      ["cancelled"],
    );
  });

  test("counts a fact that a decision of an earlier version lacks as unknown", () => {
    const { stopsAdded: _left, ...facts } = aSmallDelay();

    expect(severityOf(facts)).toEqual({ name: "major", because: ["stopsAdded"] });
    expect(severityOf({}).name).toBe("major");
  });
});
