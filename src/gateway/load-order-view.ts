import { z } from "zod";
import { listOf, member, memberOf, referencesOf, textOf } from "../contract/lenient-value.ts";
import { problemsIn, type RequestProblem, toPointer } from "../http/request-problems.ts";
import { AppError } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import { completeSegment } from "./complete-segment.ts";
import {
  type FlightSegmentElement,
  type OrderContent,
  type OrderElement,
  orderContentSchema,
  type SegmentDetailsElement,
  segmentDetailsSchema,
  segmentKeysOf,
} from "./order-content.ts";
import {
  type AmendmentFlag,
  type AmendmentFlags,
  type BookingReference,
  type ChangedSegment,
  type GatewayOrder,
  type NewChange,
  pnrStatuses,
  scheduleChangeStatuses,
} from "./ports.ts";
import { areSameFlights } from "./same-flight.ts";
import { issuedTickets } from "./tickets.ts";

export const unusableOrderView = "gateway.unusable_order_view";

/** An order view cannot be loaded: each problem with its path in a request `{"orderView": …}`. */
export class UnusableOrderView extends AppError {
  readonly problems: readonly RequestProblem[];

  constructor(problems: readonly RequestProblem[]) {
    const reasons = problems.map(({ path, message }) => `${path} ${message}`).join("; ");
    super(unusableOrderView, `The order view cannot be loaded: ${reasons}.`);
    this.problems = problems;
  }
}

/** JSON Pointer in a request `{"orderView": …}`. */
export function pathInView(...path: readonly PropertyKey[]): string {
  return toPointer(["orderView", ...path]);
}

/**
 * Makes an order of a recorded order view, such as a notification, with its flags and pending change, which then can be
 * accepted or cancelled. The loaded change counts as announced. Statuses and the change are stored separately;
 * everything else stays.
 * @param json with or without the root `OrderViewRS`.
 * @throws UnusableOrderView
 */
export function loadOrderView(
  json: unknown,
  changeId: string,
  at: Date,
): { readonly order: GatewayOrder; readonly change: NewChange | null } {
  const view = member(json, "OrderViewRS") ?? json;
  const content = parseContent(view);
  const orderId = onlyOrderId(content);
  refuseRepeatedKeys(content);
  const scheduleChanges = new Map(
    content.Order.map((element) => [element.GdsBookingReference, listOf(element.ScheduleChange)]),
  );
  const references = content.Order.map(readReference);
  const segments = readSegments(content, [...scheduleChanges.values()].flat());
  const open = references
    .filter((reference) => isPending(reference, segments, content))
    .map((reference) => reference.gdsBookingReference);
  const pending = { id: changeId, segments, references: open };
  const order: GatewayOrder = {
    orderId,
    owner: textOf(content.Order[0]?.Owner) ?? "",
    agencyId: null,
    content: withoutState(content),
    references,
    tickets: issuedTickets(content),
    change: open.length === 0 ? null : { ...pending, settled: [] },
    version: 1,
    createdAt: at,
  };
  const change: NewChange | null =
    order.change === null
      ? null
      : {
          ...pending,
          orderId,
          kind: "loaded",
          causedAt: at,
          announcement: "not-announced",
          deliveries: 0,
        };
  return { order, change };
}

function parseContent(view: unknown): OrderContent {
  const parsed = orderContentSchema.safeParse(view);
  if (parsed.success) return parsed.data;
  throw new UnusableOrderView(
    problemsIn(parsed.error).map(({ path, message }) => ({ path: pathInView() + path, message })),
  );
}

function onlyOrderId(content: OrderContent): string {
  const ids = [...new Set(content.Order.map((element) => element.OrderID))];
  const references = content.Order.map((element) => element.GdsBookingReference);
  if (ids.length > 1) throw unusable(["Order"], `holds the orders ${ids.join(", ")}. Load them one by one`);
  const twice = references.findIndex((reference, position) => references.indexOf(reference) !== position);
  if (twice >= 0) {
    throw unusable(["Order", twice, "GdsBookingReference"], "is that of another element of Order. Give each its own");
  }
  return ids[0]!;
}

function refuseRepeatedKeys({ DataLists }: OrderContent): void {
  const keys = DataLists.FlightSegmentList.FlightSegment.map((segment) => segment.SegmentKey);
  const twice = keys.findIndex((key, position) => keys.indexOf(key) !== position);
  if (twice < 0) return;
  const path = ["DataLists", "FlightSegmentList", "FlightSegment", twice, "SegmentKey"];
  throw unusable(path, "is that of another segment. Give each its own");
}

function readReference(element: OrderElement, position: number): BookingReference {
  const actions = listOf(element.ScheduleChange)
    .map((entry) => member(entry, "AmendmentsActions"))
    .find(isRecord);
  return {
    gdsBookingReference: element.GdsBookingReference,
    pnrStatus: oneOf(pnrStatuses, element.PnrStatus, ["Order", position, "PnrStatus"]),
    scheduleChangeIndicator: element.ScheduleChangeIndicator === true,
    scheduleChangeStatus: oneOf(scheduleChangeStatuses, element.ScheduleChangeStatus, [
      "Order",
      position,
      "ScheduleChangeStatus",
    ]),
    flags: actions === undefined ? null : readFlags(actions),
  };
}

