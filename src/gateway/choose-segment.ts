import { AppError } from "../kernel/app-error.ts";
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
  const asked = choice.segmentKey ?? `at position ${choice.flightIndex ?? 0}`;
  const keys = FlightSegment.map((segment) => segment.SegmentKey).join(", ") || "none";
  throw new AppError(unknownSegment, `Order ${order.orderId} has no flight ${asked}. Its segments are: ${keys}.`);
}

export function namesFlight(choice: FlightChoice): boolean {
  return choice.segmentKey !== undefined || choice.flightIndex !== undefined;
}
