import { AppError } from "../kernel/app-error.ts";
import {
  type BookingReference,
  type PnrStatus,
  pnrStatuses,
  type ScheduleChangeStatus,
  scheduleChangeStatuses,
} from "./ports.ts";

/** What moves a booking reference to another state. */
export type StateTrigger = "change" | "accept" | "other-answer" | "reject" | "cancel" | "void" | "modify" | "fail";

/** The two statuses in an order view. */
export type ReferenceState = Pick<BookingReference, "pnrStatus" | "scheduleChangeStatus">;

/** From each of the listed statuses to one state. */
export interface StateTransition {
  readonly trigger: StateTrigger;
  readonly from: {
    readonly pnrStatuses: readonly PnrStatus[];
    readonly scheduleChangeStatuses: readonly ScheduleChangeStatus[];
  };
  /** `same`: it stays. */
  readonly to: {
    readonly pnrStatus: PnrStatus | "same";
    readonly scheduleChangeStatus: ScheduleChangeStatus | "same";
  };
  /** When this state is reached rather than another. */
  readonly condition: string;
  /** Our choice, because the interface document does not show it. */
  readonly choice: string;
}

/** A defect: nothing is written. */
export const unknownTransition = "gateway.unknown_transition";

const anyPnr: readonly PnrStatus[] = pnrStatuses;
const activePnr: readonly PnrStatus[] = ["", "CONFIRMED", "PENDING", "MODIFIED", "SCHEDULE CHANGED"];
const notRejected: readonly ScheduleChangeStatus[] = ["", "Initiated", "Accepted", "Partially-Accepted"];
const openChange: readonly ScheduleChangeStatus[] = ["Initiated", "Partially-Accepted"];
const noOpenChange: readonly ScheduleChangeStatus[] = ["", "Accepted", "Rejected"];

const acceptedWhen = {
  CONFIRMED: "a ticket is left",
  PENDING: "no ticket is left",
  CANCELLED: "no flight is left",
} as const;

/**
 * All moves of a booking reference. A new order is CONFIRMED, or PENDING if it is held, with an empty
 * ScheduleChangeStatus; a loaded one has the statuses of its view. The database has the same table and refuses other
 * moves.
 * @see interface document, "States and transitions": transitions of both statuses are not shown
 */
