import { describe, expect, test } from "vitest";
import { completeSegment } from "../../../src/gateway/complete-segment.ts";
import type { FlightSegmentElement, SegmentDetailsElement } from "../../../src/gateway/order-content.ts";

const booked = {
  SegmentKey: "Segment1",
  Departure: {
    AirportCode: "LIS",
    Date: "2027-03-14",
    Time: "07:10:00",
    AirportName: "Lisbon",
    Terminal: { Name: "1" },
  },
  Arrival: {
    AirportCode: "FRA",
    Date: "2027-03-14",
    Time: "11:20:00",
    AirportName: "Frankfurt",
    Terminal: { Name: "1" },
  },
  MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "1167" },
  OperatingCarrier: { AirlineID: "CL", Name: "CityLine", FlightNumber: "1167" },
  Equipment: { AircraftCode: "32B", Name: "" },
  FlightDetail: { FlightDuration: { Value: "3 H 10 M" }, Stops: { Value: 0 } },
} satisfies FlightSegmentElement;

describe("new values of one flight", () => {
  test.each<[string, SegmentDetailsElement, object]>([
    [
      "another departure time",
      { Departure: { Time: "07:30:00" } },
      { Departure: { ...booked.Departure, Time: "07:30:00" } },
    ],
    [
      "another flight number",
      { MarketingCarrier: { FlightNumber: "1169" } },
      { MarketingCarrier: { ...booked.MarketingCarrier, FlightNumber: "1169" } },
    ],
    [
      "another number of stops",
      { FlightDetail: { Stops: { Value: 1 } } },
      { FlightDetail: { ...booked.FlightDetail, Stops: { Value: 1 } } },
    ],
    ["another aircraft", { Equipment: { AircraftCode: "320" } }, { Equipment: { AircraftCode: "320" } }],
  ])("that state %s leave the rest as booked", (_, details, expected) => {
    expect(completeSegment(booked, details)).toMatchObject({ ...booked, Arrival: expect.anything(), ...expected });
  });

  test("that are null or empty say nothing", () => {
    const details = {
      Departure: { Date: "", Time: null, AirportCode: "LIS" },
      Arrival: { Date: null, Time: "" },
      MarketingCarrier: { AirlineID: "", FlightNumber: null },
      Equipment: null,
      FlightDetail: null,
    };

    expect(completeSegment(booked, details)).toEqual(booked);
  });

  test.each([
    [
      { AirlineID: null, Name: null, FlightNumber: null },
      { AirlineID: null, Name: null, FlightNumber: null },
    ],
    [null, null],
  ])("that say by null that the marketing carrier flies it replace the operating carrier", (stated, expected) => {
    expect(completeSegment(booked, { OperatingCarrier: stated }).OperatingCarrier).toEqual(expected);
  });

  test("that state another airline or airport do not keep the names of the booked one", () => {
    const details = { Departure: { AirportCode: "OPO" }, MarketingCarrier: { AirlineID: "TP" } };

    const { Departure, MarketingCarrier } = completeSegment(booked, details);

    expect(Departure).toEqual({ AirportCode: "OPO", Date: "2027-03-14", Time: "07:10:00" });
    expect(MarketingCarrier).toEqual({ AirlineID: "TP", FlightNumber: "1167" });
  });

  test.each<[string, SegmentDetailsElement, string]>([
    ["20 minutes later", { Departure: { Time: "07:30:00" } }, "2027-03-14 11:40:00"],
    ["20 minutes later, by another spelling", { Departure: { Time: "7:30" } }, "2027-03-14 11:40:00"],
    ["at a time, and empty values for the date", { Departure: { Date: "", Time: "07:30:00" } }, "2027-03-14 11:40:00"],
    [
      "later, and a terminal of the arrival",
      { Departure: { Time: "07:30:00" }, Arrival: { Terminal: { Name: "2" } } },
      "2027-03-14 11:40:00",
    ],
    ["the next day", { Departure: { Date: "2027-03-15" } }, "2027-03-15 11:20:00"],
    [
      "later, and a longer flight",
      { Departure: { Time: "07:30:00" }, FlightDetail: { FlightDuration: { Value: "3 H 30 M" } } },
      "2027-03-14 12:00:00",
    ],
    [
      "later, and a time of the arrival",
      { Departure: { Time: "07:30:00" }, Arrival: { Time: "11:25:00" } },
      "2027-03-14 11:25:00",
    ],
  ])("that state a departure %s give the arrival that follows", (_, details, expected) => {
    const { Arrival } = completeSegment(booked, details);

    expect(`${Arrival?.Date} ${Arrival?.Time}`).toBe(expected);
  });
});
