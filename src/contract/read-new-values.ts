import { isRecord } from "../kernel/record.ts";
import { statedTwice } from "./doubled-keys.ts";
import type { orderDataLists } from "./elements/data-lists.ts";
import type { scheduleChangeSegment, segmentDetails } from "./elements/segment.ts";
import { listOf, statesAnything, textOf } from "./lenient-value.ts";
import type { FlightSegment, ScheduleChangeSegment, SegmentValues } from "./order-view.ts";
import { readSegmentValues } from "./read-segment.ts";
import type { Stated } from "./stated.ts";
import { wordsIn } from "./words-in.ts";

/**
 * Reads the new values of flights. A flight without any is withdrawn, so values that are stated and cannot be read are
 * not left out: they are `nothingKnown`. Values without a flight, or a list that cannot be read, have an empty key.
 */
export function readNewValues(
  lists: Stated<typeof orderDataLists>,
  flightSegments: readonly FlightSegment[],
): readonly ScheduleChangeSegment[] {
  const list = lists?.ScheduleChangeSegmentList;
  const changes = list?.ScheduleChangeSegment ?? null;
  if (changes === null) return holdsOtherValues(list) ? [{ segmentKey: "", details: [nothingKnown] }] : [];
  return listOf(changes)
    .filter(statesAnything)
    .flatMap((change) => {
      const segmentKey = keyOfListed(textOf(change?.SegmentKey), flightSegments);
      const details = readAllDetails(change);
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

function readAllDetails(change: Stated<typeof scheduleChangeSegment>): readonly SegmentValues[] {
  const details = change?.SegmentDetails ?? null;
  if (details !== null) return listOf(details).filter(statesAnything).map(readDetails);
  return holdsOtherValues(change, "segmentkey") ? [nothingKnown] : [];
}

function readDetails(details: Stated<typeof segmentDetails>): SegmentValues {
  if (!isRecord(details) || details === statedTwice) return nothingKnown;
  const values = readSegmentValues(details);
  return Object.keys(values).length === 0 && holdsOtherValues(details) ? nothingKnown : values;
}

/**
 * Whether something stands under names that nobody reads and may be new values: anything with parts, and whatever is
 * named after an end of the flight or as new. A single status or remark is none.
 */
function holdsOtherValues(value: unknown, readName?: string): boolean {
  if (!isRecord(value)) return statesAnything(value);
  return Object.entries(value).some(
    ([name, stated]) =>
      statesAnything(stated) &&
      name.toLowerCase() !== readName &&
      (typeof stated === "object" || namesNewValue.test(wordsIn(name))),
  );
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
