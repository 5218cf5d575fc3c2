import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import { listOf, member, onlyOf, statesAnything, textOf } from "./lenient-value.ts";
import type { FlightSegment, ScheduleChangeSegment, SegmentValues } from "./order-view.ts";
import { readSegmentValues } from "./read-segment.ts";
import { wordsIn } from "./words-in.ts";

/**
 * Reads the new values of flights. A flight without any is withdrawn, so values that are stated and cannot be read are
 * not left out: they are `nothingKnown`. Values without a flight, or a list that cannot be read, have an empty key.
 */
export function readNewValues(
  lists: unknown,
  flightSegments: readonly FlightSegment[],
): readonly ScheduleChangeSegment[] {
  const list = onlyOf(member(lists, "ScheduleChangeSegmentList"));
  const changes = Array.isArray(list) ? list : listOf(member(list, "ScheduleChangeSegment") ?? otherValuesIn(list, []));
  return changes.filter(statesAnything).flatMap((change) => {
    const segmentKey = keyOfListed(textOf(member(change, "SegmentKey")), flightSegments);
    const stated = isRecord(change)
      ? (member(change, "SegmentDetails") ?? otherValuesIn(change, ["SegmentKey"]))
      : change;
    const details = listOf(stated).filter(statesAnything).map(readDetails);
    return segmentKey === "" && details.length === 0 ? [] : [{ segmentKey, details }];
  });
}

/** A key in another letter case is that of a listed flight if only one has it. */
function keyOfListed(key: string | null, flightSegments: readonly FlightSegment[]): string {
  if (key === null) return "";
  if (flightSegments.some(({ segmentKey }) => segmentKey === key)) return key;
  const alike = flightSegments.filter(({ segmentKey }) => segmentKey.toUpperCase() === key.toUpperCase());
  return alike.length === 1 ? alike[0]!.segmentKey : key;
}

function readDetails(json: unknown): SegmentValues {
  if (!isRecord(json) || json === statedTwice) return nothingKnown;
  const values = readSegmentValues(json);
  return Object.keys(values).length === 0 && otherValuesIn(json, []) !== undefined ? nothingKnown : values;
}

/**
 * What stands under names that nobody reads and may be new values: anything with parts, and whatever is named after an
 * end of the flight or as new. A single status or remark is none.
 */
function otherValuesIn(value: unknown, read: readonly string[]): unknown {
  if (!isRecord(value)) return statesAnything(value) ? value : undefined;
  const others = Object.entries(value).filter(
    ([name, stated]) =>
      statesAnything(stated) &&
      !read.some((key) => key.toLowerCase() === name.toLowerCase()) &&
      (typeof stated === "object" || namesNewValue.test(wordsIn(name))),
  );
  return others.length === 0 ? undefined : "not read";
}

const namesNewValue = /\b(?:new|dep|departs?|departure|departing|arr|arrives?|arrival|arriving|std|sta|etd|eta)\b/;

/** Something is stated, and no value of it is known. */
export const nothingKnown: SegmentValues = {
  departure: null,
  arrival: null,
  marketingCarrier: null,
  operatingCarrier: null,
  aircraftCode: null,
  marriageGroup: null,
  rbd: null,
  cabinType: null,
  flightDuration: null,
  stops: null,
  stopPlaces: null,
  airMilesFlown: null,
  brandId: null,
};
