import { z } from "zod";
import { element, field } from "../element.ts";
import { responseEnvelope, responseMetaData, responseVersion } from "../envelope.ts";
import { pnrStatus, reference, scheduleChangeStatus } from "./codes.ts";
import { orderDataLists, ticketDocInfos } from "./data-lists.ts";
import { offerObjectShape } from "./offer.ts";
import { offerItem } from "./offer-item.ts";
import { payments } from "./payments.ts";
import { scheduleChangeElement } from "./segment.ts";

const section = "Order / offer object";
const states = "States and transitions";

/** Several elements may have the same OrderID with different booking references. */
export const order = element(
  "Order",
  section,
  z.strictObject({
    OrderID: field(reference, "order identifier given by the airline at booking", { section: "Identifiers" }),
    GdsBookingReference: field(reference, "booking code in the reservation system", { section: "Identifiers" }),
    OrderStatus: field(z.string(), "SUCCESS and BOOKED occur").optional(),
    PaymentStatus: field(z.string(), "PAID occurs; may be empty").optional(),
    TicketStatus: field(z.string(), "TICKETED and NOT TICKETED occur").optional(),
    PnrStatus: field(pnrStatus, "reservation status; empty or missing while none is stored", {
      section: states,
    }).optional(),
    ScheduleChangeIndicator: field(z.boolean(), "whether flights have changed; default false").optional(),
    ScheduleChangeStatus: field(
      scheduleChangeStatus,
      "where the change stands; meaningful when ScheduleChangeIndicator is true, by default empty",
    ).optional(),
    OptionalServiceStatus: field(z.string(), "status of the extra services; not in the interface document").optional(),
    ...offerObjectShape,
    OfferItem: field(z.array(offerItem), "fares and extra services").optional(),
    ScheduleChange: field(z.array(scheduleChangeElement), "the flights that change, and what may be done about it", {
      section: "Schedule-change objects",
    }).optional(),
  }),
);

/** Under `OrderViewRS`: a reservation status, ticket documents or a notification. */
export const orderView = element(
  "OrderView",
  "Events",
  z.strictObject({
    ...responseEnvelope(responseVersion),
    Payments: field(payments, "what was paid, and how").optional(),
    Order: field(z.array(order).min(1), "the bookings of the order", { section }),
    DataLists: field(orderDataLists, "what the bookings refer to"),
    TicketDocInfos: ticketDocInfos.optional(),
    MetaData: responseMetaData.optional(),
    threeDsResponse: field(z.string(), "in notifications; may be empty", { section: "DataLists" }).optional(),
  }),
);

export interface OrderViewBody extends z.infer<typeof orderView> {}
