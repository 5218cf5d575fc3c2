import { describe, expect, test } from "vitest";
import { contradictedFlights } from "../../../src/itinerary/other-booking.ts";
import { itineraryOf } from "../../builders/fact-values.ts";
import { aSegment, type Json } from "../../builders/order-view.ts";

const toFrankfurt = aSegment("S1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20");
const toVienna = aSegment("S2", "LH1242", "FRA 2027-06-14 15:30", "VIE 2027-06-14 16:50");
const later = aSegment("S2", "LH1242", "FRA 2027-06-14 16:15", "VIE 2027-06-14 17:35");
const flights = (...segments: readonly Json[]) => itineraryOf({ segments });
const notified = flights(toFrankfurt, toVienna);

describe("the booked flights of a status", () => {
  test.each([
    ["are those of the notification", flights(toFrankfurt, toVienna)],
    ["are those of them that are still to be flown", flights(toVienna)],
    ["have other numbers in the view", flights({ ...toVienna, SegmentKey: "Segment7" })],
    ["are more than a notification names that is about one of them", flights(toFrankfurt, toVienna)],
  ])("contradict nothing where they %s", (_, shown) => {
    expect(contradictedFlights(shown, notified, [])).toEqual([]);
    expect(contradictedFlights(shown, flights(toVienna), [])).toEqual([]);
    expect(contradictedFlights(shown, flights(), [])).toEqual([]);
  });

  test.each([
    [
      "another number on the same way",
      aSegment("S2", "LH1240", "FRA 2027-06-14 12:30", "VIE 2027-06-14 13:50"),
      "LH1240 FRA-VIE on 14 Jun 2027, 12:30-13:50",
    ],
    ["other times", later, "LH1242 FRA-VIE on 14 Jun 2027, 16:15-17:35"],
    [
      "another way with the same number",
      aSegment("S2", "LH1242", "MUC 2027-06-14 15:30", "VIE 2027-06-14 16:30"),
      "LH1242 MUC-VIE on 14 Jun 2027, 15:30-16:30",
    ],
  ])("contradict the notification by %s", (_, flight, named) => {
    expect(contradictedFlights(flights(toFrankfurt, flight), notified, [])).toEqual([
      `the booking lists ${named}, and the notification LH1242 FRA-VIE on 14 Jun 2027, 15:30-16:50`,
    ]);
  });

  test("contradict nothing where the order is known to have had them", () => {
    expect(contradictedFlights(flights(toFrankfurt, later), notified, [flights(toFrankfurt, later)])).toEqual([]);
  });

  test("contradict nothing by what only one of the two states", () => {
    const { Departure } = toVienna as { Departure: Json };
    const withoutTime = { ...toVienna, Departure: { ...Departure, Time: "" } };

    expect(contradictedFlights(flights(toFrankfurt, withoutTime), notified, [])).toEqual([]);
  });
});
