import { demoCredentials } from "../../src/config/demo-credentials.ts";
import type { OrderViewBody } from "../builders/sample-notification.ts";

/** What airlines and the gateway do in a story, told to the gateway of a demo. */
export interface DemoGateway {
  /** One flight FRA-MUC of LH; the number is the story's own, so that no other story's order is on it. */
  book(orderId: string, flight: { readonly number: string; readonly inDays: number }, others?: object): Promise<Booked>;
  /** The airline changes the order, and whoever is to be told is told. */
  change(orderId: string, change: object): Promise<void>;
  /** The airline states the order anew, as `edit` leaves it: what differs is a change. */
  restate(orderId: string, edit: (view: OrderViewBody) => void): Promise<void>;
  /** Which of these orders an accept has reached, each as often as one did. */
  acceptsOf(orderIds: readonly string[]): Promise<readonly string[]>;
  /** The gateway shows this misbehaviour from now on. @see docs/gateway.md, "Faults" */
  injectFaults(fault: object): Promise<void>;
  behave(): Promise<void>;
  /** Voids a ticket and keeps the booking. */
  voidTicket(booked: Booked, ticketNumber: string): Promise<void>;
}

export interface Booked {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
  readonly tickets: readonly { readonly ticketNumber: string }[];
}

/** @param url where it listens; asked when it is first needed, since a story file is read before its demo runs. */
export function demoGatewayAt(url: () => string): DemoGateway {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text}`);
    return text;
  };
  const control = (method: string, path: string, body?: object): Promise<string> =>
    send(method, `/control${path}`, { authorization: `Bearer ${demoCredentials.gatewayControlToken}` }, body);

  return {
    async book(orderId, { number, inDays }, others = {}) {
      const date = new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10);
      const times = { departure: `${date}T09:00`, arrival: `${date}T10:10` };
      const flight = { from: "FRA", to: "MUC", carrier: "LH", flightNumber: number, ...times };
      const gdsBookingReferences = [`R${orderId.slice(-5)}`];
      const order = { orderId, owner: "LH", gdsBookingReferences, flights: [flight], ...others };
      return JSON.parse(await control("POST", "/orders", order)) as Booked;
    },
    async change(orderId, change) {
      await control("POST", `/orders/${orderId}/changes`, change);
    },
    async restate(orderId, edit) {
      const { orderView } = JSON.parse(await control("GET", `/orders/${orderId}`)) as { orderView: OrderViewBody };
      edit(orderView);
      await control("PUT", `/orders/${orderId}`, { orderView });
    },
    async acceptsOf(orderIds) {
      const journals = await Promise.all(
        orderIds.map(async (orderId) => {
          const text = await control("GET", `/journal?orderId=${orderId}`);
          const { items } = JSON.parse(text) as { readonly items: readonly { readonly operation: string }[] };
          return items.filter(({ operation }) => operation === "AirOrderInvoluntaryAccept").map(() => orderId);
        }),
      );
      return journals.flat();
    },
    async injectFaults(fault) {
      await control("POST", "/faults", fault);
    },
    async behave() {
      await control("DELETE", "/faults");
    },
    async voidTicket({ orderId, gdsBookingReferences }, ticketNumber) {
      const headers = {
        authorization: demoCredentials.gatewayAccessToken,
        "x-api-key": demoCredentials.gatewayApiKey,
      };
      const query = {
        OrderID: orderId,
        GdsBookingReference: gdsBookingReferences,
        TicketNumber: [ticketNumber],
        NeedToCancelBooking: "N",
      };
      const response = await send("POST", "/AirTicketVoid", headers, { AirTicketVoidRQ: { Query: query } });
      if (!response.includes('"SUCCESS"')) throw new Error(`${ticketNumber} was not voided: ${response}`);
    },
  };
}
