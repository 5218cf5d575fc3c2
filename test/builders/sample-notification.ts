import { readFileSync } from "node:fs";
import { upcoming } from "./upcoming.ts";

/** An order view as it is sent, open for a test to change. */
export interface OrderViewBody {
  OrderViewRS: {
    Order: Record<string, unknown>[];
    DataLists: {
      FlightSegmentList: { FlightSegment: SegmentBody[] };
      ScheduleChangeSegmentList: { ScheduleChangeSegment: { SegmentKey: string; SegmentDetails: unknown[] }[] };
    };
    [key: string]: unknown;
  };
}

export interface SegmentBody {
  SegmentKey: string;
  Departure: { AirportCode: string; Date: string; Time: string };
  Arrival: { AirportCode: string; Date: string; Time: string };
}

export type SampleName = "minor-delay" | "misconnection" | "replaced-by-two" | "cancelled" | "flight-number-only";

/** What a test changes in a sample. */
interface SampleChanges {
  readonly orderId?: string;
  readonly reference?: string;
}

/** One of the sample notifications, a fresh copy each time, with its flights as far ahead as when it was written. */
export function sampleNotification(name: SampleName, changes: SampleChanges = {}): OrderViewBody {
  return JSON.parse(upcoming(JSON.stringify(datedSample(name, changes)))) as OrderViewBody;
}

/** A sample with the dates of its file, for tests that decide what time it is. */
export function datedSample(name: SampleName, changes: SampleChanges = {}): OrderViewBody {
  const body = JSON.parse(
    readFileSync(new URL(`../../samples/ocn-${name}.json`, import.meta.url), "utf8"),
  ) as OrderViewBody;
  const order = body.OrderViewRS.Order[0];
  if (order !== undefined && changes.orderId !== undefined) order["OrderID"] = changes.orderId;
  if (order !== undefined && changes.reference !== undefined) order["GdsBookingReference"] = changes.reference;
  return body;
}

/** A copy with other AmendmentsActions; `undefined` leaves a flag out. */
export function withFlags(
  body: OrderViewBody,
  flags: { Accept?: string; Cancel?: string; ReSchedule?: string },
): OrderViewBody {
  const copy = structuredClone(body);
  for (const order of copy.OrderViewRS.Order) {
    const change = order["ScheduleChange"] as Record<string, unknown>[];
    order["ScheduleChange"] = [
      ...change.filter((entry) => !("AmendmentsActions" in entry)),
      { AmendmentsActions: flags },
    ];
  }
  return copy;
}

/** A copy that does not say how the reservation stands: it shows the change, and proves nothing about it. */
export function withBlankStatus(body: OrderViewBody): OrderViewBody {
  const copy = structuredClone(body);
  for (const order of copy.OrderViewRS.Order) order["PnrStatus"] = "";
  return copy;
}

/** A copy of the minor delay in which the outbound flight leaves at another time. */
export function withDeparture(body: OrderViewBody, time: string): OrderViewBody {
  const copy = structuredClone(body);
  const detail = copy.OrderViewRS.DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment[0]?.SegmentDetails[0] as
    | { Departure: { Time: string } }
    | undefined;
  if (detail === undefined) throw new Error("the body has no changed segment");
  detail.Departure.Time = time;
  return copy;
}

/** A copy whose proposed flights have become the booked ones, as after an accept of a single retimed departure. */
export function withDelayTaken(body: OrderViewBody): OrderViewBody {
  const copy = structuredClone(body);
  const { FlightSegmentList, ScheduleChangeSegmentList } = copy.OrderViewRS.DataLists;
  const flight = FlightSegmentList.FlightSegment[0];
  if (flight === undefined) throw new Error("the body has no flight");
  flight.Departure.Time = "07:30:00";
  flight.Arrival.Time = "11:40:00";
  ScheduleChangeSegmentList.ScheduleChangeSegment = [];
  return copy;
}
