import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { orderNumberOf } from "../notifications.ts";

/** How a peer is started: its queue is kept in that database, or in that Redis. */
export interface PeerSetting {
  /** Of the gateway. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly redisPort: number;
  readonly atOnce: number;
  /** The `package.json` of the folder that peers are installed into. */
  readonly packages: string;
}

/** Puts an order into the peer's queue, with the notification, and resolves when it is stored. */
export type Enqueue = (order: number, notification: string) => Promise<unknown>;

/** What every process of a peer offers. */
export interface PeerCalls {
  readonly [name: string]: (input: never) => unknown;
  /** Returns the URL to which notifications are pushed. */
  open(setting: PeerSetting): Promise<string>;
}

/**
 * Listens for notifications as the simplest receiver would: it parses the JSON, and acknowledges when the order is in the queue.
 * Nobody is authenticated.
 */
export async function acceptNotifications(enqueue: Enqueue): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { OrderViewRS: view } = JSON.parse(text) as { OrderViewRS: { Order: readonly { OrderID: string }[] } };
      enqueue(orderNumberOf(view.Order[0]!.OrderID), text).then(
        () => response.end('{"AcknowledgeResponse":{"Status":"OK"}}'),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Loads a package of the peers' folder. Its types are not installed, so callers describe what they use. */
export function loadPeer<Package>(packages: string, name: string): Package {
  return createRequire(packages)(name) as Package;
}
