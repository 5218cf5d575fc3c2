import { describe, expect, test } from "vitest";
import { factValues, itineraryOf } from "../../builders/fact-values.ts";
import { flights } from "../../builders/flights.ts";
import { aSegment, details } from "../../builders/order-view.ts";

const duration = (text: string) => ({ FlightDetail: { FlightDuration: { Value: text } } });

test.each([
  ["2027-10-31T00:00:00Z", 30],
  ["2027-10-31T01:29:00Z", -59],
])("at %s there are %i minutes to the first meaning of a departure that occurs twice", (now, minutesToDeparture) => {
  expect(factValues("LHR 10-31 01:30 MAD 04:30", { now })).toMatchObject({ minutesToDeparture });
});

describe("shifts", () => {
  /** Flights as booked and as proposed; shifts of the departure and the arrival; by the printed times. */
  test.each<[string, string, [number, number], [number | string, number | string]]>([
    ["unchanged", "LIS 07:10 FRA 11:20 > LIS 07:10 FRA 11:20", [0, 0], [0, 0]],
    ["a minute later and a minute earlier", "LIS 07:10 FRA 11:20 > LIS 07:11 FRA 11:19", [1, -1], [1, -1]],
    // The same clock a day later is an hour less, and an hour more.
    ["as summer time begins", "LIS 03-27 07:10 FRA 11:20 > LIS 03-28 07:10 FRA 11:20", [1380, 1380], [1440, 1440]],
    ["as summer time ends", "LIS 10-30 07:10 FRA 11:20 > LIS 10-31 07:10 FRA 11:20", [1500, 1500], [1440, 1440]],
    ["over the hour that is skipped", "LHR 03-28 00:59 JFK 05:00 > LHR 02:01 JFK 05:00", [2, 0], [62, 0]],
    // Summer time is half an hour there.
    ["at Lord Howe Island", "LDH 10-02 12:00 SYD 13:50 > LDH 10-03 12:00 SYD 13:50", [1410, 1380], [1440, 1440]],
    ["at 3:30 behind Greenwich", "YYT 01-14 07:00 LHR 15:30 > YYT 07:45 LHR 15:30", [45, 0], [45, 0]],
    ["between zones of quarter hours", "KTM 01-14 10:00 DEL 11:30 > KTM 09:45 DEL 11:45", [-15, 15], [-15, 15]],
    ["with clocks set at 3:45", "CHT 04-03 12:00 AKL 13:15 > CHT 04-04 12:00 AKL 13:15", [1500, 1500], [1440, 1440]],
    // In a year that is over: how Morocco will keep time differs between versions of the time zone database.
    ["as Ramadan ends", "CMN 2025-04-05 12:00 CDG 17:00 > CMN 2025-04-06 12:00 CDG 17:00", [1380, 1440], [1440, 1440]],
    ["over the date line", "AKL 06-01 10:00 HNL 05-31 19:00 > AKL 09:00 HNL 05-31 18:00", [-60, -60], [-60, -60]],
    [
      "back over the date line",
      "HNL 05-31 23:30 AKL 06-02 06:30 > HNL 06-01 00:15 AKL 06-02 07:15",
      [45, 45],
      [45, 45],
    ],
    ["at another airport", "LHR 07:10 FRA 09:50 > LGW 07:40 FRA 10:20", [30, 30], ["?another-airport", 30]],
  ])("are measured between instants and between clocks: %s", (_, change, instants, clocks) => {
    const facts = factValues(change);

    expect([facts["departureShiftMinutes"], facts["arrivalShiftMinutes"]]).toEqual(instants);
    expect([facts["departureWallClockShiftMinutes"], facts["arrivalWallClockShiftMinutes"]]).toEqual(clocks);
    const farthest = Math.max(...instants.map(Math.abs));
    expect(facts).toMatchObject({ cumulativeShiftMinutes: farthest, dataSuspect: false });
  });

  test.each([
    ["07:20", "17:50", 20],
    ["07:40", "17:10", 30],
    ["07:30", "17:10", -20],
    ["06:50", "17:50", -20],
  ])(
    "of flights at 07:10 and 17:30 that leave at %s and %s are %i: the farthest counts, and the earlier of equal ones",
    (first, second, departureShiftMinutes) => {
      const change = flights(
        `LIS 07:10 FRA 11:20 > LIS ${first} FRA 11:20`,
        `LH1172 FRA 06-21 17:30 LIS 19:45 > FRA ${second} LIS 19:45`,
      );

      expect(factValues(change)).toMatchObject({ departureShiftMinutes });
    },
  );

  test("of a time that occurs twice are known only as far as both meanings agree", () => {
    expect(factValues("LHR 10-31 00:30 JFK 07:00 > LHR 01:30 JFK 07:00")).toMatchObject({
      departureShiftMinutes: "?ambiguous-time",
      departureEarlierMinutes: 0,
      departureLaterMinutes: "?ambiguous-time",
      departureWallClockShiftMinutes: 60,
      timeAmbiguous: true,
      timeQuality: "ambiguous",
    });
    expect(factValues("LHR 10-31 00:30 JFK 07:00 > LHR 02:00 JFK 07:00")).toMatchObject({
      departureShiftMinutes: 150,
      timeQuality: "exact",
    });
  });

  test("of a time that the clocks skip are unknown", () => {
    expect(factValues("LHR 03-28 00:30 JFK 05:00 > LHR 01:30 -")).toMatchObject({
      departureShiftMinutes: "?nonexistent-time",
      cumulativeShiftMinutes: "?nonexistent-time",
      timeQuality: "nonexistent",
    });
  });
});

