// A gateway that responds as fast as it can and keeps a journal of what it was asked about each order.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { acceptedMinorDelay, minorDelay, orderIdOf, orderNumberOf } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";
import { credentials, type GatewayOperation } from "./gateway-calls.ts";

const pending = minorDelay();
const accepted = acceptedMinorDelay();

/** What was asked about one order. */
interface Asked {
  statusesBefore: number;
  accepts: number;
  statusesAfter: number;
  documents: number;
}

interface Journal {
  readonly orders: Map<number, Asked>;
  calls: number;
  /** Orders that were accepted and whose documents were read then. */
  finished: number;
  onFinished: () => void;
}

function openJournal(): Journal {
  return { orders: new Map(), calls: 0, finished: 0, onFinished: () => undefined };
}

let journal = openJournal();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { authorization, "x-api-key": apiKey } = request.headers;
    if (authorization !== credentials.accessToken || apiKey !== credentials.apiKey) {
      return void response.writeHead(401).end();
    }
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, { Query: { OrderID: string } }>;
    const order = orderNumberOf(Object.values(body)[0]!.Query.OrderID);
    const content = bodyFor((request.url ?? "").slice(1) as GatewayOperation, order);
    response.writeHead(200, { "content-type": "application/json" }).end(content);
  });
});
server.keepAliveTimeout = 60_000;

function bodyFor(operation: GatewayOperation, order: number): Buffer | string {
  const asked = journal.orders.get(order) ?? { statusesBefore: 0, accepts: 0, statusesAfter: 0, documents: 0 };
  journal.orders.set(order, asked);
  journal.calls += 1;
  switch (operation) {
    case "AirReservationStatus":
      if (asked.accepts === 0) {
        asked.statusesBefore += 1;
        return pending.bodyOf(order);
      }
      asked.statusesAfter += 1;
      return accepted.bodyOf(order);
    case "AirOrderInvoluntaryAccept": {
      asked.accepts += 1;
      const Result = [{ OrderID: orderIdOf(order), GdsBookingReference: ["LHSKD1"], ErrorMsg: "", Status: "SUCCESS" }];
      return JSON.stringify({ OrderInvoluntaryAcceptRS: { Success: {}, Result } });
    }
    case "AirDocRetreive":
      asked.documents += 1;
      if (asked.accepts > 0 && asked.documents === 1) {
        journal.finished += 1;
        journal.onFinished();
      }
      return accepted.bodyOf(order);
    default:
      throw new Error(`The gateway of the bench has no ${String(operation)}.`);
  }
}

const calls = {
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },

  /** Resolves when so many orders are finished, or when the time is over. */
  async untilFinished({ count, withinMs }: { readonly count: number; readonly withinMs: number }): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
      journal.onFinished = () => {
        if (journal.finished >= count) resolve();
      };
      journal.onFinished();
    });
    clearTimeout(timer);
  },

  /** The journal of the orders from the first on, in numbers, and a new one from here on. */
  takeJournal({ first, count }: { readonly first: number; readonly count: number }) {
    const asked = Array.from({ length: count }, (_, index) => journal.orders.get(first + index));
    const ofOrders = (holds: (order: Asked) => boolean): number =>
      asked.filter((order) => order !== undefined && holds(order)).length;
    const taken = {
      calls: journal.calls,
      otherOrders: journal.orders.size - ofOrders(() => true),
      acceptedOnce: ofOrders(({ accepts }) => accepts === 1),
      readBefore: ofOrders(({ statusesBefore }) => statusesBefore > 0),
      readAfter: ofOrders(({ statusesAfter }) => statusesAfter > 0),
      documentsRead: ofOrders(({ documents }) => documents > 0),
    };
    journal = openJournal();
    return taken;
  },
};
export type GatewayCalls = typeof calls;
serveCalls(calls);
