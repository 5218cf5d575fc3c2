import { describe, expect, test } from "@jest/globals";
import { factValues, itineraryOf, oneFlight } from "../../builders/fact-values.ts";
import { aSegment, details } from "../../builders/order-view.ts";

const duration = (text: string) => ({ FlightDetail: { FlightDuration: { Value: text } } });

test("minutesToDeparture counts from the first meaning of a time that occurs twice, until the second has passed", () => {
  const flight = oneFlight("LHR 2027-10-31 01:30", "MAD 2027-10-31 04:30");
  const at = (now: string) => factValues(flight, { now })["minutesToDeparture"];

  expect(at("2027-10-31T00:00:00Z")).toBe(30);
  expect(at("2027-10-31T01:29:00Z")).toBe(-59);
});

describe("shifts", () => {
  /** Departure and arrival as booked and as proposed; shifts of the departure and the arrival; by the printed times. */
  test.each<[string, [string, string], [string, string], [number, number], [number | string, number | string]]>([
    [
      "unchanged",
      ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      [0, 0],
      [0, 0],
    ],
    [
      "a minute later and a minute earlier",
      ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"],
      ["LIS 2027-06-14 07:11", "FRA 2027-06-14 11:19"],
      [1, -1],
      [1, -1],
    ],
    [
      "over the change to summer time: the same clock a day later is an hour less",
      ["LIS 2027-03-27 07:10", "FRA 2027-03-27 11:20"],
      ["LIS 2027-03-28 07:10", "FRA 2027-03-28 11:20"],
      [1380, 1380],
      [1440, 1440],
    ],
    [
      "over the change to winter time: the same clock a day later is an hour more",
      ["LIS 2027-10-30 07:10", "FRA 2027-10-30 11:20"],
      ["LIS 2027-10-31 07:10", "FRA 2027-10-31 11:20"],
      [1500, 1500],
      [1440, 1440],
    ],
    [
      "before and after the hour that is skipped",
      ["LHR 2027-03-28 00:59", "JFK 2027-03-28 05:00"],
      ["LHR 2027-03-28 02:01", "JFK 2027-03-28 05:00"],
      [2, 0],
      [62, 0],
    ],
    [
      "half an hour of daylight saving at Lord Howe Island",
      ["LDH 2027-10-02 12:00", "SYD 2027-10-02 13:50"],
      ["LDH 2027-10-03 12:00", "SYD 2027-10-03 13:50"],
      [1410, 1380],
      [1440, 1440],
    ],
    [
      "at 3:30 behind Greenwich",
      ["YYT 2027-01-14 07:00", "LHR 2027-01-14 15:30"],
      ["YYT 2027-01-14 07:45", "LHR 2027-01-14 15:30"],
      [45, 0],
      [45, 0],
    ],
    [
      "between zones of quarter hours",
      ["KTM 2027-01-14 10:00", "DEL 2027-01-14 11:30"],
      ["KTM 2027-01-14 09:45", "DEL 2027-01-14 11:45"],
      [-15, 15],
      [-15, 15],
    ],
    [
      "at the Chatham Islands, where summer time ends at 3:45",
      ["CHT 2027-04-03 12:00", "AKL 2027-04-03 13:15"],
      ["CHT 2027-04-04 12:00", "AKL 2027-04-04 13:15"],
      [1500, 1500],
      [1440, 1440],
    ],
    [
      // In a year that is over: how Morocco will keep time differs between versions of the time zone database.
      "in Casablanca when Ramadan ends",
      ["CMN 2025-04-05 12:00", "CDG 2025-04-05 17:00"],
      ["CMN 2025-04-06 12:00", "CDG 2025-04-06 17:00"],
      [1380, 1440],
      [1440, 1440],
    ],
    [
      "to the day before over the date line",
      ["AKL 2027-06-01 10:00", "HNL 2027-05-31 19:00"],
      ["AKL 2027-06-01 09:00", "HNL 2027-05-31 18:00"],
      [-60, -60],
      [-60, -60],
    ],
    [
      "to the day after next over the date line",
      ["HNL 2027-05-31 23:30", "AKL 2027-06-02 06:30"],
      ["HNL 2027-06-01 00:15", "AKL 2027-06-02 07:15"],
      [45, 45],
      [45, 45],
    ],
    [
      "at another airport of the city",
      ["LHR 2027-06-14 07:10", "FRA 2027-06-14 09:50"],
      ["LGW 2027-06-14 07:40", "FRA 2027-06-14 10:20"],
      [30, 30],
      ["?another-airport", 30],
    ],
  ])(
    "are measured between instants and between clocks: %s",
    (_, [departure, arrival], [newDeparture, newArrival], instants, clocks) => {
      const facts = factValues(oneFlight(departure, arrival, details(newDeparture, newArrival)));

      expect([facts["departureShiftMinutes"], facts["arrivalShiftMinutes"]]).toEqual(instants);
      expect([facts["departureWallClockShiftMinutes"], facts["arrivalWallClockShiftMinutes"]]).toEqual(clocks);
      const farthest = Math.max(...instants.map(Math.abs));
      expect(facts).toMatchObject({ cumulativeShiftMinutes: farthest, dataSuspect: false });
    },
  );

  test("of several flights the farthest counts, and of equal ones the earlier", () => {
    const segments = [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"),
      aSegment("Segment2", "LH1172", "FRA 2027-06-21 17:30", "LIS 2027-06-21 19:45"),
    ];
    const shiftOf = (first: string, second: string) =>
      factValues({
        segments,
        changes: {
          Segment1: [details(`LIS 2027-06-14 ${first}`, "FRA 2027-06-14 11:20")],
          Segment2: [details(`FRA 2027-06-21 ${second}`, "LIS 2027-06-21 19:45")],
        },
      })["departureShiftMinutes"];

    expect(shiftOf("07:20", "17:50")).toBe(20);
    expect(shiftOf("07:40", "17:10")).toBe(30);
    expect(shiftOf("07:30", "17:10")).toBe(-20);
    expect(shiftOf("06:50", "17:50")).toBe(-20);
  });

  test("of a time that occurs twice are known only as far as both meanings agree", () => {
    const moved = (departure: string, arrival: string) =>
      factValues(oneFlight("LHR 2027-10-31 00:30", "JFK 2027-10-31 07:00", details(departure, arrival)));

    expect(moved("LHR 2027-10-31 01:30", "JFK 2027-10-31 07:00")).toMatchObject({
      departureShiftMinutes: "?ambiguous-time",
      departureEarlierMinutes: 0,
      departureLaterMinutes: "?ambiguous-time",
      departureWallClockShiftMinutes: 60,
      timeAmbiguous: true,
      timeQuality: "ambiguous",
    });
    expect(moved("LHR 2027-10-31 02:00", "JFK 2027-10-31 07:00")).toMatchObject({
      departureShiftMinutes: 150,
      timeQuality: "exact",
    });
  });

  test("of a time that the clocks skip are unknown", () => {
    expect(
      factValues(oneFlight("LHR 2027-03-28 00:30", "JFK 2027-03-28 05:00", details("LHR 2027-03-28 01:30", null))),
    ).toMatchObject({
      departureShiftMinutes: "?nonexistent-time",
      cumulativeShiftMinutes: "?nonexistent-time",
      timeQuality: "nonexistent",
    });
  });
});

