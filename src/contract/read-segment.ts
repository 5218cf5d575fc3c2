import {
  isRecord,
  isUnreadable,
  listOf,
  member,
  memberAt,
  memberOf,
  numberOf,
  onlyOf,
  statedText,
  statesAnything,
  textOf,
} from "./lenient-value.ts";
import { localDateOf, localTimeOf, utcOffsetOf } from "./local-date-time.ts";
import type { Carrier, SegmentPoint, SegmentValues } from "./order-view.ts";
import { untypedValueOf } from "./untyped-value.ts";

/**
 * The values of a flight segment or of one element of `SegmentDetails`, which may be partial. A key that is absent stays
 * absent, and null stays null: merging treats them differently.
 */
export function readSegmentValues(json: unknown): SegmentValues {
  return withoutAbsent({
    departure: readPoint(member(json, "Departure")),
    arrival: readPoint(member(json, "Arrival")),
    marketingCarrier: readCarrier(member(json, "MarketingCarrier")),
    operatingCarrier: readCarrier(member(json, "OperatingCarrier")),
    aircraftCode: readAircraft(member(json, "Equipment")),
    marriageGroup: statedText(member(json, "Code"), "MarriageGroup"),
    rbd: upperCase(statedCode(memberAt(json, "Code", "ResBookDesigCode"))),
    cabinType: statedCode(memberOf(member(json, "Code"), "Cabin", "CabinType")),
    flightDuration: readMeasure(memberAt(json, "FlightDetail", "FlightDuration"), textOrJsonOf),
    ...readStops(member(json, "FlightDetail")),
    airMilesFlown: readMeasure(memberAt(json, "FlightDetail", "AirMilesFlown"), numberOf),
    brandId: statedText(json, "BrandId"),
  });
}

/** `Departure` or `Arrival`. */
function readPoint(json: unknown): SegmentPoint | null | undefined {
  if (json === undefined) return undefined;
  if (!isRecord(onlyOf(json))) return null;
  const date = statedText(json, "Date");
  const terminal = onlyOf(member(json, "Terminal"));
  return withoutAbsent({
    airportCode: upperCase(statedText(json, "AirportCode")),
    date: date === undefined ? undefined : localDateOf(date),
    ...readTime(statedText(json, "Time"), /[T ](\d.*)$/s.exec(date ?? "")?.[1]),
    airportName: statedText(json, "AirportName"),
    terminal: isRecord(terminal) ? statedText(terminal, "Name") : statedText(json, "Terminal"),
  });
}

/**
 * A time written behind the date counts when there is no time of its own. When there is, midnight is how a date without a
 * time is written; any other time must be the same.
 */
function readTime(own: string | null | undefined, behindDate: string | undefined): ReadTime {
  const text = own ?? behindDate;
  if (text === undefined) return { time: own };
  const time = localTimeOf(text);
  const utcOffset = utcOffsetOf(text);
  const behind = own && behindDate !== undefined ? localTimeOf(behindDate) : null;
  if (behind === null || behind === "00:00:00") return { time, utcOffset };
  if (behind !== time) return { time: null };
  return { time, utcOffset: utcOffset === undefined ? utcOffsetOf(behindDate!) : utcOffset };
}

type ReadTime = { readonly [Key in "time" | "utcOffset"]?: SegmentPoint[Key] | undefined };

/** Gateways write code and name in either place: the one that looks like a code counts. */
function readAircraft(equipment: unknown): string | null | undefined {
  const stated = [statedText(equipment, "AircraftCode"), statedText(equipment, "Name")];
  const code = stated.find((text) => text && /^[A-Z\d]{3,4}$/i.test(text));
  return code?.toUpperCase() ?? stated.find(Boolean) ?? stated[0];
}

/** A list of places on the way counts as that many stops, whatever number stands beside it. */
function readStops(flightDetail: unknown): ReadStops {
  const stops = readMeasure(member(flightDetail, "Stops"), numberOf);
  const stated = listOf(member(flightDetail, "InterMediate")).filter(statesAnything);
  if (stated.length === 0) return { stops };
  const places = stated.map((place) => textOrJsonOf(memberOf(place, "AirportCode", "Code") ?? place));
  return { stops: Math.max(places.length, stops ?? 0), stopPlaces: places.join(" ").toUpperCase() };
}

type ReadStops = { readonly [Key in "stops" | "stopPlaces"]?: SegmentValues[Key] | undefined };

/** The text, or the JSON of what is stated and is none; null when nothing is stated. */
function textOrJsonOf(value: unknown): string | null {
  return textOf(value) ?? (statesAnything(value) ? JSON.stringify(untypedValueOf(value)) : null);
}

/** A blank is how gateways leave a code out. */
function statedCode(json: unknown): string | null | undefined {
  const isBlank = typeof json === "string" && json.trim() === "";
  return json === undefined || isBlank ? undefined : textOf(json);
}

/** What cannot be read of an airline counts as its name, so that the airline is not taken for one that is not stated. */
function readCarrier(json: unknown): Carrier | null | undefined {
  if (json === undefined) return undefined;
  if (!isRecord(onlyOf(json))) {
    return statesAnything(json) ? { airlineId: null, name: textOf(json) ?? "?", flightNumber: null } : null;
  }
  const hasUnreadable = ["AirlineID", "Name"].some((key) => isUnreadable(member(json, key)));
  return withoutAbsent({
    airlineId: upperCase(statedText(json, "AirlineID")),
    name: hasUnreadable ? (textOf(member(json, "Name")) ?? "?") : statedText(json, "Name"),
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
  const stated: Stated<T> = {};
  for (const key in value) if (value[key] !== undefined) stated[key] = value[key] as Exclude<T[typeof key], undefined>;
  return stated;
}

type Stated<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
