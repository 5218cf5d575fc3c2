import { isRecord } from "../kernel/record.ts";
import { durationMinutes } from "../travel/duration.ts";
import { addMinutes, printedMinutesBetween, printedTimeOf } from "./local-time.ts";
import type { FlightSegmentElement, SegmentDetailsElement } from "./order-content.ts";

/**
 * Returns the flight that a segment becomes by new values, which need not state everything. What they do not state stays
 * as booked, but an arrival without a time moves as far as the departure, and by a longer duration.
 */
export function completeSegment(booked: FlightSegmentElement, details: SegmentDetailsElement): FlightSegmentElement {
  const segment: FlightSegmentElement = {
    ...withStated<SegmentDetailsElement>(booked, details),
    SegmentKey: booked.SegmentKey,
    Departure: withStated(booked.Departure, details.Departure),
    Arrival: withStated(booked.Arrival, details.Arrival),
    MarketingCarrier: withStated(booked["MarketingCarrier"], details["MarketingCarrier"]),
    OperatingCarrier: withStated(booked["OperatingCarrier"], details["OperatingCarrier"], isBlankOperator),
    FlightDetail: withStated(booked.FlightDetail, details.FlightDetail),
  };
  const statesArrival = details.Arrival?.Date || details.Arrival?.Time;
  return statesArrival ? segment : { ...segment, Arrival: followingArrival(booked, segment) };
}

/** What is booked, and over it what is stated. */
function withStated<T>(booked: T, given: T, isUnstated = isBlank): T {
  if (isUnstated(given)) return booked;
  if (!isRecord(booked) || !isRecord(given)) return given;
  const stated = Object.entries(given).filter(([, value]) => !isUnstated(value));
  return { ...withoutNamesOfOther(booked, given), ...Object.fromEntries(stated) } as T;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Null says that the marketing carrier flies it. */
function isBlankOperator(value: unknown): boolean {
  return value === undefined || value === "";
}

type Members = Readonly<Record<string, unknown>>;

/** The name of an airline says nothing of another one; nor do name and terminal of an airport. */
function withoutNamesOfOther(booked: Members, given: Members): Members {
  const isOther = ["AirlineID", "AirportCode"].some((code) => given[code] && given[code] !== booked[code]);
  if (!isOther) return booked;
  const { Name: _, AirportName: __, Terminal: ___, ...others } = booked;
  return others;
}

/** As booked if one of the times is not known. */
function followingArrival(
  booked: FlightSegmentElement,
  { Departure, Arrival, FlightDetail }: FlightSegmentElement,
): FlightSegmentElement["Arrival"] {
  const [before, after, arrival] = [booked.Departure, Departure, Arrival].map(printedTimeOf);
  if (!before || !after || !arrival) return Arrival;
  const bookedLength = durationMinutes(booked.FlightDetail?.FlightDuration?.Value);
  const length = durationMinutes(FlightDetail?.FlightDuration?.Value);
  const longer = bookedLength === null || length === null ? 0 : length - bookedLength;
  const local = addMinutes(arrival, printedMinutesBetween(before, after) + longer);
  return { ...Arrival, Date: local.date, Time: local.time };
}