function readFlags(actions: unknown): AmendmentFlags {
  const flag = (name: string): AmendmentFlag => {
    const text = textOf(member(actions, name))?.toUpperCase() ?? null;
    return text === "Y" || text === "N" ? text : null;
  };
  return { accept: flag("Accept"), cancel: flag("Cancel"), reSchedule: flag("ReSchedule") };
}

function oneOf<T extends string>(values: readonly T[], value: unknown, path: readonly PropertyKey[]): T {
  const text = textOf(value) ?? "";
  const found = values.find((candidate) => candidate === text);
  if (found !== undefined) return found;
  throw unusable(path, `is '${text}'. It must be one of: ${values.filter(Boolean).join(", ")}, or empty`);
}

/**
 * A change is pending while its flags allow an action or nothing has been done. A missing flag is unknown, not N. A
 * rejection is final.
 */
function isPending(reference: BookingReference, segments: readonly ChangedSegment[], content: OrderContent): boolean {
  const { flags, scheduleChangeStatus } = reference;
  if (scheduleChangeStatus === "Rejected") return false;
  if (flags !== null && [flags.accept, flags.cancel, flags.reSchedule].includes("Y")) return true;
  if (scheduleChangeStatus === "Accepted") return false;
  const own = segmentKeysOf(content, reference.gdsBookingReference);
  return segments.some(
    ({ segmentKey, becomes }) => own.includes(segmentKey) && !isBooked(content, segmentKey, becomes),
  );
}

/** A list that is left over from an accepted change says what is booked. */
function isBooked(content: OrderContent, segmentKey: string, becomes: readonly FlightSegmentElement[]): boolean {
  const booked = content.DataLists.FlightSegmentList.FlightSegment.filter(
    ({ SegmentKey }) => SegmentKey === segmentKey,
  );
  return areSameFlights(booked, becomes);
}

/** With new values; those named as changed without values are withdrawn. */
function readSegments(content: OrderContent, scheduleChange: readonly unknown[]): readonly ChangedSegment[] {
  const newValues = readNewValues(content);
  const named = scheduleChange.flatMap((entry) => referencesOf(memberOf(entry, "SegmentRefs", "SegmentReferences")));
  return content.DataLists.FlightSegmentList.FlightSegment.filter(
    ({ SegmentKey }) => newValues.has(SegmentKey) || named.includes(SegmentKey),
  ).map((booked) => {
    const details = newValues.get(booked.SegmentKey) ?? [];
    return { segmentKey: booked.SegmentKey, details, becomes: flightsAfter(booked, details) };
  });
}

/** If one flight becomes several, each must be complete. */
function flightsAfter(
  booked: FlightSegmentElement,
  details: readonly SegmentDetailsElement[],
): readonly FlightSegmentElement[] {
  const [only, ...others] = details;
  if (only !== undefined && others.length === 0) return [completeSegment(booked, only)];
  return details.map((one) => ({ ...one, SegmentKey: booked.SegmentKey }));
}

/** By the key of the segment that changes. */
function readNewValues({ DataLists }: OrderContent): ReadonlyMap<string, readonly SegmentDetailsElement[]> {
  const booked = new Set(DataLists.FlightSegmentList.FlightSegment.map(({ SegmentKey }) => SegmentKey));
  const newValues = new Map<string, readonly SegmentDetailsElement[]>();
  const entries = listOf(member(DataLists.ScheduleChangeSegmentList, "ScheduleChangeSegment"));
  for (const [position, entry] of entries.entries()) {
    const path = ["DataLists", "ScheduleChangeSegmentList", "ScheduleChangeSegment", position];
    const key = textOf(member(entry, "SegmentKey"));
    const details = z.array(segmentDetailsSchema).safeParse(listOf(member(entry, "SegmentDetails")));
    if (key === null || !details.success) {
      throw unusable(path, "needs a SegmentKey and SegmentDetails as in the interface document");
    }
    if (!booked.has(key)) {
      throw unusable([...path, "SegmentKey"], `is ${key}, which is no FlightSegment. Add the flight as it was booked`);
    }
    if (newValues.has(key)) {
      throw unusable(
        [...path, "SegmentKey"],
        "is that of another entry. Give each flight one, with all its new values",
      );
    }
    newValues.set(key, details.data);
  }
  return newValues;
}

/** Without what the gateway itself adds to every order view. */
function withoutState(content: OrderContent): OrderContent {
  return {
    ...without(content, "Document", "Success", "MetaData", "threeDsResponse"),
    Order: content.Order.map((element) =>
      without(element, "PnrStatus", "ScheduleChangeIndicator", "ScheduleChangeStatus", "ScheduleChange"),
    ),
    DataLists: without(content.DataLists, "ScheduleChangeSegmentList"),
  };
}

function without<T extends object>(element: T, ...names: readonly string[]): T {
  return Object.fromEntries(Object.entries(element).filter(([name]) => !names.includes(name))) as T;
}

function unusable(path: readonly PropertyKey[], message: string): UnusableOrderView {
  return new UnusableOrderView([{ path: pathInView(...path), message }]);
}
