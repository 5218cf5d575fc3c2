import { AppError } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import type { FlightSegmentElement } from "./order-content.ts";
import type { GatewayOrder } from "./ports.ts";

export const unknownSegment = "gateway.unknown_segment";

/** By key, or by position from 0. */
export interface FlightChoice {
  readonly segmentKey?: string | undefined;
  readonly flightIndex?: number | undefined;
}

/**
 * Returns the first segment if none is named.
 * @throws AppError `gateway.unknown_segment`
 */
export function chooseSegment(order: GatewayOrder, choice: FlightChoice): FlightSegmentElement {
  const { FlightSegment } = order.content.DataLists.FlightSegmentList;
  const found =
    choice.segmentKey === undefined
      ? FlightSegment[choice.flightIndex ?? 0]
      : FlightSegment.find((segment) => segment.SegmentKey === choice.segmentKey);
  if (found !== undefined) return found;
  throw new AppError(
    unknownSegment,
    choice.segmentKey === undefined
      ? `Order ${order.orderId} has no flight ${(choice.flightIndex ?? 0) + 1}. It has: ${list(FlightSegment, (_, index) => String(index + 1))}.`
      : `Order ${order.orderId} has no flight ${choice.segmentKey}. It has: ${list(FlightSegment, ({ SegmentKey }) => SegmentKey)}.`,
  );
}

/** `1 LH1167 LIS-FRA, 2 LH1166 FRA-LIS` */
function list(
  segments: readonly FlightSegmentElement[],
  choose: (segment: FlightSegmentElement, index: number) => string,
): string {
  return segments.map((segment, index) => `${choose(segment, index)} ${nameOf(segment)}`).join(", ") || "none";
}

function nameOf({ MarketingCarrier, Departure, Arrival }: FlightSegmentElement): string {
  const flight = isRecord(MarketingCarrier)
    ? [MarketingCarrier["AirlineID"], MarketingCarrier["FlightNumber"]].filter((part) => typeof part === "string")
    : [];
  return `${flight.join("")} ${Departure?.AirportCode ?? "?"}-${Arrival?.AirportCode ?? "?"}`.trim();
}

export function namesFlight(choice: FlightChoice): boolean {
  return choice.segmentKey !== undefined || choice.flightIndex !== undefined;
}
