import { describe, expect, test } from "vitest";
import { printedDeparture } from "../../../src/cases/printed-departure.ts";
import type { Itinerary } from "../../../src/itinerary/itinerary.ts";
import { anItinerary } from "../../builders/case-rows.ts";

function leaving(...departures: readonly (readonly [airport: string, date: string, time: string])[]): Itinerary {
  const [segment] = anItinerary("00:00").segments;
  return {
    ...anItinerary("00:00"),
    segments: departures.map(([airport, date, time]) => ({
      ...segment!,
      departure: { airport, date, time, terminal: null },
    })),
  };
}

const booked = leaving(["LIS", "2027-03-12", "17:00"], ["JFK", "2027-03-26", "16:35"]);

describe("the departure of a case, by the clock of its airport", () => {
  test("is that of the flight that leaves then, whichever of the order it is", () => {
    expect(printedDeparture(new Date("2027-03-12T17:00:00Z"), { booked, proposed: null })).toEqual({
      airport: "LIS",
      local: "2027-03-12T17:00",
    });
    expect(printedDeparture(new Date("2027-03-26T20:35:00Z"), { booked, proposed: null })).toEqual({
      airport: "JFK",
      local: "2027-03-26T16:35",
    });
  });

  test("is that of a proposed flight which leaves before the booked ones", () => {
    const proposed = leaving(["OPO", "2027-03-12", "09:00"]);

    expect(printedDeparture(new Date("2027-03-12T09:00:00Z"), { booked, proposed })).toEqual({
      airport: "OPO",
      local: "2027-03-12T09:00",
    });
  });

  test("is not known without an instant, without flights, and if no flight leaves then", () => {
    const at = new Date("2027-03-12T17:01:00Z");

    expect(printedDeparture(null, { booked, proposed: booked })).toBeNull();
    expect(printedDeparture(at, { booked: null, proposed: null })).toBeNull();
    expect(printedDeparture(at, { booked, proposed: booked })).toBeNull();
  });
});
