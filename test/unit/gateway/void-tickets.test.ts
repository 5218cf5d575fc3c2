import { describe, expect, test } from "vitest";
import type { GatewayOrder } from "../../../src/gateway/ports.ts";
import { settleChange } from "../../../src/gateway/settle-change.ts";
import { flySegments } from "../../../src/gateway/tickets.ts";
import { type VoidRequest, voidTickets } from "../../../src/gateway/void-tickets.ts";
import { changedOrder, gatewayOrder } from "../../builders/gateway-order.ts";

const at = new Date("2027-01-06T10:00:00Z");
const couple = () => gatewayOrder({ passengers: [{}, {}] });

describe("voiding tickets", () => {
  test("of a booking leaves it held, without tickets in its view", () => {
    const order = couple();

    const voided = voidTickets(order, request(order), at);

    expect(voided).toMatchObject({ status: "SUCCESS", errorMessage: "", bookingStatus: "PENDING" });
    expect(voided.tickets).toEqual(
      order.tickets.map(({ ticketNumber }) => ({ ticketNumber, status: "SUCCESS", message: "" })),
    );
    expect(voided.order.tickets.map((ticket) => ticket.state)).toEqual(["void", "void"]);
    expect(voided.order.content.TicketDocInfos?.TicketDocInfo).toEqual([]);
    expect(voided.order.content.Order[0]).toMatchObject({ TicketStatus: "NOT TICKETED" });
  });

  test("of which some are left keeps the booking CONFIRMED", () => {
    const order = couple();
    const [first, second] = order.tickets;

    const voided = voidTickets(order, { ...request(order), ticketNumbers: [first!.ticketNumber] }, at);

    expect(voided).toMatchObject({ status: "SUCCESS", bookingStatus: "CONFIRMED" });
    expect(voided.order.content.TicketDocInfos?.TicketDocInfo).toMatchObject([
      { TicketDocument: { TicketDocNbr: second!.ticketNumber } },
    ]);
    expect(voided.order.content.Order[0]).toMatchObject({ TicketStatus: "TICKETED" });
  });

  test("cancels the booking with them when it is asked to", () => {
    const order = couple();

    const voided = voidTickets(order, { ...request(order), cancelsBooking: true }, at);

    expect(voided).toMatchObject({ status: "SUCCESS", bookingStatus: "CANCELED" });
    expect(voided.order.references[0]).toMatchObject({ pnrStatus: "CANCELLED", scheduleChangeStatus: "" });
  });

  test("closes a change that waits when it cancels the booking", () => {
    const order = changedOrder();

    const voided = voidTickets(order, { ...request(order), cancelsBooking: true }, at);

    expect(voided.order).toMatchObject({ change: null, references: [{ scheduleChangeStatus: "Rejected" }] });
    expect(voided.settlements).toMatchObject([{ outcome: "cancelled" }]);
  });

  test("does what can be done, says why not for the others, and then keeps the booking", () => {
    const order = couple();
    const [first] = order.tickets;
    const ticketNumbers = [first!.ticketNumber, "2209999999999"];

    const voided = voidTickets(order, { ...request(order), ticketNumbers, cancelsBooking: true }, at);

    expect(voided).toMatchObject({
      status: "FAILED",
      errorMessage: "1 of 2 tickets could not be voided. The booking was not cancelled.",
      tickets: [
        { status: "SUCCESS", message: "" },
        { ticketNumber: "2209999999999", status: "FAILED", message: "LHSKD1 has no ticket 2209999999999." },
      ],
      bookingStatus: "CONFIRMED",
    });
    expect(voided.order.tickets.map((ticket) => ticket.state)).toEqual(["void", "open"]);
  });

  test.each<[string, (order: GatewayOrder) => GatewayOrder, string]>([
    ["void", (order) => voidTickets(order, request(order), at).order, "is void already."],
    ["flown in part", (order) => flySegments(order, ["Segment1"]), "was flown (Segment1)."],
    ["used", (order) => flySegments(order, ["Segment1", "Segment2"]), "was flown (Segment1, Segment2)."],
    ["refunded", (order) => settleChange(changedOrder(order), "rejected", ["LHSKD1"], at).order, "was refunded."],
  ])("fails for a ticket that is %s", (_, spoil, why) => {
    const order = gatewayOrder();
    const [ticket] = order.tickets;
    const spoiled = spoil(order);

    const voided = voidTickets(spoiled, request(order), at);

    expect(voided.tickets).toEqual([
      { ticketNumber: ticket!.ticketNumber, status: "FAILED", message: `Ticket ${ticket!.ticketNumber} ${why}` },
    ]);
    expect(voided.order).toEqual(spoiled);
  });

  test("that fails leaves a booking as it became after its tickets were voided", () => {
    const order = gatewayOrder();
    const held = voidTickets(order, request(order), at).order;
    const modified = {
      ...held,
      references: held.references.map((one) => ({ ...one, pnrStatus: "MODIFIED" as const })),
    };

    expect(voidTickets(modified, request(order), at)).toMatchObject({ status: "FAILED", bookingStatus: "MODIFIED" });
  });

  test("voids nothing when a reference is not the order's", () => {
    const order = gatewayOrder();

    const voided = voidTickets(order, { ...request(order), gdsBookingReferences: ["LHSKD1", "XXX999"] }, at);

    expect(voided).toMatchObject({
      status: "FAILED",
      tickets: [{ status: "FAILED", message: "Booking reference XXX999 does not belong to order QX7R2M1A." }],
      bookingStatus: "CONFIRMED",
    });
    expect(voided.order).toEqual(order);
  });

  test("leaves nothing to refund, and an accept then leaves the booking PENDING", () => {
    const order = changedOrder();
    const voided = voidTickets(order, request(order), at).order;

    expect(voided.references[0]).toMatchObject({ pnrStatus: "SCHEDULE CHANGED", scheduleChangeStatus: "Initiated" });
    expect(settleChange(voided, "rejected", ["LHSKD1"], at).results[0]?.refund).toMatchObject({
      amount: 0,
      text: "No ticket is open, so nothing is refunded.",
      tickets: [],
    });
    expect(settleChange(voided, "accepted", ["LHSKD1"], at).order.references[0]).toMatchObject({
      pnrStatus: "PENDING",
      scheduleChangeStatus: "Accepted",
    });
  });
});

/** Every ticket of the order, without its booking. */
function request(order: GatewayOrder): VoidRequest {
  return {
    gdsBookingReferences: ["LHSKD1"],
    ticketNumbers: order.tickets.map((ticket) => ticket.ticketNumber),
    cancelsBooking: false,
  };
}
