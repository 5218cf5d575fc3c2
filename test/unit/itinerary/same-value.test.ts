import { describe, expect, test } from "vitest";
import { aircraftOf, isSameAircraft } from "../../../src/itinerary/aircraft.ts";
import { isSameCabin } from "../../../src/itinerary/cabins.ts";
import { aSegment, details, type Json } from "../../builders/order-view.ts";
import { aProposedChange } from "../../builders/proposed-change.ts";

describe("aircraft codes", () => {
  test.each([
    ["A320", "320"],
    ["32A", "A320"],
    ["BCS3", "223"],
    ["B738", "738"],
    ["73H", "B738"],
    ["A20N", "32N"],
    ["B737", "73G"],
    ["E75L", "E7W"],
    ["AT76", "AT7"],
    ["b77w", "77W"],
  ])("%s and %s are the same type", (a, b) => {
    expect(isSameAircraft(a, b)).toBe(true);
    expect(isSameAircraft(b, a)).toBe(true);
    expect(aircraftOf(a)?.family).toBe(aircraftOf(b)?.family);
  });

  test.each([
    ["A320", "321"],
    ["A20N", "320"],
    ["B738", "739"],
    ["B738", "737"],
    ["B737", "738"],
    ["A320", "A321"],
    ["738", "73H"],
    ["ZZZZ", "320"],
  ])("%s and %s are not", (a, b) => {
    expect(isSameAircraft(a, b)).toBe(false);
    expect(isSameAircraft(b, a)).toBe(false);
  });

  test.each(["BUS", "Bus", "TRN", "TRS", "ICE", "LMO", "RFS", "TRAIN", "Motorcoach", "INTERCITY EXPRESS"])(
    "%s is no aircraft",
    (name) => {
      expect(aircraftOf(name)?.class).toBe("surface");
    },
  );

  test.each(["Airbus A320", "AIRBUS", "B738", "Something"])("%s is not taken for a bus", (name) => {
    expect(aircraftOf(name)?.class).not.toBe("surface");
  });
});

describe("cabins", () => {
  test.each([
    ["ECO", "Economy"],
    ["M", "Y"],
    ["economy class", "Y"],
    ["PEY", "Premium Economy"],
    ["W", "S"],
    ["C", "BUSINESS"],
    ["J", "C"],
    ["F", "First"],
    ["C/Y", "M/J"],
  ])("%s and %s are the same", (a, b) => {
    expect(isSameCabin(a, b)).toBe(true);
  });

  test.each([
    ["Y", "W"],
    ["Y", "C"],
    ["C/Y", "Y"],
    ["Q", "Y"],
    ["3", "5"],
  ])("%s and %s are not", (a, b) => {
    expect(isSameCabin(a, b)).toBe(false);
  });
});

describe("a flight number", () => {
  const numberOf = (AirlineID: string, FlightNumber: string): string | null => {
    const change: Json = { MarketingCarrier: { AirlineID, FlightNumber } };
    const { proposal } = aProposedChange({ changes: { Segment1: [details(null, null, change)] } });
    return proposal.proposed.segments[0]!.marketingFlightNumber;
  };

  test.each([
    ["LH", "LH1167", "1167"],
    ["LH", "LH 1167", "1167"],
    ["lh", "lh-1167", "1167"],
    ["LH", "LH0167", "167"],
    ["LH", "0167", "167"],
    ["LH", "1167 ", "1167"],
    ["U2", "U2123", "123"],
    ["3U", "3U8", "8"],
    ["LH", "LH1167A", "1167A"],
    ["LH", "BA1167", "BA1167"],
    ["3U", "3U", "3U"],
    ["LH", "LH", "LH"],
    ["LH", "LH11671", "LH11671"],
  ])("of %s that is written %j is %s", (carrier, written, number) => {
    expect(numberOf(carrier, written)).toBe(number);
  });
});

describe("a duration of zero", () => {
  test.each(["0 H 0 M", "PT0H0M0S", "PT0M", "00:00", "0", "P0D"])("that is written %s is not stated", (Value) => {
    const change: Json = { FlightDetail: { FlightDuration: { Value } } };
    const { proposal } = aProposedChange({ changes: { Segment1: [details(null, null, change)] } });

    expect(proposal.proposed.segments[0]).toMatchObject({ unreadDuration: null });
    expect(proposal.proposed.segments[0]!.statedMinutes).not.toBe(0);
  });
});

describe("the speed", () => {
  const suspicionsOf = (AircraftCode: string) => {
    const booked = aSegment("Segment1", "LH3820", "MUC 2027-03-14 12:00", "FRA 2027-03-14 17:00", {
      Equipment: { AircraftCode },
    });
    const changes = { Segment1: [details("MUC 2027-03-14 12:10", "FRA 2027-03-14 17:10")] };
    return aProposedChange({ segments: [booked], changes }).proposal.suspicions;
  };

  test.each(["BUS", "Bus", "TRN", "LMO", "RFS", "ICE"])("may be low on the ground, as of %s", (code) => {
    expect(suspicionsOf(code)).toEqual([]);
  });

  test.each(["320", "A320", "AT7"])("is suspect in the air, as of %s", (code) => {
    expect(suspicionsOf(code)).toEqual(["implausible-speed:Segment1"]);
  });
});
