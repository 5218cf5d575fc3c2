import { describe, expect, test } from "vitest";
import { placeOnAxis } from "../../../../src/dashboard/web/case/time-scale.ts";

type Flights = Parameters<typeof placeOnAxis>[0]["booked"];

/** Hours of one day; null is unknown. */
function flying(...hours: readonly (readonly [leaves: number | null, arrives: number | null])[]): Flights {
  const at = (hour: number | null) => ({
    airport: "JFK",
    local: null,
    readings: null,
    at: hour === null ? null : new Date(Date.UTC(2027, 4, 2, hour)).toISOString(),
  });
  return {
    flights: hours.map(([leaves, arrives], index) => ({
      flight: `AA${index}`,
      departure: at(leaves),
      arrival: at(arrives),
    })),
    connections: hours.slice(1).map(() => ({
      airport: "JFK",
      nextAirport: "JFK",
      minutes: 60,
      minimumMinutes: null,
      state: "fine" as const,
    })),
  };
}

const placesOf = ({ bars }: ReturnType<typeof placeOnAxis>["booked"]) => bars.map(({ from, width }) => [from, width]);

describe("the time axis", () => {
  test("holds both rows at one scale, with the connections between the bars", () => {
    const { booked, proposed } = placeOnAxis({ booked: flying([0, 4], [6, 8]), proposed: flying([2, 6], [7, 10]) });

    expect(placesOf(booked)).toEqual([
      [0, 40],
      [60, 20],
    ]);
    expect(placesOf(proposed)).toEqual([
      [20, 40],
      [70, 30],
    ]);
    expect(proposed.gaps).toMatchObject([{ from: 60, width: 10 }]);
  });

  test("gives no place to a flight with an unknown time, nor to its connection", () => {
    const { proposed } = placeOnAxis({ booked: flying([0, 10]), proposed: flying([0, null], [5, 10]) });

    expect(placesOf(proposed)).toEqual([
      [null, 0],
      [50, 50],
    ]);
    expect(proposed.gaps).toEqual([]);
  });

  test("shows a flight that leaves before the other arrives where they overlap", () => {
    expect(placeOnAxis({ booked: flying([0, 10]), proposed: flying([0, 6], [4, 10]) }).proposed.gaps).toMatchObject([
      { from: 40, width: 20 },
    ]);
  });

  test("has nothing on it when nothing is known", () => {
    expect(placeOnAxis({ booked: flying([null, null]), proposed: flying() })).toMatchObject({
      booked: { bars: [{ from: null }], gaps: [] },
      proposed: { bars: [], gaps: [] },
    });
  });
});
