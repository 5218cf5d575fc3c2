import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OrderViewBody } from "../builders/sample-notification.ts";

/**
 * A gateway on HTTP that goes on showing the same status whatever is done, like one that serves stored statuses. It keeps
 * a journal of the accepts and cancels that it granted.
 */
export interface StatusGateway {
  readonly url: string;
  readonly journal: readonly { readonly operation: string; readonly orderId: string }[];
  /** The operations of all calls that have arrived, in order. */
  readonly calls: readonly string[];
  /** How many statuses were read. */
  reads(): number;
  /** Stops listening and cuts every connection, as when it goes down. */
  goAway(): Promise<void>;
  /** Listens again on the same port. */
  comeBack(): Promise<void>;
}

/** @param statusOf the status of an order; null returns an error, as for an order that the gateway does not know. */
export async function startStatusGateway(statusOf: (orderId: string) => OrderViewBody | null): Promise<StatusGateway> {
  const journal: { operation: string; orderId: string }[] = [];
  const calls: string[] = [];
  let reads = 0;
  let server: Server;
  let port = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = (request.url ?? "").slice(1);
    calls.push(operation);
    const body = JSON.parse(await readText(request)) as Record<string, { Query: Query }>;
    const query = Object.values(body)[0]?.Query;
    const orderId = query?.OrderID ?? "";
    if (operation === "AirReservationStatus" || operation === "AirDocRetreive") {
      if (operation === "AirReservationStatus") reads += 1;
      const status = statusOf(orderId);
      return write(response, status ?? { OrderViewRS: { Errors: { Error: { Value: "unknown order" } } } });
    }
    journal.push({ operation, orderId });
    const root = `${operation.replace("Air", "")}RS`;
    write(response, {
      [root]: {
        Success: {},
        Result: [
          { OrderID: orderId, GdsBookingReference: query?.GdsBookingReference, ErrorMsg: "", Status: "SUCCESS" },
        ],
      },
    });
  }

  async function open(): Promise<void> {
    server = createServer((request, response) => {
      respond(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  }

  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    calls,
    reads: () => reads,
    goAway: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    comeBack: open,
  };
}

interface Query {
  readonly OrderID: string;
  readonly GdsBookingReference: string[] | string;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function write(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