describe("dates", () => {
  test.each<[string, string, string, number, boolean]>([
    ["a minute over midnight", "LIS 2027-06-14 23:59", "LIS 2027-06-15 00:00", 1, true],
    ["a minute back over midnight", "LIS 2027-06-15 00:00", "LIS 2027-06-14 23:59", -1, true],
    ["almost a day within one date", "LIS 2027-06-14 00:00", "LIS 2027-06-14 23:59", 0, false],
    ["two days", "LIS 2027-02-28 10:00", "LIS 2027-03-02 10:00", 2, true],
  ])("are local: %s", (_, before, after, days, isChanged) => {
    const arrival = "JFK 2027-06-15 12:00";

    expect(factValues(oneFlight(before, arrival, details(after, arrival)))).toMatchObject({
      departureDayShift: days,
      arrivalDayShift: 0,
      dateChanged: isChanged,
    });
  });

  test("are unknown while a date is", () => {
    expect(
      factValues(oneFlight("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", details("LIS 2027-06-14 08:10", null))),
    ).toMatchObject({ arrivalDayShift: "?unknown-arrival", departureDayShift: 0 });
  });
});

describe("small steps", () => {
  const usual = oneFlight("LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20");

  test("add up from the booked flights, and are small from the accepted ones", () => {
    const accepted = oneFlight("LIS 2027-06-14 08:50", "FRA 2027-06-14 13:00");
    const facts = factValues(
      { ...accepted, changes: { Segment1: [details("LIS 2027-06-14 09:10", "FRA 2027-06-14 13:25")] } },
      { booked: itineraryOf(usual), accepted: itineraryOf(accepted) },
    );

    expect(facts).toMatchObject({
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
});

describe("timeQuality", () => {
  test.each([
    ["an airport that is not known", "LIS 2027-06-14 07:10", "QQQ 2027-06-14 11:20", "unknown-zone"],
    ["plain times", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", "exact"],
    ["the hour that Gaza has twice", "CAI 2027-10-29 12:00", "GZA 2027-10-30 01:30", "ambiguous"],
    ["the hour that Gaza skips", "CAI 2027-03-26 12:00", "GZA 2027-03-27 02:30", "nonexistent"],
    ["Eucla, 8:45 ahead of Greenwich", "PER 2027-06-14 07:10", "EUC 2027-06-14 10:20", "exact"],
  ])("is determined for %s", (_, departure, arrival, quality) => {
    expect(factValues(oneFlight(departure, arrival))["timeQuality"]).toBe(quality);
  });
});

describe("durationContradicted", () => {
  const between = (text: string) =>
    factValues({
      segments: [aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", duration(text))],
      changes: {},
    })["durationContradicted"];

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
  ])("of a flight of 190 minutes, stated as %j", (text, expected) => {
    expect(between(text)).toBe(expected);
  });

  test("does not hold an earlier duration against new times", () => {
    const segments = [
      aSegment("Segment1", "LH1167", "LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20", duration("3 H 10 M")),
    ];
    const becomes = (detail: ReturnType<typeof details>) =>
      factValues({ segments, changes: { Segment1: [detail] } })["durationContradicted"];

    expect(becomes(details(null, "FRA 2027-06-14 12:20"))).toBe(false);
    expect(becomes(details(null, "FRA 2027-06-14 12:20", duration("3 H 10 M")))).toBe(true);
    expect(becomes(details("LIS 2027-06-14 07:30", null, duration("3 H 10 M")))).toBe(false);
  });
});

describe("retimings", () => {
  const booked = ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:20"] as const;
  const moved = (departure: string, arrival: string) =>
    factValues(oneFlight(...booked, details(departure, arrival)))["retimings"];

  test.each([
    ["LIS 2027-06-14 07:41", "FRA 2027-06-14 11:51", "departs and arrives 31 min later"],
    ["LIS 2027-06-14 07:00", "FRA 2027-06-14 11:30", "departs 10 min earlier and arrives 10 min later"],
    ["LIS 2027-06-14 07:10", "FRA 2027-06-14 11:30", "arrives 10 min later"],
    ["LIS 2027-06-14 06:00", "FRA 2027-06-14 11:20", "departs 70 min earlier"],
    ["LIS 2027-06-15 07:10", "FRA 2027-06-15 11:20", "departs and arrives 1 day later"],
    ["LIS 2027-06-14 10:10", "FRA 2027-06-14 14:20", "departs and arrives 3 h later"],
  ])("say how far the flight moves to %s and %s", (departure, arrival, words) => {
    expect(moved(departure, arrival)).toEqual([`LH1167 LIS-FRA ${words}`]);
  });

  test("leave out what does not move, and do not call an unknown move none", () => {
    expect(moved(...booked)).toEqual([]);
    expect(
      factValues(oneFlight("QQQ 2027-06-14 07:10", booked[1], details("QQQ 2027-06-14 08:10", booked[1]))),
    ).toMatchObject({
      retimings: ["LH1167 QQQ-FRA departs at a time that cannot be compared"],
    });
  });
});
