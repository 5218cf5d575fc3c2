import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import type { segmentDetails } from "./elements/segment.ts";
import {
  isPlaceholder,
  isUnreadable,
  listOf,
  memberOf,
  numberOf,
  statedText,
  statesAnything,
  textOf,
} from "./lenient-value.ts";
import { localDateOf, localTimeOf, utcOffsetsOf } from "./local-date-time.ts";
import type { Carrier, SegmentPoint, SegmentValues } from "./order-view.ts";
import { readAirlineCode, readAirportCode } from "./read-code.ts";
import type { Stated } from "./stated.ts";
import { untypedValueOf } from "./untyped-value.ts";

/**
 * Reads a flight segment, or an element of `SegmentDetails`, which may be partial. An absent key stays absent and null
 * stays null, because merging treats them differently.
 */
export function readSegmentValues(segment: Stated<typeof segmentDetails>): SegmentValues {
  return withoutAbsent({
    departure: readPoint(segment?.Departure, "Departure"),
    arrival: readPoint(segment?.Arrival, "Arrival"),
    marketingCarrier: readCarrier(segment?.MarketingCarrier),
    operatingCarrier: readCarrier(segment?.OperatingCarrier),
    aircraftCode: readAircraft(segment?.Equipment),
    marriageGroup: statedText(segment?.Code?.MarriageGroup),
    rbd: upperCase(statedCode(segment?.Code?.ResBookDesigCode)),
    cabinType: statedCode(memberOf(segment?.Code, "Cabin", "CabinType")),
    flightDuration: readDuration(segment?.FlightDetail?.FlightDuration),
    ...readStops(segment?.FlightDetail),
    airMilesFlown: readMeasure(segment?.FlightDetail?.AirMilesFlown, numberOf),
    brandId: statedText(segment?.BrandId),
  });
}

function readPoint(
  point: Stated<typeof segmentDetails.shape.Departure> | undefined,
  end: "Departure" | "Arrival",
): SegmentPoint | null | undefined {
  if (point === undefined) return undefined;
  if (!isRecord(point)) return null;
  const date = statedText(point.Date);
  const terminal = statedText(isRecord(point.Terminal) ? point.Terminal.Name : point.Terminal);
  const localDate = date === undefined ? undefined : localDateOf(date);
  const time = readTime(statedText(point.Time), /[T ](\d.*)$/s.exec(date ?? "")?.[1]);
  const airport = readAirportCode(point.AirportCode);
  const unread = [
    localDate === null ? unreadPart(point.Date, `${end}.Date`) : null,
    time.time === null ? unreadPart(point.Time ?? date, `${end}.Time`) : null,
  ].filter((part) => part !== null);
  return withoutAbsent({
    airportCode: airport.code,
    date: localDate,
    ...time,
    unreadTime: unread.length === 0 ? undefined : unread.join(" and "),
    airportName: airport.unread ?? statedText(point.AirportName),
    terminal: isPlaceholder(terminal) ? undefined : terminal,
  });
}

/** What is stated of a date or time that is not known; null if nothing is. */
function unreadPart(stated: unknown, path: string): string | null {
  if (stated === statedTwice) return `two values as ${path}`;
  if (!statesAnything(stated) || isPlaceholder(stated)) return null;
  const text = textOf(stated);
  return `${text === null || text.length > shownMax ? "something else" : `“${text}”`} as ${path}`;
}

/** Longer than any way to write a date and a time. */
const shownMax = 40;

/**
 * Uses the time behind the date if there is no time of its own. Otherwise the two must be the same, except that
 * midnight behind a date means no time.
 */
function readTime(own: string | null | undefined, behindDate: string | undefined): ReadTime {
  const text = own ?? behindDate;
  if (text === undefined) return { time: own };
  const utcOffsets = utcOffsetsOf(text);
  const time = utcOffsets?.length === 0 ? null : localTimeOf(text);
  const behind = own && behindDate !== undefined ? localTimeOf(behindDate) : null;
  if (behind === null || behind === "00:00:00") return { time, utcOffsets };
  if (behind !== time) return { time: null };
  return { time, utcOffsets: utcOffsets ?? utcOffsetsOf(behindDate!) };
}

type ReadTime = { readonly [Key in "time" | "utcOffsets"]?: SegmentPoint[Key] | undefined };

/** Gateways swap code and name: the one that looks like a code counts. */
function readAircraft(equipment: Stated<typeof segmentDetails.shape.Equipment> | undefined): string | null | undefined {
  const stated = [statedText(equipment?.AircraftCode), statedText(equipment?.Name)].map((text) =>
    isPlaceholder(text) || /^0+$/.test(text ?? "") ? null : text,
  );
  const code = stated.find((text) => text && /^[A-Z\d]{3,4}$/i.test(text));
  return code?.toUpperCase() ?? stated.find(Boolean) ?? stated[0];
}

/** A list of places counts as that many stops, whatever number is stated. */
function readStops(flightDetail: Stated<typeof segmentDetails.shape.FlightDetail> | undefined): ReadStops {
  const stops = readMeasure(flightDetail?.Stops, numberOf);
  const stated = listOf(flightDetail?.InterMediate).filter(statesAnything);
  if (stated.length === 0) return { stops };
  const places = stated.map((place) => textOrJsonOf(memberOf(place, "AirportCode", "Code") ?? place));
  return { stops: Math.max(places.length, stops ?? 0), stopPlaces: places.join(" ").toUpperCase() };
}

type ReadStops = { readonly [Key in "stops" | "stopPlaces"]?: SegmentValues[Key] | undefined };

/** Gateways write `0 H 0 M`, `PT0H0M0S` or `N/A` for a duration that they do not know: it counts as absent. */
function readDuration(json: unknown): string | null | undefined {
  const duration = readMeasure(json, textOrJsonOf);
  const isZero = duration?.includes("0") === true && !/[1-9]/.test(duration);
  return isZero || isPlaceholder(duration) ? undefined : duration;
}

/** JSON if something is stated that is no text. */
function textOrJsonOf(value: unknown): string | null {
  return textOf(value) ?? (statesAnything(value) ? JSON.stringify(untypedValueOf(value)) : null);
}

/** A blank means absent. */
function statedCode(json: unknown): string | null | undefined {
  const isBlank = typeof json === "string" && json.trim() === "";
  return json === undefined || isBlank ? undefined : textOf(json);
}

/** Something unreadable is stored as the name, so that the airline does not look absent. */
function readCarrier(
  carrier: Stated<typeof segmentDetails.shape.MarketingCarrier> | undefined,
): Carrier | null | undefined {
  if (carrier === undefined) return undefined;
  if (!isRecord(carrier)) {
    return statesAnything(carrier) ? { airlineId: null, name: textOf(carrier) ?? "?", flightNumber: null } : null;
  }
  const hasUnreadable = [carrier.AirlineID, carrier.Name].some(isUnreadable);
  const airline = readAirlineCode(carrier.AirlineID);
  const name = hasUnreadable ? (textOf(carrier.Name) ?? "?") : statedText(carrier.Name);
  return withoutAbsent({
    airlineId: airline.code,
    name: airline.unread === undefined ? name : "?",
    flightNumber: withoutPadding(statedText(carrier.FlightNumber)),
  });
}

/** Reads `{Value: …}`, or the value itself. */
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

/** Drops undefined members, so that `key in object` and stored JSON agree. */
function withoutAbsent<T extends object>(value: T): Present<T> {
  const stated: Present<T> = {};
  for (const key in value) if (value[key] !== undefined) stated[key] = value[key] as Exclude<T[typeof key], undefined>;
  return stated;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
