import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { randomNumbers } from "../builders/random-numbers.ts";

/** What stands in the bodies that these recipients are sent. */
export interface NumberedChange {
  readonly orderId: string;
  /** 1 for the first change of the order. */
  readonly sequence: number;
}

/** One request whose body was read to its end. */
export interface Receipt extends NumberedChange {
  readonly recipient: number;
  readonly webhookId: string;
  readonly fault: Fault | null;
  /** The whole response was handed to the network, and it was an acknowledgement. */
  acknowledged: boolean;
}

export type Fault =
  | "resets"
  | "responds with 500"
  | "cuts its response off"
  | "never responds"
  | "responds late"
  | "rejects";

/** Of a hundred first tries; the other 70 are acknowledged at once. */
const faultsInHundred: readonly (readonly [Fault, number])[] = [
  ["resets", 8],
  ["responds with 500", 8],
  ["cuts its response off", 5],
  ["never responds", 4],
  ["responds late", 5],
];

const lateMs = 400;
const acknowledgement = JSON.stringify({ AcknowledgeResponse: { Status: "OK", Message: "kept" } });

export interface FaultyRecipients {
  readonly urls: readonly string[];
  /** In the order of arrival. */
  readonly receipts: readonly Receipt[];
  close(): Promise<void>;
}

/**
 * Recipients on sockets of their own, of which each spoils three tries in ten. What happens to a try follows from the seed,
 * the recipient, the change and the number of the try, however the processes that send take turns.
 *
 * @param options.faultsPerDeliveryMax later tries are acknowledged, so that the end does not wait for the long waits of the
 *   schedule.
 * @param options.rejects whether this recipient will never take this change: it responds with 422.
 */
export async function startFaultyRecipients(options: {
  readonly count: number;
  readonly seed: number;
  readonly faultsPerDeliveryMax: number;
  readonly rejects: (recipient: number, change: NumberedChange) => boolean;
}): Promise<FaultyRecipients> {
  const receipts: Receipt[] = [];
  const attempts = new Map<string, number>();

  const chooseFault = (recipient: number, change: NumberedChange): Fault | null => {
    if (options.rejects(recipient, change)) return "rejects";
    const key = `${options.seed}/${recipient}/${change.orderId}/${change.sequence}`;
    const number = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, number);
    if (number > options.faultsPerDeliveryMax) return null;
    const tryDigest = digestOfBytes(Buffer.from(`${key}/${number}`));
    let drawn = randomNumbers(tryDigest.readUInt32BE()).integer(100);
    for (const [fault, share] of faultsInHundred) {
      if (drawn < share) return fault;
      drawn -= share;
    }
    return null;
  };

  const serve = (recipient: number): Server =>
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
      } catch {
        // The sender was killed while it sent.
        return;
      }
      const { orderId, sequence } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as NumberedChange;
      const fault = chooseFault(recipient, { orderId, sequence });
      const webhookId = String(request.headers["webhook-id"]);
      const receipt: Receipt = { recipient, orderId, sequence, webhookId, fault, acknowledged: false };
      receipts.push(receipt);
      respond(response, receipt);
    });

  const servers = Array.from({ length: options.count }, (_, recipient) => serve(recipient));
  await Promise.all(
    servers.map(async (server) => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    }),
  );
  return {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`),
    receipts,
    async close() {
      await Promise.all(
        servers.map(async (server) => {
          server.close();
          server.closeAllConnections();
          await once(server, "close");
        }),
      );
    },
  };
}

function respond(response: ServerResponse, receipt: Receipt): void {
  const acknowledge = (): void => {
    response.on("finish", () => {
      receipt.acknowledged = true;
    });
    response.writeHead(200, { "content-type": "application/json" }).end(acknowledgement);
  };
  switch (receipt.fault) {
    case null:
      acknowledge();
      return;
    case "resets":
      response.socket?.resetAndDestroy();
      return;
    case "responds with 500":
      response.writeHead(500).end("out of order");
      return;
    case "cuts its response off":
      response.writeHead(200, { "content-type": "application/json", "content-length": acknowledgement.length });
      response.write(acknowledgement.slice(0, 20), () => response.socket?.destroy());
      return;
    case "never responds":
      return;
    case "responds late":
      setTimeout(acknowledge, lateMs);
      return;
    case "rejects":
      response.writeHead(422).end();
      return;
  }
}
