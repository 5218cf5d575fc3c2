import { z } from "zod";
import { element, field } from "../element.ts";
import { reference } from "./codes.ts";

const section = "Result objects of other operations";

/** @see interface document, "Errors" */
export const resultStatus = field(z.enum(["SUCCESS", "FAILED"]), "whether it was done");

const bookingStatus = field(z.string(), "state of the booking afterwards, CANCELED when it was cancelled", {
  section: "States and transitions",
});

const gdsBookingReferences = field(z.array(reference).min(1), "booking codes in the reservation system");

const voidedTicket = element(
  "VoidedTicket",
  section,
  z.strictObject({
    DocumentNumber: field(reference, "ticket number"),
    Status: resultStatus,
    Msg: field(z.string(), "why it failed; empty on success"),
  }),
);

/** The interface document does not show the booking state after a void; gateways send it as `BookingStatus`. */
export const voidResult = element(
  "VoidResult",
  section,
  z.strictObject({
    Status: field(resultStatus, "whether all tickets were voided"),
    ErrorMessage: field(z.string(), "why it failed; empty on success"),
    TicketDetails: field(z.array(voidedTicket), "one entry for each ticket"),
    TktRequestId: field(z.string(), "identifier of the void request", { section: "Identifiers" }),
    ShoppingResponseId: field(z.string(), "as in the envelope"),
    BookingStatus: bookingStatus.optional(),
  }),
);

export const cancelResult = element(
  "CancelResult",
  section,
  z.strictObject({
    Status: resultStatus,
    Msg: field(z.string(), "what was done, or why not"),
    BookingStatus: bookingStatus,
    OrderID: field(reference, "order that was to be cancelled"),
    GdsBookingReference: field(reference, "booking code in the reservation system"),
  }),
);

const involuntaryResult = {
  OrderID: field(reference, "order that the result is for"),
  GdsBookingReference: gdsBookingReferences,
  ErrorMsg: field(z.string(), "why it failed; empty on success"),
  Status: resultStatus,
};

export const involuntaryAcceptResult = element("InvoluntaryAcceptResult", section, z.strictObject(involuntaryResult));

const ticketRefund = element(
  "TicketRefund",
  section,
  z.strictObject({
    TicketNumber: field(reference, "ticket that is refunded"),
    Amount: field(z.number(), "refund of this ticket; its currency is not stated", { reads: "decimal" }),
  }),
);

/** A failed result has no refund. */
export const involuntaryCancelResult = element(
  "InvoluntaryCancelResult",
  section,
  z.strictObject({
    ...involuntaryResult,
    RefundAmount: field(z.number(), "refund of all tickets; its currency is not stated", {
      reads: "decimal",
    }).optional(),
    RefundText: field(z.string(), "how the refund is made").optional(),
    RefundPaxWiseFare: field(z.array(ticketRefund), "refund of each ticket").optional(),
  }),
);