export const stateTransitions: readonly StateTransition[] = [
  {
    trigger: "change",
    from: { pnrStatuses: activePnr, scheduleChangeStatuses: notRejected },
    to: { pnrStatus: "SCHEDULE CHANGED", scheduleChangeStatus: "Initiated" },
    condition: "a flight of the reference is left, as booked or as proposed",
    choice: "A newer change replaces one that waits, also where that one was accepted in part.",
  },
  {
    trigger: "change",
    from: { pnrStatuses: activePnr, scheduleChangeStatuses: notRejected },
    to: { pnrStatus: "CANCELLED", scheduleChangeStatus: "Initiated" },
    condition: "every flight of the reference is withdrawn",
    choice: "The change still waits for an answer, so that the refund is asked for by it.",
  },
  {
    trigger: "change",
    from: { pnrStatuses: ["CANCELLED"], scheduleChangeStatuses: openChange },
    to: { pnrStatus: "SCHEDULE CHANGED", scheduleChangeStatus: "Initiated" },
    condition: "the airline offers flights again before the withdrawal was answered",
    choice: "A withdrawal is not final before it is answered.",
  },
  {
    trigger: "change",
    from: { pnrStatuses: ["CANCELLED"], scheduleChangeStatuses: openChange },
    to: { pnrStatus: "CANCELLED", scheduleChangeStatus: "Initiated" },
    condition: "every flight of the reference is withdrawn still",
    choice: "A booking that was given up (CANCELLED and answered) takes part in no change.",
  },
  {
    trigger: "accept",
    from: { pnrStatuses: anyPnr, scheduleChangeStatuses: notRejected },
    to: { pnrStatus: "same", scheduleChangeStatus: "Partially-Accepted" },
    condition: "another reference on the same flight has not answered",
    choice: "A flight that several references share moves when the last of them has answered.",
  },
  ...(["CONFIRMED", "PENDING", "CANCELLED"] as const).map(
    (pnrStatus): StateTransition => ({
      trigger: "accept",
      from: { pnrStatuses: anyPnr, scheduleChangeStatuses: notRejected },
      to: { pnrStatus, scheduleChangeStatus: "Accepted" },
      condition: acceptedWhen[pnrStatus],
      choice: "The proposed flights are the booked ones, and the flags are N.",
    }),
  ),
  ...(["CONFIRMED", "PENDING", "CANCELLED"] as const).map(
    (pnrStatus): StateTransition => ({
      trigger: "other-answer",
      from: { pnrStatuses: anyPnr, scheduleChangeStatuses: ["Partially-Accepted"] },
      to: { pnrStatus, scheduleChangeStatus: "Accepted" },
      condition: `the last reference on the same flight has answered; ${acceptedWhen[pnrStatus]}`,
      choice: "It does not matter whether the other reference accepted, rejected or was cancelled.",
    }),
  ),
  {
    trigger: "reject",
    from: { pnrStatuses: anyPnr, scheduleChangeStatuses: notRejected },
    to: { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" },
    condition: "AirOrderInvoluntaryCancel, its flag is Y",
    choice: "The open tickets are refunded, less what was flown; the flags are N; the flights stay listed.",
  },
  {
    trigger: "cancel",
    from: { pnrStatuses: activePnr, scheduleChangeStatuses: noOpenChange },
    to: { pnrStatus: "CANCELLED", scheduleChangeStatus: "same" },
    condition: "nothing was flown",
    choice: "Tickets stay open: they can still be voided, and nothing is refunded by itself.",
  },
  {
    trigger: "cancel",
    from: { pnrStatuses: [...activePnr, "CANCELLED"], scheduleChangeStatuses: openChange },
    to: { pnrStatus: "CANCELLED", scheduleChangeStatus: "Rejected" },
    condition: "nothing was flown, and a change waits",
    choice: "Nobody can answer for a booking that is gone, so its change counts as rejected, without a refund.",
  },
  {
    trigger: "void",
    from: { pnrStatuses: ["CONFIRMED", "MODIFIED"], scheduleChangeStatuses: scheduleChangeStatuses },
    to: { pnrStatus: "PENDING", scheduleChangeStatus: "same" },
    condition: "no ticket of the reference is left, and NeedToCancelBooking is N",
    choice: "The booking is kept without a ticket. In any other state it stays as it is.",
  },
  {
    trigger: "modify",
    from: { pnrStatuses: ["", "CONFIRMED", "PENDING"], scheduleChangeStatuses: noOpenChange },
    to: { pnrStatus: "MODIFIED", scheduleChangeStatus: "same" },
    condition: "somebody changed the booking at the traveller's wish, and no change of the airline waits",
    choice: "No operation does this; the control routes do.",
  },
  {
    trigger: "fail",
    from: { pnrStatuses: ["PENDING"], scheduleChangeStatuses: noOpenChange },
    to: { pnrStatus: "FAILED", scheduleChangeStatus: "same" },
    condition: "the airline does not confirm a booking that has no ticket",
    choice: "No operation does this; the control routes do. A failed booking takes part in nothing further.",
  },
];

/** @throws AppError `gateway.unknown_transition` */
export function setReferenceState(
  reference: BookingReference,
  trigger: StateTrigger,
  to: ReferenceState,
): BookingReference {
  if (!isKnownMove(trigger, reference, to)) {
    const states = `${describe(reference)} to ${describe(to)}`;
    throw new AppError(unknownTransition, `${trigger} cannot move ${reference.gdsBookingReference} from ${states}.`);
  }
  return { ...reference, pnrStatus: to.pnrStatus, scheduleChangeStatus: to.scheduleChangeStatus };
}

export function isKnownMove(trigger: StateTrigger, from: ReferenceState, to: ReferenceState): boolean {
  return stateTransitions.some(
    (row) =>
      row.trigger === trigger &&
      row.from.pnrStatuses.includes(from.pnrStatus) &&
      row.from.scheduleChangeStatuses.includes(from.scheduleChangeStatus) &&
      to.pnrStatus === (row.to.pnrStatus === "same" ? from.pnrStatus : row.to.pnrStatus) &&
      to.scheduleChangeStatus ===
        (row.to.scheduleChangeStatus === "same" ? from.scheduleChangeStatus : row.to.scheduleChangeStatus),
  );
}

/** Whether airlines can still change the booking: it has neither failed nor ended. */
export function isChangeable({ pnrStatus, scheduleChangeStatus }: ReferenceState): boolean {
  if (pnrStatus === "FAILED" || scheduleChangeStatus === "Rejected") return false;
  return pnrStatus !== "CANCELLED" || openChange.includes(scheduleChangeStatus);
}

function describe({ pnrStatus, scheduleChangeStatus }: ReferenceState): string {
  return `${pnrStatus || "blank"} (${scheduleChangeStatus || "no change"})`;
}
