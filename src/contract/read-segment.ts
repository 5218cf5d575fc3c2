import { isRecord, member, memberAt, memberOf, numberOf, onlyOf, statedText, textOf } from "./lenient-value.ts";
import { localDateOf, localTimeOf } from "./local-date-time.ts";
import type { Carrier, SegmentPoint, SegmentValues } from "./order-view.ts";

/**
 * The values of a flight segment or of one element of `SegmentDetails`, which may be partial. A key that is absent stays
 * absent, and null stays null: merging treats them differently.
 */
export function readSegmentValues(json: unknown): SegmentValues {
  return withoutAbsent({
    departure: readPart(member(json, "Departure"), readPoint),
    arrival: readPart(member(json, "Arrival"), readPoint),
    marketingCarrier: readPart(member(json, "MarketingCarrier"), readCarrier),
    operatingCarrier: readPart(member(json, "OperatingCarrier"), readCarrier),
    aircraftCode: statedText(member(json, "Equipment"), "AircraftCode"),
    marriageGroup: statedText(member(json, "Code"), "MarriageGroup"),
    flightDuration: readMeasure(memberAt(json, "FlightDetail", "FlightDuration"), textOf),
    stops: readMeasure(memberAt(json, "FlightDetail", "Stops"), numberOf),
    airMilesFlown: readMeasure(memberAt(json, "FlightDetail", "AirMilesFlown"), numberOf),
    brandId: statedText(json, "BrandId"),
  });
}

function readPart<T>(json: unknown, read: (part: unknown) => T): T | null | undefined {
  if (json === undefined) return undefined;
  return isRecord(onlyOf(json)) ? read(json) : null;
}

/** `Departure` or `Arrival`. A time written behind the date counts when there is no time of its own. */
function readPoint(json: unknown): SegmentPoint {
  const date = statedText(json, "Date");
  const time = statedText(json, "Time") ?? /[T ](\d.*)$/s.exec(date ?? "")?.[1];
  const terminal = member(json, "Terminal");
  return withoutAbsent({
    airportCode: upperCase(statedText(json, "AirportCode")),
    date: date === undefined ? undefined : localDateOf(date),
    time: time === undefined ? statedText(json, "Time") : localTimeOf(time),
    airportName: statedText(json, "AirportName"),
    terminal: isRecord(terminal) ? statedText(terminal, "Name") : statedText(json, "Terminal"),
  });
}

function readCarrier(json: unknown): Carrier {
  return withoutAbsent({
    airlineId: upperCase(statedText(json, "AirlineID")),
    name: statedText(json, "Name"),
    flightNumber: withoutPadding(statedText(json, "FlightNumber")),
  });
}

/** `{Value: …}`, or the value itself. */
function readMeasure<T>(json: unknown, read: (value: unknown) => T | null): T | null | undefined {
  if (json === undefined) return undefined;
  return read(isRecord(json) ? memberOf(json, "Value") : json);
}

function upperCase(text: string | null | undefined): string | null | undefined {
  return text?.toUpperCase() ?? text;
}

/** 0117 and 117 are the same flight. */
function withoutPadding(text: string | null | undefined): string | null | undefined {
  return text?.toUpperCase().replace(/^0+(?=.)/, "") ?? text;
}

/** Leaves out the members that are undefined, so that `key in object` and stored JSON say the same. */
function withoutAbsent<T extends object>(value: T): Stated<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Stated<T>;
}

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