describe("dates", () => {
  test.each<[string, string, string, number, boolean]>([
    ["a minute over midnight", "23:59", "06-15 00:00", 1, true],
    ["a minute back over midnight", "06-15 00:00", "06-14 23:59", -1, true],
    ["almost a day within one date", "00:00", "23:59", 0, false],
    ["two days", "02-28 10:00", "03-02 10:00", 2, true],
  ])("are local: %s", (_, before, after, departureDayShift, dateChanged) => {
    const change = `LIS ${before} JFK 06-15 12:00 > LIS ${after} JFK 06-15 12:00`;

    expect(factValues(change)).toMatchObject({ departureDayShift, arrivalDayShift: 0, dateChanged });
  });

  test("are unknown while a date is", () => {
    const expected = { arrivalDayShift: "?unknown-arrival", departureDayShift: 0 };

    expect(factValues("LIS 07:10 FRA 11:20 > LIS 08:10 -")).toMatchObject(expected);
  });
});

test("small steps add up from the booked flights, and are small from the accepted ones", () => {
  const [booked, accepted] = [itineraryOf("LIS 07:10 FRA 11:20"), itineraryOf("LIS 08:50 FRA 13:00")];

  expect(factValues("LIS 08:50 FRA 13:00 > LIS 09:10 FRA 13:25", { booked, accepted })).toMatchObject({
    cumulativeShiftMinutes: 125,
    sinceAcceptedShiftMinutes: 25,
    sinceAcceptedDepartureLaterMinutes: 20,
    sinceAcceptedArrivalLaterMinutes: 25,
    sinceAcceptedArrivalEarlierMinutes: 0,
    sinceAcceptedJourneyDepartureShiftMinutes: 20,
    sinceAcceptedJourneyArrivalShiftMinutes: 25,
    journeyArrivalShiftMinutes: 125,
  });
});

test.each([
  ["an airport that is not known", "LIS 07:10 QQQ 11:20", "unknown-zone"],
  ["plain times", "LIS 07:10 FRA 11:20", "exact"],
  ["the hour that Gaza has twice", "CAI 10-29 12:00 GZA 10-30 01:30", "ambiguous"],
  ["the hour that Gaza skips", "CAI 03-26 12:00 GZA 03-27 02:30", "nonexistent"],
  ["Eucla, 8:45 ahead of Greenwich", "PER 07:10 EUC 10:20", "exact"],
])("timeQuality is determined for %s", (_, flight, timeQuality) => {
  expect(factValues(flight)).toMatchObject({ timeQuality });
});

describe("durationContradicted", () => {
  const flightOf = (text: string) => aSegment("Segment1", "LH1167", "LIS 07:10", "FRA 11:20", duration(text));

  test.each([
    ["3 H 10 M", false],
    ["3 H 24 M", false],
    ["3 H 25 M", true],
    ["2 Hrs 56 Min", false],
    ["2 Hrs 55 Min", true],
    ["190", false],
    ["205", true],
    ["", false],
    ["soon", "?unreadable-duration"],
  ])("of a flight of 190 minutes, stated as %j", (text, durationContradicted) => {
    expect(factValues({ segments: [flightOf(text)], changes: {} })).toMatchObject({ durationContradicted });
  });

  test.each([
    ["an earlier duration beside a new arrival", details(null, "FRA 12:20"), false],
    ["a duration that is stated again beside it", details(null, "FRA 12:20", duration("3 H 10 M")), true],
    ["one beside a new departure alone", details("LIS 07:30", null, duration("3 H 10 M")), false],
  ])("holds against new times only what is stated with them: %s", (_, detail, durationContradicted) => {
    const change = { segments: [flightOf("3 H 10 M")], changes: { Segment1: [detail] } };

    expect(factValues(change)).toMatchObject({ durationContradicted });
  });
});

describe("retimings", () => {
  test.each([
    ["LIS 07:41 FRA 11:51", ["LH1167 LIS-FRA departs and arrives 31 min later"]],
    ["LIS 07:00 FRA 11:30", ["LH1167 LIS-FRA departs 10 min earlier and arrives 10 min later"]],
    ["LIS 07:10 FRA 11:30", ["LH1167 LIS-FRA arrives 10 min later"]],
    ["LIS 06:00 FRA 11:20", ["LH1167 LIS-FRA departs 70 min earlier"]],
    ["LIS 06-15 07:10 FRA 11:20", ["LH1167 LIS-FRA departs and arrives 1 day later"]],
    ["LIS 10:10 FRA 14:20", ["LH1167 LIS-FRA departs and arrives 3 h later"]],
    ["LIS 07:10 FRA 11:20", []],
  ])("say how far LIS 07:10 FRA 11:20 moves to %s", (becomes, retimings) => {
    expect(factValues(`LIS 07:10 FRA 11:20 > ${becomes}`)).toMatchObject({ retimings });
  });

  test("do not call an unknown move none", () => {
    const retimings = ["LH1167 QQQ-FRA departs at a time that cannot be compared"];

    expect(factValues("QQQ 07:10 FRA 11:20 > QQQ 08:10 FRA 11:20")).toMatchObject({ retimings });
  });
});
